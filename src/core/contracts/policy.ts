import type { Ceiling, Limits } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import type { Status } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Condition, Reserve, Verdict } from "../words/verdict.ts";
import type { Change, Stamp } from "./workspace.ts";

/** A call of this session that has ended. */
export type Past = {
  readonly tool: string;
  readonly input: unknown;
  /** Of the input, by `signOf`. */
  readonly sign: number;
  readonly touches: readonly Touch[];
  readonly status: Status;
  /** Who refused it, if somebody did. */
  readonly refusedBy?: string;
  /** Whether it brought text from outside, beside what its touches say. */
  readonly outside?: boolean;
  /** Whether it changed files, as far as that is known. */
  readonly changed: boolean;
  /** The same where the model read the same: its text, or what the record keeps of it. Unknown: nobody told. */
  readonly answer?: string;
  /** How often it was made in a row, always with this answer. */
  readonly times: number;
};

/** What policies know beside the call: a projection of the session's record. They never count for themselves. */
export type Facts = {
  readonly ceiling: Ceiling;
  /** Whoever works for another gate sees less of what others did. */
  readonly isChild: boolean;
  readonly calls: number;
  readonly changes: number;
  /** How a file was when this session last read it. */
  seen(real: string): Stamp | undefined;
  /** The last calls, oldest first. */
  readonly recent: readonly Past[];
  /** The last calls that changed files or ran something, those below this session too; oldest first. */
  readonly deeds: readonly Past[];
  /** Whether a call of this session, of one above it or below it has done this, a command's own doings included. */
  did(action: Touch["action"]): boolean;
  /** Whether text from outside has come into this session, one above it or below it. */
  readonly outside: boolean;
  /** Whether a command that may have fetched text from outside was run there, if it had a network at all. */
  readonly reachedOut: boolean;
  /** What this session, and those above it, may spend. */
  readonly budgets: readonly { readonly session: string; readonly limits: Limits }[];
};

/** Looks at a call and says yes, ask or no, or nothing. Pure; `content` policies are asked again with the changes. */
export type Policy = {
  readonly name: string;
  readonly content?: boolean;
  /** Touches that it has anything to say about. Absent: it is asked about every call. */
  readonly speaksOf?: readonly Touch["action"][];
  /** Whether it wants to be told of a file that a pattern of a command fits: as a read of that file, by its path. */
  minds?(path: string): boolean;
  judge(ready: Ready, facts: Facts): Verdict | Condition | undefined;
  /** What changes count against that nobody knew of before a command made them. They count whatever the limits say. */
  found?(changes: readonly Change[]): readonly Reserve[];
};
