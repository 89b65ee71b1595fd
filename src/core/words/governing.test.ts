import { describe, expect, test } from "vitest";
import { GIT_HOOKS, namesThat, outputFolderOf, SHOWN_OF_STATE, type WhenMissing } from "./governing.ts";

describe("the folder of a session's outputs", () => {
  test.each([
    ["main", "main"],
    ["a-b_C9", "a-b_C9"],
    ["x".repeat(100), "x".repeat(100)],
    ["", "~"],
    ["../up", "~2e~~2e~~2f~up"],
    ["a b", "a~20~b"],
    ["grün", "gr~fc~n"],
    ["x".repeat(101), "x".repeat(101)],
    ["x".repeat(200), "x".repeat(200)],
  ])("%j is %j", (session, folder) => expect(outputFolderOf(session)).toBe(folder));

  test("a very long one is a checksum, of all of it", () => {
    const long = "x".repeat(201);
    // of every version: a session that goes on finds its outputs again
    expect(outputFolderOf(long)).toBe("~~42c0a9469f6ab0fec7a7e86a3f879043");
    const folders = [
      long,
      `${long}x`,
      `y${long.slice(1)}`,
      `${long.slice(1)}y`,
      `${"x".repeat(100)}y${"x".repeat(100)}`,
    ];
    expect(new Set(folders.map(outputFolderOf)).size).toBe(folders.length);
    expect(outputFolderOf(long)).toBe(outputFolderOf(long));
  });

  test("no two of them are the same, whatever the names", () => {
    const names = ["~", "", "~~", "a/b", "a~2f~b", "a_b", "a.b", "A", "a"];
    expect(new Set(names.map(outputFolderOf)).size).toBe(names.length);
  });
});

test("the names for which a sandbox does one of these, and no others", () => {
  const table: Record<string, WhenMissing> = { a: "held", b: "left", c: "removed", d: "held" };
  expect(namesThat(table, "held")).toEqual(["a", "d"]);
  expect(namesThat(table, "left", "removed")).toEqual(["b", "c"]);
  expect(namesThat(table, "shared")).toEqual([]);
});

test("what people put there for commands and agents to read is shown", () =>
  expect([...SHOWN_OF_STATE].sort()).toEqual(["agents", "skills"]));

// of `man githooks`, without those for Perforce
test("what git runs of its own accord is known by its name, but for one", () => {
  const patches = ["applypatch-msg", "pre-applypatch", "post-applypatch", "sendemail-validate"];
  const commits = ["pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
  const branches = ["pre-rebase", "post-checkout", "post-merge", "post-rewrite", "reference-transaction"];
  const pushes = ["pre-push", "pre-receive", "proc-receive", "post-receive", "post-update", "push-to-checkout"];
  const upkeep = ["pre-auto-gc", "fsmonitor-watchman", "post-index-change"];
  expect([...GIT_HOOKS].sort()).toEqual([...patches, ...commits, ...branches, ...pushes, ...upkeep].sort());
});
