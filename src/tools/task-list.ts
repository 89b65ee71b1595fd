import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { TASK_STATUSES, taskBook } from "./lib/task-book.ts";
import { byStatus, taskLine } from "./lib/task-shown.ts";

const MOST = 200;

export const taskList = Tool.define("task_list", {
  description: "List the shared tasks: under way, open, finished.",
  permissions: { required: ["read"] },
  aliases: { names: ["TaskList"] },
  rare: ["status"],
  tables: "tasks",
  polls: true,
  get input() {
    return z.object({ status: z.enum(TASK_STATUSES).optional() });
  },
  touches: () => [],
  async execute({ status }, context) {
    const tasks = byStatus(await taskBook(context).all()).filter((task) => !status || task.status === status);
    const shown = tasks.slice(0, MOST).map(taskLine);
    if (tasks.some(({ outside }) => outside)) context.noteOutside();
    if (tasks.length > MOST)
      shown.push(`… and ${counted(tasks.length - MOST, "more task")}; \`status\` narrows the list.`);
    const none = status ? `No task is ${status.replace("_", " ")}.` : "There are no tasks yet. task_create adds one.";
    return {
      title: counted(tasks.length, "task"),
      output: shown.join("\n") || none,
      metadata: { count: tasks.length, tasks },
    };
  },
});
