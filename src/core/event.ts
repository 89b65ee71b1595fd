import type { Alert } from "./anomalies.ts";
import type { Question } from "./approval.ts";
import type { Call } from "./call.ts";
import type { Verdict } from "./judge.ts";
import type { RegistryEvent } from "./registry.ts";
import type { Result } from "./result.ts";
import type { Mark } from "./store.ts";

export type GateEvent =
  | RegistryEvent
  | { type: "start"; call: Call }
  | { type: "judged"; call: Call; verdict: Verdict }
  | { type: "asked"; call: Question; verdict: Verdict }
  | { type: "answered"; call: Call; decision: string }
  | { type: "progress"; call: Call; title?: string; metadata?: Record<string, unknown> }
  | { type: "done" | "failed"; call: Call; result: Result; trace: readonly Mark[] }
  /** Something unusual about a command; nothing was stopped for it. */
  | ({ type: "alert"; call: Call } & Alert)
  /** The record could not be kept; what had ended had ended. */
  | { type: "unrecorded"; message: string };

/** Listeners of one gate and its children. One that throws disturbs nobody. */
export class Listeners {
  readonly #listeners = new Set<(event: GateEvent) => void>();

  on(listener: (event: GateEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get any(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: GateEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // a listener's mistake is its own
      }
    }
  }
}
