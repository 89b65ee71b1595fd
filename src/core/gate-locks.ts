import type { Hold, Holds } from "./contracts/store/holds.ts";

/** The paths that agents hold, in every process that shares the store. */
export class GateLocks {
  readonly #store: Holds;
  constructor(store: Holds) {
    this.#store = store;
  }
  list(): Promise<Hold[]> {
    return this.#store.holds("paths");
  }
  /** Releases the hold, whoever has it. Returns false if there is no such token. */
  async release(token: string): Promise<boolean> {
    return (await this.#store.letGo([token])).length > 0;
  }
}
