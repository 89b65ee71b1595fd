import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { chainedStore, seal } from "../../test/contracts/chained-store.ts";
import { callRecord } from "../../test/contracts/store-samples.ts";
import type { Store } from "../core/contracts/store/store.ts";
import { connect } from "./lib/connection.ts";
import type { Row, Value } from "./lib/driver.ts";
import { type Link, linkOf } from "./lib/sqlite/record-chain.ts";
import { finder, sqliteRecords } from "./lib/sqlite/records.ts";
import { usage } from "./lib/usage.ts";
import { sqliteStore } from "./sqlite.ts";

const { file, opened, forge, written } = chainedStore();

const kinds = async (store: Store): Promise<string[]> => (await store.verify()).findings.map(({ kind }) => kind);

test("what several writers wrote is in order, whatever its text", async () => {
  const store = await written();
  const odd = ["\ud800", "a\0b", "é\u0301", "\u{1f600}", ""];
  for (const session of odd) await store.record([callRecord("odd", { session, target: session })]);
  expect(await store.verify()).toEqual({ records: 13 + odd.length, writers: 3, unchained: 0, pruned: 0, findings: [] });
});

describe("what somebody did to the file", () => {
  test("any byte of any page, and any of its numbers", async () => {
    const store = await written();
    const rows = await forge(({ sql }) => sql("SELECT * FROM pages ORDER BY last").all());
    const columns = Object.keys(rows[0] as Row).filter((name) => name !== "last");
    const wrong = (value: Value | undefined, at: number): Value => {
      if (typeof value !== "string" || value === "") return value === null || value === "" ? "x" : Number(value) + 1;
      const index = at % value.length;
      return `${value.slice(0, index)}${value[index] === "0" ? "1" : "0"}${value.slice(index + 1)}`;
    };
    const changes = fc.tuple(fc.nat(rows.length - 1), fc.constantFrom(...columns), fc.nat());
    await fc.assert(
      fc.asyncProperty(changes, async ([index, column, at]) => {
        const row = rows[index] as Row;
        const set = (value: Value) =>
          forge(({ sql }) => void sql(`UPDATE pages SET ${column} = ? WHERE last = ?`).run(value, row.last ?? null));
        await set(wrong(row[column], at));
        expect(await kinds(store), `${column} of the page ${index}`).not.toEqual([]);
        await set(row[column] ?? null);
      }),
      { numRuns: 80 },
    );
    expect(await kinds(store)).toEqual([]);
  });

  test("any page that is taken out", async () => {
    const store = await written();
    const rows = await forge(({ sql }) => sql("SELECT * FROM pages ORDER BY last").all());
    for (const row of rows) {
      await forge(({ sql }) => void sql("DELETE FROM pages WHERE last = ?").run(row.last ?? null));
      const { findings } = await store.verify();
      expect(
        findings.map(({ kind }) => kind),
        `the page of ${row.last}`,
      ).toEqual(["removed"]);
      expect(findings[0]?.to).toBeGreaterThanOrEqual(Number(row.last));
      const values = Object.values(row);
      await forge(({ sql }) => void sql(`INSERT INTO pages VALUES (${values.map(() => "?").join()})`).run(...values));
    }
    expect(await kinds(store)).toEqual([]);
  });

  test("a whole writer that is taken out", async () => {
    const store = await written();
    const { writer } = await forge(({ sql }) => sql("SELECT writer FROM pages ORDER BY last LIMIT 1").get() as Row);
    await forge(({ sql }) => {
      sql("DELETE FROM pages WHERE writer = ?").run(writer ?? null);
      sql("DELETE FROM chains WHERE writer = ?").run(writer ?? null);
    });
    expect(await kinds(store)).toContain("removed");
  });

  test("a page that is put in, copied, or taken out of its chain", async () => {
    const store = await written();
    await forge(
      ({ sql }) =>
        void sql("INSERT INTO pages (last, first, session, workspace, page) VALUES (99, 99, 's', '', '[]')").run(),
    );
    expect(await kinds(store)).toEqual(["added"]);
    await forge(({ sql }) => {
      sql("DELETE FROM pages WHERE last = 99").run();
      sql(
        "INSERT INTO pages SELECT 99, 99, session, workspace, earliest, latest, page, writer, place, before, before_last, anchors, link, seal FROM pages WHERE last = 1",
      ).run();
    });
    expect((await kinds(store)).length).toBeGreaterThan(0);
    await forge(({ sql }) => {
      sql("DELETE FROM pages WHERE last = 99").run();
      sql("UPDATE pages SET link = NULL WHERE last = 5").run();
    });
    expect(await kinds(store)).toContain("added");
  });

  test("a page that is written anew, with its hash, by somebody without the key", async () => {
    const store = await opened();
    await store.record([callRecord("1")]);
    const strange = await sqliteStore(file(), () => "not the key");
    await strange.record([callRecord("2")]);
    await strange.close();
    expect((await store.verify()).findings).toMatchObject([{ kind: "unsealed", from: 2, to: 2 }]);
  });

  test("a record for which no seal can be made is kept, and told of", async () => {
    const store = await sqliteStore(file(), () => {
      throw new Error("no key");
    });
    onTestFinished(() => store.close());
    await store.record([callRecord("1")]);
    expect(await store.records({})).toHaveLength(1);
    for (const each of [store, await opened()])
      expect((await each.verify()).findings).toMatchObject([{ kind: "unsealed", from: 1, to: 1 }]);
  });

  test("it is told which records it is about", async () => {
    const store = await written();
    await forge(({ sql }) => void sql("UPDATE pages SET page = replace(page, 'a1', 'zz') WHERE last = 4").run());
    expect((await store.verify()).findings).toMatchObject([
      { kind: "changed", from: 4, to: 4, message: "Record 4 was changed." },
    ]);
  });
});

