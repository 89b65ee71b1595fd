import type { AgentLimits, Agents } from "../contracts/agents.ts";
import type { AnomalyWatch } from "../contracts/anomalies.ts";
import type { Approver } from "../contracts/approval.ts";
import { type Clock, eachInTurns } from "../contracts/clock.ts";
import type { Hook } from "../contracts/hook.ts";
import type { NetworkGuard } from "../contracts/network.ts";
import type { Overlay } from "../contracts/overlay.ts";
import type { People } from "../contracts/people.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Finishing } from "../contracts/quality-gate.ts";
import type { StandingRules } from "../contracts/rules.ts";
import type { LateTools } from "../contracts/servers.ts";
import type { Onlooker, Step } from "../contracts/step.ts";
import type { Hash } from "../contracts/store/changes.ts";
import type { Keeper } from "../contracts/store/holds.ts";
import type { Store } from "../contracts/store/store.ts";
import type { Tables } from "../contracts/store/tables.ts";
import type { Bytes, Change, Guard, Pictures, Workspace } from "../contracts/workspace.ts";
import type { Registry } from "../registry.ts";
import type { EventBody } from "../words/event.ts";
import type { Truncated } from "../words/result.ts";
import type { PlainTool, Tool } from "../words/tool.ts";
import type { GateFacts, Sessions } from "./facts.ts";
import type { GateMark, Life } from "./life.ts";
import type { PlanSoFar } from "./plan-so-far.ts";
import type { Recorder } from "./recorder.ts";
import type { Roster } from "./roster.ts";

/** Everything outside the journey that it depends on. Tests replace any of it. */
export type Parts = {
  readonly registry: Registry;
  readonly store: Store;
  /** Tables of the person, shared by all their workspaces. */
  readonly personal: Tables;
  readonly recorder: Recorder;
  readonly sessions: Sessions;
  /** Calls and batches under way, of the gate and of all below it. */
  readonly lives: Roster<Life>;
  readonly anomalies: AnomalyWatch;
  /** Turns a standing yes into rules, and checks calls against saved rules. */
  readonly rules: StandingRules;
  readonly policies: readonly Policy[];
  readonly steps: readonly (Step | Onlooker)[];
  readonly hooks: readonly Hook[];
  readonly finishing?: Finishing;
  readonly guard: Guard;
  readonly guardNetwork: NetworkGuard;
  overlay(base: Workspace): Overlay;
  readonly clock: Clock;
  /** "queue": the answer comes from another process. */
  readonly approve?: Approver | "queue";
  /** How long a question in the queue waits for an answer, in milliseconds. */
  readonly patience: number;
  readonly people?: People;
  readonly agents?: Agents;
  readonly agentLimits?: AgentLimits;
  readonly resolve?: (name: string) => Promise<Tool | PlainTool | null | undefined>;
  readonly servers?: LateTools;
  ids(): string;
  hash(bytes: Bytes): Hash;
  equal(a: Bytes | null, b: Bytes | null): boolean;
  redact(text: string): string;
  redactDeep(value: unknown): unknown;
  diff(changes: readonly Change[]): string;
  /** The same for programs: exact to the byte, so that git can apply it. */
  patch(changes: readonly Change[]): string;
  /** Cuts text to the output budget, or to fewer `lines`. */
  trim(text: string, lines?: number): { text: string; truncated?: Truncated };
  /** Keeps the whole of a cut output for its session. Returns the path to read it by; undefined if there is no room. */
  readonly keep?: (
    session: string,
    id: string,
    content: string | Bytes,
    ending?: string,
  ) => Promise<string | undefined>;
  readonly globs: Globs;
  /** Snapshots of all files, taken before another agent performs a call, for the process that hears of its end. */
  readonly pictures?: Pictures;
  /** Why a tool that exists elsewhere does not exist here; undefined for any other name. */
  leftOut?(name: string): string | undefined;
  /** Known names that resemble a misspelled one. */
  suggest(word: string, names: readonly string[]): string[];
  emit(event: EventBody, about?: { session: string; record?: string }): void;
  /** Whether anybody listens; without listeners, events are not created at all. */
  heard(): boolean;
};

/** Glob functions that locks and command patterns need. */
export type Globs = {
  /** A glob that matches exactly this path. */
  ofPath(path: string): string;
  /** A glob that ends in a plain name also matches everything below it. */
  withBelow(glob: string): string;
  split(glob: string): { base: string; rest: string };
  /** Whether a shell pattern may match a name. */
  fits(pattern: string, name: string): boolean;
};

/** The fixed surroundings of a gate's calls: its session, its ceiling, and the calls above. */
export type Station = {
  readonly parts: Parts;
  readonly workspace: Workspace;
  /** Set in a plan or a dry run; `workspace` is then the overlay that shows the plan. */
  readonly plan?: PlanSoFar;
  readonly facts: GateFacts;
  /** Its own session first, then those above it. */
  readonly sessions: readonly string[];
  readonly agent: string;
  /** Record ids of the calls above. */
  readonly ancestors: readonly string[];
  /** The agents that this gate works for, nearest first. */
  readonly keepers: readonly Keeper[];
  readonly above?: Life;
  /** The turn of calls that do not name one. */
  readonly turn?: string;
  /** The session and agent of calls that do not name them, if a call above did. */
  readonly callers?: { readonly sessionID: string; readonly agent: string };
  /** This gate and those above it: closing one of them stops its calls. */
  readonly gates: readonly GateMark[];
};

/** The diff as people read it. Yields between files, so that very many do not block the process. */
export const diffOf = async ({ clock, diff }: Parts, changes: readonly Change[]): Promise<string> =>
  (await eachInTurns(clock, changes, (change) => diff([change]))).join("");
