import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Grant, RecordQuery, Store } from "../../src/core/contracts/store.ts";
import { failing } from "./failing.ts";
import { changeContract } from "./store-changes.ts";
import { lockContract } from "./store-locks.ts";
import { approvalOf, bytes, callRecord, holderOf, newChange, type Opened } from "./store-samples.ts";

/** Every promise of `Store`, as tests. */
export function storeContract(name: string, make: () => Promise<Opened>): void {
  describe(`store: ${name}`, () => {
    let opened: Opened;
    let store: Store;
    beforeEach(async () => {
      opened = await make();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.done();
    });

    describe("records", () => {
      const all = [
        callRecord("1", { alerts: [{ kind: "crashed", message: "It crashed." }] }),
        callRecord("2", { session: "s2", status: "failed", error: { code: "IO_ERROR", message: "no" } }),
        callRecord("3", { message: "m2", tool: "write_file", verdict: { answer: "allow", by: "mode", reason: "yes" } }),
      ];
      const questions: [RecordQuery, string[]][] = [
        [{}, ["3", "2", "1"]],
        [{ limit: 2 }, ["3", "2"]],
        [{ limit: 0 }, []],
        [{ session: "s1" }, ["3", "1"]],
        [{ session: "s1", limit: 1 }, ["3"]],
        [{ message: "m1" }, ["2", "1"]],
        [{ call: "call-2" }, ["2"]],
        [{ status: "failed" }, ["2"]],
        [{ tool: "write_file" }, ["3"]],
        [{ session: "s2", tool: "write_file" }, []],
      ];
      test.each(questions)("%j gives %j, newest first", async (query, ids) => {
        await store.record(all.slice(0, 2));
        await store.record(all.slice(2));
        expect((await store.records(query)).map((record) => record.id)).toEqual(ids);
      });
      test("come back whole", async () => {
        await store.record(all);
        expect(await store.records({})).toEqual([...all].reverse());
      });
      test("come back whole, each with its own verdict, also where neighbours say almost the same", async () => {
        const verdict = { answer: "allow", by: "mode", reason: "reads" };
        const verdicts = [
          undefined,
          verdict,
          verdict,
          { ...verdict, answer: "deny" },
          { ...verdict, by: "rules" },
          { ...verdict, reason: "writes" },
          undefined,
          undefined,
          { ...verdict, reason: "writes" },
          { answer: "", by: "", reason: "" },
        ];
        const marks = [
          { stage: "find", microseconds: 0 },
          { stage: "judge", microseconds: 7, verdict: "allow" },
          { stage: "run", microseconds: 9 },
        ];
        const rows = verdicts.map((each, index) =>
          callRecord(String(index), { ...(each && { verdict: each }), trace: marks.slice(0, index % 4) }),
        );
        await store.record(rows);
        expect(await store.records({})).toEqual([...rows].reverse());
      });
      const odd = ['a "quoted" one', "back\\slash", "line\nbreak", "grüße 🙂", "\u0001", "%_", "'", ""];
      test.each(odd)("are found by a text as odd as %j, and by no other", async (text) => {
        await store.record([
          callRecord("before", { input: text }),
          callRecord("it", { call: text, message: text, tool: text, session: text }),
          callRecord("after", { target: text }),
        ]);
        for (const query of [{ call: text }, { message: text }, { tool: text }, { session: text }])
          expect((await store.records(query)).map(({ id }) => id)).toEqual(["it"]);
      });
      test("many of them, in groups large and small, keep their order and are all found", async () => {
        const many = Array.from({ length: 3000 }, (_, index) =>
          callRecord(String(index), {
            session: `s${index % 700 === 0 ? 2 : 1}`,
            target: "x".repeat(100),
            status: index === 5 ? "failed" : "done",
            input: { says: '"status":"failed"' },
          }),
        );
        for (let start = 0, size = 1; start < many.length; start += size++)
          await store.record(many.slice(start, start + size));
        const ids = many.map(({ id }) => id).reverse();
        const found = async (query: RecordQuery) => (await store.records(query)).map(({ id }) => id);
        expect(await found({})).toEqual(ids);
        expect(await found({ limit: 1111 })).toEqual(ids.slice(0, 1111));
        expect(await found({ session: "s2" })).toEqual(["2800", "2100", "1400", "700", "0"]);
        expect(await found({ session: "s2", limit: 2 })).toEqual(["2800", "2100"]);
        expect(await found({ status: "failed", limit: 2 })).toEqual(["5"]);
      });
      test("an empty group is nothing", async () => {
        await store.record([]);
        expect(await store.records({})).toEqual([]);
      });
      test("what JSON can't say does not lose the record", async () => {
        const circle: Record<string, unknown> = { size: 12n };
        circle.self = circle;
        await store.record([callRecord("odd", { input: circle }), callRecord("none", { input: undefined })]);
        const [none, odd] = await store.records({});
        expect(none?.input ?? undefined).toBeUndefined();
        expect(odd?.input).toEqual({ size: "12", self: "[circular]" });
        expect(odd?.touches).toHaveLength(1);
      });
      test("are what they were when recorded", async () => {
        const input = { path: "a" };
        await store.record([callRecord("1", { input })]);
        input.path = "b";
        expect((await store.records({}))[0]?.input).toEqual({ path: "a" });
      });
    });

    test("what comes out belongs to whoever asked: changing it changes nothing here", async () => {
      await store.record([callRecord("1")]);
      await store.intend([newChange("/a", { undoes: [1] })]);
      await store.grant([{ tool: "t", action: "write", target: "/a", session: null, at: 1 }]);
      await store.ask(approvalOf("p"));
      await store.lock(["/a"], holderOf("c"));
      const look = async () => [
        await store.records({}),
        await store.changes({}),
        await store.grants("t", "s"),
        await store.pending(),
        [await store.approval("p")],
        await store.locks(),
      ];
      const first = await look();
      const before = structuredClone(first);
      for (const [row] of first) Object.assign(row as object, { id: 99, target: "/x", token: "x", undoes: [2] });
      expect(await look()).toEqual(before);
    });
    test("what went in is as it was then", async () => {
      const change = newChange("/a", { undoes: [1] });
      const approval = approvalOf("p");
      const given = { tool: "t", action: "write", target: "/a", session: null, at: 1 };
      await store.intend([change]);
      await store.ask(approval);
      await store.grant([given]);
      change.undoes?.push(2);
      Object.assign(change, { real: "/x" });
      Object.assign(approval, { reason: "another" });
      Object.assign(given, { target: "/x" });
      expect(await store.changes({})).toMatchObject([{ real: "/a", undoes: [1] }]);
      expect(await store.pending()).toEqual([approvalOf("p")]);
      expect(await store.grants("t", "s")).toMatchObject([{ target: "/a" }]);
    });

    describe("grants", () => {
      const grant = (session: string | null, more: Partial<Grant> = {}): Grant => ({
        ...{ tool: "edit_file", action: "write", target: "/a", session, at: 1 },
        ...more,
      });
      test("are found by tool and session, those for always in every session", async () => {
        const [once, other, always, elsewhere] = [
          grant("s1"),
          grant("s2"),
          grant(null),
          grant("s1", { tool: "run_command" }),
        ];
        await store.grant([once, other, always, elsewhere]);
        expect(await store.grants("edit_file", "s1")).toEqual([once, always]);
        expect(await store.grants("edit_file", "s3")).toEqual([always]);
        expect(await store.grants("run_command", "s1")).toEqual([elsewhere]);
        expect(await store.grants("read_file", "s1")).toEqual([]);
      });
      test.each<Partial<Grant>>([{ tool: "other" }, { action: "delete" }, { target: "/b" }, { session: "s1" }])(
        "that differ in %j are two",
        async (more) => {
          const [one, two] = [grant(null), grant(null, more)];
          await store.grant([one]);
          await store.grant([two]);
          const found = [...(await store.grants(two.tool, "s1")), ...(await store.grants(one.tool, "s1"))];
          expect(found).toEqual(expect.arrayContaining([one, two]));
        },
      );
      test("given twice is one, the newer", async () => {
        await store.grant([grant(null), grant("s1")]);
        await store.grant([grant(null, { at: 2 })]);
        expect(await store.grants("edit_file", "s1")).toEqual([grant("s1"), grant(null, { at: 2 })]);
      });
    });

    describe("approvals", () => {
      test("the first answer wins", async () => {
        await store.ask(approvalOf("p1"));
        await store.ask(approvalOf("p2"));
        expect(await store.pending()).toEqual([approvalOf("p1"), approvalOf("p2")]);
        expect(await store.answer("p1", "once", "go on")).toBe(true);
        expect(await store.answer("p1", "deny")).toBe(false);
        expect(await store.approval("p1")).toEqual({
          ...{ ...approvalOf("p1"), answer: "once", message: "go on", answeredAt: expect.any(Number) },
        });
        expect(await store.pending()).toEqual([approvalOf("p2")]);
        expect(await store.answer("p2", "deny")).toBe(true);
        expect(await store.approval("p2")).not.toHaveProperty("message");
      });
      test("one that comes with its answer is not pending, and keeps that answer", async () => {
        const answered = { ...approvalOf("p1"), answer: "deny", message: "no", answeredAt: 5 };
        await store.ask(answered);
        expect(await store.pending()).toEqual([]);
        expect(await store.answer("p1", "once")).toBe(false);
        expect(await store.approval("p1")).toEqual(answered);
      });
      test("an unknown one can't be answered, and an id is used once", async () => {
        expect(await store.answer("nobody", "once")).toBe(false);
        expect(await store.approval("nobody")).toBeUndefined();
        await store.ask(approvalOf("p1"));
        await store.answer("p1", "deny");
        await expect(store.ask(approvalOf("p1"))).rejects.toThrow(/p1/);
        expect((await store.approval("p1"))?.answer).toBe("deny");
      });
    });

    test("after close everything rejects, and closing again is nothing", async () => {
      await store.close();
      await store.close();
      const uses = [
        () => store.record([callRecord("1")]),
        () => store.records({}),
        () => store.intend([newChange("/a")]),
        () => store.conclude([1], "done"),
        () => store.changes({}),
        () => store.content("h"),
        () => store.lock(["/a"], holderOf("c1")),
        () => store.unlock("t"),
        () => store.locks(),
        () => store.grant([]),
        () => store.grants("t", "s"),
        () => store.ask(approvalOf("p")),
        () => store.answer("p", "once"),
        () => store.approval("p"),
        () => store.pending(),
        () => store.tidy({ maxAgeMs: 1, maxBytes: 1, now: 1 }),
      ];
      for (const use of uses) await expect(use()).rejects.toThrow(/closed/);
    });

    describe.each(["before", "after"] as const)("a call that fails, %s it was done", (when) => {
      test.each([1, 2, 3, 4, 5, 6])("call %i leaves nothing half", async (n) => {
        const brittle = failing(store, n, when);
        const holder = holderOf("c1");
        const journey = async (): Promise<void> => {
          await brittle.lock(["/a", "/b"], holder);
          const ids = await brittle.intend([newChange("/a"), newChange("/b")]);
          await brittle.conclude(ids, "done");
          await brittle.record([callRecord("1"), callRecord("2")]);
          await brittle.grant([{ tool: "t", action: "write", target: "/a", session: null, at: 1 }]);
          await brittle.unlock(holder.token);
        };
        await expect(journey()).rejects.toThrow(`call ${n} fails`);
        const rows = await store.changes({});
        expect([0, 2]).toContain(rows.length);
        expect(new Set(rows.map((row) => row.state)).size).toBeLessThan(2);
        for (const row of rows) expect(await store.content(row.before!)).toEqual(bytes(`content of ${row.real}`));
        expect([0, 2]).toContain((await store.locks()).length);
        expect([0, 2]).toContain((await store.records({})).length);
        await store.unlock(holder.token);
        expect(await store.locks()).toEqual([]);
        expect(await store.lock(["/a", "/b"], holderOf("c2"))).toBeUndefined();
      });
    });
  });
  changeContract(name, make);
  lockContract(name, make);
}
