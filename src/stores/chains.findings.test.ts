import { describe, expect, test } from "vitest";
import { chainedStore, seal } from "../../test/contracts/chained-store.ts";
import { callRecord } from "../../test/contracts/store-samples.ts";
import { type Connection, connect } from "./lib/connection.ts";
import type { Row, Value } from "./lib/driver.ts";
import { sealOf } from "./lib/seal.ts";
import { type Link, linkOf } from "./lib/sqlite/record-chain.ts";
import { checkpointSeal, checkpointValues } from "./lib/sqlite/record-check.ts";

const { file, opened, written } = chainedStore();

/** The file in the hands of somebody who writes it with other means. */
class Hands {
  readonly #connection: Connection;
  constructor(connection: Connection) {
    this.#connection = connection;
  }
  run(text: string, ...values: Value[]): void {
    this.#connection.sql(text).run(...values);
  }
  page(last: number): Row {
    return this.#connection.sql("SELECT * FROM pages WHERE last = ?").get(last) as Row;
  }
  /** A page like another, chained as told, with its right hash and a seal: as the owner of the key could write it. */
  put(like: number, last: number, chained: Partial<Link>, key = seal, first = last, text?: string): void {
    const row = this.page(like);
    const link: Link = {
      ...{ writer: String(row.writer), place: Number(row.place), before: String(row.before) },
      ...{ beforeLast: Number(row.before_last), anchors: row.anchors as string | null },
      ...chained,
    };
    const told = [last, first, row.session, row.workspace, row.earliest, row.latest, text ?? row.page].map(
      (v) => v ?? null,
    );
    const hash = linkOf(link, told);
    this.run("DELETE FROM pages WHERE last = ?", last);
    this.run(
      `INSERT INTO pages VALUES (${Array(14).fill("?").join()})`,
      ...told,
      ...[link.writer, link.place, link.before, link.beforeLast, link.anchors, hash, sealOf(key, "page", [hash])],
    );
  }
}

const remove = (...lasts: number[]) => {
  return (hands: Hands) => {
    for (const last of lasts) hands.run("DELETE FROM pages WHERE last = ?", last);
  };
};

type Told = [kind: string, writer: string, from: number, to: number, message: string];
const removed = (writer: string, from: number, to: number, message: string): Told => [
  "removed",
  ...([writer, from, to, message] as const),
];
const CHANGED = "was changed.";

