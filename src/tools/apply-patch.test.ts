import { lstatSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { render } from "../core/words/result.ts";
import { applyPatch } from "./apply-patch.ts";

const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join("");
const abc = lines("a", "b", "c");
const change = (file: string, from = "b", to = "X"): string =>
  lines(`--- a/${file}`, `+++ b/${file}`, "@@ -1,3 +1,3 @@", " a", `-${from}`, `+${to}`, " c");
const begin = (...rows: string[]): string => lines("*** Begin Patch", ...rows, "*** End Patch");

const patching = (files: Record<string, string | Uint8Array>, allowDelete = true) =>
  bench(files, { tools: [applyPatch], config: { workspace: { allow_delete: allowDelete } }, store: "memory" });

describe("what it does", () => {
  test("changes one file and tells it", async () => {
    const { call, text } = await patching({ "f.txt": abc });
    const result = await call("apply_patch", { patch: change("f.txt") });
    expect(result).toMatchObject({ status: "done", title: "Patched f.txt" });
    expect(result.output).toBe(`M f.txt (+1 -1)\n\n${change("f.txt").trimEnd()}`);
    expect(result.metadata).toMatchObject({
      changed: true,
      files: [{ letter: "M", path: "f.txt", added: 1, removed: 1 }],
    });
    expect(text("f.txt")).toBe(lines("a", "X", "c"));
  });

  test.each([
    begin("*** Delete File: link/"),
    `diff --git a/link/ b/other\n${lines("rename from link/", "rename to other")}`,
    `diff --git a/link b/other/\n${lines("rename from link", "rename to other/")}`,
  ])("refuses a slash behind what is deleted or moved, which may be a link: %j", async (patch) => {
    const { call, text, dir } = await patching({ "f.txt": abc });
    symlinkSync("f.txt", path.join(dir, "link"));
    const { error } = await call("apply_patch", { patch });
    expect(error?.message).toContain("a name that ends in a slash names a folder");
    expect(text("f.txt")).toBe(abc);
    expect(lstatSync(path.join(dir, "link")).isSymbolicLink()).toBe(true);
    const right = await call("apply_patch", { patch: patch.replaceAll("/\n", "\n").replaceAll("/ ", " ") });
    expect(right).toMatchObject({ status: "done" });
    expect(text("f.txt")).toBe(abc);
  });

  test("changes, adds, deletes and moves at once", async () => {
    const { call, text } = await patching({ "f.txt": abc, "old.txt": abc, "gone.txt": "x\n" });
    const { status, output } = await call("apply_patch", {
      patch: begin(
        "*** Update File: f.txt",
        "@@",
        "-b",
        "+X",
        "*** Add File: deep/new.txt",
        "+hello",
        "*** Delete File: gone.txt",
        "*** Update File: old.txt",
        "*** Move to: moved/new.txt",
        "@@",
        "-c",
        "+C",
      ),
    });
    expect(status).toBe("done");
    for (const row of [
      "M f.txt (+1 -1)",
      "A deep/new.txt (+1 -0)",
      "D gone.txt (+0 -1)",
      "R old.txt -> moved/new.txt (+1 -1)",
    ])
      expect(output.split("\n")).toContain(row);
    expect(["f.txt", "deep/new.txt", "gone.txt", "old.txt", "moved/new.txt"].map(text)).toEqual([
      lines("a", "X", "c"),
      "hello\n",
      undefined,
      undefined,
      lines("a", "b", "C"),
    ]);
  });

  test("a moved program stays a program", async () => {
    const { call, dir, put } = await patching({});
    put("run.sh", "echo\n");
    await call("apply_patch", {
      patch: lines("diff --git a/x b/x", "new file mode 100755", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+#!"),
    });
    expect((await call("apply_patch", { patch: begin("*** Update File: x", "*** Move to: y") })).status).toBe("done");
    expect(statSync(path.join(dir, "y")).mode & 0o777).toBe(0o755);
  });

  test("says how the file differed from the patch, and where a hunk was found", async () => {
    const { call, text } = await patching({ "f.txt": "new\r\na \r\nb\r\nc\r\n" });
    const { output } = await call("apply_patch", { patch: change("f.txt") });
    expect(output).toContain(
      "M f.txt (+1 -1): the file differed from the patch in line endings and trailing white space; hunk 1 was found at line 2, not 1",
    );
    expect(text("f.txt")).toBe("new\r\na \r\nX\r\nc\r\n");
  });

  test("keeps encodings and byte order marks", async () => {
    const latin = Uint8Array.from([0x61, 0x0a, 0x62, 0x0a, 0x63, 0x0a, 0xe4, 0x0a]);
    const { call, dir, text } = await patching({ "f.txt": latin, "g.txt": `\uFEFF${abc}` });
    await call("apply_patch", { patch: change("f.txt") + change("g.txt") });
    expect(statSync(path.join(dir, "f.txt")).size).toBe(8);
    expect(text("g.txt")).toBe(`\uFEFF${lines("a", "X", "c")}`);
    const { error } = await call("apply_patch", { patch: change("f.txt", "X", "€") });
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("latin1") });
  });

  test("a long change is only counted", async () => {
    const { call } = await patching({});
    const rows = Array.from({ length: 300 }, (_, index) => `+${index}`);
    const { output, metadata } = await call("apply_patch", { patch: begin("*** Add File: n", ...rows) });
    expect(output).toBe("A n (+300 -0)");
    expect(metadata.diff).toContain("+299");
  });

  test.each(["diff", "input", "patchText"])("takes the patch as %s too", async (name) => {
    const { call, text } = await patching({ "f.txt": abc });
    expect((await call("patch", { [name]: change("f.txt") })).status).toBe("done");
    expect(text("f.txt")).toBe(lines("a", "X", "c"));
  });

  test("path wins over the name in the patch", async () => {
    const { call, text } = await patching({ "src/f.txt": abc });
    expect((await call("apply_patch", { path: "src/f.txt", patch: change("f.txt") })).status).toBe("done");
    expect(text("src/f.txt")).toBe(lines("a", "X", "c"));
  });

  test("an update from nothing makes the file", async () => {
    const { call, text } = await patching({});
    await call("apply_patch", { patch: lines("--- a/n", "+++ b/n", "@@ -0,0 +1 @@", "+x") });
    expect(text("n")).toBe("x\n");
  });

  test("two parts may change one file, under two names", async () => {
    const { call, text } = await patching({ "f.txt": abc });
    await call("apply_patch", {
      patch: begin("*** Update File: f.txt", "-b", "+X", "*** Update File: d/../f.txt", "-X", "+Y"),
    });
    expect(text("f.txt")).toBe(lines("a", "Y", "c"));
  });

  test("deleting and adding a file replaces it", async () => {
    const { call, text } = await patching({ "f.txt": abc });
    const { output } = await call("apply_patch", {
      patch: begin("*** Delete File: f.txt", "*** Add File: f.txt", "+z"),
    });
    expect(output).toContain("M f.txt (+1 -3)");
    expect(text("f.txt")).toBe("z\n");
  });

  test("a file that is already there as added is left alone", async () => {
    const { call } = await patching({ n: "x\n" });
    expect(await call("apply_patch", { patch: begin("*** Add File: n", "+x") })).toMatchObject({
      status: "done",
      title: "Unchanged",
    });
  });
});

