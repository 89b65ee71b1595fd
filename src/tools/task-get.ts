import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { taskBook, taskID } from "./lib/task-book.ts";
import { taskDetails } from "./lib/task-shown.ts";

export const taskGet = Tool.define("task_get", {
  description: "Read one task with its description and what it waits for.",
  permissions: { required: ["read"] },
  aliases: { names: ["TaskGet"], args: { taskId: ["task_id", "id"] } },
  tables: "tasks",
  polls: true,
  get input() {
    return z.object({ taskId: z.string() });
  },
  touches: () => [],
  async execute({ taskId }, context) {
    const task = await taskBook(context).get(taskID(taskId));
    if (task.outside) context.noteOutside();
    return { title: `Task ${task.id}`, output: taskDetails(task), metadata: { id: task.id, task } };
  },
});
