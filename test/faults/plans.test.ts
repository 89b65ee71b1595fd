import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { folder } from "../journeys/harness.ts";
import { processes } from "./processes.ts";

const run = processes();
const AT_ONCE = 2;
const FILES = { log: "start\n", a: "1\n", b: "1\n" };

/** A store that its process cannot take along. */
const storeIn = (root: string) => sqliteStore(path.join(root, ".toolgate/store.db"));

const append = (content: string) => ({ name: "write_file", args: { path: "log", content, mode: "append" } });
const change = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-1\n+2\n`;
const both = { name: "apply_patch", args: { patch: change("a") + change("b") } };

async function planIn(root: string, calls: readonly { name: string; args: object }[]): Promise<void> {
  const first = await open({ workspace: root, mode: "yolo", config: {}, plan: true });
  await first.close();
  const store = await storeIn(root);
  const gate = await open({ workspace: root, store, mode: "yolo", config: {}, plan: true });
  for (const call of calls) expect((await gate.call(call)).status).toBe("planned");
  await gate.close();
  await store.close();
}

const text = (root: string, name: string) => readFileSync(path.join(root, name), "utf8");

/** Whether the process was killed; whatever happened, the rest of the plan is made once, and nothing twice. */
async function killAt(n: number): Promise<boolean> {
  const root = folder(FILES);
  await planIn(root, [append("one\n"), both]);
  const { code, signal, errors } = await run("plan", root, String(n));
  if (signal !== "SIGKILL") expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const store = await storeIn(root);
  const gate = await open({ workspace: root, store, mode: "yolo", config: {} });
  const outcomes = await gate.plans.run();
  const at = `killed at moment ${n}`;
  expect(
    outcomes.map(({ result }) => result.error?.message ?? result.status).filter((each) => each !== "done"),
    at,
  ).toEqual([]);
  expect([text(root, "log"), text(root, "a"), text(root, "b")], at).toEqual(["start\none\n", "2\n", "2\n"]);
  expect(
    (await store.planned({})).map(({ state }) => state),
    at,
  ).toEqual(["done", "done"]);
  await gate.close();
  await store.close();
  return signal === "SIGKILL";
}

describe("kill -9 while a plan is run, then a run of the rest", () => {
  test("at every moment that writes", { timeout: 120_000 }, async () => {
    let killed = 0;
    for (let n = 1; ; n += AT_ONCE) {
      const ends = await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => killAt(n + more)));
      killed += ends.filter(Boolean).length;
      if (ends.includes(false)) break;
    }
    expect(killed).toBeGreaterThanOrEqual(8);
  });
});
