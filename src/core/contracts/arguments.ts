import type { Format, ToolSchema } from "../words/json-schema.ts";
import type { Aliases, Input } from "../words/tool.ts";

/** One thing wrong with a call's arguments. The path is empty for the arguments as a whole; `refused` says why not. */
export type Issue = { path: string; expected: string; got: string; refused?: string };

export type Parsed =
  | { ok: true; input: unknown; notes: string[] }
  | { ok: false; issues: Issue[]; message: string; hint: string };

/** What is needed of a tool to read its arguments. */
export type Shape = { name: string; input?: Input; aliases?: Aliases };

/** A tool as a model is told of it; `rename` holds the names that a dialect gives to its arguments. */
export type Shown = {
  name: string;
  description: string;
  input: Input | undefined;
  rare: readonly string[];
  rename: Readonly<Record<string, string>>;
};

/** From what a model sent to what a tool takes, and from what a tool takes to what a model is told. */
export interface Arguments {
  /** Reads a call's arguments. Never throws; does nothing before the first call. */
  parser(shape: Shape): (args: unknown, calledAs?: string) => Parsed;
  schema<F extends Format>(format: F, shown: Shown): ToolSchema<F>;
}
