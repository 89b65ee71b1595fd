import type { CommandClass, Permission } from "../../core/words/touch.ts";
import { eachOf } from "../lists.ts";
import type { Field, Risk } from "../walk.ts";

/** What a word means to a program. `tree` is a folder and all below it; `write-tree` and `delete-tree` too. */
export type Role =
  | "text"
  | "read"
  /** Read, and if it is a folder, the files that are in it. */
  | "read-entries"
  | "list"
  | "list-tree"
  | "tree"
  | "write"
  | "write-tree"
  /** Written if it is a path; it may also name something else. */
  | "write-perhaps"
  /** A folder into which files are unpacked or copied under their own names. */
  | "unpack"
  /** A file, folder or pattern that git restores from its history. */
  | "check-out"
  | "delete"
  | "delete-tree"
  | "url"
  | "signal"
  /** `@file` is read, anything else is text. */
  | "data"
  /** Read or written, as the mode says. */
  | "archive";

export type Given = { name: string; value: Field | undefined; role: Role };

/** A command line as its program would parse it. `ended`: the number of operands before a `--`. */
export type Parsed = { options: Given[]; operands: Field[]; unknown: string | undefined; ended: number | undefined };

/**
 * How a program puts its sources into a folder under their own names. `folder`: options that name the folder; `never`:
 * options that make the last word the target itself; `deep`: options that copy a folder's whole content; `whole`:
 * options that keep the folders of a source; `alone`: a single source goes into the current folder; `contents`: a
 * source that ends in a slash means its content, and the part before a colon another machine.
 */
export type Into = {
  folder?: readonly string[];
  never?: readonly string[];
  deep?: readonly string[];
  whole?: readonly string[];
  alone?: true;
  contents?: true;
};

/**
 * A program, as data.
 * `options` lists what is allowed: `-abc` are flags, `-n:` needs a value, `-f:read` a value with a role, `-u?` may have
 * one attached, `-#` is a number; `--all`, `--max=` (text), `--file=read`, `--color=?` likewise.
 */
export type Program = {
  /** The class of a line whose every option is listed here. */
  class: CommandClass;
  options?: string;
  /** `word`: one dash starts a whole word, as in `find -name`; `none`: there are no options; `assignments`: `of=file`. */
  style?: "gnu" | "word" | "none" | "assignments";
  /** GNU programs take any unambiguous beginning of a long option. */
  abbreviates?: true;
  /** Everything after the first operand belongs to another program. */
  stops?: true;
  /** None of its options can do harm, so words that are not known in advance do not change its class. */
  inert?: true;
  /** Whether a word that only the running shell knows can do no harm at this position. */
  takesAny?: (fields: readonly Field[], index: number) => boolean;
  /** Roles by position; one that ends in `*` holds for all further words, one after it for the last word. */
  operands?: string;
  /** The role and target when there is no operand. */
  otherwise?: readonly [Role, string];
  /** Without these options, the first operand is not a path but a pattern or a script. */
  patternOptions?: readonly string[];
  /** What it does somewhere below a folder, whatever the words. */
  always?: readonly ["read" | "list" | "write", string];
  /** Patterns for what is read below its folders, if its words select only some files. */
  chooses?: (parsed: Parsed) => readonly string[] | undefined;
  /** Whether it reads only tracked files. */
  tracked?: (parsed: Parsed) => boolean;
  /** Of what git keeps, how to ask it which files of its history are shown. `any`: that cannot be asked. */
  history?: (parsed: Parsed) => readonly (readonly string[])[] | "any";
  /** More roles and targets, worked out from the words. */
  more?: (parsed: Parsed) => readonly (readonly [Role, string])[];
  /** It copies, moves or links into its last word, which may be a folder. */
  into?: Into;
  /** It deletes the target of a link; other programs delete the link. */
  deletesBehindLinks?: true;
  /** Why it reads files that its words do not name: names from a file, or links that it follows. */
  beyond?: (parsed: Parsed) => string | undefined;
  /** The method it requests its URLs with. */
  method?: (parsed: Parsed) => string;
  /** What its words do not determine. */
  vague?: (parsed: Parsed) => readonly Permission[] | undefined;
  /** Names that it starts as if they were the program: `python -m pytest`. */
  starts?: { after: readonly string[]; names: readonly string[] };
  verbs?: Readonly<Record<string, Program>>;
  /** What it may do beyond the words it was given. */
  permissions?: readonly Permission[];
  risk?: Risk;
  /** The risk of a line that does not keep the class. */
  unprovenRisk?: Risk;
  /** Single words after the program that only ask for its version. */
  version?: readonly string[];
  /** Files of the project decide which program runs, even for `--version`. */
  chosen?: true;
  /** What to say when the class is dangerous in itself, or an option is not listed. */
  rule?: string;
  /** Why a line does not keep the class although its options are allowed. */
  objection?: (parsed: Parsed) => string | undefined;
  /** Options that change the role of the operands. */
  roles?: Readonly<Record<string, string>>;
};

