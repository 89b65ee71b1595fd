import type { Ceiling, Limits } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import type { Status } from "../words/result.ts";
import type { Part } from "../words/sight.ts";
import type { Touch } from "../words/touch.ts";
import type { Condition, Reserve, Verdict } from "../words/verdict.ts";
import type { Change, Stamp } from "./workspace.ts";

/** A call of this session that has ended. */
export type Past = {
  readonly tool: string;
  readonly input: unknown;
  /** `signOf` the input. */
  readonly sign: number;
  readonly touches: readonly Touch[];
  readonly status: Status;
  /** The policy or hook that refused it, if any. */
  readonly refusedBy?: string;
  /** Whether it brought in text from outside that its touches do not show. */
  readonly outside?: boolean;
  /** Whether it changed files, as far as that is known. */
  readonly changed: boolean;
  /** Equal if the model read the same: the text, or the hash that the record keeps. Absent if not known. */
  readonly answer?: string;
  /** How often it was made in a row, each time with this answer. */
  readonly times: number;
};

/** `inPart`: the lines that the session knows, if not all. None: it was looked at, and no line was shown whole. */
export type LastSeen = Stamp & { inPart?: readonly Part[] };

/** What policies know besides the call: a projection of the session's record. Policies never count for themselves. */
export type Facts = {
  readonly ceiling: Ceiling;
  /** A child gate sees less of what others did. */
  readonly isChild: boolean;
  readonly calls: number;
  readonly changes: number;
  /** The file's stamp when this session last read it, and what of it, if not all. */
  seen(real: string): LastSeen | undefined;
  /** The last calls, oldest first. */
  readonly recent: readonly Past[];
  /** The last calls that changed files or ran something, including those of sessions below; oldest first. */
  readonly deeds: readonly Past[];
  /** Whether this session, or one above or below it, has done this, including what its commands did. */
  did(action: Touch["action"]): boolean;
  /** Whether text from outside has come into this session, or one above or below it. */
  readonly outside: boolean;
  /** Whether such a session ran a command that may have fetched text from outside, if it had a network. */
  readonly reachedOut: boolean;
  /** What this session and those above it may spend. */
  readonly budgets: readonly { readonly session: string; readonly limits: Limits }[];
};

/** Judges a call: allow, ask, deny or nothing. Pure. `content` policies are consulted again about the changes. */
export type Policy = {
  readonly name: string;
  readonly content?: boolean;
  /** The touches that it judges. Absent: it is consulted about every call. */
  readonly speaksOf?: readonly Touch["action"][];
  /** Whether the policy wants to see a read touch for a file that matches a pattern of a command. */
  minds?(path: string): boolean;
  judge(ready: Ready, facts: Facts): Verdict | Condition | undefined;
  /** What the changes that a command made count against. They count whatever the limits say. */
  found?(changes: readonly Change[]): readonly Reserve[];
};
