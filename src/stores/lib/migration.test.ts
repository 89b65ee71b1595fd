import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bytes, callRecord, holderOf, newChange } from "../../../test/contracts/store-samples.ts";
import { folder } from "../../../test/journeys/harness.ts";
import type { RecordQuery } from "../../core/contracts/store/records.ts";
import type { Store } from "../../core/contracts/store/store.ts";
import { sqliteStore } from "../sqlite.ts";
import { loadDriver } from "./driver.ts";
import { thisProcess } from "./owner.ts";

const TOUCH = `{"action":"read","place":{"shown":"a.txt","real":"/w/a.txt","root":"/w","exists":true},"certain":true}`;
const record = (id: string, at: number, status: string, rest: string): string =>
  `["${id}","call-${id}","m1","main","read_file",${at},12,"${status}","a.txt",{"path":"a.txt"},[${TOUCH}],["find",1,null],${rest}]`;
const VERDICT = `{"answer":"allow","by":"mode","reason":"it reads"}`;
const QUESTION = `"call":"c1","session":"s1","agent":"main","tool":"edit_file","fingerprint":"f","touches":[],"diff":""`;

/** A file as version 3 of the format wrote it, text for text. */
const THIRD = `
  CREATE TABLE records (seq INTEGER PRIMARY KEY, session TEXT, page TEXT);
  CREATE INDEX records_session ON records (session);
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY, record TEXT, call TEXT, session TEXT, message TEXT, tool TEXT, at INTEGER,
    real TEXT, shown TEXT, before TEXT, after TEXT, mode_before INTEGER, mode_after INTEGER,
    state TEXT NOT NULL, undoes TEXT, redoes TEXT
  );
  CREATE INDEX changes_real ON changes (real);
  CREATE INDEX changes_turn ON changes (session, message);
  CREATE INDEX changes_record ON changes (record);
  CREATE INDEX changes_intended ON changes (before) WHERE state = 'intended';
  CREATE TABLE contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, at INTEGER, stored INTEGER, format TEXT NOT NULL
  );
  CREATE TABLE blobs (id INTEGER PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE, bytes BLOB);
  CREATE TABLE locks (
    path TEXT, token TEXT, call TEXT, since INTEGER,
    pid INTEGER, started TEXT, host TEXT, boot TEXT, refreshed INTEGER, handle TEXT,
    PRIMARY KEY (path, token)
  ) WITHOUT ROWID;
  CREATE TABLE grants (tool TEXT, action TEXT, target TEXT, session TEXT, at INTEGER, seal TEXT);
  CREATE INDEX grants_tool ON grants (tool);
  CREATE TABLE approvals (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT, answer TEXT, message TEXT, answered_at INTEGER, seal TEXT
  );
  CREATE INDEX approvals_pending ON approvals (seq) WHERE answer IS NULL;
  CREATE INDEX contents_linked ON contents (hash) WHERE format = 'linked';
  PRAGMA application_id = 0x74676174;
  PRAGMA user_version = 3;
  INSERT INTO records (session, page) VALUES
    ('s1', '[${record("1", 1000, "done", `${VERDICT},null,null`)},${record("2", 3000, "done", "0,null,null")}]'),
    ('s2', '[${record("3", 2000, "failed", `null,{"code":"IO_ERROR","message":"no"},null`)}]'),
    ('s3', 'not what we write'), ('s3', '[]'),
    ('s1', '[${record("4", 500, "done", `null,null,[{"kind":"crashed","message":"It crashed."}]`)}]');
  INSERT INTO changes (id, record, call, session, message, tool, at, real, shown, before, after, state)
    VALUES (7, 'r1', 'c1', 's1', 'm1', 'edit_file', 1000, '/a', 'a', 'before /a', 'after /a', 'done');
  INSERT INTO contents VALUES (1, 'before /a', 1000, 13, 'raw');
  INSERT INTO blobs VALUES (1, CAST('content of /a' AS BLOB));
  INSERT INTO grants VALUES ('t', 'write', '/a', NULL, 1, 'sealed');
  INSERT INTO approvals (id, body, answer, seal) VALUES
    ('open', '{"id":"open",${QUESTION}}', NULL, NULL), ('said', '{"id":"said",${QUESTION}}', 'once', 'sealed');
`;

