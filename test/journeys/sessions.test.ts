import { describe, expect, test } from "vitest";
import type { Facts, Policy } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench } from "./harness.ts";

/** Says nothing, and remembers what it was told. */
function witness() {
  const told: { calls: number; changes: number; seen: boolean }[] = [];
  const policy: Policy = {
    name: "witness",
    judge({ touches: [touch] }, facts: Facts) {
      const seen = touch !== undefined && "place" in touch && facts.seen(touch.place.real) !== undefined;
      told.push({ calls: facts.calls, changes: facts.changes, seen });
      return undefined;
    },
  };
  return { policy, told };
}

const read = { name: "read_file", args: { path: "a.txt" } };
const write = { name: "write_file", args: { path: "b.txt", content: "new" } };

/** Two gates that share nothing but a folder and a store, as two processes would. */
async function two() {
  const store = memoryStore();
  const { policy, told } = witness();
  const first = await bench({ "a.txt": "one\n" }, { store });
  const second = await bench({}, { dir: first.dir, store, policies: [policy] });
  return { first, second, told };
}

describe("what policies know of a session", () => {
  test("includes what another gate did in it: calls, changes, files that were read", async () => {
    const { first, second, told } = await two();
    const there = first.gate.child({ sessionID: "shared" });
    await there.call(read);
    await there.call(write);
    await there.close();
    await second.gate.child({ sessionID: "shared" }).call(read);
    expect(told).toEqual([{ calls: 2, changes: 1, seen: true }]);
  });

  test("is of that session alone", async () => {
    const { first, second, told } = await two();
    const there = first.gate.child({ sessionID: "another" });
    await there.call(read);
    await there.call(write);
    await there.close();
    await second.gate.child({ sessionID: "shared" }).call(read);
    await second.gate.child().call(read);
    expect(told).toEqual([
      { calls: 0, changes: 0, seen: false },
      { calls: 0, changes: 0, seen: false },
    ]);
  });

  test("is the same for every gate of the session in one process, and counts each call once", async () => {
    const { policy, told } = witness();
    const { gate } = await bench({ "a.txt": "one\n" }, { store: memoryStore(), policies: [policy] });
    const [one, other] = [gate.child({ sessionID: "shared" }), gate.child({ sessionID: "shared" })];
    await one.call(write);
    await other.call(read);
    await one.close();
    await other.call(read);
    // a change is judged once more when it is known what it would change
    expect(told.map(({ calls, changes }) => [calls, changes])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [2, 1],
    ]);
  });
});
