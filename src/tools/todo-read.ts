import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { todoLines, todosOf } from "./lib/todos.ts";

export const todoRead = Tool.define("todo_read", {
  description: "Read this session's to-do list as it was last written.",
  permissions: { required: ["read"] },
  aliases: { names: ["todoread", "TodoRead"] },
  tables: "todos",
  polls: true,
  get input() {
    return z.object({});
  },
  touches: () => [],
  async execute(_, context) {
    const todos = await todosOf(context);
    return {
      title: counted(todos.length, "item"),
      output: todoLines(todos),
      metadata: { count: todos.length, todos },
    };
  },
});
