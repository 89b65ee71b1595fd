import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { visibleLine } from "../core/words/visible.ts";
import { jobBook } from "./lib/job-book.ts";

export const cronRemove = Tool.define("cron_remove", {
  description: "Remove a planned job by its id.",
  permissions: { required: ["execute"] },
  aliases: { args: { id: ["job_id", "name"] } },
  tables: "cron",
  get input() {
    return z.object({ id: z.string().trim().min(1).max(200) });
  },
  touches: ({ id }) => [{ action: "schedule", target: id }],
  async execute({ id: written }, context) {
    const book = jobBook(context);
    const { id, name, running } = await book.find(written);
    await book.remove(id);
    const rest = running ? " The run that is in progress will finish." : "";
    return {
      title: `Removed ${id}`,
      output: `Job ${id} (${visibleLine(name)}) is removed.${rest}`,
      metadata: { id, name, running },
    };
  },
});
