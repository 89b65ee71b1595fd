import type { Touch } from "../../words/touch.ts";
import type { Enforcement } from "../process.ts";
import type { Hash } from "./changes.ts";

/** A question to a person, kept so that any process can answer it. Nothing in it holds a secret. */
export type ApprovalRow = {
  id: string;
  call: string;
  session: string;
  agent: string;
  workspace: string;
  tool: string;
  at: number;
  /** Of tool, input, touches and changes: the answer holds for exactly this. */
  fingerprint: Hash;
  reason: string;
  /** What the call would run with, redacted. */
  input: unknown;
  touches: readonly Touch[];
  diff: string;
  /** Questions that were asked together. */
  batch: string;
  /** Whether a standing yes may answer it; then, what an "always" would cover, in words. */
  grantable: boolean;
  wouldGrant: readonly string[];
  /** The files that decide what it runs, and what would hold a command. */
  bound?: readonly string[];
  enforcement?: Enforcement;
  /** Milliseconds after which nobody waits for the answer any more. */
  patience?: number;
  answer?: string;
  message?: string;
  /** With the answer "edit": the arguments as the person wants them. */
  args?: unknown;
  answeredAt?: number;
  /** Who answered, if that was said. */
  who?: string;
};

/** What people are asked, and what they say. */
export interface Approvals {
  ask(approval: ApprovalRow): Promise<void>;
  /** The first answer wins; false: it was answered before, is over, or is unknown. */
  answer(id: string, answer: string, message?: string, args?: unknown, who?: string): Promise<boolean>;
  approval(id: string): Promise<ApprovalRow | undefined>;
  /** Those that somebody waits for: rows of dead processes, and those that were withdrawn, are over. */
  pending(): Promise<ApprovalRow[]>;
  /** Nobody waits for these any more. */
  withdraw(ids: readonly string[]): Promise<void>;
}