describe("what it refuses, changing nothing", () => {
  const files = { "f.txt": abc, "one.txt": abc, "two.txt": abc, "four.txt": abc, "five.txt": abc };

  test("the third of five fails: none is changed", async () => {
    const { call, text } = await patching({ ...files, "three.txt": lines("a", "other", "c") });
    const names = ["one.txt", "two.txt", "three.txt", "four.txt", "five.txt"];
    const { status, error, output } = await call("apply_patch", { patch: names.map((name) => change(name)).join("") });
    expect(status).toBe("failed");
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/three\.txt: hunk 1 .*nearest.* line 1.*Nothing was changed/),
    });
    expect(output).toContain("2: other");
    expect(names.map(text)).toEqual(names.map((name) => (name === "three.txt" ? lines("a", "other", "c") : abc)));
  });

  test("everything that does not fit is told at once", async () => {
    const { call } = await patching({ ...files });
    const { error, output } = await call("apply_patch", {
      patch: change("one.txt", "q") + change("two.txt") + change("missing.txt"),
    });
    expect(error?.message).toBe("2 of the patch's 3 parts do not fit. Nothing was changed.");
    expect(output).toMatch(/one\.txt: hunk 1[\s\S]*missing\.txt does not exist/);
  });

  test.each([
    ["unreadable", "nonsense", "VALIDATION_ERROR", /line 1: there is no patch/],
    [
      "a wrong line",
      lines("--- a/f.txt", "+++ b/f.txt", "@@", "a", "-b"),
      "VALIDATION_ERROR",
      /line 4: "a" begins with/,
    ],
    ["already applied", change("f.txt", "q", "b"), "CONFLICT", /already applied to f\.txt.*line 1/],
    ["missing file", change("g.txt"), "NOT_FOUND", /g\.txt does not exist[\s\S]*f\.txt/],
    ["missing file to delete", begin("*** Delete File: g.txt"), "NOT_FOUND", /g\.txt does not exist[\s\S]*f\.txt/],
    ["added file exists", begin("*** Add File: f.txt", "+x"), "CONFLICT", /exists with other content/],
    ["move onto a file", begin("*** Update File: f.txt", "*** Move to: one.txt"), "CONFLICT", /one\.txt, which exists/],
    [
      "deleting other content",
      lines("--- a/f.txt", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"),
      "CONFLICT",
      /lines that the patch does not remove/,
    ],
    ["outside", change("../f.txt"), "PERMISSION_DENIED", /./],
    ["a folder", begin("*** Update File: .", "-a", "+b"), "VALIDATION_ERROR", /is a folder/],
    ["a binary file", begin("*** Update File: raw", "-a", "+b"), "BINARY", /not text/],
    ["ambiguous", begin("*** Update File: same", "-x", "+y"), "VALIDATION_ERROR", /2 places: lines 1, 2/],
  ])("%s", async (_, patch, code, says) => {
    const raw = Uint8Array.from([0, 1, 2, 3]);
    const { call, text } = await patching({ ...files, raw, same: "x\nx\n" });
    const result = await call("apply_patch", { patch });
    expect(result.error?.code).toBe(code);
    expect(render(result)).toMatch(says);
    expect(Object.keys(files).map(text)).toEqual(Object.values(files));
  });

  test("deleting and moving need the permission to delete", async () => {
    const { call, text } = await patching({ "f.txt": abc }, false);
    for (const patch of [begin("*** Delete File: f.txt"), begin("*** Update File: f.txt", "*** Move to: g.txt")])
      expect((await call("apply_patch", { patch })).status).toBe("refused");
    expect(text("f.txt")).toBe(abc);
  });

  test("a file that changed since it was read is told so", async () => {
    const { call, put } = await patching({ "f.txt": abc });
    await call("read_file", { path: "f.txt" });
    put("f.txt", lines("a", "other", "c", "d"));
    expect((await call("apply_patch", { patch: change("f.txt") })).error?.message).toContain(
      "has changed since it was read",
    );
  });
});
