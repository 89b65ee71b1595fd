import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../src/core/contracts/store/store.ts";

/** `again` opens a second handle on the same data, where a store has such a thing. */
export type Opened = { store: Store; again?: () => Promise<Store>; done: () => Promise<void> };

/** A store of its own for each test; `at.store` is the one of the test that runs. */
export function withStore(title: string, make: () => Promise<Opened>, tests: (at: Opened) => void): void {
  describe(title, () => {
    const at = {} as Opened;
    beforeEach(async () => void Object.assign(at, { again: undefined }, await make()));
    afterEach(async () => {
      await at.store.close();
      await at.done();
    });
    tests(at);
  });
}
