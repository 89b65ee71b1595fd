import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { onOneLine } from "./lib/shown-text.ts";
import { taskBook, taskID } from "./lib/task-book.ts";
import { taskMetadata } from "./lib/task-metadata.ts";

export const taskCreate = Tool.define("task_create", {
  description: "Add a task to the list that all agents of this workspace share.",
  permissions: { required: ["read"] },
  aliases: { names: ["TaskCreate"], args: { blockedBy: ["blocked_by", "addBlockedBy"] } },
  rare: ["activeForm", "metadata", "blockedBy"],
  tables: "tasks",
  get input() {
    return z.object({
      subject: z.string().trim().min(1).max(500),
      description: z.string().max(20_000).optional(),
      activeForm: z.string().max(500).optional(),
      metadata: taskMetadata().optional(),
      blockedBy: z.array(z.string()).optional(),
    });
  },
  touches: () => [{ action: "remember", target: "tasks" }],
  async execute({ subject, description = "", activeForm, metadata, blockedBy = [] }, context) {
    const id = await taskBook(context).create(
      {
        ...{ subject, description, status: "pending" },
        ...(activeForm && { activeForm }),
        ...(metadata && { metadata }),
        ...(context.outside && { outside: true }),
      },
      blockedBy.map(taskID),
    );
    return { title: `Task ${id}`, output: `Task #${id} is on the list: ${onOneLine(subject)}`, metadata: { id } };
  },
});