/** A word that is one, and is known: no pattern, which may stand for any name that fits. */
export const isAsWritten = ({ worked, glob }: Field): boolean => worked && !glob;

/** Of a program that takes an input and an output: a pattern, or what was found, may be both. */
export const writesSecond = ({ operands }: Parsed): string | undefined =>
  operands.length > 1 || operands.some(({ glob, found, given }) => glob || found !== undefined || given !== false)
    ? "it writes to its second file"
    : undefined;

export const EVERYTHING: readonly Permission[] = ["read", "write", "execute", "network"];

/** For commands that change nothing themselves but run code of the project. */
export const RUNS_PROJECT = "it runs code of the project to look at it";

/** A read-only program. */
export const looks = (options: string, operands: string, more: Partial<Program> = {}): Program => ({
  class: "safe",
  options,
  operands,
  ...more,
});

const leadsOut = (text: string): boolean =>
  (text.startsWith("/") || text.startsWith("~") || text.includes("..")) && LEADS_OUT.test(text);
const LEADS_OUT = /^(?:[/~]|(?:.*\/)?\.\.(?:\/|$))/;
/** Options whose names say that the value is a path. */
const OF_PLACES = /^(?:-[pC]|--.*(?:dir|path|root|file|report|out|project|cache|config).*)$/i;
/** `html:folder`: a format and its output folder. */
const KIND = /^[a-z]+:(?=[/~.])/;

/** Words that lead a tool to another folder, where it runs, or with `role` rewrites, what it finds. */
const elsewhere = ({ options, operands }: Parsed, role: Role, named: boolean): readonly (readonly [Role, string])[] => {
  const found: (readonly [Role, string])[] = [];
  const add = (text: string): void => {
    if (leadsOut(text)) found.push([role, text]);
  };
  for (const { name, value, role: own } of options)
    if (own === "text" && value && OF_PLACES.test(name)) add(value.text.replace(KIND, ""));
  if (named) for (const { text } of operands) add(text);
  return found;
};

/** A tool that runs what the project says. */
export const develops = (options: string, more: Partial<Program> = {}): Program => ({
  class: "dev",
  options,
  operands: "text*",
  permissions: EVERYTHING,
  version: ["--version"],
  more: (parsed) => elsewhere(parsed, "tree", true),
  ...more,
});

/** The same for tools whose operands are patterns, tasks or scripts instead of paths. */
export const tests = (options: string, more: Partial<Program> = {}): Program =>
  develops(options, { more: (parsed) => elsewhere(parsed, "tree", false), ...more });

/** A tool that rewrites the files that it is given. */
export const rewrites = (options: string, more: Partial<Program> = {}): Program =>
  develops(options, { more: (parsed) => elsewhere(parsed, "write-perhaps", true), ...more });

/**
 * An interpreter, which may do anything, unless an option makes it run the project's tests or check a file for
 * mistakes. What it then loads is the project's own code, as with any test run.
 */
