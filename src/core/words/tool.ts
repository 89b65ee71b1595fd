import type * as z from "zod";
import type { Enforcement, Process } from "../contracts/process.ts";
import type { ChangeQuery, ChangeRow, Hash } from "../contracts/store.ts";
import type { Bytes, Change, FileView, Stamp, SystemPatch } from "../contracts/workspace.ts";
import type { Call } from "./call.ts";
import type { ChildGate, GateView } from "./ceiling.ts";
import type { Metadata, Returned } from "./result.ts";
import type { Claim, Danger, Permission } from "./touch.ts";

export type JsonSchema = { [key: string]: unknown };

/** Required ones must all be there; optional ones only help. */
export type Permissions = { required: readonly Permission[]; optional?: readonly Permission[] };

/** Other names of a tool; an alias may carry arguments that it implies. `args` maps ours to the others' names. */
export type Aliases = {
  names?: readonly (string | { name: string; preset: Record<string, unknown> })[];
  args?: Readonly<Record<string, readonly string[]>>;
};

/** The record of changes, for tools that take them back. Reading it makes a preview depend on more than files. */
export interface JournalView {
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  content(hash: Hash): Promise<Bytes | undefined>;
}

/** What a tool may look at before it is allowed to do anything. */
export type Look = {
  call: Call;
  files: FileView;
  journal: JournalView;
  hash(bytes: Bytes): Hash;
  realPath(path: string): Promise<string>;
  /** How the file was when this session last read it. */
  seen(path: string): Promise<Stamp | undefined>;
  readonly patch?: SystemPatch | undefined;
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
  readonly gate: GateView & ChildGate;
  readonly commands: CommandView;
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
  input?: P;
  /** Another name for `input`. */
  parameters?: P;
  permissions?: Permissions;
  aliases?: Aliases;
  /** Arguments that are accepted and not shown: every request pays for those that are. */
  rare?: readonly string[];
  touches?(input: InputOf<P>, look: Look): readonly Claim[] | Promise<readonly Claim[]>;
  /** The changes it would make. Writes nothing; may be asked more than once. */
  preview?(input: InputOf<P>, look: Look): Promise<readonly Proposal[]>;
  execute(input: InputOf<P>, context: Context<M>): Promise<Returned<M>> | Returned<M>;
  dangerLevel?: Danger;
  getDangerLevel?(input: InputOf<P>): Danger;
  /** The same input on the same files always gives the same result. */
  idempotent?: boolean;
  retry?: { attempts: number };
  /** How many lines of output a model is shown at once; the whole is kept where it can be read. */
  outputLines?: number;
  /** Milliseconds, maybe by the input; a person's thinking time does not count. */
  timeLimit?: number | ((input: InputOf<P>) => number);
};

/** A tool as it is registered: its definition, or a function that makes it once. */
export type Tool = { readonly name: string; readonly definition: Definition | (() => Promise<Definition>) };

/** How somebody else writes a tool: by hand, with a JSON Schema. */
export type PlainTool = { name: string } & Omit<Definition<JsonSchema>, "input" | "execute"> & {
    parameters: JsonSchema;
    execute(input: Record<string, unknown>, context: Context): unknown;
  };

/** The types are for whoever writes the tool; the registry holds tools of every kind alike. */
function define<P extends Input, M extends Metadata = Metadata>(
  name: string,
  definition: Definition<P, M> | (() => Promise<Definition<P, M>>),
): Tool {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new TypeError(`A tool's name has 1 to 64 letters, digits, "_", "-" or ".": ${name}`);
  if (
    typeof definition !== "function" &&
    typeof (definition as Partial<typeof definition> | null)?.execute !== "function"
  )
    throw new TypeError(`The tool ${name} has no execute function.`);
  return { name, definition: definition as unknown as Tool["definition"] };
}

export const Tool = { define };
