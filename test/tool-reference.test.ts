import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { argumentsOf } from "../src/arguments/json-schema.ts";
import { kind } from "../src/arguments/messages.ts";
import { toJsonSchema } from "../src/arguments/schema.ts";
import type { Definition } from "../src/core/words/tool.ts";
import { dialects } from "../src/tools/lib/dialects.ts";
import { bench, onPath } from "./journeys/harness.ts";

const block = (name: string): RegExp =>
  new RegExp(`(?<=<!-- ${name}: made by \`npm run docs\` -->\\n\\n)[\\s\\S]*?(?=\\n\\n<!-- end of ${name} -->)`);

/** What each argument means. The names, the kinds and what is required come from the tools themselves. */
const MEANINGS: Readonly<Record<string, string>> = {
  "apply_patch.patch": "a unified, context or normal diff, a `*** Begin Patch` text, or SEARCH/REPLACE blocks",
  "apply_patch.path": "the file, for a diff that names none",
  "board_claim.resource": "what to claim, by any name that the agents agree on; case does not matter",
  "board_claim.mode":
    "`read`: others may read and write; `write` (if absent): others may read; `exclusive`: nobody else",
  "board_claim.ttl_ms": "for how long, in milliseconds; a minute if absent, a day at the most",
  "board_claim.release": "the token of a claim, to release it instead",
  "board_post.content": "what was found",
  "board_post.type": "what kind of finding; `discovery` if absent",
  "board_post.topic": "what it is about, in a word or two",
  "board_post.confidence": "how sure, from 0 to 1; 0.5 if absent",
  "board_post.tags": "words to find it by",
  "board_post.files": "files that it is about",
  "board_read.type": "only findings of this kind",
  "board_read.topic": "only findings on this topic",
  "board_read.tag": "only findings with this tag",
  "board_read.file": "only findings about this file",
  "board_read.query": "only findings that hold this text",
  "board_read.fresh": "what others posted and you were not told yet",
  "board_read.limit": "how many findings to show; 20 if absent",
  "browser.action": "what to do; see [Web](web.md#browser-and-screenshots)",
  "browser.url": "the page to open, or the file to download",
  "browser.ref": "the element, by its reference in the last snapshot; for `snapshot` and `get_text`: only this part",
  "browser.text": "what to fill in, type, select or wait for; the key to press, such as `Enter`",
  "browser.path": "the file of the workspace to upload, or to save a download as",
  "browser.accept": "accept a dialog that the page opens; it is dismissed otherwise",
  "browser.answer": "what to type into a dialog that is accepted",
  "browser.direction": "where to scroll; `down` if absent",
  "browser.ms": "how long to wait, in milliseconds",
  "browser.full_page": "a picture of the whole page, not only of what is in view",
  "browser.offset": "the first line to show of a long snapshot or text",
  "capture_screenshot.url": "the page",
  "capture_screenshot.delay_ms": "how long to wait after the page has loaded; 1000 if absent",
  "capture_screenshot.full_page": "the whole page, not only what is in view",
  "capture_screenshot.width": "the width of the window; 1280 if absent",
  "capture_screenshot.height": "the height of the window; 800 if absent",
  "ask_user.question": "the question",
  "ask_user.options": "answers to suggest",
  "delete_file.path": "the file",
  "edit_file.path": "the file",
  "edit_file.old_str": "the text to replace; an empty one creates a missing file or fills an empty one",
  "edit_file.new_str": "the text to put there",
  "edit_file.replace_all": "replace every place, not just the only one",
  "edit_file.line": "a line hint: chooses between equal places, and nothing else",
  "edit_file.edits":
    "several edits in order, all or none, each with `old_str`, `new_str` and optionally `replace_all`, `line`",
  "execute_code.language":
    "`python`, `javascript`, `typescript` or `bash`; only those that this machine can run are shown",
  "execute_code.code": "the code",
  "execute_code.timeout": "time limit in seconds, at most 600",
  "file_info.path": "the file or folder",
  "find_files.pattern": "a glob, or a list of globs; `!glob` leaves out; a name without a slash is found at any depth",
  "find_files.path": "the folder to search",
  "find_files.recursive": "`false`: this folder only",
  "find_files.no_ignore": "search ignored files too",
  "find_files.max_results": "how many files to show; 100 if absent",
  "grep.pattern": "a regular expression; one that is not valid is searched for as text",
  "grep.path": "the folder or file to search",
  "grep.glob": "only files that match this glob, or list of globs; `!glob` leaves out",
  "grep.literal": "the pattern is plain text",
  "grep.case_sensitive": "`false` ignores case; `true` if absent",
  "grep.ignore_case": "the same, the other way round",
  "grep.recursive": "`false`: this folder only",
  "grep.no_ignore": "search ignored files too",
  "grep.context_lines": "lines to show around each match",
  "grep.before": "lines to show before each match",
  "grep.after": "lines to show after each match",
  "grep.type": "only files of this kind: `ts`, `py`, `rust` …",
  "grep.multiline": "a match may span lines, and `.` matches a line break",
  "grep.mode": "show matching lines, the files that have some, or how many each file has",
  "grep.output_mode": "the same, in Claude Code's words",
  "grep.max_results": "how many matches to show (files, in the other modes); 100 if absent, 50 in `search_code`",
  "list_files.path": "the folder",
  "list_files.pattern": "only entries that match this glob; one with a slash lists all levels",
  "list_files.recursive": "list all files below, without ignored ones",
  "list_files.exclude": "leave out entries that match this glob, or list of globs",
  "list_files.no_ignore": "list ignored files too",
  "list_files.max_entries": "how many entries to show; 200 if absent",
  "lock_paths.globs": "what to lock, from the root of the workspace on: one glob or a list of globs",
  "lock_paths.ttl_ms": "for how long, in milliseconds; five minutes if absent, a day at the most",
  "cron_add.name": "what people call it",
  "cron_add.schedule":
    "`{kind: cron, expr, tz}`, `{kind: at, at, tz}` or `{kind: every, every_ms}`; the zone is UTC if absent",
  "cron_add.job_type": "`shell`, or `agent`: a task for an agent, which needs a model when it runs",
  "cron_add.command": "a line of bash",
  "cron_add.prompt": "what an agent is to do",
  "cron_add.timeout": "time limit of a run in seconds, 120 if absent",
  "cron_add.missed": "what to do about missed runs: one for all (`once`, if absent), `all` of them, or none (`skip`)",
  "cron_list.id": "one job by its id or name, with its last runs",
  "cron_remove.id": "the job, by its id or name",
  "memory_forget.key": "what it was stored under",
  "memory_forget.scope": "`project` if absent, or `user`",
  "memory_recall.query": "words to look for; `*` for the newest",
  "memory_recall.limit": "how many, 5 if absent",
  "memory_recall.category": "only those of this category",
  "memory_recall.scope": "only `project` or only `user`; both if absent",
  "memory_store.key": "the name to find and replace it by",
  "memory_store.content": "what to remember, at most 8,000 characters; secrets are left out",
  "memory_store.category": "`core` (if absent), `daily`, `conversation`, or your own",
  "memory_store.scope": "`project` (if absent), or `user`: for all workspaces of the person",
  "process.action": "list the background commands, read new output of one, type into one, or end one",
  "process.id": "which command",
  "process.text": "what to type",
  "process.lines": "only the last lines of the new output",
  "read_file.path": "the file",
  "read_file.offset": "first line, counted from 1",
  "read_file.limit": "how many lines, at most 2,000",
  "read_file.line_range": '`[first, last]` or `"first-last"`, in place of the two',
  "read_file.max_bytes": "how many bytes, 50 KB if absent",
  "run_command.command": "a line of bash, or a program and its arguments as a list",
  "run_command.cwd": "the folder to run in",
  "run_command.timeout":
    "time limit in seconds, at most 600. A number from 1,000 on is taken as milliseconds, but for round times such as 1,800 or 3,600; 700 is 600 seconds, never 0.7",
  "run_command.timeout_ms": "the same in milliseconds",
  "run_command.env": "environment variables",
  "run_command.background": "do not wait for it; see `process`",
  "run_command.description": "what it is for, for people",
  "skill.name": "which skill; without it, all are listed",
  "skill.file": "a file of the skill, from its folder on; its instructions if absent",
  "skill.args": "what the skill is to be applied to, for skills that have `$ARGUMENTS` in them",
  "spawn_agent.agent": "which one: explore, review, plan, test, build, or one of the workspace",
  "spawn_agent.task": "what it shall do, with all that it needs to know",
  "spawn_agent.context": "more that it should know",
  "spawn_agent.resume": "the id in the result of an earlier call: that agent goes on, and remembers what was said",
  "spawn_agent.description": "a few words for people; changes nothing",
  "task_create.subject": "what is to be done, in a few words",
  "task_create.description": "what one needs to know for it",
  "task_create.activeForm": "the subject as it reads while it is done: `Painting the fence`",
  "task_create.metadata": "whatever else belongs to it",
  "task_create.blockedBy": "the tasks that have to be finished first",
  "task_get.taskId": "`3`, `#3` or `task-3`",
  "task_list.status": "only those: `pending`, `in_progress` or `completed`",
  "task_update.taskId": "`3`, `#3` or `task-3`",
  "task_update.status":
    "`in_progress` takes it for the caller, `completed` finishes it, `pending` gives it back, `deleted` removes it",
  "task_update.subject": "a new one",
  "task_update.description": "a new one",
  "task_update.activeForm": "a new one",
  "task_update.owner": "whose it is; says nothing about who works on it",
  "task_update.addBlocks": "tasks that have to wait for it",
  "task_update.addBlockedBy": "tasks that it has to wait for",
  "task_update.metadata": "values to set; null takes one away",
  "task_update.lease": "seconds without an update after which it is free again (default: 1800)",
  "todo_write.todos": "the whole list, each with `content` and `status`",
  "undo_file.path": "the file",
  "undo_file.redo": "bring back what was undone",
  "undo_turn.call": "which call, by its id, in place of a turn",
  "undo_turn.turn": "which turn; this one if absent; `last`: the latest that changed something",
  "undo_turn.redo": "bring back what was undone",
  "unlock_paths.tokens": "what `lock_paths` gave in `metadata.tokens`",
  "http_request.url": "where to, by http or https",
  "http_request.method": "`GET` if absent; a rule that names no method allows `GET` and `HEAD` alone",
  "http_request.headers": "by name; `${env:NAME}` in a value stands for a secret, see [Web](web.md#secrets)",
  "http_request.body": "a text, or an object or list that is sent as JSON",
  "http_request.timeout": "seconds; 30 if absent",
  "web_fetch.url": "the page; `https://` is added to a bare host",
  "web_fetch.format": "`markdown` if absent; `text`, `html` without scripts and hidden text, or `raw` as it came",
  "web_fetch.offset": "the first character of a part of a long page; the reply names the next",
  "web_fetch.timeout": "seconds; 30 if absent, 120 at the most",
  "web_fetch.max_bytes": "how much of the page to show at once; 40 KB if absent",
  "web_search.query": "what to search for",
  "web_search.max_results": "how many results; 5 if absent, 20 at the most",
  "write_file.path": "the file",
  "write_file.content": "the whole content, or what is appended or inserted",
  "write_file.mode": "replace the content, or append to it",
  "write_file.insert_line": "insert after this line instead; 0 is the beginning",
};

