import type * as z from "zod";
import type { AgentReport, AgentTask } from "../contracts/agents.ts";
import type { Network } from "../contracts/network.ts";
import type { PageView } from "../contracts/pages.ts";
import type { PersonQuestion } from "../contracts/people.ts";
import type { Enforcement, Process } from "../contracts/process.ts";
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

/** Required ones must all be there; optional ones only help. */
export type Permissions = { required: readonly Permission[]; optional?: readonly Permission[] };

/** What an argument of others means: arguments of ours (none, if it changes nothing here), or why it is refused. */
export type Reading = (
  value: unknown,
  args: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | string;

/** Other names of a tool; an alias may carry arguments that it implies. `args` maps ours to the others' names. */
export type Aliases = {
  names?: readonly (string | { name: string; preset: Record<string, unknown> })[];
  args?: Readonly<Record<string, readonly string[]>>;
  /** Arguments of others that are more than another name for one of ours. */
  readings?: Readonly<Record<string, Reading>>;
  /** Whether a call was meant for another tool, if that one is there. */
  instead?: (args: Readonly<Record<string, unknown>>) => Meant | undefined;
};

/** The record of changes, for tools that take them back. Reading it makes a preview depend on more than files. */
export interface JournalView {
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  content(hash: Hash): Promise<Bytes | undefined>;
}

/** To be asked between many steps: what it gives is waited for, so that others have their turn. */
export type Turn = () => Promise<void> | undefined;

/** What a tool may look at before it is allowed to do anything. */
export type Look = {
  call: Call;
  files: FileView;
  journal: JournalView;
  hash(bytes: Bytes): Hash;
  /** `itself`: where a link lies, not where it leads. */
  realPath(path: string, itself?: boolean): Promise<string>;
  /** How the file was when this session last read it. */
  seen(path: string): Promise<Stamp | undefined>;
  /** The address of the page that this session has open in the browser. */
  page(): string | undefined;
  readonly patch?: SystemPatch | undefined;
  readonly turn: Turn;
};

/** A file as a tool wants it; null removes it. The journey adds what was there before. */
export type Proposal = {
  path: string;
  after: Bytes | null;
  mode?: number;
  undoes?: number[];
  redoes?: number[];
  /** What the tool wants to remember of its preview when it tells the result. */
  note?: string;
};

/** What a proposal became. */
export type Proposed = Change & Pick<Proposal, "undoes" | "redoes" | "note">;

/** The commands that a call declared, and what it may know of those that run. */
export interface CommandView {
  enforcement(): Promise<Enforcement>;
  start(
    launch: { command: string; cwd: string; env?: Readonly<Record<string, string>>; input?: boolean },
    onOutput?: (text: string) => void,
  ): Promise<Process>;
  list(): readonly Process[];
}

/** The person whom the call is made for. Throws where nobody can be asked; thinking time counts against no limit. */
export interface PeopleView {
  ask(question: PersonQuestion): Promise<string>;
}

/** Agents that the call may hand work to, under a ceiling that is never wider than its own. */
export interface AgentsView {
  run(task: AgentTask, ceiling?: ChildOptions): Promise<AgentReport>;
}

export interface Context<M extends Metadata = Metadata> {
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  readonly callID: string;
  readonly abort: AbortSignal;
  /** The files that the journey changed for this call, by its preview. */
  readonly changes: readonly Proposed[];
  readonly files: FileView;
  readonly journal: JournalView;
  readonly turn: Turn;
  /** The way back into the journey, below this call. */
  readonly gate: GateView;
  readonly commands: CommandView;
  /** Only what the call declared to fetch; throws where the workspace has no network. */
  readonly network: Network;
  /** The browser; throws where there is none. */
  readonly pages: PageView;
  readonly people: PeopleView;
  readonly agents: AgentsView;
  /** What agents keep for themselves across calls. */
  readonly holding: HoldView;
  /** A table of the tool's own, which lives with the workspace's store. */
  table(name?: string): Table;
  /** The same, kept for the person: one in all their workspaces. */
  personal(name?: string): Table;
  /** The most that the call, and whatever it starts, may do. */
  readonly ceiling: Ceiling;
  /** The least that any session it counts for may spend. */
  readonly limits: Limits;
  /** Whether text from outside has come into the session. */
  readonly outside: boolean;
  /** Says that what the call gives back holds text from outside. */
  noteOutside(): void;
  /** Keeps content that no result can hold, beside long outputs; where it lies, or undefined where nothing is kept. */
  keep(content: Bytes, name: string): Promise<string | undefined>;
  /** Streams progress to whoever listens. */
  metadata(update: { title?: string; metadata?: Partial<M> }): void;
  /** Milliseconds since the epoch. */
  now(): number;
  hash(bytes: Bytes): Hash;
}

/** A plain definition may bring a JSON Schema in place of a zod schema. */
export type Input = z.ZodType | JsonSchema;
export type InputOf<P> = P extends z.ZodType ? z.output<P> : Record<string, unknown>;

export type Definition<P extends Input = Input, M extends Metadata = Metadata> = {
  description: string;
  /** May be an accessor: it is asked once, when the schema is first needed. */
  input?: P;
  /** Another name for `input`. */
  parameters?: P;
  /** What `metadata.structured` holds, for programs that want more of a result than its text. */
  output?: Input;
  permissions?: Permissions;
  aliases?: Aliases;
  /** What an agent that has the tool is told beforehand, in its system prompt. */
  briefing?: string;
  /**
   * What people forbid or ask about under other names, in rules and hooks, and this tool does as well: other tools by
   * all of their names, and a skill. What they allow under those names does not count for it, nor by its own. `names`:
   * other spellings of its own name, for what is forbidden alone.
   */
  countsAs?: {
    readonly tools?: readonly string[];
    readonly names?: readonly string[];
    skill?(input: InputOf<P>): string | undefined;
  };
  /** Arguments that are accepted and not shown: every request pays for those that are. */
  rare?: readonly string[];
  /** Whose tables it uses, for tools that share them; absent: its own. */
  tables?: string;
  touches?(input: InputOf<P>, look: Look): readonly Claim[] | Promise<readonly Claim[]>;
  /** The changes it would make. Writes nothing; may be asked more than once. */
  preview?(input: InputOf<P>, look: Look): Promise<readonly Proposal[]>;
  execute(input: InputOf<P>, context: Context<M>): Promise<Returned<M>> | Returned<M>;
  dangerLevel?: Danger;
  getDangerLevel?(input: InputOf<P>): Danger;
  /**
   * What of the input, beside the touches, a person's standing yes is bound to. Absent: all of it, so that other
   * arguments are asked about again.
   */
  scope?(input: InputOf<P>): unknown;
  /** The files that decide what it runs: a person's yes is bound to what they hold. Asked for only where one is needed. */
  code?(input: InputOf<P>): Code | Promise<Code>;
  /** The same input on the same files always gives the same result. */
  idempotent?: boolean;
  retry?: { attempts: number };
  /** Each call builds on the one before: in a batch they are made in order, one at a time. */
  inOrder?: boolean;
  /** It is called to see whether something has happened: to get the same answer again is nothing unusual. */
  polls?: boolean;
  /** How many lines of output a model is shown at once; the whole is kept where it can be read. */
  outputLines?: number;
  /** Milliseconds, maybe by the input; a person's thinking time does not count. */
  timeLimit?: number | ((input: InputOf<P>) => number);
};

/** A tool as it is registered: its definition, or a function that makes it once. */
export type Tool = {
  readonly name: string;
  readonly definition: Definition | (() => Promise<Definition>);
  /** It may take the place of a tool of the same name. */
  readonly override?: boolean;
};

/** How somebody else writes a tool: by hand, with a JSON Schema. */
export type PlainTool = { name: string } & Omit<Definition<JsonSchema>, "input" | "execute"> & {
    parameters: JsonSchema;
    /** It may take the place of a tool of the same name. */
    override?: boolean;
    execute(input: Record<string, unknown>, context: Context): unknown;
  };

/** Whether a tool may need a permission; a doubt is a yes. */
export function mayNeed(tool: Tool | PlainTool, permission: Permission): boolean {
  const definition = "definition" in tool ? tool.definition : tool;
  const permissions = typeof definition === "function" ? undefined : definition.permissions;
  return !permissions || [...permissions.required, ...(permissions.optional ?? [])].includes(permission);
}

/** The types are for whoever writes the tool; the registry holds tools of every kind alike. */
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

/** An accessor makes the schema once, when it is first needed: most tools are never called. */
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
