import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { type Connection, connect } from "../../src/stores/lib/connection.ts";
import { openStore } from "../../src/storing.ts";
import { folder } from "../journeys/harness.ts";

const storeOf = (dir: string): string => path.join(dir, ".toolgate", "store.db");

/** A folder in which something of everything was done, and its store as it was left: made once. */
const base = realpathSync(mkdtempSync(path.join(tmpdir(), "toolgate-tampered-")));
const [dir, pristine] = [path.join(base, "ws"), path.join(base, "state")];
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeAll(async () => {
  mkdirSync(dir);
  writeFileSync(path.join(dir, "a.txt"), "one\n");
  const gate = await reopened();
  const jobs = { kind: "every", every_ms: 3_600_000 };
  for (const [name, args] of [
    ["write_file", { path: "a.txt", content: "two\n" }],
    ["memory_store", { key: "k", content: "words" }],
    ["task_create", { subject: "paint" }],
    ["board_post", { content: "found" }],
    ["cron_add", { name: "job", schedule: jobs, command: "true" }],
  ] as const)
    expect((await gate.call({ name, args })).success, name).toBe(true);
  await gate.close();
  cpSync(path.join(dir, ".toolgate"), pristine, { recursive: true });
});

const reopened = () => open({ workspace: dir, mode: "yolo", toolset: "all", sandbox: "off" });

/** The folder after somebody did this to its store. */
async function worked(forge?: (sql: Connection["sql"]) => void): Promise<string> {
  rmSync(path.join(dir, ".toolgate"), { recursive: true });
  cpSync(pristine, path.join(dir, ".toolgate"), { recursive: true });
  const connection = await connect(storeOf(dir));
  try {
    forge?.(connection.sql);
  } finally {
    connection.close();
  }
  return dir;
}

async function found(place: string): Promise<string[]> {
  const store = await openStore(place);
  try {
    return (await store.verify()).findings.map(({ kind }) => kind);
  } finally {
    await store.close();
  }
}

test("a record as it was written is in order", async () => expect(await found(await worked())).toEqual([]));

describe("what was done to the record is told", () => {
  type Row = [what: string, forge: (sql: Connection["sql"]) => void, told: string];
  const rows: Row[] = [
    ["a target", (sql) => void sql("UPDATE pages SET page = replace(page, 'a.txt', 'b.txt')").run(), "changed"],
    ["a session", (sql) => void sql("UPDATE pages SET session = 'other'").run(), "changed"],
    ["a time", (sql) => void sql("UPDATE pages SET latest = latest + 1").run(), "changed"],
    ["its place", (sql) => void sql("UPDATE pages SET last = last + 1000, first = first + 1000").run(), "changed"],
    ["its seal", (sql) => void sql("UPDATE pages SET seal = NULL").run(), "unsealed"],
    [
      "the end cut off",
      (sql) => void sql("DELETE FROM pages WHERE last = (SELECT max(last) FROM pages)").run(),
      "removed",
    ],
    ["all of it", (sql) => void sql("DELETE FROM pages").run(), "removed"],
    [
      "a page that is not chained put after it",
      (sql) =>
        void sql(
          "INSERT INTO pages SELECT last + 100, first + 100, session, workspace, earliest, latest, page, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM pages",
        ).run(),
      "added",
    ],
    [
      "a checkpoint that nobody made",
      (sql) => void sql("INSERT INTO checkpoints VALUES (1000, 1000, 0, 'x')").run(),
      "unsealed",
    ],
  ];
  test.each(rows)("%s", async (_what, forge, told) => {
    expect(await found(await worked(forge))).toContain(told);
  });

  test("a store that was copied from another folder bears no seal of this one", async () => {
    const other = folder();
    cpSync(pristine, path.join(other, ".toolgate"), { recursive: true });
    expect(new Set(await found(other))).toEqual(new Set(["unsealed"]));
  });
});

describe("what the record does not hold is not looked at, as the threat model says", () => {
  test.each([
    ["a memory", "UPDATE tool_rows SET value = replace(value, 'words', 'other') WHERE name = 'memory/'"],
    ["a task", "DELETE FROM tool_rows WHERE name = 'tasks/'"],
    ["a finding", "DELETE FROM tool_rows WHERE name = 'board/'"],
    ["a job", "UPDATE tool_rows SET value = replace(value, '\"true\"', '\"false\"') WHERE name = 'cron/'"],
    ["an event", "DELETE FROM events"],
    ["a change", "DELETE FROM changes"],
  ])("%s", async (_what, text) => {
    expect(await found(await worked((sql) => void sql(text).run()))).toEqual([]);
  });
});

describe("what was put into the store does nothing by itself", () => {
  test("a content that was exchanged is not restored by an undo", async () => {
    await worked((sql) => void sql("UPDATE blobs SET bytes = CAST('evil' AS BLOB)").run());
    await using gate = await reopened();
    const undone = await gate.call({ name: "undo_file", args: { path: "a.txt" } });
    expect(undone).toMatchObject({ success: false, error: { message: /does not match its hash/ } });
    const { output } = await gate.call({ name: "read_file", args: { path: "a.txt" } });
    expect(output).toContain("two");
  });

  test("a job that was changed is listed, and not run", async () => {
    await worked(
      (sql) =>
        void sql("UPDATE tool_rows SET value = replace(value, '\"true\"', '\"false\"') WHERE name = 'cron/'").run(),
    );
    await using gate = await reopened();
    expect((await gate.call({ name: "cron_list", args: {} })).output).toContain("is not run");
  });
});
