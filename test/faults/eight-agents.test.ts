import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { bench, folder } from "../journeys/harness.ts";
import { processes } from "./processes.ts";

const run = processes(path.resolve(import.meta.dirname, "agents-process.ts"));
const NAMES = ["one", "two", "three", "four"];
const ENDED = { code: 0, signal: null, errors: "" };

const told = (root: string, name: string) =>
  JSON.parse(readFileSync(path.join(root, `done-${name}.json`), "utf8")) as string[];

test("eight agents in four processes: every call is recorded once, and nothing is lost", {
  timeout: 120_000,
}, async () => {
  const root = folder({ "shared.txt": "end\n" });
  expect(await Promise.all(NAMES.map((name) => run("work", root, name)))).toEqual(Array(4).fill(ENDED));
  const made = NAMES.flatMap((name) => told(root, name));
  const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
  const records = await store.records({ limit: 100_000 });
  expect(records.map(({ call }) => call).sort()).toEqual(made.sort());
  const added = records.filter(({ tool, status }) => tool === "edit_file" && status === "done");
  const lines = readFileSync(path.join(root, "shared.txt"), "utf8").trimEnd().split("\n");
  expect([added.length, lines.length, new Set(lines).size]).toEqual([48, 49, 49]);
  const { writers, findings } = await store.verify();
  // this look has no key, so it cannot tell whether pages are sealed
  expect([writers, findings.filter(({ kind }) => kind !== "unsealed")]).toEqual([4, []]);
  expect([await store.locks(), await store.holds(), await store.underWay()]).toEqual([[], [], []]);
  await store.close();
});

test("a limit on a session is not passed by processes that come near it together", { timeout: 120_000 }, async () => {
  const root = folder();
  expect(await Promise.all(NAMES.map((name) => run("limit", root, name)))).toEqual(Array(4).fill(ENDED));
  const statuses = NAMES.flatMap((name) => told(root, name));
  expect(statuses.filter((status) => status === "done")).toHaveLength(10);
  expect(statuses.filter((status) => status === "refused")).toHaveLength(10);
  expect(readdirSync(root).filter((file) => /-\d\.txt$/.test(file))).toHaveLength(10);
});

test("kill -9 frees the claims, locks and tasks of a process", { timeout: 60_000 }, async () => {
  const root = folder();
  expect(await run("claim", root, "one")).toMatchObject({ signal: "SIGKILL" });
  expect(told(root, "one").sort()).toEqual(["deploy", "release"]);
  expect(existsSync(path.join(root, ".toolgate/store.db"))).toBe(true);
  const it = await bench({}, { dir: root, toolset: ["default", "together"] });
  expect([await it.gate.board.claims(), await it.gate.locks.list()]).toEqual([[], []]);
  expect(await it.gate.board.claim("Release", { mode: "exclusive" })).toMatchObject({ claimed: true });
  expect((await it.call("board_claim", { resource: "deploy", mode: "exclusive" })).status).toBe("done");
  expect((await it.call("write_file", { path: "a.txt", content: "a" })).status).toBe("done");
  expect((await it.call("task_update", { taskId: "1", status: "in_progress" })).status).toBe("done");
});
