import type { IncomingCall } from "./call.ts";
import type { Result } from "./result.ts";
import type { Permission } from "./touch.ts";

export type Mode = "yolo" | "confirm-sensitive" | "confirm-all";
export type Autonomy = "full" | "supervised" | "readonly";

/** From the loosest to the strictest. */
export const MODES: readonly Mode[] = ["yolo", "confirm-sensitive", "confirm-all"];
export const AUTONOMIES: readonly Autonomy[] = ["full", "supervised", "readonly"];

/** What whoever stands below it may have at the most. An absent field imposes nothing. */
export type Ceiling = {
  readonly mode: Mode;
  readonly autonomy?: Autonomy;
  /** Canonical names. */
  readonly tools?: readonly string[];
  readonly permissions?: readonly Permission[];
  readonly plan?: boolean;
  readonly dryRun?: boolean;
};

/** Something that nobody understands is taken for the strictest. */
const understood = <T>(order: readonly T[], value: T | undefined): T | undefined =>
  value === undefined || order.includes(value) ? value : order.at(-1);

const stricter = <T>(order: readonly T[], a: T | undefined, given: T | undefined): T | undefined => {
  const b = understood(order, given);
  return a === undefined ? b : b === undefined ? a : order.indexOf(a) >= order.indexOf(b) ? a : b;
};

const both = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined =>
  a === undefined ? b : b === undefined ? a : a.filter((each) => b.includes(each));

/** Effective = min(own, ceiling): whatever is put together, nothing gets wider. */
export function meet(a: Ceiling, b: Partial<Ceiling>): Ceiling {
  const autonomy = stricter(AUTONOMIES, a.autonomy, b.autonomy);
  const tools = both(a.tools, b.tools);
  const permissions = both(a.permissions, b.permissions);
  return {
    mode: stricter(MODES, a.mode, b.mode) ?? a.mode,
    ...(autonomy && { autonomy }),
    ...(tools && { tools }),
    ...(permissions && { permissions }),
    ...((a.plan || b.plan) && { plan: true }),
    ...((a.dryRun || b.dryRun) && { dryRun: true }),
  };
}

export type Limits = { readonly maxCalls?: number; readonly maxChanges?: number; readonly maxActionsPerHour?: number };

const HOUR_MS = 3_600_000;

/** What may be spent; a child's spending counts on every ancestor. */
export class Purse {
  readonly #limits: Limits;
  readonly #parent: Purse | undefined;
  readonly #spent = { calls: 0, changes: 0 };
  /** When the actions of the last hour were reserved. */
  #actions: number[] = [];
  constructor(limits: Limits, parent?: Purse) {
    this.#limits = limits;
    this.#parent = parent;
  }

  /** Takes what the call needs from this purse and all above it, or says what is used up and takes nothing. */
  reserve(changes: boolean, now: number): string | undefined {
    const { maxCalls, maxChanges, maxActionsPerHour } = this.#limits;
    if (maxCalls !== undefined && this.#spent.calls >= maxCalls)
      return `all ${maxCalls} calls of this session are used up`;
    if (changes && maxChanges !== undefined && this.#spent.changes >= maxChanges)
      return `all ${maxChanges} changes of this session are used up`;
    if (changes && maxActionsPerHour !== undefined) {
      this.#actions = this.#actions.filter((at) => now - at < HOUR_MS);
      if (this.#actions.length >= maxActionsPerHour) return `all ${maxActionsPerHour} actions of this hour are used up`;
    }
    const above = this.#parent?.reserve(changes, now);
    if (above) return above;
    this.#spent.calls += 1;
    if (changes) {
      this.#spent.changes += 1;
      if (maxActionsPerHour !== undefined) this.#actions.push(now);
    }
    return undefined;
  }

  /** Gives back what a call reserved and did not use. */
  release(changes: boolean): void {
    this.#spent.calls -= 1;
    if (changes) {
      this.#spent.changes -= 1;
      this.#actions.pop();
    }
    this.#parent?.release(changes);
  }
}

export type CallOptions = { signal?: AbortSignal };

/** The way back into the journey for tools that call tools. */
export interface GateView {
  call(call: IncomingCall, options?: CallOptions): Promise<Result>;
  callAll(calls: readonly IncomingCall[], options?: CallOptions & { concurrency?: number }): Promise<Result[]>;
}

export type ChildOptions = Partial<Ceiling> & { agent?: string; sessionID?: string; budget?: Limits };

export interface ChildGate {
  child(options: ChildOptions): GateView & ChildGate;
}
