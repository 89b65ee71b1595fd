import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { approvalOf, grantOf, planOf } from "../../test/contracts/store-samples.ts";
import { folder } from "../../test/journeys/harness.ts";
import type { Store } from "../core/contracts/store/store.ts";
import { loadDriver, type Row } from "./lib/driver.ts";
import { sqliteStore } from "./sqlite.ts";

const sealOf = (text: string): string => createHash("sha256").update(`my key ${text}`).digest("hex");

let file: string;
let store: Store;
beforeEach(async () => {
  file = join(folder(), "store.db");
  store = await sqliteStore(file, sealOf);
  onTestFinished(() => store.close());
});

/** As somebody who can write the file but has no key. */
async function forge(text: string): Promise<Row[]> {
  const database = new (await loadDriver())(file);
  try {
    return database.prepare(`${text} RETURNING *`).all();
  } finally {
    database.close();
  }
}

const grant = grantOf("g", { session: "s" });
const STOLEN = "(tool, covers, shown, workspace, at, id, session, seal)";

describe("a standing yes", () => {
  test("counts as it was given", async () => {
    const always = grantOf("always");
    await store.grant([grant, always]);
    expect(await store.grants({ session: "s" })).toEqual([grant, always]);
  });

  test.each([
    ["another id", "id = 'h'"],
    ["another tool", "tool = 'u'"],
    ["something else that it covers", "covers = 'all'"],
    ["other words", "shown = '[\"nothing\"]'"],
    ["another session", "session = 'z'"],
    ["every session", "session = NULL"],
    ["the text of nothing as a session", "session = 'null'"],
    ["another workspace", "workspace = '/'"],
    ["another time", "at = 2"],
    ["no seal", "seal = NULL"],
    ["an empty seal", "seal = ''"],
    ["a shorter seal", "seal = substr(seal, 1, 63)"],
    ["a longer seal", "seal = seal || 'x'"],
    ["another seal of the same length", "seal = replace(seal, substr(seal, 1, 1), 'x')"],
    ["a seal that is no text", "seal = CAST(seal AS BLOB)"],
    ["a number as a seal", "seal = 0"],
  ])("that was changed to %s counts for nothing", async (_, change) => {
    await store.grant([grant]);
    expect(await forge(`UPDATE grants SET ${change}`)).toHaveLength(1);
    expect(await store.grants({})).toEqual([]);
    const again = { ...grant, at: 3 };
    await store.grant([again]);
    expect(await store.grants({}), "what is really said does").toEqual([again]);
  });

  test("that somebody else wrote counts for nothing, also with a seal of another row", async () => {
    await store.grant([grant]);
    await forge(`INSERT INTO grants ${STOLEN} SELECT tool, 'all', shown, workspace, at, id, session, seal FROM grants`);
    await forge(`INSERT INTO grants ${STOLEN} SELECT tool, 'all', shown, workspace, at, 'x', NULL, NULL FROM grants`);
    expect(await store.grants({})).toEqual([grant]);
  });

  test("of another key counts for nothing, and none of those stands in the way of ours", async () => {
    await store.grant([grant]);
    const other = await sqliteStore(file, (text) => sealOf(`other ${text}`));
    onTestFinished(() => other.close());
    expect(await other.grants({})).toEqual([]);
    await other.grant([grant]);
    expect(await other.grants({})).toEqual([grant]);
  });
});

describe("a plan", () => {
  test.each([
    ["an approved one", "state = 'approved'"],
    ["another call", "body = replace(body, 'a.txt', 'b.txt')"],
    ["another id", "id = '2'"],
    ["no seal", "seal = NULL"],
  ])("that was changed to %s is none, and cannot be moved on", async (_, change) => {
    await store.plan(planOf("1"), new Map());
    expect(await store.planned({})).toHaveLength(1);
    await forge(`UPDATE plans SET ${change}`);
    expect(await store.planned({})).toEqual([]);
    expect(await store.movePlan(["1", "2"], ["planned", "approved"], "done")).toEqual([]);
  });

  test("counts in every state that ours gave it", async () => {
    await store.plan(planOf("1"), new Map());
    await store.movePlan(["1"], ["planned"], "approved");
    expect(await store.planned({})).toMatchObject([planOf("1", { state: "approved" })]);
  });
});

