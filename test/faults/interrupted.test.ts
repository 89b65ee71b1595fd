import { chmodSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { workspace } from "../cli/cli.ts";
import { bench, folder } from "../journeys/harness.ts";
import { processes } from "./processes.ts";

const run = processes();
const FILES = { "a.txt": "alpha\n", "b.txt": "beta\n", "dir/c.txt": "gamma\n", "other.txt": "other\n" };

/** The host is killed while the command sleeps; a fresh gate is left with what was kept before it ran. */
async function interrupted(command: string) {
  const dir = folder(FILES);
  chmodSync(path.join(dir, "a.txt"), 0o600);
  const { signal } = await run("interrupted", dir, `${command}; touch sign; sleep 30`, "sign");
  expect(signal).toBe("SIGKILL");
  return bench({}, { dir });
}

describe("kill -9 of the host while a command runs", { timeout: 30_000 }, () => {
  test("what the command had removed is given back, with its mode", async () => {
    const { call, text, dir } = await interrupted("rm a.txt; rm -r dir");
    expect(text("a.txt")).toBeUndefined();
    for (const file of ["a.txt", "dir/c.txt"])
      expect(await call("undo_file", { path: file })).toMatchObject({ status: "done" });
    expect([text("a.txt"), text("dir/c.txt")]).toEqual([FILES["a.txt"], FILES["dir/c.txt"]]);
    expect(statSync(path.join(dir, "a.txt")).mode & 0o777).toBe(0o600);
  });

  test("what it had changed is a conflict that shows what it was, and nothing is overwritten", async () => {
    const { call, text } = await interrupted("echo new > b.txt");
    const result = await call("undo_file", { path: "b.txt" });
    expect(result).toMatchObject({ status: "failed", error: { code: "CONFLICT" } });
    expect(result.error?.message).toContain("cut off");
    expect(result.output).toContain("-beta");
    expect(text("b.txt")).toBe("new\n");
  });

  test("what it had not come to has nothing to undo", async () => {
    const { call, text } = await interrupted("true || rm other.txt; true || touch never.txt");
    for (const file of ["other.txt", "never.txt"])
      expect((await call("undo_file", { path: file })).error?.code).toBe("NOT_FOUND");
    expect(text("other.txt")).toBe(FILES["other.txt"]);
  });

  test("the turn is taken back as far as that is certain, or not at all", async () => {
    const { call, text } = await interrupted("rm a.txt");
    // the sign was made by the command, and nobody can tell what would have become of it
    const result = await call("undo_turn", { turn: "turn" });
    expect(result).toMatchObject({ status: "failed", error: { code: "CONFLICT" } });
    expect(text("a.txt")).toBeUndefined();
    expect(await call("undo_file", { path: "a.txt" })).toMatchObject({ status: "done" });
  });
});

describe("kill -9 of the host in a call, or right after it", { timeout: 30_000 }, () => {
  const recordsAfter = async (name: string, args: object) => {
    const { run: toolgate, at } = await workspace(FILES);
    expect((await run("killed", at("."), name, JSON.stringify(args))).signal).toBe("SIGKILL");
    return JSON.parse((await toolgate(["log", "--json"])).out);
  };

  test.each<[name: string, args: object, target?: string]>([
    ["lethal", {}],
    ["run_command", { command: "touch made" }, "touch made"],
    ["write_file", { path: "made", content: "x" }, "made"],
  ])("%s %j is on record", async (name, args, target = expect.any(String)) => {
    const message = "The process ended during this call, or right after it.";
    expect(await recordsAfter(name, args)).toMatchObject([
      { tool: name, status: "failed", target, error: { message } },
    ]);
  });

  test("a call that only looks leaves nothing, because nothing came of it", async () => {
    expect(await recordsAfter("read_file", { path: "a.txt" })).toEqual([]);
  });
});
