import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { approvalOf } from "../../test/contracts/store-samples.ts";
import { folder } from "../../test/journeys/harness.ts";
import type { Grant, Store } from "../core/contracts/store.ts";
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

const grant: Grant = { tool: "t", action: "write", target: "/a", session: "s", at: 1 };

describe("a standing yes", () => {
  test("counts as it was given", async () => {
    const always = { ...grant, session: null, target: "/b" };
    await store.grant([grant, always]);
    expect(await store.grants("t", "s")).toEqual([grant, always]);
  });

  test.each([
    ["another tool", "tool = 'u'", "u", "s"],
    ["another action", "action = 'delete'", "t", "s"],
    ["another target", "target = '/etc'", "t", "s"],
    ["another session", "session = 'z'", "t", "z"],
    ["every session", "session = NULL", "t", "s"],
    ["the text of nothing as a session", "session = 'null'", "t", "null"],
    ["another time", "at = 2", "t", "s"],
    ["no seal", "seal = NULL", "t", "s"],
    ["an empty seal", "seal = ''", "t", "s"],
    ["a shorter seal", "seal = substr(seal, 1, 63)", "t", "s"],
    ["a longer seal", "seal = seal || 'x'", "t", "s"],
    ["another seal of the same length", "seal = replace(seal, substr(seal, 1, 1), 'x')", "t", "s"],
    ["a seal that is no text", "seal = CAST(seal AS BLOB)", "t", "s"],
    ["a number as a seal", "seal = 0", "t", "s"],
  ])("that was changed to %s counts for nothing", async (_, change, tool, session) => {
    await store.grant([grant]);
    expect(await forge(`UPDATE grants SET ${change}`)).toHaveLength(1);
    expect(await store.grants(tool, session)).toEqual([]);
    const again = { ...grant, tool, session, at: 3 };
    await store.grant([again]);
    expect(await store.grants(tool, session), "what is really said does").toEqual([again]);
  });

  test("that somebody else wrote counts for nothing, also with a seal of another row", async () => {
    await store.grant([grant]);
    await forge("INSERT INTO grants SELECT tool, action, '/etc', session, at, seal FROM grants");
    await forge("INSERT INTO grants (tool, action, target, session, at) VALUES ('t', 'write', '/x', NULL, 1)");
    expect(await store.grants("t", "s")).toEqual([grant]);
  });

  test("of another key counts for nothing, and none of those stands in the way of ours", async () => {
    await store.grant([grant]);
    const other = await sqliteStore(file, (text) => sealOf(`other ${text}`));
    onTestFinished(() => other.close());
    expect(await other.grants("t", "s")).toEqual([]);
    await other.grant([grant]);
    expect(await other.grants("t", "s")).toEqual([grant]);
  });
});

describe("an answer", () => {
  const asked = approvalOf("p");
  test.each([
    ["another answer", "answer = 'always'"],
    ["another message", "message = 'do it twice'"],
    ["no message", "message = NULL"],
    ["another question", 'id = \'q\', body = replace(body, \'"id":"p"\', \'"id":"q"\')'],
    ["no seal", "seal = NULL"],
    ["an empty seal", "seal = ''"],
    ["a shorter seal", "seal = substr(seal, 1, 63)"],
  ])("that was changed to %s is none", async (_, change) => {
    await store.ask(asked);
    expect(await store.answer("p", "once", "go on")).toBe(true);
    expect(await store.approval("p")).toMatchObject({ answer: "once", message: "go on" });
    expect(await forge(`UPDATE approvals SET ${change}`)).toHaveLength(1);
    const id = change.startsWith("id") ? "q" : "p";
    expect(await store.approval(id)).toEqual({ ...asked, id });
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

describe("a store without a key", () => {
  test("believes what is in the file, but for rows that bear no mark at all", async () => {
    file = join(folder(), "store.db");
    const open = await sqliteStore(file);
    onTestFinished(() => open.close());
    await open.grant([grant]);
    await forge("INSERT INTO grants (tool, action, target, session, at) VALUES ('t', 'write', '/x', NULL, 1)");
    expect(await open.grants("t", "s")).toEqual([grant]);
  });
});
