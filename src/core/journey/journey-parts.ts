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
import type { Life } from "./life.ts";
import type { PlanSoFar } from "./plan-so-far.ts";
import type { Recorder } from "./recorder.ts";

/** Everything of the world that a journey reaches; tests replace any of it. */
export type Parts = {
  readonly registry: Registry;
  readonly store: Store;
  /** Tables that follow the person into all their workspaces. */
  readonly personal: Tables;
  readonly recorder: Recorder;
  readonly sessions: Sessions;
  readonly anomalies: AnomalyWatch;
  /** What a standing yes is kept as. */
  readonly rules: StandingRules;
  readonly policies: readonly Policy[];
  readonly steps: readonly (Step | Onlooker)[];
  readonly hooks: readonly Hook[];
  readonly finishing?: Finishing;
  readonly guard: Guard;
  readonly guardNetwork: NetworkGuard;
  overlay(base: Workspace): Overlay;
  readonly clock: Clock;
  /** "queue": whoever answers does so from another process. */
  readonly approve?: Approver | "queue";
  /** How long a question in the queue waits for somebody, in milliseconds. */
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
  /** The same for a program: byte for byte, as git applies it. */
  patch(changes: readonly Change[]): string;
  /** Within the budget of every output, or within fewer lines. */
  trim(text: string, lines?: number): { text: string; truncated?: Truncated };
  /** Keeps a whole output that was cut for its session; gives the path to read it by, or undefined: there is no room. */
  readonly keep?: (
    session: string,
    id: string,
    content: string | Bytes,
    ending?: string,
  ) => Promise<string | undefined>;
  readonly globs: Globs;
  /** How everything was before somebody else performs a call, for the process that is told of its end. */
  readonly pictures?: Pictures;
  /** Names that may have been meant by one that is not there. */
  suggest(word: string, names: readonly string[]): string[];
  emit(event: EventBody, about?: { session: string; record?: string }): void;
  /** Whether anybody listens; without listeners, events are not created at all. */
  heard(): boolean;
};

/** How globs of locks are read. */
export type Globs = {
  /** A path as a glob that means it alone. */
  ofPath(path: string): string;
  /** A glob that ends in a plain name is meant with all below it. */
  withBelow(glob: string): string;
  split(glob: string): { base: string; rest: string };
  /** Whether a pattern of a shell may fit a name. */
  fits(pattern: string, name: string): boolean;
};

/** Who travels: one gate with its session, under its ceiling, below the calls that opened it. */
export type Station = {
  readonly parts: Parts;
  readonly workspace: Workspace;
  /** In a plan or a dry run: the workspace is the overlay that shows it. */
  readonly plan?: PlanSoFar;
  readonly facts: GateFacts;
  /** Its own session first, then those above it. */
  readonly sessions: readonly string[];
  readonly agent: string;
  /** Record ids of the calls above. */
  readonly ancestors: readonly string[];
  /** Those that this gate works for, the nearest first. */
  readonly keepers: readonly Keeper[];
  readonly above?: Life;
  /** The turn that calls belong to when they do not say. */
  readonly turn?: string;
  /** Whose calls these are, where a call above has said so. */
  readonly callers?: { readonly sessionID: string; readonly agent: string };
  /** Calls under way, of this gate and of those above it, so that closing a gate can stop them. */
  readonly lives: readonly Set<Life>[];
};

/** What changes, as people read it; of very many files, in turns. */
export const diffOf = async ({ clock, diff }: Parts, changes: readonly Change[]): Promise<string> =>
  (await eachInTurns(clock, changes, (change) => diff([change]))).join("");
