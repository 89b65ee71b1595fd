import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { forget, isKept, SCOPES } from "./lib/memories.ts";
import { memoryTarget } from "./lib/memory-input.ts";
import { onOneLine } from "./lib/shown-text.ts";

export const memoryForget = Tool.define("memory_forget", {
  description: "Forget what was remembered under a key.",
  permissions: { required: ["read"] },
  rare: ["scope"],
  tables: "memory",
  get input() {
    return z.object({ key: z.string().trim().min(1).max(200), scope: z.enum(SCOPES).default("project") });
  },
  touches: ({ scope, key }) => [{ action: "remember", target: memoryTarget(scope, key) }],
  getDangerLevel: ({ scope }) => (scope === "user" ? "moderate" : "safe"),
  async execute({ key, scope }, context) {
    const forgotten = await forget(context, scope, key);
    const other = scope === "user" ? "project" : "user";
    const elsewhere = !forgotten && (await isKept(context, other, key));
    const missing = `There is no memory ${onOneLine(key)}${elsewhere ? `; one of that key is kept for the ${other} (scope: ${other})` : ""}.`;
    return {
      title: forgotten ? `Forgot ${key}` : `No memory ${key}`,
      output: forgotten ? `Forgot memory: ${key}` : missing,
      metadata: { id: key, key, scope, forgotten },
    };
  },
});
