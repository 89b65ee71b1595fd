import type { Touch } from "../../words/touch.ts";
import type { Enforcement } from "../process.ts";
import type { Hash } from "./changes.ts";

/** A question to a person, kept so that any process can answer it. Contains no secrets. */
export type ApprovalRow = {
  id: string;
  call: string;
  session: string;
  agent: string;
  workspace: string;
  tool: string;
  at: number;
  /** Hash of tool, input, touches, changes and code: the answer holds for exactly these. */
  fingerprint: Hash;
  reason: string;
  /** The input that the call would run with, redacted. */
  input: unknown;
  touches: readonly Touch[];
  diff: string;
  /** Shared by questions that were asked together. */
  batch: string;
  /** Whether a standing yes may answer it, and what an "always" would cover, in words. */
  grantable: boolean;
  wouldGrant: readonly string[];
  /** The files that decide what runs, and how a command would be contained. */
  bound?: readonly string[];
  enforcement?: Enforcement;
  /** Milliseconds after which nobody waits for the answer any more. */
  patience?: number;
  answer?: string;
  message?: string;
  /** For the answer "edit": the arguments that the person wants. */
  args?: unknown;
  answeredAt?: number;
  /** Who answered, if known. */
  who?: string;
};

export interface Approvals {
  ask(approval: ApprovalRow): Promise<void>;
  /** The first answer wins. Returns false if it was answered before, is over, or is unknown. */
  answer(id: string, answer: string, message?: string, args?: unknown, who?: string): Promise<boolean>;
  approval(id: string): Promise<ApprovalRow | undefined>;
  /** Questions that somebody waits for, without those of dead processes and withdrawn ones. */
  pending(): Promise<ApprovalRow[]>;
  /** Nobody waits for these any more. */
  withdraw(ids: readonly string[]): Promise<void>;
}
