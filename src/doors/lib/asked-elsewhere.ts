import { AsyncLocalStorage } from "node:async_hooks";
import type { Approver } from "../../core/contracts/approval.ts";
import type { IncomingCall } from "../../core/words/call.ts";
import type { GateView } from "../../core/words/gate-view.ts";
import type { Result } from "../../core/words/result.ts";

/** What a call would have done when the person was asked. */
type Seen = { touches: string; diff: string };
type AskedCall = IncomingCall & { id: string };
const MOST_SEEN = 1000;

/**
 * Questions that a framework asks in its own way. Its answer is a yes for that call, as long as the call would still do
 * the same as when it was asked about.
 */
export class AskedElsewhere {
  readonly #framework: string;
  readonly #seen = new Map<string, Seen>();
  readonly #running = new AsyncLocalStorage<{ isApproved: boolean; before?: Seen }>();

  constructor(framework: string) {
    this.#framework = framework;
  }

  /** For `open({ approve })`. */
  readonly approve: Approver = ({ touches, diff }) => {
    // found by the run itself, not by an id: a model may use one id for several calls
    const { isApproved, before } = this.#running.getStore() ?? {};
    if (!isApproved) return { decision: "deny", message: `the ${this.#framework} did not ask about this call` };
    if (before && (before.touches !== JSON.stringify(touches) || before.diff !== diff))
      return { decision: "deny", message: "what it would do has changed since it was approved; call it again" };
    return "once";
  };

  /** Whether the framework has to ask about the call. */
  async wouldAsk(gate: GateView, call: AskedCall): Promise<boolean> {
    const { verdict, touches, diff = "" } = await gate.explain(call);
    if (verdict !== "ask") return false;
    this.#keep(keyOf(call.id, call.args), { touches: JSON.stringify(touches), diff });
    return true;
  }

  async run(gate: GateView, call: AskedCall, isApproved: boolean, signal?: AbortSignal): Promise<Result> {
    const key = keyOf(call.id, call.args);
    const before = this.#seen.get(key);
    this.#seen.delete(key);
    return await this.#running.run({ isApproved, ...(before && { before }) }, () =>
      gate.call(call, signal ? { signal } : {}),
    );
  }

  /** The first explanation counts: a framework asks again when it continues after the answer. */
  #keep(key: string, what: Seen): void {
    if (this.#seen.has(key)) return;
    this.#seen.set(key, what);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }
}

const keyOf = (id: string, args: unknown): string => JSON.stringify([id, args]);
