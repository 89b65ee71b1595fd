import type { Format, ToolSchema } from "../words/json-schema.ts";
import type { Aliases, Input } from "../words/tool.ts";

/** A mistake in the arguments of a call. An empty path means the arguments as a whole; `refused` gives the reason. */
export type Issue = { path: string; expected: string; got: string; refused?: string };

export type Parsed =
  | { ok: true; input: unknown; notes: string[] }
  | { ok: false; issues: Issue[]; message: string; hint: string };

/** The part of a tool that is needed to read its arguments. */
export type Shape = { name: string; input?: Input; aliases?: Aliases };

/** A tool as a model is shown it. `rename` maps its arguments to the names of a dialect. */
export type Shown = {
  name: string;
  description: string;
  input: Input | undefined;
  rare: readonly string[];
  rename: Readonly<Record<string, string>>;
};

/** Turns what a model sent into what a tool takes, and what a tool takes into what a model is shown. */
export interface Arguments {
  /** Makes a parser for the arguments of calls. It never throws, and does no work before the first call. */
  parser(shape: Shape): (args: unknown, calledAs?: string) => Parsed;
  schema<F extends Format>(format: F, shown: Shown): ToolSchema<F>;
}