export const interprets = (
  name: string,
  tame: readonly string[],
  options: string,
  more: Partial<Program> = {},
): Program => {
  const rule = `${name} runs arbitrary code`;
  const isTame = (parsed: Parsed): boolean => hasAny(parsed, tame);
  return develops(options, {
    stops: true,
    rule,
    unprovenRisk: "medium",
    ...more,
    more: (parsed) => (isTame(parsed) ? elsewhere(parsed, "tree", true) : []),
    objection: (parsed) => (isTame(parsed) ? more.objection?.(parsed) : rule),
  });
};

/** `@file` reads further words from a file, which may include any option. */
export const fromFile = ({ operands }: Parsed): string | undefined =>
  operands.some(({ text }) => text.startsWith("@")) ? "it takes its arguments from a file" : undefined;

/** A program that changes things, with roles that say which. */
export const changes = (options: string, operands: string, more: Partial<Program> = {}): Program => ({
  class: "dangerous",
  options,
  operands,
  ...more,
});

export const hasAny = ({ options }: Parsed, names: readonly string[] | undefined): boolean => {
  if (names !== undefined) for (const { name } of options) for (const asked of names) if (name === asked) return true;
  return false;
};
export const has = (parsed: Parsed, ...names: readonly string[]): boolean => hasAny(parsed, names);

/** A moved file can be read at its destination. */
export const carried = (sources: Parsed["operands"]): readonly (readonly [Role, string])[] =>
  eachOf(sources, ({ text }) => ["tree", text] as const);

/** A reason that holds as soon as one of the options is given. */
const because = (reason: string, names: readonly string[]): ((parsed: Parsed) => string | undefined) => {
  const known: ReadonlySet<string> = new Set(names);
  return ({ options }) => {
    for (let index = 0; index < options.length; index++) if (known.has((options[index] as Given).name)) return reason;
    return undefined;
  };
};

/** For options that take the names of files from a file. */
export const named = (...names: readonly string[]) => because("it reads files that another file names", names);

/** For options that follow every link below a folder. */
export const follows = (...names: readonly string[]) => because(FOLLOWS, names);

export const FOLLOWS = "it follows links, wherever they lead";

/** One entry for each of several names. */
export const listed = (names: string, program: Program): Record<string, Program> =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]));

/** `alone`: given without a value. */
export type Option = { name: string; value: "none" | "needed" | "attached"; role: Role; alone: Given };
/** Flags by letter, long ones by their whole name. */
export type OptionTable = { options: Map<string, Option>; long: string[]; numbers: boolean };

/** A program as it is looked up. `table`: its options, once they have been asked for. */
export type Entry = Omit<Program, "verbs" | "roles"> & {
  verbs: ReadonlyMap<string, Entry> | undefined;
  roles: ReadonlyMap<string, string> | undefined;
  table: OptionTable | undefined;
};

/** Gives all programs and verbs the same object shape, which engines access several times faster. */
export const uniform = (program: Program, known = new Map<Program, Entry>()): Entry => {
  const earlier = known.get(program);
  if (earlier) return earlier;
  const { verbs } = program;
  const entry = {
    class: program.class,
    options: program.options,
    style: program.style,
    abbreviates: program.abbreviates,
    stops: program.stops,
    inert: program.inert,
    takesAny: program.takesAny,
    operands: program.operands,
    otherwise: program.otherwise,
    patternOptions: program.patternOptions,
    always: program.always,
    chooses: program.chooses,
    tracked: program.tracked,
    history: program.history,
    more: program.more,
    into: program.into,
    deletesBehindLinks: program.deletesBehindLinks,
    beyond: program.beyond,
    method: program.method,
    vague: program.vague,
    starts: program.starts,
    permissions: program.permissions,
    risk: program.risk,
    unprovenRisk: program.unprovenRisk,
    version: program.version,
    chosen: program.chosen,
    rule: program.rule,
    objection: program.objection,
    roles: program.roles && new Map(Object.entries(program.roles)),
    verbs: verbs && new Map(Object.entries(verbs).map(([name, verb]) => [name, uniform(verb, known)])),
    table: undefined,
  } as Entry;
  known.set(program, entry);
  return entry;
};