describe("pruning", () => {
  /** The same store with a smaller room. */
  async function pruning() {
    const connection = await connect(file());
    const use = usage((error) => error);
    const records = sqliteRecords(use.using, connection, finder(connection), seal);
    onTestFinished(() => connection.close());
    return records;
  }

  test("leaves a checkpoint, and what is left is still in order", async () => {
    const store = await written();
    const { tidyRecords } = await pruning();
    for (const [most, left] of [
      [9, 9],
      [4, 4],
      [4, 4],
    ] as const) {
      tidyRecords(most);
      expect(await store.verify()).toMatchObject({ records: left, pruned: 13 - left, findings: [] });
    }
    await store.record([callRecord("more")]);
    expect(await kinds(store)).toEqual([]);
    expect(await forge(({ sql }) => sql("SELECT up_to FROM checkpoints").all())).toEqual([{ up_to: 9 }]);
    tidyRecords(0);
    expect(await store.verify()).toMatchObject({ records: 0, pruned: 14, findings: [] });
  });

  test.each([
    [15, [], 13, 2],
    [100, [], 13, 2],
    [14, [{ up_to: 1, records: 1 }], 12, 2],
    [4, [{ up_to: 11, records: 11 }], 2, 2],
    [3, [{ up_to: 12, records: 12 }], 1, 2],
    [1, [{ up_to: 14, records: 13 }], 0, 1],
    [0, [{ up_to: 15, records: 13 }], 0, 0],
  ])("leaves what belongs to the last %i numbers", async (most, checkpoints, left, told) => {
    const store = await written();
    await store.tell(["1", "2"].map((id) => ({ id, type: "x", at: 1, body: 1 })));
    (await pruning()).tidyRecords(most);
    const rows = (text: string) => forge(({ sql }) => sql(text).all());
    expect(await rows("SELECT up_to, records FROM checkpoints")).toEqual(checkpoints);
    expect(await rows("SELECT last FROM pages")).toHaveLength(left);
    expect(await rows("SELECT seq FROM events")).toHaveLength(told);
    expect(await store.verify()).toMatchObject({ records: left, pruned: 13 - left, findings: [] });
  });

  test("belongs to tidying, and leaves half a million numbers", async () => {
    const store = await written();
    await forge(({ sql }) => void sql("UPDATE counters SET value = 500005 WHERE value = 13").run());
    await store.tidy({ maxAgeMs: 1e9, maxBytes: 1e9, now: 1 });
    const checkpoints = await forge(({ sql }) => sql("SELECT up_to, records FROM checkpoints").all());
    expect(checkpoints).toEqual([{ up_to: 5, records: 5 }]);
  });

  test("what somebody takes out and calls pruned is told apart", async () => {
    const store = await written();
    (await pruning()).tidyRecords(9);
    await forge(({ sql }) => void sql("UPDATE checkpoints SET up_to = up_to + 3, records = records + 3").run());
    await forge(({ sql }) => void sql("DELETE FROM pages WHERE last <= 7").run());
    expect(await kinds(store)).toEqual(expect.arrayContaining(["unsealed", "removed"]));
  });
});

test("a record that could not be kept leaves no gap", async () => {
  const store = await opened();
  await store.record([callRecord("1")]);
  await forge(
    ({ sql }) => void sql("CREATE TRIGGER no BEFORE INSERT ON pages BEGIN SELECT RAISE(ABORT, 'no'); END").run(),
  );
  await expect(store.record([callRecord("2")])).rejects.toThrow();
  await forge(({ sql }) => void sql("DROP TRIGGER no").run());
  await store.record([callRecord("3")]);
  expect(await store.verify()).toMatchObject({ records: 2, findings: [] });
});

test("no two pages have one hash", () => {
  const link: Link = { writer: "w", place: 1, before: "b", beforeLast: 2, anchors: null };
  const pages: [Partial<Link>, Value[]][] = [
    [{}, ["a", "b"]],
    [{}, ["ab", ""]],
    [{}, ["", "ab"]],
    [{}, ["a", "b", ""]],
    [{}, ["a", "b", null]],
    [{}, ["a1:b"]],
    [{ anchors: "" }, ["a", "b"]],
    [{ anchors: "[]" }, ["a", "b"]],
    [{ writer: "x" }, ["a", "b"]],
    [{ place: 2 }, ["a", "b"]],
    [{ before: "c" }, ["a", "b"]],
    [{ beforeLast: 3 }, ["a", "b"]],
  ];
  expect(new Set(pages.map(([more, page]) => linkOf({ ...link, ...more }, page))).size).toBe(pages.length);
  expect(linkOf(link, ["a\0b"]), "as the file gives it back").toBe(linkOf(link, ["a"]));
});
