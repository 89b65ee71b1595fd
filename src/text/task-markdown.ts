/** A task as a Markdown list describes it. `ref` is its number in that list, if it has one. */
export type ListedTask = {
  ref?: string;
  subject: string;
  description: string;
  status: "pending" | "in_progress" | "completed";
  blockedBy: string[];
};

const MARKS = { pending: " ", in_progress: "~", completed: "x" } as const;
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) {1,4}\[([ xX~/-])\] {1,4}(?:#(\d{1,10})(?::| ) *)?(.*)$/;
const BLOCKED = / {1,4}\(blocked by ((?:#\d{1,10}(?:, *)?)+)\)$/;

/** One item per task, with its description indented below it. */
export const tasksToMarkdown = (tasks: readonly ListedTask[]): string =>
  tasks
    .map(({ ref, subject, description, status, blockedBy }) => {
      const waits = blockedBy.length > 0 ? ` (blocked by ${blockedBy.map((id) => `#${id}`).join(", ")})` : "";
      const head = `- [${MARKS[status]}] ${ref ? `#${ref} ` : ""}${subject.replace(/\s+/g, " ")}${waits}`;
      const lines = description ? description.split("\n").map((line) => (line ? `  ${line}` : "")) : [];
      return [head, ...lines].join("\n");
    })
    .join("\n");

/** Reads what `tasksToMarkdown` writes, and lists written by hand. Other lines are ignored. */
export function tasksFromMarkdown(markdown: string): ListedTask[] {
  const tasks: ListedTask[] = [];
  let inItem = false;
  for (const line of markdown.split(/\r?\n/)) {
    const [, mark, ref, text] = ITEM.exec(line) ?? [];
    if (mark !== undefined && text?.trim()) {
      const [waits = "", ids = ""] = BLOCKED.exec(text.trimEnd()) ?? [];
      const subject = text.trimEnd().slice(0, text.trimEnd().length - waits.length);
      const status = mark === " " ? "pending" : /x/i.test(mark) ? "completed" : "in_progress";
      tasks.push({ ...(ref && { ref }), subject, description: "", status, blockedBy: ids.match(/\d+/g) ?? [] });
      inItem = true;
    } else if (inItem && /^(?: {2}|\t)/.test(line)) addLine(tasks, line.replace(/^(?: {2}|\t)/, ""));
    else if (inItem && line.trim() === "") addLine(tasks, "");
    else inItem = false;
  }
  return tasks.map((task) => ({ ...task, description: task.description.trim() }));
}

function addLine(tasks: readonly ListedTask[], line: string): void {
  const task = tasks.at(-1);
  if (task) task.description += `${line}\n`;
}
