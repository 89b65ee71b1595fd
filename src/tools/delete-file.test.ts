import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { deleteFile } from "./delete-file.ts";

const config = { workspace: { allow_delete: true } };
const gate = (files: Record<string, string>, more = {}) =>
  bench(files, { store: "memory", tools: [deleteFile], config, ...more });

test("a file goes, and comes back by undo", async () => {
  const { call, text } = await gate({ "a.txt": "content" });
  const { output, success } = await call("delete_file", { path: "a.txt" });
  expect([success, output]).toEqual([true, "Deleted a.txt (7 bytes)."]);
  expect(text("a.txt")).toBeUndefined();
  expect((await call("undo_file", { path: "a.txt" })).success).toBe(true);
  expect(text("a.txt")).toBe("content");
});

test("an empty file goes too", async () => {
  const { call, text } = await gate({ "a.txt": "" });
  expect((await call("remove_file", { file_path: "a.txt" })).output).toBe("Deleted a.txt (0 bytes).");
  expect(text("a.txt")).toBeUndefined();
});

test("a link goes itself, not what it points to", async () => {
  const { call, text, dir } = await gate({ "a.txt": "content" });
  symlinkSync("a.txt", path.join(dir, "link"));
  expect((await call("delete_file", { path: "link" })).output).toContain("Deleted the link link.");
  expect(text("a.txt")).toBe("content");
});

test.each(["link/", "link//", "link/.", "a.txt/"])("%s is no name of a file", async (target) => {
  const { call, text, dir } = await gate({ "a.txt": "content" });
  symlinkSync("a.txt", path.join(dir, "link"));
  expect((await call("delete_file", { path: target })).error?.message).toBe(
    `${target} is written like a folder, but leads to a file.`,
  );
  expect(text("a.txt")).toBe("content");
  expect(lstatSync(path.join(dir, "link")).isSymbolicLink()).toBe(true);
});

describe("refused, and nothing goes", () => {
  const refused: [what: string, path: string, status: string, says: RegExp, hint: RegExp][] = [
    ["a folder", "d", "failed", /d is a folder/, /one by one/],
    ["a missing file", "a.tx", "failed", /a\.tx does not exist/, /a\.txt/],
    ["a path outside", "../a.txt", "refused", /outside/, /inside/],
  ];
  test.each(refused)("%s", async (_, target, status, says, hint) => {
    const { call, text, dir } = await gate({ "a.txt": "content" });
    mkdirSync(path.join(dir, "d"));
    const result = await call("delete_file", { path: target });
    expect([result.status, result.error?.message, result.error?.hint]).toEqual([
      status,
      expect.stringMatching(says),
      expect.stringMatching(hint),
    ]);
    expect(text("a.txt")).toBe("content");
  });

  test("without leave to delete", async () => {
    const { call, text } = await gate({ "a.txt": "content" }, { config: {} });
    expect((await call("delete_file", { path: "a.txt" })).status).toBe("refused");
    expect(text("a.txt")).toBe("content");
  });

  test("in a dry run", async () => {
    const { call, text } = await gate({ "a.txt": "content" }, { dryRun: true });
    expect((await call("delete_file", { path: "a.txt" })).status).toBe("planned");
    expect(text("a.txt")).toBe("content");
  });
});
