import type { Ceiling, Limits } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import type { Condition, Verdict } from "../words/verdict.ts";
import type { Stamp } from "./workspace.ts";

/** What policies know beside the call: a projection of the session's record. They never count for themselves. */
export type Facts = {
  readonly ceiling: Ceiling;
  readonly calls: number;
  readonly changes: number;
  /** How a file was when this session last read it. */
  seen(real: string): Stamp | undefined;
  /** What this session, and those above it, may spend. */
  readonly budgets: readonly { readonly session: string; readonly limits: Limits }[];
};

/** Looks at a call and says yes, ask or no, or nothing. Pure; `content` policies are asked again with the changes. */
export type Policy = {
  readonly name: string;
  readonly content?: boolean;
  judge(ready: Ready, facts: Facts): Verdict | Condition | undefined;
};
