import { isAbsolute, resolve } from "node:path";
import type { Claim } from "../../../core/words/touch.ts";

export type Json = Readonly<Record<string, unknown>>;

/**
 * What a client's call means here: one of our tools with its arguments, and what was not understood. `partly`: it shows
 * a part of what it reads, and nobody can tell which.
 */
export type Meant = {
  readonly name: string;
  readonly args: Json;
  readonly doubts: readonly string[];
  readonly partly: boolean;
};

/** One argument: what it adds to ours, why it is in doubt, and whether it chooses a part that cannot be told here. */
export type Taken = { readonly args?: Json; readonly doubt?: string; readonly partly?: boolean };
export type Take = (value: unknown, name: string, cwd: string) => Taken;

/**
 * - a tool of ours, with the meaning of each of the client's arguments;
 * - `patch`: a patch, in the argument of this name, with paths relative to where the client is;
 * - `claims`: none of ours, but its touches are known from its arguments; `puts` is the text that it adds to a file;
 * - `as`: one of these, depending on its arguments;
 * - `own`: it affects only the client itself, and nothing on this machine.
 */
export type Meaning =
  | { readonly tool: string; readonly takes: Readonly<Record<string, Take>>; readonly adds?: (cwd: string) => Json }
  | {
      readonly claims: (taken: Json) => readonly Claim[];
      readonly takes: Readonly<Record<string, Take>>;
      readonly puts?: (taken: Json) => unknown;
    }
  | { readonly as: (args: Json) => Exclude<Meaning, { as: unknown } | { own: true }> }
  | { readonly patch: string }
  | { readonly own: true };

/** Tools that are the client's own affair. */
export const own = (...names: readonly string[]): Record<string, Meaning> =>
  Object.fromEntries(names.map((name) => [name, { own: true }]));

const NOTHING: Taken = { args: {} };

/** The argument says nothing about what the call touches. */
export const aside: Take = () => NOTHING;

/** The argument chooses a part of what is read, and nobody can tell which. */
export const somePart: Take = () => ({ args: {}, partly: true });

/** The number of a line, or of lines, counted from `from`. Clients read other values in ways of their own. */
export const line =
  (ours: string, from: 0 | 1 = 1): Take =>
  (value, name, cwd) =>
    Number.isInteger(value) && (value as number) >= from
      ? { args: { [ours]: (value as number) + 1 - from } }
      : somePart(value, name, cwd);

/** The first and the last line; -1 stands for the end of the file. */
export const lines: Take = (value, name, cwd) => {
  const [first, last] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!Number.isInteger(first) || !Number.isInteger(last) || first < 1 || (last !== -1 && last < first))
    return somePart(value, name, cwd);
  return { args: { offset: first, ...(last !== -1 && { limit: last - first + 1 }) } };
};

/** A path of which it is not told what the call shows. */
export const glancedAt =
  (ours: string): Take =>
  (value, name, cwd) => ({ ...path(ours)(value, name, cwd), partly: true });

/** The same value under our name. */
export const to =
  (ours: string): Take =>
  (value) => ({ args: { [ours]: value } });

/** Only the listed values change nothing; any other is a doubt. */
export const usually =
  (...usual: readonly unknown[]): Take =>
  (value, name) =>
    usual.includes(value) ? NOTHING : { doubt: `${name} is ${short(value)}` };

/** A path relative to where the client is. Spellings that a client may read differently are a doubt. */
export const path =
  (ours: string): Take =>
  (value, name, cwd) => {
    if (typeof value !== "string" || value === "") return { doubt: `${name} is not a path: ${short(value)}` };
    const args = { [ours]: resolve(cwd, value) };
    const unclear = /^~|^[a-z][a-z\d+.-]+:\/\/|^\s|\s$/i.test(value);
    return unclear ? { args, doubt: `${name} may be read in several ways: ${short(value)}` } : { args };
  };

