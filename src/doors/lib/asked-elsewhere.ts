import type { Approver } from "../../core/contracts/approval.ts";
import type { IncomingCall } from "../../core/words/call.ts";
import type { GateView } from "../../core/words/gate-view.ts";
import type { Result } from "../../core/words/result.ts";

/** What a call would have done when the person was asked. */
type Seen = { touches: string; diff: string };
type AskedCall = IncomingCall & { id: string };
const MOST_SEEN = 1000;

/**
 * Questions that a framework asks in its own way. Its answer is a yes for that very call, as long as the call would
 * still do what it would have done when it was asked about.
 */
export class AskedElsewhere {
  readonly #framework: string;
  readonly #seen = new Map<string, Seen>();
  readonly #approved = new Set<string>();

  constructor(framework: string) {
    this.#framework = framework;
  }

  /** For `open({ approve })`. */
  readonly approve: Approver = ({ id, args, touches, diff }) => {
    if (!this.#approved.has(id))
      return { decision: "deny", message: `the ${this.#framework} did not ask about this call` };
    const before = this.#seen.get(keyOf(id, args));
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
    if (isApproved) this.#approved.add(call.id);
    try {
      return await gate.call(call, signal ? { signal } : {});
    } finally {
      this.#approved.delete(call.id);
      this.#seen.delete(keyOf(call.id, call.args));
    }
  }

  /** The first look counts: a framework looks again when it goes on after the answer. */
  #keep(key: string, what: Seen): void {
    if (this.#seen.has(key)) return;
    this.#seen.set(key, what);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }
}

const keyOf = (id: string, args: unknown): string => JSON.stringify([id, args]);
