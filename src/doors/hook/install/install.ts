import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { changeDiff } from "../../../text/change-diff.ts";
import { itemsAt, withItem, withoutItems } from "./settings-text.ts";
import { type Listed, OURS, type Part, type Scope, type Setup, setups } from "./setups.ts";

/** One file as it is and as it would be; null if it does not exist. */
export type Edit = {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly mode?: number;
};

export type Installing = { readonly client: string; readonly scope: Scope; readonly workspace: string };

export const setupOf = (client: string): Setup => setups[client] as Setup;

export const baseOf = ({ scope, workspace }: Installing): string => (scope === "user" ? homedir() : workspace);

/** The edits that install the hook; none if it is installed already. */
export function installing(about: Installing, command: string): Edit[] {
  const parts = setupOf(about.client).parts(about.scope, command);
  return edits(about, parts, (part, before) => {
    if ("text" in part) return foreign(before) ? refuse() : part.text;
    return part.lists.reduce((text, list) => withOurs(about.client, text, list), before ?? startOf(part));
  });
}

/** A correct entry stays where it is. */
function withOurs(client: string, text: string, { way, item }: Listed): string {
  const ours = itemsAt(text, way).filter((each) => callsUs(each, client));
  if (ours.length === 1 && JSON.stringify(ours[0]) === JSON.stringify(item)) return text;
  return withItem(
    withoutItems(text, way, (each) => callsUs(each, client)),
    way,
    item,
  );
}

/** The edits that remove our entries and files. */
export function uninstalling(about: Installing): Edit[] {
  const parts = setupOf(about.client).parts(about.scope, "");
  return edits(about, parts, (part, before) => {
    if (before === null) return null;
    if ("text" in part) return foreign(before) ? before : null;
    const after = stripped(about.client, part, before);
    return after === before || !isStart(after, part) ? after : null;
  });
}

function edits(
  about: Installing,
  parts: readonly Part[],
  change: (part: Part, before: string | null) => string | null,
): Edit[] {
  return parts.flatMap((part) => {
    const file = join(baseOf(about), part.file);
    const before = existsSync(file) ? readFileSync(file, "utf8") : null;
    const after = said(part.file, () => change(part, before));
    if (after === before) return [];
    return { file, before, after, ...("mode" in part && part.mode !== undefined && { mode: part.mode }) };
  });
}

/** Adds the file's name to a syntax error. */
export function said<T>(file: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof SyntaxError) throw new SyntaxError(`${file} cannot be changed: ${error.message}`);
    throw error;
  }
}

const startOf = (part: Part): string => `${JSON.stringify("fresh" in part ? part.fresh : {})}\n`;
const isStart = (text: string, part: Part): boolean => text.replace(/\s/g, "") === startOf(part).replace(/\s/g, "");

const foreign = (text: string | null): boolean => text !== null && !text.includes(OURS);

const refuse = (): never => {
  throw new SyntaxError("it is not ours; move it away first, or call `toolgate hook` from it");
};

const stripped = (client: string, part: Extract<Part, { lists: unknown }>, text: string): string =>
  part.lists.reduce((now, { way }) => withoutItems(now, way, (item) => callsUs(item, client)), text);

/** An entry all of whose commands are ours. */
function callsUs(item: unknown, client: string): boolean {
  const { command, hooks } = (item ?? {}) as { command?: unknown; hooks?: unknown };
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every((each) => callsUs(each, client));
  return (
    typeof command === "string" &&
    new RegExp(`\\btoolgate(?:\\.[cm]?js)?["']?\\s+hook\\s+${client}(?:\\s|$)`).test(command)
  );
}

export const diffOf = ({ file, before, after }: Edit): string =>
  changeDiff(
    file.replace(/^\/+/, ""),
    before === null ? null : Buffer.from(before),
    after === null ? null : Buffer.from(after),
  );

/** Writes atomically. Follows a link, because people keep their settings elsewhere. */
export function write({ file, after, mode }: Edit): void {
  if (after === null) {
    rmSync(file);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const there = existsSync(file);
  const target = there ? realpathSync(file) : whereLinkLeads(file);
  const temporary = `${target}.toolgate-${process.pid}`;
  writeFileSync(temporary, after, { flag: "wx", mode: mode ?? (there ? statSync(target).mode & 0o777 : 0o644) });
  renameSync(temporary, target);
}

/** A link may lead to a file that does not exist yet. */
const whereLinkLeads = (file: string): string =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(file), readlinkSync(file)) : file;

/** By name if it is on the PATH, as for everybody who shares the settings; else by its path. */
export function commandFor(client: string, program: string): string {
  const start = isOnPath() ? "toolgate" : [process.execPath, program].map(quoted).join(" ");
  return `${start} hook ${client}`;
}

export const isOnPath = (): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => isExecutable(join(folder, "toolgate")));

/** Whether the toolgate that these settings start exists. */
export function startsSomething(text: string): boolean {
  const [, program] = /(?<![^\s"'\\])(\/[^\s"'\\]*toolgate\.[cm]?js)/.exec(text) ?? [];
  return program === undefined ? isOnPath() : existsSync(program);
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
