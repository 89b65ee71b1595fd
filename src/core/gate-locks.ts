import type { Hold, Holds } from "./contracts/store/holds.ts";

/** What agents have locked for themselves, in every process that shares the store. */
export class GateLocks {
  readonly #store: Holds;
  constructor(store: Holds) {
    this.#store = store;
  }
  list(): Promise<Hold[]> {
    return this.#store.holds("paths");
  }
  /** Whoever holds it; false: there is none with this token. */
  async release(token: string): Promise<boolean> {
    return (await this.#store.letGo([token])).length > 0;
  }
}