describe("an answer", () => {
  const asked = approvalOf("p");
  test.each([
    ["another answer", "answer = 'always'"],
    ["another message", "message = 'do it twice'"],
    ["no message", "message = NULL"],
    ["other arguments", "args = '{}'"],
    ["no arguments", "args = NULL"],
    ["another's", "who = 'bob'"],
    ["nobody's", "who = NULL"],
    ["a question for something else", 'body = replace(body, \'"fingerprint":"f"\', \'"fingerprint":"g"\')'],
    ["another question", 'id = \'q\', body = replace(body, \'"id":"p"\', \'"id":"q"\')'],
    ["no seal", "seal = NULL"],
    ["an empty seal", "seal = ''"],
    ["a shorter seal", "seal = substr(seal, 1, 63)"],
  ])("that was changed to %s is none", async (_, change) => {
    await store.ask(asked);
    expect(await store.answer("p", "once", "go on", { a: 1 }, "ann")).toBe(true);
    expect(await store.approval("p")).toMatchObject({ answer: "once", message: "go on", args: { a: 1 } });
    expect(await forge(`UPDATE approvals SET ${change}`)).toHaveLength(1);
    const id = change.startsWith("id") ? "q" : "p";
    const fingerprint = change.includes("fingerprint") ? "g" : "f";
    expect(await store.approval(id)).toEqual({ ...asked, id, fingerprint });
  });

  test.each(["go on", undefined])("counts as it was given, with the message %s", async (message) => {
    await store.ask(asked);
    await store.answer("p", "once", message);
    const answered = { ...asked, answer: "once", answeredAt: expect.any(Number) };
    expect(await store.approval("p")).toEqual(message ? { ...answered, message } : answered);
  });

  test.each(["go on", undefined])("that came with the question counts too, with the message %s", async (message) => {
    const answered = { ...asked, answer: "deny", answeredAt: 5, ...(message && { message }) };
    await store.ask(answered);
    expect(await store.approval("p")).toEqual(answered);
    expect(await store.pending()).toEqual([]);
    expect(await store.answer("p", "once")).toBe(false);
  });

  test("of before it was kept who gave it counts as it was given", async () => {
    await store.ask(asked);
    await store.answer("p", "once", "go on");
    const mark = sealOf(JSON.stringify(["answer", "p", "f", "once", "go on", null]));
    expect(await forge(`UPDATE approvals SET seal = '${mark}'`)).toHaveLength(1);
    expect(await store.approval("p")).toMatchObject({ answer: "once", message: "go on" });
  });

  test("that somebody else wrote is none, and a seal of a yes elsewhere does not help", async () => {
    await store.ask(asked);
    await store.grant([grant]);
    await forge("UPDATE approvals SET answer = 'once', seal = (SELECT seal FROM grants)");
    expect(await store.approval("p")).toEqual(asked);
  });

  test("is not sealed in the place of a grant that reads the same", async () => {
    const texts: string[] = [];
    const noting = await sqliteStore(join(folder(), "store.db"), (text) => {
      texts.push(text);
      return "x";
    });
    await noting.ask(asked);
    await noting.answer("p", "once");
    await noting.grant([grant]);
    await noting.close();
    expect(texts.map((text) => JSON.parse(text)[0])).toEqual(["answer", "grant"]);
  });
});

describe("a row of a table", () => {
  const table = () => store.table("jobs");

  test.each([
    ["another value", 'value = \'{"run":"rm"}\'', "k"],
    ["another key", "key = 'l'", "l"],
    ["another version", "version = version + 1", "k"],
    ["no seal", "seal = NULL", "k"],
    ["an empty seal", "seal = ''", "k"],
    ["another seal of the same length", "seal = replace(seal, substr(seal, 1, 1), 'x')", "k"],
  ])("that was changed to %s bears no seal", async (_, change, key) => {
    await table().put("k", { run: "ls" }, { sealed: true });
    expect((await table().get("k"))?.sealed).toBe(true);
    expect(await forge(`UPDATE tool_rows SET ${change}`)).toHaveLength(1);
    const found = await table().get(key);
    expect(found).toMatchObject({ key });
    expect(found).not.toHaveProperty("sealed");
    expect((await table().list())[0]).not.toHaveProperty("sealed");
  });

  test("that was moved to another table bears no seal there", async () => {
    await table().put("k", { run: "ls" }, { sealed: true });
    await forge("UPDATE tool_rows SET name = 'other'");
    expect(await store.table("other").get("k")).toEqual(expect.not.objectContaining({ sealed: true }));
  });

  test("that bears none is read where no seal can be made", async () => {
    await table().put("k", 1);
    const keyless = await sqliteStore(file, () => {
      throw new Error("no key");
    });
    onTestFinished(() => keyless.close());
    expect(await keyless.table("jobs").get("k")).toMatchObject({ key: "k", value: 1 });
  });
});

describe("a store without a key", () => {
  test("believes what is in the file, but for rows that bear no mark at all", async () => {
    file = join(folder(), "store.db");
    const open = await sqliteStore(file);
    onTestFinished(() => open.close());
    await open.grant([grant]);
    await forge(`INSERT INTO grants ${STOLEN} SELECT tool, 'all', shown, workspace, at, 'x', NULL, NULL FROM grants`);
    expect(await open.grants({})).toEqual([grant]);
  });
});
