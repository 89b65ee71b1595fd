import * as z from "zod";
import { Tool } from "../core/words/tool.ts";

export const askUser = Tool.define("ask_user", {
  description: "Ask the person you work for a question that you cannot answer yourself; options are suggested answers.",
  permissions: { required: ["read"] },
  get input() {
    return z.object({
      question: z.string().trim().min(1).max(4000),
      options: z.array(z.string().max(500)).max(20).optional(),
    });
  },
  touches: () => [{ action: "ask", target: "person" }],
  async execute({ question, options }, context) {
    const answer = await context.people.ask({ question, asker: "the model", ...(options && { options }) });
    return { title: "Answered", output: answer, metadata: { answer } };
  },
});
