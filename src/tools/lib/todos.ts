import type { Context } from "../../core/words/tool.ts";
import { redact } from "../../text/redact.ts";
import { onOneLine } from "./shown-text.ts";

export const TODO_STATUSES = ["pending", "in_progress", "completed"] as const;
export type Todo = {
  content: string;
  status: (typeof TODO_STATUSES)[number];
  activeForm?: string | undefined;
  priority?: string | undefined;
};
type Session = Pick<Context, "table" | "sessionID">;

const MARKS: Record<Todo["status"], string> = { pending: "○", in_progress: "●", completed: "✓" };
/** Lists of old sessions are removed to make room. */
const MOST_SESSIONS = 200;

export const todoLines = (todos: readonly Todo[]): string =>
  todos.map(({ content, status }, index) => `${index + 1}. [${MARKS[status]}] ${onOneLine(content)}`).join("\n") ||
  "The to-do list is empty.";

export const todosOf = async ({ table, sessionID }: Session): Promise<readonly Todo[]> =>
  (await table().get<readonly Todo[]>(sessionID))?.value ?? [];

export async function keepTodos({ table, sessionID }: Session, todos: readonly Todo[]): Promise<void> {
  const rows = table();
  await rows.put(
    sessionID,
    todos.map((todo) => ({ ...todo, content: redact(todo.content) })),
  );
  const kept = await rows.list();
  if (kept.length <= MOST_SESSIONS) return;
  const oldest = kept.filter(({ key }) => key !== sessionID).sort((a, b) => a.at - b.at);
  for (const { key, version } of oldest.slice(0, kept.length - MOST_SESSIONS))
    await rows.remove(key, { ifVersion: version });
}