const used = new Set<string>();

const meaning = (tool: string, argument: string): string => {
  const key = [`${tool}.${argument}`, `grep.${argument}`].find((each) => Object.hasOwn(MEANINGS, each));
  if (key === undefined) throw new Error(`Say what ${tool}.${argument} means, in ${import.meta.filename}.`);
  used.add(key);
  return MEANINGS[key] as string;
};

function section(name: string, definition: Definition): string {
  const { description, permissions, aliases, rare = [] } = definition;
  const root = toJsonSchema(definition.input);
  const { schemas, required } = argumentsOf(root);
  const rows = [...schemas].map(([argument, schema]) => {
    const others = aliases?.args?.[argument] ?? [];
    const need = required.has(argument) ? "required" : rare.includes(argument) ? "not shown" : "";
    const words = kind(root, schema).replaceAll("|", "\\|");
    const also = others.map((other) => `\`${other}\``).join(" ");
    return `| \`${argument}\` | ${words} | ${need} | ${meaning(name, argument)} | ${also} |`;
  });
  const names = (aliases?.names ?? []).map((alias) => `\`${typeof alias === "string" ? alias : alias.name}\``);
  return [
    `### \`${name}\``,
    `${description} Needs the permission ${(permissions?.required ?? []).map((each) => `\`${each}\``).join(", ")}.`,
    rows.length > 0
      ? ["| argument | kind | | meaning | also understood as |", "|---|---|---|---|---|", ...rows].join("\n")
      : "It takes no arguments.",
    ...(names.length > 0 ? [`Other names: ${names.join(", ")}.`] : []),
  ].join("\n\n");
}

function update(document: string, name: string, made: string): void {
  const text = readFileSync(document, "utf8");
  expect(text, document).toMatch(block(name));
  if (process.env.UPDATE_DOCS)
    writeFileSync(
      document,
      text.replace(block(name), () => made),
    );
  expect(block(name).exec(readFileSync(document, "utf8"))?.[0], "run `npm run docs`").toBe(made);
}

test("the document lists every tool with its arguments as it is defined", async () => {
  // which languages are shown depends on what is installed
  onPath({ python3: "", node: "", tsx: "" });
  const { gate } = await bench({}, { store: "memory", sandbox: "off", toolset: "all" });
  const sections = gate.registry.list().map(({ name, definition }) => section(name, definition as Definition));
  expect(Object.keys(MEANINGS).filter((key) => !used.has(key))).toEqual([]);
  update("docs/tools.md", "tools", sections.join("\n\n"));
});

test("the document lists what each dialect calls the tools", async () => {
  const names = Object.keys(dialects).filter((each) => each !== "default");
  const { gate } = await bench({}, { store: "memory", sandbox: "off", toolset: "all" });
  const rows = gate.registry.list().flatMap(({ name }) => {
    const cells = names.map((each) => dialects[each]?.[name]?.name);
    return cells.some(Boolean)
      ? [`| \`${name}\` | ${cells.map((cell) => (cell ? `\`${cell}\`` : "")).join(" | ")} |`]
      : [];
  });
  const head = [`| tool | ${names.map((each) => `\`${each}\``).join(" | ")} |`, `|---|${"---|".repeat(names.length)}`];
  update("docs/clients.md", "dialects", [...head, ...rows].join("\n"));
});

test("every error code is explained, and nothing else", () => {
  const type = /export type Code =\n([\s\S]*?);/.exec(readFileSync("src/core/words/result.ts", "utf8"))?.[1] ?? "";
  const codes = [...type.matchAll(/"(\w+)"/g)].map(([, code]) => code);
  const listed = [...readFileSync("docs/errors.md", "utf8").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual(codes.toSorted());
});
