import { describe, expect, test } from "vitest";
import { failing } from "./failing.ts";
import { approvalContract } from "./store-approvals.ts";
import { changeContract } from "./store-changes.ts";
import { eventContract } from "./store-events.ts";
import { grantContract } from "./store-grants.ts";
import { holdContract } from "./store-holds.ts";
import { lockContract } from "./store-locks.ts";
import { planContract } from "./store-plans.ts";
import { recordContract } from "./store-records.ts";
import { reservationContract } from "./store-reservations.ts";
import { approvalOf, begunOf, bytes, callRecord, grantOf, holderOf, newChange, planOf } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";
import { tableContract } from "./store-tables.ts";

/** Every promise of `Store`, as tests: of each subject, and of what holds for all. */
export function storeContract(name: string, make: () => Promise<Opened>): void {
  recordContract(name, make);
  changeContract(name, make);
  lockContract(name, make);
  holdContract(name, make);
  approvalContract(name, make);
  grantContract(name, make);
  reservationContract(name, make);
  planContract(name, make);
  tableContract(name, make);
  eventContract(name, make);
  withStore(`store: ${name}`, make, (at) => {
    test("a second handle sees everything, and locks hold across handles", async (context) => {
      if (!at.again) return context.skip("a store in memory cannot be opened again");
      const other = await at.again();
      try {
        await at.store.record([callRecord("1")]);
        const ids = await at.store.intend([newChange("/a")]);
        await at.store.ask(approvalOf("p1"));
        await at.store.grant([grantOf("1")]);
        await at.store.lock(["/a"], holderOf("c1"));

        expect(await other.records({})).toMatchObject([callRecord("1")]);
        expect((await other.changes({})).map(({ id }) => id)).toEqual(ids);
        expect(await other.content("before /a")).toEqual(bytes("content of /a"));
        expect(await other.grants({})).toHaveLength(1);
        expect(await other.answer("p1", "once")).toBe(true);
        expect((await at.store.approval("p1"))?.answer).toBe("once");
        await at.store.begin([begunOf("1")]);
        expect(await other.underWay()).toEqual([begunOf("1")]);
        await at.store.plan(planOf("1"), new Map([["new", bytes("new")]]));
        expect(await other.movePlan(["1"], ["planned"], "approved")).toEqual(["1"]);
        expect(await other.plannedContent("new")).toEqual(bytes("new"));
        await at.store.table("t").put("k", 1);
        expect(await other.table("t").put("k", 2, { ifVersion: 0 })).toBeUndefined();
        expect(await other.table("t").get("k")).toMatchObject({ value: 1 });
        await at.store.reserve([{ key: "k", limit: 1, amount: 1 }]);
        expect(await other.reserve([{ key: "k", limit: 1, amount: 1 }])).toMatchObject({ used: 1 });
        expect(await other.lock(["/a"], holderOf("c2"))).toMatchObject({ call: "c1" });
        expect(await other.lock(["/b"], holderOf("c2"))).toBeUndefined();
        expect(await at.store.lock(["/b"], holderOf("c1"))).toMatchObject({ call: "c2" });
      } finally {
        await other.close();
      }
      expect(
        (await at.store.locks()).map(({ path }) => path),
        "closing frees the locks of that handle alone",
      ).toEqual(["/a"]);
    });
    test("what was written is there when opened again", async (context) => {
      if (!at.again) return context.skip("a store in memory cannot be opened again");
      await at.store.intend([newChange("/a")]);
      await at.store.record([callRecord("1")]);
      await at.store.lock(["/a"], holderOf("c1"));
      await at.store.close();
      const later = await at.again();
      try {
        expect(await later.changes({})).toHaveLength(1);
        expect(await later.content("before /a")).toEqual(bytes("content of /a"));
        expect(await later.records({})).toHaveLength(1);
        expect(await later.locks()).toEqual([]);
      } finally {
        await later.close();
      }
    });

    test("what comes out belongs to whoever asked: changing it changes nothing here", async () => {
      await at.store.record([callRecord("1")]);
      await at.store.intend([newChange("/a", { undoes: [1] })]);
      await at.store.grant([grantOf("g")]);
      await at.store.begin([begunOf("1")]);
      await at.store.plan(planOf("1"), new Map());
      await at.store.table("t").put("k", { a: 1 });
      await at.store.tell([{ id: "e", type: "x", at: 1, body: { a: 1 } }]);
      await at.store.ask(approvalOf("p"));
      await at.store.lock(["/a"], holderOf("c"));
      const look = async () => [
        await at.store.records({}),
        await at.store.changes({}),
        await at.store.grants({}),
        await at.store.underWay(),
        await at.store.planned({}),
        await at.store.table("t").list(),
        await at.store.events({}),
        await at.store.pending(),
        [await at.store.approval("p")],
        await at.store.locks(),
      ];
      const first = await look();
      const before = structuredClone(first);
      for (const [row] of first)
        Object.assign(row as object, { id: 99, covers: "x", token: "x", undoes: [2], value: 2, body: 2 });
      expect(await look()).toEqual(before);
    });
    test("what went in is as it was then", async () => {
      const change = newChange("/a", { undoes: [1] });
      const approval = approvalOf("p");
      const given = grantOf("g");
      await at.store.intend([change]);
      await at.store.ask(approval);
      await at.store.grant([given]);
      change.undoes?.push(2);
      Object.assign(change, { real: "/x" });
      Object.assign(approval, { reason: "another" });
      Object.assign(given, { covers: "all" });
      expect(await at.store.changes({})).toMatchObject([{ real: "/a", undoes: [1] }]);
      expect(await at.store.pending()).toEqual([approvalOf("p")]);
      expect(await at.store.grants({})).toEqual([grantOf("g")]);
    });

    test("after close everything rejects, and closing again is nothing", async () => {
      await at.store.close();
      await at.store.close();
      const uses = [
        () => at.store.record([callRecord("1")]),
        () => at.store.records({}),
        () => at.store.intend([newChange("/a")]),
        () => at.store.conclude([1], "done"),
        () => at.store.changes({}),
        () => at.store.content("h"),
        () => at.store.lock(["/a"], holderOf("c1")),
        () => at.store.unlock("t"),
        () => at.store.locks(),
        () => at.store.hold("paths", [], { session: "s", agent: "a" }, 1),
        () => at.store.letGo(["t"]),
        () => at.store.letGoOf("s"),
        () => at.store.holds(),
        () => at.store.holdOver("paths", { resources: [], mode: "read" }, { session: "s", agent: "a" }),
        () => at.store.grant([]),
        () => at.store.grants({}),
        () => at.store.revoke("g"),
        () => at.store.ask(approvalOf("p")),
        () => at.store.answer("p", "once"),
        () => at.store.approval("p"),
        () => at.store.pending(),
        () => at.store.withdraw(["p"]),
        () => at.store.begin([begunOf("1")]),
        () => at.store.finish(["1"]),
        () => at.store.underWay(),
        () => at.store.interrupted(),
        () => at.store.reserve([]),
        () => at.store.giveBack("t"),
        () => at.store.reserved("k"),
        () => at.store.plan(planOf("1"), new Map()),
        () => at.store.planned({}),
        () => at.store.plannedContent("h"),
        () => at.store.movePlan(["1"], ["planned"], "dropped"),
        () => at.store.table("t").get("k"),
        () => at.store.table("t").put("k", 1),
        () => at.store.table("t").remove("k"),
        () => at.store.table("t").list(),
        () => at.store.tell([]),
        () => at.store.events({}),
        () => at.store.tidy({ maxAgeMs: 1, maxBytes: 1, now: 1 }),
      ];
      for (const use of uses) await expect(use()).rejects.toThrow(/closed/);
    });

    describe.each(["before", "after"] as const)("a call that fails, %s it was done", (when) => {
      test.each([1, 2, 3, 4, 5, 6, 7, 8])("call %i leaves nothing half", async (n) => {
        const brittle = failing(at.store, n, when);
        const holder = holderOf("c1");
        const journey = async (): Promise<void> => {
          await brittle.lock(["/a", "/b"], holder);
          const ids = await brittle.intend([newChange("/a"), newChange("/b")]);
          await brittle.conclude(ids, "done");
          await brittle.record([callRecord("1"), callRecord("2")]);
          await brittle.grant([grantOf("1"), grantOf("2")]);
          await brittle.reserve(["a", "b"].map((key) => ({ key, limit: 1, amount: 1 })));
          await brittle.table("t").put("k", 1, { ifVersion: 0 });
          await brittle.unlock(holder.token);
        };
        await expect(journey()).rejects.toThrow(`call ${n} fails`);
        const rows = await at.store.changes({});
        expect([0, 2]).toContain(rows.length);
        expect(new Set(rows.map((row) => row.state)).size).toBeLessThan(2);
        for (const row of rows) expect(await at.store.content(row.before!)).toEqual(bytes(`content of ${row.real}`));
        expect([0, 2]).toContain((await at.store.locks()).length);
        expect([0, 2]).toContain((await at.store.records({})).length);
        expect([0, 2]).toContain((await at.store.grants({})).length);
        expect(await at.store.reserved("a")).toBe(await at.store.reserved("b"));
        await at.store.unlock(holder.token);
        expect(await at.store.locks()).toEqual([]);
        expect(await at.store.lock(["/a", "/b"], holderOf("c2"))).toBeUndefined();
      });
    });
  });
}
