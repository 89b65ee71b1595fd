import type { EventBody, EventStamp, GateEvent } from "./words/event.ts";

/** Listeners of one gate and its children. One that throws does not affect the others. */
export class Listeners {
  readonly #listeners = new Set<(event: GateEvent) => void>();
  readonly #stamp: () => Pick<EventStamp, "id" | "at">;

  constructor(stamp: () => Pick<EventStamp, "id" | "at">) {
    this.#stamp = stamp;
  }

  on(listener: (event: GateEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get any(): boolean {
    return this.#listeners.size > 0;
  }

  emit(body: EventBody, about?: Pick<EventStamp, "session" | "record">): void {
    if (!this.any) return;
    const event: GateEvent = { ...body, ...this.#stamp(), ...about };
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // a listener's mistake must not stop the others
      }
    }
  }
}
