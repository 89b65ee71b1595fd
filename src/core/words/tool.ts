import type * as z from "zod";
import type { AgentReport, AgentTask } from "../contracts/agents.ts";
import type { Network } from "../contracts/network.ts";
import type { PageView } from "../contracts/pages.ts";
import type { PersonQuestion } from "../contracts/people.ts";
import type { Enforcement, Fed, Process } from "../contracts/process.ts";
import type { ChangeQuery, ChangeRow, Hash } from "../contracts/store/changes.ts";
import type { Table } from "../contracts/store/tables.ts";
import type { Bytes, Change, FileView, Stamp, SystemPatch } from "../contracts/workspace.ts";
import type { Call } from "./call.ts";
import type { Ceiling, Limits } from "./ceiling.ts";
import type { Code } from "./code.ts";
import type { ChildOptions, GateView } from "./gate-view.ts";
import type { HoldView } from "./hold-view.ts";
import { checkInputSchema } from "./input-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Metadata, Returned } from "./result.ts";
import type { Meant } from "./route.ts";
import type { Claim, Danger, Permission } from "./touch.ts";

/** All of `required` must be permitted; `optional` ones only help. */
export type Permissions = { required: readonly Permission[]; optional?: readonly Permission[] };

/** Translates a foreign argument into ours (none, if it changes nothing here), or says why it is refused. */
export type Reading = (
  value: unknown,
  args: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | string;

/** Other names of a tool; an alias may imply arguments. `args` maps our argument names to foreign ones. */
export type Aliases = {
  names?: readonly (string | { name: string; preset: Record<string, unknown> })[];
  args?: Readonly<Record<string, readonly string[]>>;
  /** Foreign arguments that are more than another name for one of ours. */
  readings?: Readonly<Record<string, Reading>>;
  /** Returns the tool that a call was really meant for, if any. Used only if that tool exists. */
  instead?: (args: Readonly<Record<string, unknown>>) => Meant | undefined;
};

/** The journal, for tools that undo changes. A preview that reads it depends on more than files. */
export interface JournalView {
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  content(hash: Hash): Promise<Bytes | undefined>;
}

/** Call it between many steps and await what it returns, so that others get their turn. */
export type Turn = () => Promise<void> | undefined;

/** What a tool may look at before it is allowed to run. */
export type Look = {
  call: Call;
  files: FileView;
  journal: JournalView;
  hash(bytes: Bytes): Hash;
  /** `itself`: the path of a link, not of its target. */
  realPath(path: string, itself?: boolean): Promise<string>;
  /** The file's stamp when this session last read it. */
  seen(path: string): Promise<Stamp | undefined>;
  /** The address of the page that this session has open in the browser. */
  page(): string | undefined;
  /** The command of this id that this session has in the background. */
  fed(id: string): Fed | undefined;
  readonly patch?: SystemPatch | undefined;
  readonly turn: Turn;
};

/** A file as a tool wants it; null deletes it. The journey adds what was there before. */
export type Proposal = {
  path: string;
  after: Bytes | null;
  mode?: number;
  undoes?: number[];
  redoes?: number[];
  /** It is all of the file anew, whatever the file holds. */
  whole?: true;
  /** What the tool wants to remember from its preview when it writes the result. */
  note?: string;
};

/** A proposal with what was there before. */
export type Proposed = Change & Pick<Proposal, "undoes" | "redoes" | "whole" | "note">;

/** The commands that a call declared, and what it may know about running ones. */
export interface CommandView {
  enforcement(): Promise<Enforcement>;
  start(
    launch: { command: string; cwd: string; env?: Readonly<Record<string, string>>; input?: boolean },
    onOutput?: (text: string) => void,
  ): Promise<Process>;
  list(): readonly Process[];
}

/** The person for whom the call is made. Throws if nobody can be asked. Thinking time counts against no limit. */
export interface PeopleView {
  ask(question: PersonQuestion): Promise<string>;
}

/** Agents that the call may delegate to, under a ceiling never wider than its own. */
export interface AgentsView {
  run(task: AgentTask, ceiling?: ChildOptions): Promise<AgentReport>;
}

export interface Context<M extends Metadata = Metadata> {
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  readonly callID: string;
  readonly abort: AbortSignal;
  /** The files that the journey changed for this call, as previewed. */
  readonly changes: readonly Proposed[];
  readonly files: FileView;
  readonly journal: JournalView;
  readonly turn: Turn;
  /** A gate for calls below this one. */
  readonly gate: GateView;
  readonly commands: CommandView;
  /** Only declared requests. Throws if the workspace has no network. */
  readonly network: Network;
  /** The browser. Throws if there is none. */
  readonly pages: PageView;
  readonly people: PeopleView;
  readonly agents: AgentsView;
  /** What agents keep for themselves across calls. */
  readonly holding: HoldView;
  /** A table of the tool's own, in the workspace's store. */
  table(name?: string): Table;
  /** The same, but one for all workspaces of the person. */
  personal(name?: string): Table;
  /** The most that the call, and whatever it starts, may do. */
  readonly ceiling: Ceiling;
  /** The strictest limits of all sessions that it counts for. */
  readonly limits: Limits;
  /** Whether text from outside has come into the session. */
  readonly outside: boolean;
  /** Marks the result as containing text from outside. */
  noteOutside(): void;
  /** Keeps content that no result can hold, beside long outputs. Returns its path, or undefined if nothing is kept. */
  keep(content: Bytes, name: string): Promise<string | undefined>;
  /** Sends progress to listeners. */
  metadata(update: { title?: string; metadata?: Partial<M> }): void;
  /** Milliseconds since the epoch. */
  now(): number;
  hash(bytes: Bytes): Hash;
}

/** A plain definition may have a JSON Schema instead of a zod schema. */
export type Input = z.ZodType | JsonSchema;
export type InputOf<P> = P extends z.ZodType ? z.output<P> : Record<string, unknown>;

export type Definition<P extends Input = Input, M extends Metadata = Metadata> = {
  description: string;
  /** May be an accessor, which is called once, when the schema is first needed. */
  input?: P;
  /** Another name for `input`. */
  parameters?: P;
  /** What `metadata.structured` contains, for programs that need more than the text. */
  output?: Input;
  permissions?: Permissions;
  aliases?: Aliases;
  /** Added to the system prompt of an agent that has the tool. */
  briefing?: string;
  /**
   * Other tools by all of their names, and a skill, whose work this tool does as well: what people forbid or ask about
   * them, in rules and hooks, applies to it, too. With `tools`, no rule allows it by name, not even by its own.
   * `names`: other spellings of its own name, which only forbid.
   */
  countsAs?: {
    readonly tools?: readonly string[];
    readonly names?: readonly string[];
    skill?(input: InputOf<P>): string | undefined;
  };
  /** Arguments that are accepted but not shown, because every request pays for those that are. */
  rare?: readonly string[];
  /** The owner of its tables, for tools that share them. Absent: its own. */
  tables?: string;
  touches?(input: InputOf<P>, look: Look): readonly Claim[] | Promise<readonly Claim[]>;
  /** The changes that it would make. Writes nothing, and may be called more than once. */
  preview?(input: InputOf<P>, look: Look): Promise<readonly Proposal[]>;
  execute(input: InputOf<P>, context: Context<M>): Promise<Returned<M>> | Returned<M>;
  /**
   * Looks at the same files as `execute` and says what the answer shows of them, for a call that another agent
   * performs. Absent: nobody can tell which lines it shows.
   */
  shows?(input: InputOf<P>, files: FileView): Promise<unknown>;
  dangerLevel?: Danger;
  getDangerLevel?(input: InputOf<P>): Danger;
  /**
   * The part of the input, besides the touches, that a standing yes is bound to. Absent: all of it, so that other
   * arguments are asked about again.
   */
  scope?(input: InputOf<P>): unknown;
  /** The files that decide what it runs. A yes is bound to their content. Called only if a yes is needed. */
  code?(input: InputOf<P>): Code | Promise<Code>;
  /** The same input on the same files always gives the same result. */
  idempotent?: boolean;
  retry?: { attempts: number };
  /** Each call builds on the one before, so in a batch they are made in order, one at a time. */
  inOrder?: boolean;
  /** It is called to check whether something has happened, so getting the same answer again is not unusual. */
  polls?: boolean;
  /** How many lines of output a model is shown at once. The whole is kept where it can be read. */
  outputLines?: number;
  /** In milliseconds, possibly depending on the input. A person's thinking time does not count. */
  timeLimit?: number | ((input: InputOf<P>) => number);
};

/** A tool as it is registered: its definition, or a function that creates it once. */
export type Tool = {
  readonly name: string;
  readonly definition: Definition | (() => Promise<Definition>);
  /** It may replace a tool of the same name. */
  readonly override?: boolean;
};

/** A tool as others write it: by hand, with a JSON Schema. */
export type PlainTool = { name: string } & Omit<Definition<JsonSchema>, "input" | "execute"> & {
    parameters: JsonSchema;
    /** It may replace a tool of the same name. */
    override?: boolean;
    execute(input: Record<string, unknown>, context: Context): unknown;
  };

/** Whether a tool may need a permission. In doubt, it does. */
export function mayNeed(tool: Tool | PlainTool, permission: Permission): boolean {
  const definition = "definition" in tool ? tool.definition : tool;
  const permissions = typeof definition === "function" ? undefined : definition.permissions;
  return !permissions || [...permissions.required, ...(permissions.optional ?? [])].includes(permission);
}

/** The types are for the author of the tool; the registry holds all tools as the same type. */
function define<P extends Input, M extends Metadata = Metadata>(
  name: string,
  definition: Definition<P, M> | (() => Promise<Definition<P, M>>),
): Tool {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new TypeError(`A tool's name must have 1 to 64 letters, digits, "_", "-" or ".": ${name}`);
  if (
    typeof definition !== "function" &&
    typeof (definition as Partial<typeof definition> | null)?.execute !== "function"
  )
    throw new TypeError(`The tool ${name} has no execute function.`);
  const kept = typeof definition === "function" ? definition : checkedOrPostponed(name, definition);
  return { name, definition: kept as unknown as Tool["definition"] };
}

/** An accessor creates the schema once, when it is first needed, because most tools are never called. */
function checkedOrPostponed<D extends { input?: Input; parameters?: Input }>(name: string, definition: D): D {
  const all = Object.getOwnPropertyDescriptors(definition);
  const make = all.input?.get;
  if (!make) {
    checkInputSchema(name, definition.input ?? definition.parameters);
    return definition;
  }
  let made: { value: unknown } | undefined;
  const get = () => {
    if (made) return made.value;
    const value: unknown = make.call(definition);
    checkInputSchema(name, value);
    made = { value };
    return value;
  };
  return Object.create(Object.getPrototypeOf(definition), {
    ...all,
    input: { configurable: true, enumerable: true, get },
  });
}

export const Tool = { define };
