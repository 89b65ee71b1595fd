import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { Gate } from "../../../core/gate.ts";
import type { Result } from "../../../core/words/result.ts";
import { type ListedTask, tasksFromMarkdown, tasksToMarkdown } from "../../../text/task-markdown.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { tell } from "../lib/telling.ts";
import { documentOf, print, visibleOnTerminal } from "../lib/terminal.ts";

const STATUSES: Readonly<Record<string, string>> = {
  ...{ start: "in_progress", done: "completed", reopen: "pending", remove: "deleted" },
};

const FORMS = {
  ...{ list: "", add: "SUBJECT", start: "ID", done: "ID", reopen: "ID", remove: "ID", export: "", import: "FILE" },
};

/** Lists and changes the tasks that agents share. Each change is a call like any other. */
export const run: Command = async (invocation) => {
  const [part = "list", ...words] = invocation.words;
  const looks = part === "list" || part === "export";
  const source = part === "import" ? tasksFromMarkdown(await given(words)) : [];
  const opening = { ...openingOf(invocation), toolset: ["tasks"] };
  return withGate({ ...opening, ...(looks && storeForLooking(opening.workspace)) }, (gate) => {
    if (part === "list" && words.length === 0) return list(gate, invocation);
    if (part === "export" && words.length === 0) return exported(gate);
    if (part === "import") return imported(gate, invocation, source);
    if (part === "add" && words.length > 0) return said(gate, "task_create", { subject: words.join(" ") }, invocation);
    const status = Object.hasOwn(STATUSES, part) ? STATUSES[part] : undefined;
    if (status && words.length === 1) return said(gate, "task_update", { taskId: words[0], status }, invocation);
    throw wrongWords("tasks", invocation.words, FORMS);
  });
};

async function given([file, ...more]: readonly string[]): Promise<string> {
  if (file === undefined || more.length > 0)
    throw new UsageFailure("toolgate tasks import takes one file.", "Give - to read standard input.");
  if (file === "-") return readAll(process.stdin);
  return readFile(file, "utf8").catch((error: { code?: string }) => {
    throw new UsageFailure(`${file} cannot be read (${error.code}).`, "Give a Markdown file with a list of tasks.");
  });
}

const said = async (gate: Gate, name: string, args: object, { json }: Invocation): Promise<number> =>
  tell(await gate.call({ name, args }), json);

async function list(gate: Gate, { json }: Invocation): Promise<number> {
  const result = await gate.call({ name: "task_list", args: {} });
  if (!json || !result.success) return tell(result, json);
  await print(documentOf(result.metadata.tasks));
  return 0;
}

async function exported(gate: Gate): Promise<number> {
  const result = await gate.call({ name: "task_list", args: {} });
  if (!result.success) return tell(result, false);
  const tasks = result.metadata.tasks as (ListedTask & { id: string })[];
  const markdown = tasksToMarkdown(tasks.map((task) => ({ ...task, ref: task.id })));
  if (markdown) await print(`${process.stdout.isTTY ? visibleOnTerminal(markdown) : markdown}\n`);
  return 0;
}

/** Numbers in the file only link its tasks to each other; the tasks get new numbers here. */
async function imported(gate: Gate, { json }: Invocation, tasks: readonly ListedTask[]): Promise<number> {
  if (tasks.length === 0)
    throw new UsageFailure("There are no tasks in it.", "A task is a line such as `- [ ] paint the fence`.");
  const ids = new Map<string, string>();
  const added: string[] = [];
  for (const { ref, subject, description } of tasks) {
    const result = await gate.call({ name: "task_create", args: { subject, description } });
    if (!result.success) return tell(result, json);
    added.push(idOf(result));
    if (ref) ids.set(ref, idOf(result));
  }
  for (const [index, { status, blockedBy }] of tasks.entries()) {
    const addBlockedBy = blockedBy.flatMap((ref) => ids.get(ref) ?? []);
    // a task that was in progress there is not in progress here
    const finished = status === "completed";
    if (!finished && addBlockedBy.length === 0) continue;
    const args = { taskId: added[index], addBlockedBy, ...(finished && { status }) };
    const result = await gate.call({ name: "task_update", args });
    if (!result.success) return tell(result, json);
  }
  await print(json ? documentOf({ added }) : `${added.length} added: ${added.map((id) => `#${id}`).join(", ")}\n`);
  return 0;
}

const idOf = ({ metadata }: Result): string => String(metadata.id);
