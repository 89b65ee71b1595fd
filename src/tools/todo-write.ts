import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { keepTodos, TODO_STATUSES, todoLines } from "./lib/todos.ts";

export const todoWrite = Tool.define("todo_write", {
  description: "Write this session's to-do list; it replaces the list before. Keep one item in_progress.",
  permissions: { required: ["read"] },
  aliases: { names: ["todowrite", "TodoWrite"] },
  tables: "todos",
  get input() {
    return z.object({
      todos: z
        .array(
          z.object({
            content: z.string().trim().min(1).max(2000),
            status: z.enum(TODO_STATUSES),
            activeForm: z.string().max(2000).optional(),
            priority: z.string().max(40).optional(),
          }),
        )
        .max(200),
    });
  },
  // a session's own notes: they affect nobody else
  touches: () => [],
  async execute({ todos }, context) {
    await keepTodos(context, todos);
    const open = todos.filter(({ status }) => status !== "completed").length;
    return {
      title: `${counted(open, "item")} open`,
      output: todoLines(todos),
      metadata: { count: todos.length, open },
    };
  },
});
