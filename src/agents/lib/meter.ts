import type { Spending } from "../../core/words/model-spending.ts";
import { addUsage, type Usage } from "./model.ts";

/** What a piece of work may take, including the work that it delegates. */
export type MeterLimits = { seconds?: number; tokens?: number; cost?: number };

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LEAST_LAST_WORD_MS = 5_000;
const MOST_LAST_WORD_MS = 60_000;

/** Counts what an agent and all agents below it take, against its own limits and those above. */
export class Meter {
  /** What was taken since it began, without what the session had used before. */
  readonly usage: Usage = { input: 0, output: 0 };
  /** Aborts when the time is over. */
  readonly deadline: AbortSignal | undefined;
  readonly limits: MeterLimits;
  readonly #above: Meter | undefined;
  readonly #before: Spending;
  readonly #ends: number;

  constructor(limits: MeterLimits = {}, above?: Meter, before: Spending = {}) {
    this.limits = limits;
    this.#above = above;
    this.#before = before;
    const ms = (limits.seconds ?? Number.POSITIVE_INFINITY) * 1000;
    this.#ends = Date.now() + ms;
    this.deadline =
      ms === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
  }

  add(usage: Usage | undefined): void {
    addUsage(this.usage, usage);
    this.#above?.add(usage);
  }

  get isLate(): boolean {
    return this.deadline?.aborted === true || Date.now() > this.#ends;
  }

  /** The message for the limit of its own that is used up, if any. */
  get usedUp(): string | undefined {
    const { tokens, cost } = this.limits;
    const { input, output, cost: paid = 0 } = this.usage;
    if (tokens !== undefined && (this.#before.tokens ?? 0) + input + output >= tokens)
      return `All ${tokens} tokens are used up.`;
    if (cost !== undefined && (this.#before.cost ?? 0) + paid >= cost) return `The cost has reached ${cost}.`;
    return undefined;
  }

  /** The message for a limit above it that is used up, if any. */
  get usedUpAbove(): string | undefined {
    return this.#above?.usedUp ?? this.#above?.usedUpAbove;
  }

  /** How long the last word may take: as long again as the work, within bounds. */
  get lastWordMs(): number {
    const { seconds = Number.POSITIVE_INFINITY } = this.limits;
    return Math.min(MOST_LAST_WORD_MS, Math.max(LEAST_LAST_WORD_MS, seconds * 1000));
  }
}