const verdict = { answer: "allow", by: "mode", reason: "it reads" };
const old = [
  callRecord("1", { verdict, workspace: "" }),
  callRecord("2", { verdict, at: 3000, workspace: "" }),
  callRecord("3", {
    ...{ session: "s2", at: 2000, status: "failed", workspace: "" },
    error: { code: "IO_ERROR", message: "no" },
  }),
  callRecord("4", { at: 500, alerts: [{ kind: "crashed", message: "It crashed." }], workspace: "" }),
];

let file: string;
beforeEach(() => {
  file = join(folder(), "store.db");
});

async function write(sql: string): Promise<void> {
  const database = new (await loadDriver())(file);
  database.exec(sql);
  database.close();
}

async function opened(): Promise<Store> {
  const store = await sqliteStore(file, () => "sealed");
  onTestFinished(() => store.close());
  return store;
}

describe("a store of the format before", () => {
  test("keeps its records, numbered in their order, and what is new follows", async () => {
    await write(THIRD);
    const store = await opened();
    await store.tell([{ id: "e", type: "told", at: 1, body: null }]);
    await store.record([callRecord("5")]);
    const found = await store.records({ order: "oldest-first" });
    expect(found.map(({ seq: _, ...each }) => each)).toEqual([...old, callRecord("5")]);
    expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 6]);
    expect((await store.events({})).map(({ id }) => id)).toEqual(["1", "2", "3", "4", "e", "5"]);
  });

  const questions: [RecordQuery, string[]][] = [
    [{}, ["4", "3", "2", "1"]],
    [{ session: "s1" }, ["4", "2", "1"]],
    [{ session: "s3" }, []],
    [{ status: "failed" }, ["3"]],
    [{ since: 500, until: 3000 }, ["3", "1"]],
    [{ until: 1000 }, ["4"]],
    [{ after: 1, before: 4 }, ["3", "2"]],
    [{ workspace: "/w" }, []],
    [{ workspace: "", limit: 1, order: "oldest-first" }, ["1"]],
  ];
  test.each(questions)("answers %j with %j", async (query, ids) => {
    await write(THIRD);
    expect((await (await opened()).records(query)).map(({ id }) => id)).toEqual(ids);
  });

  test("keeps its changes and contents", async () => {
    await write(THIRD);
    const store = await opened();
    const { content: _, ...row } = newChange("/a");
    expect(await store.changes({})).toEqual([{ ...row, id: 7, state: "done" }]);
    expect(await store.content("before /a")).toEqual(bytes("content of /a"));
    expect(await store.intend([newChange("/b")])).toEqual([8]);
  });

  test("asks again: its grants were bound to less, its answers to no fingerprint, and nobody waits for its questions", async () => {
    await write(THIRD);
    const store = await sqliteStore(file, (text) => `seal of ${text}`);
    onTestFinished(() => store.close());
    expect(await store.grants({})).toEqual([]);
    expect(await store.pending()).toEqual([]);
    expect(await store.answer("open", "once")).toBe(false);
    expect(await store.approval("said")).toMatchObject({ id: "said", fingerprint: "f" });
    expect(await store.approval("said")).not.toHaveProperty("answer");
  });

  test("keeps the locks of those who live, and of no others", async () => {
    await write(THIRD);
    const { pid, started, host, boot } = thisProcess();
    await write(`INSERT INTO locks VALUES
      ('/alive', 't1', 'alive', 5, ${pid}, '${started}', '${host}', '${boot}', 1, 'handle 1'),
      ('/dead', 't2', 'dead', 5, ${pid}, '${started}', '${host}', 'earlier', 1, 'handle 2')`);
    const store = await opened();
    expect(await store.locks()).toEqual([{ path: "/alive", token: "t1", call: "alive", since: 5 }]);
    expect(await store.lock(["/alive"], holderOf("c"))).toMatchObject({ call: "alive" });
    expect(await store.lock(["/dead"], holderOf("c"))).toBeUndefined();
    await write("DELETE FROM locks WHERE token = 't1'");
    expect(await store.lock(["/alive"], holderOf("c")), "an older process frees its lock").toBeUndefined();
  });

  test("of many pages is numbered without a gap", async () => {
    const pages = Array.from({ length: 40 }, (_, page) => {
      const records = Array.from({ length: 1 + (page % 5) }, (_each, index) =>
        record(`${page}-${index}`, page, "done", "null,null,null"),
      );
      return `INSERT INTO records (seq, session, page) VALUES (${1000 + page * 7}, 's${page % 2}', '[${records.join(",")}]');`;
    });
    await write(`${THIRD} DELETE FROM records; ${pages.join("\n")}`);
    const found = await (await opened()).records({ order: "oldest-first" });
    expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b));
  });
});