/** A glob that stays below the searched folder. */
export const glob =
  (ours: string): Take =>
  (value, name) => {
    const globs = Array.isArray(value) ? value : [value];
    const isBelow = (each: unknown) =>
      typeof each === "string" && !isAbsolute(each) && !/(?:^|[/\\{,])\.\.(?:[/\\},]|$)|^~|[{,][/~]/.test(each);
    return globs.every(isBelow)
      ? { args: { [ours]: value } }
      : { doubt: `${name} may lead out of the folder: ${short(value)}` };
  };

const MOST_SHOWN = 60;

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** A list of objects, each with arguments of its own. */
export const each =
  (ours: string, takes: Readonly<Record<string, Take>>): Take =>
  (value, name, cwd) => {
    if (!Array.isArray(value)) return { doubt: `${name} is not a list: ${short(value)}` };
    const all = value.map((one) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? allTaken(takes, one as Json, cwd)
        : { args: {}, doubts: [`${name} is not a list of objects: ${short(value)}`], partly: false },
    );
    const [doubt] = all.flatMap(({ doubts }) => doubts);
    const partly = all.some((one) => one.partly);
    return { args: { [ours]: all.map(({ args }) => args) }, partly, ...(doubt !== undefined && { doubt }) };
  };

export const meantBy = ({ tool, takes, adds }: Extract<Meaning, { tool: string }>, args: Json, cwd: string): Meant => ({
  name: tool,
  ...allTaken(takes, args, cwd, adds?.(cwd)),
});

/** Every argument is either understood or a doubt; none is dropped. */
export function allTaken(
  takes: Readonly<Record<string, Take>>,
  args: Json,
  cwd: string,
  added: Json = {},
): Omit<Meant, "name"> {
  const ours: Record<string, unknown> = { ...added };
  const doubts: string[] = [];
  let partly = false;
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined) continue;
    const take = Object.hasOwn(takes, name) ? takes[name] : undefined;
    const taken: Taken = take ? take(value, name, cwd) : { doubt: `the argument ${short(name)} is not known here` };
    if (taken.doubt !== undefined) doubts.push(taken.doubt);
    if (taken.partly) partly = true;
    Object.assign(ours, taken.args);
  }
  return { args: ours, doubts, partly };
}

/** A command runs where the client is, unless it names a folder. */
export const inFolder = (cwd: string): Json => ({ cwd });

/** A search covers everything below where the client is, unless it names a folder. */
export const searchedFrom = (cwd: string): Json => ({ path: cwd });

export const asides = (...names: readonly string[]): Record<string, Take> =>
  Object.fromEntries(names.map((name) => [name, aside]));

const HEADER = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to):)(.*)$/s;
const BEGINNING = /^([ \t]{0,99})\*\*\* Begin Patch[ \t\r]{0,99}$/m;

/** Paths in a patch are relative to where the client is. Other formats are not understood. */
export function patchMeant(argument: string, args: Json, cwd: string): Meant {
  const doubts = Object.keys(args)
    .filter((name) => name !== argument && args[name] !== null)
    .map((name) => `the argument ${short(name)} is not known here`);
  const text = args[argument];
  if (typeof text !== "string") return { name: "apply_patch", args: {}, doubts, partly: false };
  const indent = BEGINNING.exec(text)?.[1];
  if (indent === undefined) doubts.push("the patch is in a format that is not known here");
  else if (indent !== "") doubts.push("the patch is indented, so its files may be read in several ways");
  return { name: "apply_patch", args: { patch: withPaths(text, cwd) }, doubts, partly: false };
}

/** A header may have blanks before it, but within an update such a line is one of the file. */
function withPaths(patch: string, cwd: string): string {
  let isUpdate = false;
  const lines = patch.split("\n").map((line) => {
    const [, head, file = ""] = HEADER.exec(line.trim()) ?? [];
    if (head === undefined || (isUpdate && !line.startsWith("*"))) return line;
    if (head.includes("File")) isUpdate = head.includes("Update");
    return `${head} ${resolve(cwd, file.trim())}`;
  });
  return lines.join("\n");
}
