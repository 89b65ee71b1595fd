import { describe, expect, test } from "vitest";
import { chainedStore } from "../../test/contracts/chained-store.ts";
import { callRecord } from "../../test/contracts/store-samples.ts";

const { opened, forge, written } = chainedStore();

describe("records without a chain", () => {
  const UNCHAIN =
    "UPDATE pages SET writer = NULL, place = NULL, before = NULL, before_last = NULL, anchors = NULL, link = NULL, seal = NULL";
  const COUNTS = { records: 14, writers: 1, pruned: 0 };

  /** As the file was before records were chained. */
  const older = (...first: string[]) =>
    forge(({ sql }) => {
      for (const text of [...first, UNCHAIN, "DELETE FROM chains", "DROP TABLE unchained", "PRAGMA user_version = 9"])
        sql(text).run();
    });

  test("of a file of before are counted, and no more is said of them", async () => {
    await (await written()).close();
    await older();
    const next = await opened();
    await next.record([callRecord("new")]);
    expect(await next.verify()).toEqual({ ...COUNTS, unchained: 13, findings: [] });
  });

  test("are not noted where a file of before has none", async () => {
    await (await opened()).close();
    await older();
    await opened();
    expect(await forge(({ sql }) => sql("SELECT * FROM unchained").all())).toEqual([]);
  });

  test("of any other file are told, though all of them lost it", async () => {
    await (await written()).close();
    await forge(({ sql }) => {
      sql(`${UNCHAIN}, page = replace(page, 'x', 'y')`).run();
      sql("DELETE FROM chains").run();
    });
    const next = await opened();
    await next.record([callRecord("new")]);
    const { findings, ...counts } = await next.verify();
    expect(counts).toEqual({ ...COUNTS, unchained: 0 });
    expect(findings.map(({ kind, from }) => [kind, from])).toEqual(
      Array.from({ length: 13 }, (_, at) => ["added", at + 1]),
    );
  });

  test.each<[what: string, text: string]>([
    ["a row without a seal", "INSERT INTO unchained VALUES (13, NULL)"],
    ["somebody else's seal", "INSERT INTO unchained VALUES (13, 'sealed')"],
    ["a seal on another number", "INSERT INTO unchained SELECT 13, seal FROM pages WHERE last = 1"],
  ])("are not made older by %s", async (_, text) => {
    const store = await written();
    await forge(({ sql }) => {
      sql(text).run();
      sql(UNCHAIN).run();
      sql("DELETE FROM chains").run();
    });
    expect(await store.verify()).toMatchObject({ unchained: 0, findings: { length: 13 } });
  });

  test("are no older than the file said: what lost its chain later is told", async () => {
    const store = await written();
    const chained = await forge(({ sql }) => sql("SELECT * FROM pages WHERE last > 9").all());
    await store.close();
    await older("DELETE FROM pages WHERE last > 9");
    await (await opened()).close();
    await forge(({ sql }) => {
      for (const row of chained)
        sql(`INSERT INTO pages VALUES (${Object.keys(row).fill("?").join()})`).run(...Object.values(row));
      sql(UNCHAIN).run();
    });
    const { findings, unchained } = await (await opened()).verify();
    expect([unchained, findings.map(({ from }) => from)]).toEqual([9, [10, 11, 12, 13]]);
  });
});

test("all that is taken out, chains and all, leaves numbers that nothing has", async () => {
  const store = await written();
  await forge(({ sql }) => {
    for (const table of ["pages", "chains"]) sql(`DELETE FROM ${table}`).run();
  });
  const { findings } = await store.verify();
  expect(findings.map(({ kind, from, to }) => [kind, from, to])).toEqual([["removed", 1, 13]]);
});

test("the last of all, taken out with its head, is missed by its number", async () => {
  const store = await written();
  await forge(({ sql }) => {
    sql("DELETE FROM pages WHERE last = 13").run();
    sql("DELETE FROM chains").run();
  });
  const { findings } = await store.verify();
  expect(findings.map(({ kind, from, to }) => [kind, from, to])).toEqual([["removed", 13, 13]]);
});

test("numbers that events have are not missed", async () => {
  const store = await written();
  await store.tell(["1", "2"].map((id) => ({ id, type: "x", at: 1, body: 1 })));
  await store.record([callRecord("between")]);
  await store.tell([{ id: "3", type: "x", at: 1, body: 1 }]);
  expect((await store.verify()).findings).toEqual([]);
});

test.each<[what: string, gone: number[], told: [from: number, to: number][]]>([
  ["none", [], []],
  ["those between records", [14, 15], [[14, 15]]],
  ["one of those between records", [15], [[14, 15]]],
  ["the last", [17], [[17, 17]]],
  [
    "all",
    [14, 15, 17],
    [
      [14, 15],
      [17, 17],
    ],
  ],
])("of events that were taken out it is told where: %s", async (_, gone, told) => {
  const store = await written();
  await store.tell(["1", "2"].map((id) => ({ id, type: "x", at: 1, body: 1 })));
  await store.record([callRecord("between")]);
  await store.tell([{ id: "3", type: "x", at: 1, body: 1 }]);
  await forge(({ sql }) => {
    for (const seq of gone) sql("DELETE FROM events WHERE seq = ?").run(seq);
  });
  const { findings } = await store.verify();
  expect(findings.map(({ kind, from, to }) => [kind, from, to])).toEqual(told.map((range) => ["removed", ...range]));
});

test.each<[what: string, deed: string[], kind: string, message: string]>([
  [
    "a counter that was set back",
    ["UPDATE counters SET value = 1"],
    "changed",
    "The counter says that 1 numbers were given out, but there are records up to 13.",
  ],
  [
    "no counter",
    ["DELETE FROM counters"],
    "changed",
    "The counter says that 0 numbers were given out, but there are records up to 13.",
  ],
  [
    "numbers that nothing has",
    ["UPDATE counters SET value = 15"],
    "removed",
    "The numbers 14 to 15 belong to no record and no event: what had them was removed.",
  ],
  [
    "a single one",
    ["UPDATE counters SET value = 14"],
    "removed",
    "The number 14 belongs to no record and no event: what had it was removed.",
  ],
  [
    "numbers of which an event has one",
    ["UPDATE counters SET value = 16", "INSERT INTO events (seq, id, type, at, body) VALUES (15, 'e', 'x', 1, '1')"],
    "removed",
    "2 of the numbers 14 to 16 belong to no record and no event: what had them was removed.",
  ],
  [
    "numbers of which events have all but one",
    [
      "UPDATE counters SET value = 16",
      "INSERT INTO events (seq, id, type, at, body) VALUES (14, 'e', 'x', 1, '1'), (16, 'f', 'x', 1, '1')",
    ],
    "removed",
    "1 of the numbers 14 to 16 belongs to no record and no event: what had it was removed.",
  ],
])("%s: it is told", async (_, deed, kind, message) => {
  const store = await written();
  await forge(({ sql }) => {
    for (const text of deed) sql(text).run();
  });
  expect((await store.verify()).findings).toMatchObject([{ kind, message }]);
});

test("numbers that nothing has and a counter that was set back are both told", async () => {
  const store = await written();
  await store.tell(["1", "2"].map((id) => ({ id, type: "x", at: 1, body: 1 })));
  await store.record([callRecord("last")]);
  await forge(({ sql }) => {
    sql("DELETE FROM events").run();
    sql("UPDATE counters SET value = 15").run();
  });
  const { findings } = await store.verify();
  expect(findings.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ["removed", 14, 15],
    ["changed", 16, 16],
  ]);
});
