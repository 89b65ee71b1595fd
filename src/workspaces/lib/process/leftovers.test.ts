import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../../../test/journeys/harness.ts";
import { open } from "../../../index.ts";
import { Leases } from "./leases.ts";
import { clearLeftovers } from "./leftovers.ts";

const LEFT = [".git", ".mcp.json", "toolgate.yaml"];

/** What a process leaves that is killed amid a command: folders, and the lease that tells of them. */
function killed(dir: string, names: readonly string[] = LEFT): string {
  const sandbox = path.join(dir, ".toolgate/sandbox");
  mkdirSync(path.join(sandbox, "gone-git-0"), { recursive: true });
  for (const name of names) mkdirSync(path.join(dir, name), { recursive: true });
  const paths = names.map((name) => path.join(dir, name));
  writeFileSync(path.join(sandbox, "gone.lease"), JSON.stringify({ pid: 1, since: "never", paths }));
  return sandbox;
}

const left = (dir: string) => readdirSync(dir).filter((name) => name !== ".toolgate");

test("a killed process's empty folders are gone when the workspace is opened", async () => {
  const dir = folder({ "a.txt": "a\n" });
  const sandbox = killed(dir);
  const gate = await open({ workspace: dir, config: {}, store: "memory" });
  expect(left(dir)).toEqual(["a.txt"]);
  await gate.close();
  expect(readdirSync(sandbox)).toEqual([]);
});

test("what somebody put something into stays, and so does a file that took the place", () => {
  const dir = folder();
  const sandbox = killed(dir, [".git", ".mcp.json"]);
  writeFileSync(path.join(dir, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(path.join(dir, "toolgate.yaml"), "mode: plan\n");
  clearLeftovers(sandbox, "p", [dir]);
  expect(left(dir)).toEqual([".git", "toolgate.yaml"]);
});

test("an empty folder that no lease tells of stays", () => {
  const dir = folder();
  const sandbox = killed(dir, [".mcp.json"]);
  mkdirSync(path.join(dir, "toolgate.yaml"));
  clearLeftovers(sandbox, "p", [dir]);
  expect(left(dir)).toEqual(["toolgate.yaml"]);
});

test("what a living process holds as well stays, with the lease that tells of it", () => {
  const dir = folder();
  const sandbox = killed(dir);
  const other = new Leases(sandbox, "living");
  other.alone(() => other.note([path.join(dir, "toolgate.yaml")]));
  clearLeftovers(sandbox, "p", [dir]);
  expect(left(dir)).toEqual(LEFT);
  other.close();
  clearLeftovers(sandbox, "p", [dir]);
  expect(left(dir)).toEqual([]);
});

test("what a lease names elsewhere is not ours to remove", () => {
  const dir = folder();
  const elsewhere = folder();
  mkdirSync(path.join(elsewhere, ".git"));
  const sandbox = killed(dir);
  const paths = [path.join(elsewhere, ".git")];
  writeFileSync(path.join(sandbox, "gone.lease"), JSON.stringify({ pid: 1, since: "never", paths }));
  clearLeftovers(sandbox, "p", [dir]);
  expect(existsSync(path.join(elsewhere, ".git"))).toBe(true);
});

test.each(["", "{", "[]", '{"paths":[1],"pid":1}'])("a lease that says %j hinders nothing", async (text) => {
  const dir = folder();
  const sandbox = killed(dir, []);
  writeFileSync(path.join(sandbox, "gone.lease"), text);
  const gate = await open({ workspace: dir, config: {}, store: "memory" });
  expect(left(dir)).toEqual([]);
  await gate.close();
});
