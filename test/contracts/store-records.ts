import { describe, expect, test } from "vitest";
import type { RecordQuery } from "../../src/core/contracts/store/records.ts";
import { begunOf, callRecord } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

/** What was done, and what is being done. */
export function recordContract(name: string, make: () => Promise<Opened>): void {
  withStore(`records of the store: ${name}`, make, (at) => {
    const all = [
      callRecord("1", {
        alerts: [{ kind: "crashed", message: "It crashed." }],
        changed: true,
        told: 3,
        answer: "b5d4",
      }),
      callRecord("2", { session: "s2", at: 2000, status: "failed", error: { code: "IO_ERROR", message: "no" } }),
      callRecord("3", { message: "m2", tool: "write_file", verdict: { answer: "allow", by: "mode", reason: "yes" } }),
      callRecord("4", {
        ...{ session: "child", workspace: "/other", parent: "3", at: 3000, changed: false },
        output: { bytes: 70_000, head: "first lines", path: "/outputs/4" },
        ceiling: { mode: "yolo", paths: [["docs/**"], ["*.md"]], dryRun: true },
        seen: [{ real: "/w/a.txt", stamp: { size: 1, mtimeMs: 2.5, ctimeMs: 3, ino: 4 } }],
      }),
    ];
    test("as it was written, nothing is found to be wrong with it", async () => {
      expect(await at.store.verify()).toMatchObject({ records: 0, findings: [] });
      await at.store.record(all);
      expect(await at.store.verify()).toMatchObject({ records: all.length, pruned: 0, findings: [] });
    });
    const ids = async (query: RecordQuery): Promise<string[]> =>
      (await at.store.records(query)).map((record) => record.id);
    const questions: [RecordQuery, string[]][] = [
      [{}, ["4", "3", "2", "1"]],
      [{ order: "oldest-first" }, ["1", "2", "3", "4"]],
      [{ limit: 2 }, ["4", "3"]],
      [{ limit: 2, order: "oldest-first" }, ["1", "2"]],
      [{ limit: 0 }, []],
      [{ session: "s1" }, ["3", "1"]],
      [{ session: "s1", limit: 1 }, ["3"]],
      [{ session: "s1", limit: 1, order: "oldest-first" }, ["1"]],
      [{ message: "m1" }, ["4", "2", "1"]],
      [{ call: "call-2" }, ["2"]],
      [{ parent: "3" }, ["4"]],
      [{ parent: "4" }, []],
      [{ workspace: "/other" }, ["4"]],
      [{ workspace: "/w", status: "done" }, ["3", "1"]],
      [{ status: "failed" }, ["2"]],
      [{ tool: "write_file" }, ["3"]],
      [{ session: "s2", tool: "write_file" }, []],
      [{ since: 1000 }, ["4", "2"]],
      [{ until: 2000 }, ["3", "1"]],
      [{ since: 1000, until: 3000 }, ["2"]],
      [{ since: 3000 }, []],
    ];
    test.each(questions)("%j gives %j", async (query, found) => {
      await at.store.record(all.slice(0, 2));
      await at.store.record(all.slice(2));
      expect(await ids(query)).toEqual(found);
    });
    test("come back whole, each with its number", async () => {
      await at.store.record(all);
      const found = await at.store.records({ order: "oldest-first" });
      expect(found.map(({ seq: _, ...record }) => record)).toEqual(all);
      const numbers = found.map(({ seq }) => seq as number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(numbers.every((number) => Number.isSafeInteger(number) && number > 0)).toBe(true);
    });
    test("a number that a record brings along is not its own", async () => {
      await at.store.record([callRecord("1", { seq: 4711 }), callRecord("2", { seq: 4711 })]);
      const [two, one] = await at.store.records({});
      expect(two?.seq).toBe((one?.seq ?? 0) + 1);
      expect(one?.seq).toBeLessThan(4711);
    });
    test("are turned over from any number, in either direction, without a gap or a double", async () => {
      const many = Array.from({ length: 700 }, (_, index) =>
        callRecord(String(index), { session: `s${Math.floor(index / 50) % 3}`, at: index }),
      );
      for (let start = 0; start < many.length; start += 90) {
        await at.store.record(many.slice(start, start + 90));
        await at.store.tell([{ id: `e${start}`, type: "told", at: 1, body: null }]);
      }
      const turned = async (more: RecordQuery, size: number): Promise<string[]> => {
        const found: string[] = [];
        let cursor: RecordQuery = {};
        for (;;) {
          const page = await at.store.records({ ...more, ...cursor, limit: size });
          if (page.length === 0) return found;
          found.push(...page.map(({ id }) => id));
          const last = page.at(-1)?.seq as number;
          cursor = more.order ? { after: last } : { before: last };
        }
      };
      const oldest = many.map(({ id }) => id);
      expect(await turned({ order: "oldest-first" }, 64)).toEqual(oldest);
      expect(await turned({}, 33)).toEqual([...oldest].reverse());
      const ofOne = many.filter(({ session }) => session === "s1").map(({ id }) => id);
      expect(await turned({ session: "s1", order: "oldest-first" }, 7)).toEqual(ofOne);
      expect(await ids({ since: 99, until: 103, order: "oldest-first" })).toEqual(["100", "101", "102"]);
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
      await at.store.record(rows);
      const found = (await at.store.records({ order: "oldest-first" })).map(({ verdict, trace }) => ({
        verdict,
        trace,
      }));
      expect(found).toEqual(rows.map(({ verdict, trace }) => ({ verdict, trace })));
    });
    test("the turn of a call alone is found, and no other call or turn of that name", async () => {
      await at.store.record([
        callRecord("1", { call: "c", message: "turn_c" }),
        callRecord("2", { call: "turn_c", message: "c" }),
        callRecord("3", { call: "d", message: "turn_c" }),
        callRecord("4", { call: "c", message: "turn_d" }),
      ]);
      expect(await ids({ message: "turn_c" })).toEqual(["3", "1"]);
      expect(await ids({ message: "c" })).toEqual(["2"]);
      expect(await ids({ message: "turn_" })).toEqual([]);
      const [alone] = await at.store.records({ message: "turn_c", order: "oldest-first" });
      expect(alone).toMatchObject({ call: "c", message: "turn_c" });
    });
    const odd = ['a "quoted" one', "back\\slash", "line\nbreak", "grüße 🙂", "\u0001", "%_", "'", ""];
    test.each(odd)("are found by a text as odd as %j, and by no other", async (text) => {
      await at.store.record([
        callRecord("before", { input: text }),
        callRecord("it", { call: text, message: text, tool: text, session: text, parent: text, workspace: text }),
        callRecord("after", { target: text }),
      ]);
      for (const query of [
        { call: text },
        { message: text },
        { tool: text },
        { session: text },
        { parent: text },
        { workspace: text },
      ])
        expect((await at.store.records(query)).map(({ id }) => id)).toEqual(["it"]);
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
        await at.store.record(many.slice(start, start + size));
      const newest = many.map(({ id }) => id).reverse();
      expect(await ids({})).toEqual(newest);
      expect(await ids({ limit: 1111 })).toEqual(newest.slice(0, 1111));
      expect(await ids({ session: "s2" })).toEqual(["2800", "2100", "1400", "700", "0"]);
      expect(await ids({ session: "s2", limit: 2 })).toEqual(["2800", "2100"]);
      expect(await ids({ status: "failed", limit: 2 })).toEqual(["5"]);
    });
    test("an empty group is nothing", async () => {
      await at.store.record([]);
      expect(await at.store.records({})).toEqual([]);
    });
    test("what JSON can't say does not lose the record", async () => {
      const circle: Record<string, unknown> = { size: 12n };
      circle.self = circle;
      await at.store.record([callRecord("odd", { input: circle }), callRecord("none", { input: undefined })]);
      const [none, odd] = await at.store.records({});
      expect(none?.input ?? undefined).toBeUndefined();
      expect(odd?.input).toEqual({ size: "12", self: "[circular]" });
      expect(odd?.touches).toHaveLength(1);
    });
    test("are what they were when recorded", async () => {
      const input = { path: "a" };
      await at.store.record([callRecord("1", { input })]);
      input.path = "b";
      expect((await at.store.records({}))[0]?.input).toEqual({ path: "a" });
    });

    describe("calls that are under way", () => {
      const begun = begunOf("1", { parent: "0" });
      test("are seen until they end", async () => {
        await at.store.begin([begun, begunOf("2")]);
        await at.store.begin([begunOf("3")], true);
        expect(await at.store.underWay()).toEqual([begun, begunOf("2"), begunOf("3")]);
        await at.store.finish(["2", "unknown"]);
        expect((await at.store.underWay()).map(({ id }) => id)).toEqual(["1", "3"]);
        await at.store.finish(["1", "3"]);
        expect(await at.store.underWay()).toEqual([]);
      });
      test("are not interrupted while their process lives, and are no records", async () => {
        await at.store.begin([begun]);
        expect(await at.store.interrupted()).toEqual([]);
        expect(await at.store.underWay()).toHaveLength(1);
        expect(await at.store.records({})).toEqual([]);
      });
      test("of no group is nothing", async () => {
        await at.store.begin([]);
        await at.store.finish([]);
        expect(await at.store.underWay()).toEqual([]);
      });
    });
  });
}