const rows: [string, (hands: Hands) => void, Told[]][] = [
  ["nothing", () => {}, []],
  ["a writer's first page went", remove(1), [removed("A", 1, 1, "Records up to 1 of this writer were removed.")]],
  [
    "a writer's first pages went, and another had seen them",
    remove(1, 2),
    [removed("A", 1, 2, "Records of this writer up to 2, which the page of records 3 to 3 tells of, were removed.")],
  ],
  [
    "a page in the middle went",
    remove(4),
    [removed("A", 3, 4, "Records after 2, up to 4, of this writer were removed.")],
  ],
  [
    "two pages in the middle went",
    remove(4, 5),
    [removed("A", 3, 5, "Records after 2, up to 5, of this writer were removed.")],
  ],
  [
    "a writer's end went, which another had seen",
    remove(11),
    [
      removed(
        "A",
        11,
        11,
        "Records of this writer up to 11, which the page of records 13 to 13 tells of, were removed.",
      ),
    ],
  ],
  [
    "the last page of all went",
    remove(13),
    [removed("C", 1, 13, "Records of this writer up to 13, which its own head tells of, were removed.")],
  ],
  [
    "a writer went whole",
    remove(3, 6, 9, 12),
    [
      removed(
        "B",
        1,
        12,
        "Records of this writer up to 12, which the page of records 13 to 13 tells of, were removed.",
      ),
    ],
  ],
  [
    "a page's text was changed",
    (hands) => hands.run("UPDATE pages SET page = replace(page, 'a1', 'zz') WHERE last = 4"),
    [["changed", "A", 4, 4, `Record 4 ${CHANGED}`]],
  ],
  [
    "a page's time was changed",
    (hands) => hands.run("UPDATE pages SET latest = latest + 1 WHERE last = 12"),
    [["changed", "B", 12, 12, `Record 12 ${CHANGED}`]],
  ],
  [
    "a page that others had seen as the end was changed",
    (hands) => hands.run("UPDATE pages SET page = '' WHERE last = 11"),
    [["changed", "A", 11, 11, `Record 11 ${CHANGED}`]],
  ],
  [
    "a writer's first page was changed, and says now that more was before it",
    (hands) => hands.run("UPDATE pages SET place = 3, before_last = 2 WHERE last = 13"),
    [["changed", "C", 13, 13, `Record 13 ${CHANGED}`]],
  ],
  [
    "what a page tells of the others was taken out of it",
    (hands) => hands.run("UPDATE pages SET anchors = NULL WHERE last = 13"),
    [["changed", "C", 13, 13, `Record 13 ${CHANGED}`]],
  ],
  [
    "what a page tells of the others was put in by somebody without the key",
    (hands) => hands.put(12, 12, { anchors: '[{"writer":"x","place":3,"last":9,"link":"y"}]' }, () => "another key"),
    [["unsealed", "B", 12, 12, "Record 12 was written by somebody without your key, or in another folder."]],
  ],
  [
    "a page was written anew with its hash by somebody without the key",
    (hands) => hands.put(4, 4, {}, () => "another key"),
    [["unsealed", "A", 4, 4, "Record 4 was written by somebody without your key, or in another folder."]],
  ],
  [
    "a page was written anew with another text and its hash by somebody without the key",
    (hands) => hands.put(4, 4, {}, () => "another key", 4, "[]"),
    [["unsealed", "A", 4, 4, "Record 4 was written by somebody without your key, or in another folder."]],
  ],
  [
    "a page's place was changed",
    (hands) => hands.run("UPDATE pages SET place = 99 WHERE last = 5"),
    [["changed", "A", 5, 5, `Record 5 ${CHANGED}`]],
  ],
  [
    "the page that a changed page follows was changed",
    (hands) => hands.run("UPDATE pages SET link = 'another' WHERE last IN (4, 5)"),
    [
      ["changed", "A", 4, 4, `Record 4 ${CHANGED}`],
      ["changed", "A", 5, 5, `Record 5 ${CHANGED}`],
    ],
  ],
  [
    "the seal was taken off",
    (hands) => hands.run("UPDATE pages SET seal = NULL WHERE last = 6"),
    [["unsealed", "B", 6, 6, "Record 6 was written by somebody without your key, or in another folder."]],
  ],
  [
    "several records without a chain came after those that have one",
    (hands) => hands.run("INSERT INTO pages (last, first, session, workspace, page) VALUES (99, 98, 's', '', '[]')"),
    [["added", "", 98, 99, "Records 98 to 99 were not chained to any other."]],
  ],
  [
    "one without a chain",
    (hands) => hands.run("INSERT INTO pages (last, first, session, workspace, page) VALUES (99, 99, 's', '', '[]')"),
    [["added", "", 99, 99, "Record 99 was not chained to any other."]],
  ],
  [
    "a page that goes on where its writer ended",
    (hands) => {
      hands.put(11, 14, { place: 9, before: String(hands.page(11).link), beforeLast: 11 });
      hands.run("UPDATE counters SET value = 14");
    },
    [],
  ],
  [
    "a page in the place of another",
    (hands) => hands.put(11, 99, { place: 8, before: String(hands.page(11).link), beforeLast: 11 }, seal, 97),
    [["added", "A", 97, 99, "Records 97 to 99 were put in: nothing leads to it."]],
  ],
  [
    "a page that says it follows another record",
    (hands) => hands.put(11, 99, { place: 9, before: String(hands.page(11).link), beforeLast: 10 }),
    [["added", "A", 99, 99, "Record 99 was put in: nothing leads to it."]],
  ],
  [
    "a page that says it follows another text",
    (hands) => hands.put(11, 99, { place: 9, before: "another", beforeLast: 11 }),
    [["added", "A", 99, 99, "Record 99 was put in: nothing leads to it."]],
  ],
  [
    "a page that follows one that is not there",
    (hands) => hands.put(11, 99, { place: 10, before: "another", beforeLast: 50 }),
    [removed("A", 12, 50, "Records after 11, up to 50, of this writer were removed.")],
  ],
  [
    "a page that tells nothing readable of the others",
    (hands) => hands.put(13, 13, { anchors: "not JSON" }),
    [["changed", "C", 13, 13, "The chain is not the one that its own head tells of."]],
  ],
  [
    "the head tells of another text",
    (hands) => hands.run("UPDATE chains SET link = 'another'"),
    [["changed", "C", 13, 13, "The chain is not the one that its own head tells of."]],
  ],
  [
    "the head tells of an earlier end",
    (hands) => hands.run("UPDATE chains SET place = 0, last = 5"),
    [["changed", "C", 5, 13, "The chain is not the one that its own head tells of."]],
  ],
  [
    "the head tells of a later end",
    (hands) => hands.run("UPDATE chains SET place = 2, last = 20"),
    [removed("C", 14, 20, "Records of this writer up to 20, which its own head tells of, were removed.")],
  ],
  [
    "what went is called pruned by somebody without the key",
    (hands) => {
      remove(1, 2)(hands);
      hands.run("INSERT INTO checkpoints VALUES (2, 2, 1, 'no seal')");
    },
    [
      ["unsealed", "", 1, 2, "The checkpoint of what was pruned does not bear your seal."],
      removed("A", 1, 2, "Records of this writer up to 2, which the page of records 3 to 3 tells of, were removed."),
    ],
  ],
  [
    "more went than was pruned",
    (hands) => {
      remove(1, 2, 3, 4)(hands);
      const values = checkpointValues(3, 3, 1);
      hands.run("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", ...values, checkpointSeal(seal, values));
    },
    [removed("A", 1, 4, "Records up to 4 of this writer were removed.")],
  ],
];

describe("what is told of a file that somebody wrote with other means", () => {
  test.each(rows)("%s", async (_, deed, expected) => {
    const store = await written();
    const connection = await connect(file());
    const names = new Map<string, string>([["", ""]]);
    for (const [last, name] of [1, 3, 13].map((each, index) => [each, "ABC"[index] as string] as const))
      names.set(String(new Hands(connection).page(last).writer), name);
    deed(new Hands(connection));
    const { n: left } = connection.sql("SELECT total(last - first + 1) AS n FROM pages").get() as { n: number };
    connection.close();
    const { findings, ...report } = await store.verify();
    expect(findings.map(({ kind, writer, from, to, message }) => [kind, names.get(writer), from, to, message])).toEqual(
      expected,
    );
    expect(report).toMatchObject({ records: left, writers: 3, unchained: 0 });
  });

  test("many pages are all looked at", async () => {
    const store = await opened();
    const records = Array.from({ length: 200 }, (_, at) => callRecord(`r${at}`, { session: `s${at % 2}` }));
    await store.record(records);
    expect(await store.verify()).toEqual({ records: 200, writers: 1, unchained: 0, pruned: 0, findings: [] });
    const connection = await connect(file());
    for (const last of [64, 65, 128, 200]) connection.sql("UPDATE pages SET page = '' WHERE last = ?").run(last);
    connection.close();
    expect((await store.verify()).findings.map(({ from }) => from)).toEqual([64, 65, 128, 200]);
  });
});
