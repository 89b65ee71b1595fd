import { describe, expect, test } from "vitest";
import { type ChangeQuery, UNTOLD } from "../../src/core/contracts/store/changes.ts";
import { begunOf, bytes, newChange } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

/** Intents, their before-contents, and what tidying may do to those. */
export function changeContract(name: string, make: () => Promise<Opened>): void {
  withStore(`changes in the store: ${name}`, make, (at) => {
    describe("changes", () => {
      test("ids come in the order of the rows, and grow", async () => {
        const first = await at.store.intend([newChange("/a"), newChange("/b")]);
        const second = await at.store.intend([newChange("/c")]);
        const ids = [...first, ...second];
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        expect((await at.store.changes({})).map(({ id, real }) => [id, real])).toEqual(
          ids.map((id, index) => [id, ["/a", "/b", "/c"][index]]),
        );
        expect(await at.store.intend([])).toEqual([]);
      });
      test("rows come back whole", async () => {
        const odd = {
          before: null,
          after: null,
          content: null,
          modeBefore: 0,
          modeAfter: 0o644,
          undoes: [1],
          redoes: [2, 3],
        };
        const [plainId, oddId] = await at.store.intend([newChange("/a"), newChange("/b", odd)]);
        const { content: _, ...plain } = newChange("/a");
        const { content: __, ...whole } = newChange("/b", odd);
        expect(await at.store.changes({})).toEqual([
          { ...plain, id: plainId, state: "intended" },
          { ...whole, id: oddId, state: "intended" },
        ]);
      });
      test("all or none: a row that fails takes the others and their contents with it", async () => {
        const broken = Object.defineProperty(newChange("/c"), "real", {
          enumerable: true,
          get: () => {
            throw new Error("broken");
          },
        });
        await expect(at.store.intend([newChange("/a"), newChange("/b"), broken])).rejects.toThrow("broken");
        expect(await at.store.changes({})).toEqual([]);
        expect(await at.store.content("before /a")).toBeUndefined();
        expect(await at.store.intend([newChange("/a")])).toHaveLength(1);
        expect(await at.store.content("before /a")).toEqual(bytes("content of /a"));
      });
      test("a call that begins with its intents is under way, or neither is there", async () => {
        const call = begunOf("1", { parent: "0" });
        await at.store.begin([{ ...call, target: "before" }]);
        expect(await at.store.intend([newChange("/a")], call)).toHaveLength(1);
        expect(await at.store.underWay()).toEqual([call]);
        const broken = Object.defineProperty(newChange("/c"), "real", {
          enumerable: true,
          get: () => {
            throw new Error("broken");
          },
        });
        await expect(at.store.intend([broken], begunOf("2"))).rejects.toThrow("broken");
        expect(await at.store.underWay()).toEqual([call]);
        await at.store.finish(["1"]);
        expect(await at.store.underWay()).toEqual([]);
      });
      test("a call that begins without intents is under way as well", async () => {
        expect(await at.store.intend([], begunOf("1"))).toEqual([]);
        expect(await at.store.underWay()).toEqual([begunOf("1")]);
        await at.store.finish(["1"]);
      });
      test("conclude ends intended rows, once", async () => {
        const [a, b, c] = (await at.store.intend([newChange("/a"), newChange("/b"), newChange("/c")])) as [
          number,
          number,
          number,
        ];
        await at.store.conclude([a], "done");
        await at.store.conclude([b, a, 4711], "void");
        expect((await at.store.changes({})).map(({ id, state }) => [id, state])).toEqual([
          [a, "done"],
          [b, "void"],
          [c, "intended"],
        ]);
      });
      test("conclude tells what was not known before, of rows that are still intended", async () => {
        const unknown = { after: UNTOLD, modeBefore: 0o644 };
        const ids = await at.store.intend(["/a", "/b", "/c", "/d"].map((real) => newChange(real, unknown)));
        const [a, b, c, d] = ids as [number, number, number, number];
        await at.store.conclude([a, b], "done", [{ after: "new", modeAfter: 0o755 }, { after: null }]);
        await at.store.conclude([a, c], "done", [{ after: "late" }, { after: "kept" }]);
        await at.store.conclude([d], "void");
        expect((await at.store.changes({})).map(({ after, modeAfter, state }) => [after, modeAfter, state])).toEqual([
          ["new", 0o755, "done"],
          [null, undefined, "done"],
          ["kept", undefined, "done"],
          [UNTOLD, undefined, "void"],
        ]);
      });
      test("conclude leaves what was known when nothing else is told", async () => {
        const ids = await at.store.intend([
          newChange("/a", { modeAfter: 0o600 }),
          newChange("/b", { modeAfter: 0o600 }),
          newChange("/c"),
        ]);
        await at.store.conclude(ids, "done", [{ after: "told" }, { after: "told", modeAfter: 0 }]);
        expect((await at.store.changes({})).map(({ after, modeAfter, state }) => [after, modeAfter, state])).toEqual([
          ["told", 0o600, "done"],
          ["told", 0, "done"],
          ["after /c", undefined, "done"],
        ]);
      });
      const questions: [ChangeQuery, string[]][] = [
        [{}, ["/a", "/b", "/a", "/c"]],
        [{ real: "/a" }, ["/a", "/a"]],
        [{ session: "s2" }, ["/a"]],
        [{ session: "s1", message: "m2" }, ["/c"]],
        [{ record: "r2" }, ["/b"]],
        [{ call: "k2" }, ["/c"]],
        [{ states: ["intended"] }, ["/a", "/c"]],
        [{ states: ["done", "void"] }, ["/a", "/b"]],
        [{ states: [] }, []],
        [{ real: "/a", states: ["done"] }, ["/a"]],
        [{ real: "/x" }, []],
      ];
      test.each(questions)("%j gives %j, oldest first", async (query, reals) => {
        const ids = await at.store.intend([
          newChange("/a"),
          newChange("/b", { record: "r2" }),
          newChange("/a", { session: "s2" }),
          newChange("/c", { message: "m2", call: "k2" }),
        ]);
        await at.store.conclude(ids.slice(0, 1), "done");
        await at.store.conclude(ids.slice(1, 2), "void");
        expect((await at.store.changes(query)).map(({ real }) => real)).toEqual(reals);
      });
    });

    describe("contents", () => {
      const binary = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
      test.each([
        ["empty", new Uint8Array()],
        ["text", bytes("line\r\nü\u0000end")],
        ["binary", binary],
        ["a part of a larger buffer", binary.subarray(300, 400)],
      ])("%s comes back byte for byte", async (_, content) => {
        await at.store.intend([newChange("/a", { before: "h", content })]);
        expect(await at.store.content("h")).toEqual(new Uint8Array(content));
      });
      test("what was not kept is undefined", async () => {
        await at.store.intend([
          newChange("/a", { before: null, content: null }),
          newChange("/b", { before: "h", content: null }),
          newChange("/c", { before: null, content: bytes("of nothing") }),
        ]);
        expect(await at.store.changes({})).toHaveLength(3);
        expect(await at.store.content("h")).toBeUndefined();
        expect(await at.store.content("other")).toBeUndefined();
      });
      test("is a copy", async () => {
        const content = bytes("abc");
        await at.store.intend([newChange("/a", { before: "h", content })]);
        content[0] = 0;
        (await at.store.content("h"))?.fill(1);
        expect(await at.store.content("h")).toEqual(bytes("abc"));
      });
    });

    describe("tidying", () => {
      const minute = 60_000;
      const now = 100 * minute;
      const long = bytes("the same again and again ".repeat(400));
      const keep = async (hash: string, when: number, content = long): Promise<void> => {
        await at.store.conclude(
          await at.store.intend([newChange(`/${hash}`, { before: hash, at: when, content })]),
          "done",
        );
      };
      test("leaves the bytes of what it keeps as they were", async () => {
        const noise = Uint8Array.from({ length: 2000 }, (_, index) => (index * index * 31 + (index >> 3)) % 251);
        await keep("old", now - 20 * minute);
        await keep("empty", now - 20 * minute, new Uint8Array());
        await keep("noise", now - 20 * minute, noise);
        await keep("new", now - minute);
        for (const _ of [1, 2]) {
          expect((await at.store.tidy({ maxAgeMs: now, maxBytes: 1e9, now })).pruned).toBe(0);
          expect(await at.store.content("old")).toEqual(long);
          expect(await at.store.content("empty")).toEqual(new Uint8Array());
          expect(await at.store.content("noise")).toEqual(noise);
          expect(await at.store.content("new")).toEqual(long);
        }
      });
      test("drops what is too old, but no row, and nothing that an intended row needs", async () => {
        await keep("old", now - 50 * minute);
        await keep("again", now - 50 * minute);
        await keep("again", now - minute);
        await keep("new", now - minute);
        await at.store.intend([newChange("/open", { before: "open", at: now - 50 * minute })]);
        expect(await at.store.tidy({ maxAgeMs: 30 * minute, maxBytes: 1e9, now })).toMatchObject({ pruned: 1 });
        expect(await at.store.content("old")).toBeUndefined();
        for (const hash of ["again", "new", "open"]) expect(await at.store.content(hash), hash).toBeDefined();
        expect(await at.store.changes({})).toHaveLength(5);
        await keep("old", now);
        expect(await at.store.content("old")).toEqual(long);
      });
      test("what was kept again by an older row is as young as its youngest", async () => {
        await keep("again", now - minute);
        await keep("again", now - 50 * minute);
        expect(await at.store.tidy({ maxAgeMs: 30 * minute, maxBytes: 1e9, now })).toMatchObject({ pruned: 0 });
        expect(await at.store.content("again")).toEqual(long);
      });
      test("at the bounds nothing is dropped, beyond them it is", async () => {
        const content = new Uint8Array(100);
        await keep("first", now - minute - 1, content);
        await keep("second", now - minute, content);
        const bounds = { maxAgeMs: minute + 1, maxBytes: 200, now };
        expect(await at.store.tidy(bounds)).toEqual({ compressed: 0, pruned: 0 });
        expect(await at.store.tidy({ ...bounds, maxAgeMs: minute })).toEqual({ compressed: 0, pruned: 1 });
        expect(await at.store.content("second")).toEqual(content);
        expect(await at.store.tidy({ ...bounds, maxBytes: 99 })).toEqual({ compressed: 0, pruned: 1 });
      });
      test("goes by age, not by the order in which things came", async () => {
        const content = new Uint8Array(100);
        await keep("new", now - minute, content);
        await keep("old", now - 3 * minute, content);
        await keep("middle", now - 2 * minute, content);
        expect(await at.store.tidy({ maxAgeMs: now, maxBytes: 200, now })).toMatchObject({ pruned: 1 });
        expect(await at.store.content("old")).toBeUndefined();
        expect(await at.store.tidy({ maxAgeMs: now, maxBytes: 100, now })).toMatchObject({ pruned: 1 });
        expect(await at.store.content("new")).toEqual(content);
      });
      test("goes on beside an intent of a new file, which needs nothing, and past what others need", async () => {
        await at.store.intend([newChange("/new", { before: null, content: null })]);
        const open = Array.from({ length: 120 }, (_, index) =>
          newChange(`/open${index}`, { before: `open${index}`, at: 0 }),
        );
        const ids = await at.store.intend(open);
        await keep("old", now - 50 * minute);
        expect(await at.store.tidy({ maxAgeMs: minute, maxBytes: 0, now })).toMatchObject({ pruned: 1 });
        expect(await at.store.content("old")).toBeUndefined();
        for (const { before } of open) expect(await at.store.content(before as string)).toBeDefined();
        await at.store.conclude(ids, "void");
        expect(await at.store.tidy({ maxAgeMs: minute, maxBytes: 0, now })).toMatchObject({ pruned: 120 });
      });
      test("drops the oldest until the rest fits", async () => {
        for (let index = 0; index < 250; index++)
          await keep(`h${index}`, now - minute + index, new Uint8Array(100).fill(index));
        expect(await at.store.tidy({ maxAgeMs: now, maxBytes: 300, now })).toEqual({ compressed: 0, pruned: 247 });
        expect(await at.store.content("h246")).toBeUndefined();
        expect(await at.store.content("h247")).toEqual(new Uint8Array(100).fill(247));
      });
    });
  });
}
