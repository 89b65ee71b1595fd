import { expect, test } from "vitest";
import type { KeptEvent } from "../../src/core/contracts/store/events.ts";
import { callRecord } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

const told = (id: string, more: Partial<KeptEvent> = {}): Omit<KeptEvent, "seq"> => ({
  ...{ id, type: "asked", at: 1000, body: { of: id } },
  ...more,
});

/** What happened, for those who follow from elsewhere. */
export function eventContract(name: string, make: () => Promise<Opened>): void {
  withStore(`events of the store: ${name}`, make, (at) => {
    const ids = (events: readonly KeptEvent[]): string[] => events.map(({ id }) => id);

    test("events and records are one sequence", async () => {
      await at.store.tell([told("e1"), told("e2")]);
      await at.store.record([callRecord("r1"), callRecord("r2", { session: "s2" })]);
      await at.store.tell([told("e3")]);
      await at.store.record([callRecord("r3")]);
      const events = await at.store.events({});
      expect(ids(events)).toEqual(["e1", "e2", "r1", "r2", "e3", "r3"]);
      const first = events[0]?.seq as number;
      expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5].map((step) => first + step));
      const records = await at.store.records({ order: "oldest-first" });
      expect(records.map(({ seq }) => seq)).toEqual([2, 3, 5].map((step) => first + step));
    });
    test("come back whole", async () => {
      const whole = told("e", { session: "s1", record: "r1", body: [null, { a: 1 }] });
      await at.store.tell([whole, told("bare", { body: null })]);
      const [one, bare] = await at.store.events({});
      expect(one).toEqual({ ...whole, seq: one?.seq });
      expect(bare).toEqual({ ...told("bare", { body: null }), seq: bare?.seq });
    });
    test("a record is told as how it ended", async () => {
      await at.store.record([
        callRecord("good", { microseconds: 2400 }),
        callRecord("planned", { status: "planned" }),
        callRecord("refused", { status: "refused" }),
        callRecord("bad", { status: "failed" }),
      ]);
      const events = await at.store.events({});
      expect(events.map(({ id, type }) => [id, type])).toEqual([
        ["good", "done"],
        ["planned", "done"],
        ["refused", "failed"],
        ["bad", "failed"],
      ]);
      expect(events[0]).toMatchObject({ at: 1002, session: "s1", record: "good" });
      expect(events[0]?.body).toEqual((await at.store.records({ call: "call-good" }))[0]);
    });
    test("can be followed from any number, in steps of any size", async () => {
      for (let round = 0; round < 60; round++) {
        await at.store.tell([told(`e${round}`, { session: round % 2 ? "s1" : "s2" })]);
        if (round % 3 === 0) await at.store.record([callRecord(`r${round}`), callRecord(`q${round}`)]);
      }
      const all = await at.store.events({});
      expect(all).toHaveLength(100);
      for (const limit of [1, 7, 100]) {
        const followed: KeptEvent[] = [];
        for (;;) {
          const more = await at.store.events({ after: followed.at(-1)?.seq ?? 0, limit });
          expect(more.length).toBeLessThanOrEqual(limit);
          if (more.length === 0) break;
          followed.push(...more);
        }
        expect(followed).toEqual(all);
      }
      expect(await at.store.events({ limit: 0 })).toEqual([]);
      const ofOne = await at.store.events({ session: "s1" });
      expect(ids(ofOne)).toEqual(ids(all.filter(({ session }) => session === "s1")));
      expect(ids(await at.store.events({ session: "s1", after: ofOne[9]?.seq as number, limit: 5 }))).toEqual(
        ids(ofOne.slice(10, 15)),
      );
    });
    test("without a session are nobody's", async () => {
      await at.store.tell([told("e")]);
      expect(await at.store.events({ session: "s1" })).toEqual([]);
    });
    test("of one session are its own events and its own records", async () => {
      await at.store.tell([told("e1", { session: "s1" }), told("e2", { session: "s2" })]);
      await at.store.record([callRecord("r1"), callRecord("r2", { session: "s2" })]);
      expect(ids(await at.store.events({ session: "s1" }))).toEqual(["e1", "r1"]);
      expect(ids(await at.store.events({ session: "s2" }))).toEqual(["e2", "r2"]);
    });
  });
}
