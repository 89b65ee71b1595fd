import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { bench, folder } from "../../test/journeys/harness.ts";
import type { Look } from "../core/words/tool.ts";
import { applyPatch } from "./apply-patch.ts";
import { confirmBySystem } from "./lib/system-patched.ts";

const program = "diff";

const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join("");
const context = (from: string, to: string, ...around: [string, string][]): string => {
  const [[before, after] = ["a", "c"]] = around;
  const side = (text: string) => [`  ${before}`, `! ${text}`, `  ${after}`];
  return lines(
    "*** a/f.txt",
    "--- b/f.txt",
    "*".repeat(15),
    "*** 1,3 ****",
    ...side(from),
    "--- 1,3 ----",
    ...side(to),
  );
};
const normal = lines("2c2", "< b", "---", "> X");
const patching = (files: Record<string, string | Uint8Array>) => bench(files, { tools: [applyPatch], store: "memory" });

describe("by the system's patch", needs("patch"), () => {
  test("a context diff is applied, and it says by whom", async () => {
    const { call, text } = await patching({ "f.txt": "a\nb\nc\n" });
    const result = await call("apply_patch", { patch: context("b", "X") });
    expect(result).toMatchObject({ status: "done", title: "Patched f.txt" });
    expect(result.output.split("\n")[0]).toBe("M f.txt (+1 -1): applied by the system's patch");
    expect(text("f.txt")).toBe("a\nX\nc\n");
  });

  test.each([
    ["a normal diff", "a\nb\nc\n", normal, "a\nX\nc\n"],
    ["CRLF kept, the diff in LF", "a\r\nb\r\nc\r\n", normal, "a\r\nX\r\nc\r\n"],
    ["CRLF kept, the diff in CRLF", "a\r\nb\r\nc\r\n", normal.replaceAll("\n", "\r\n"), "a\r\nX\r\nc\r\n"],
    ["LF kept, the diff in CRLF", "a\nb\nc\n", normal.replaceAll("\n", "\r\n"), "a\nX\nc\n"],
    ["a context diff of CRLF", "a\r\nb\r\nc\r\n", context("b", "X"), "a\r\nX\r\nc\r\n"],
    ["a byte order mark kept", "\uFEFFa\nb\nc\n", context("b", "X"), "\uFEFFa\nX\nc\n"],
    ["a byte order mark in the diff too", "\uFEFFa\nb\nc\n", context("b", "X", ["\uFEFFa", "c"]), "\uFEFFa\nX\nc\n"],
    ["an open end kept", "a\nb\nc", "1c1\n< a\n---\n> X\n", "X\nb\nc"],
    ["an open end closed", "a\nb", "2c2\n< b\n\\ No newline at end of file\n---\n> b\n", "a\nb\n"],
    ["an insertion at the top", "a\n", "0a1\n> X\n", "X\na\n"],
    ["an insertion at the end", "a\n", "1a2\n> X\n", "a\nX\n"],
    ["the number decides between several places", "a\nb\nb\nb\n", "3c3\n< b\n---\n> X\n", "a\nb\nX\nb\n"],
  ])("%s", async (_, before, patch, after) => {
    const { call, text } = await patching({ "f.txt": before });
    const { status, output, error } = await call("apply_patch", { patch, path: "f.txt" });
    expect([status, error]).toEqual(["done", undefined]);
    expect(output).toContain("applied by the system's patch");
    expect(text("f.txt")).toBe(after);
  });

  test("UTF-16 stays UTF-16", async () => {
    const { call, dir } = await patching({ "f.txt": Buffer.from("\uFEFFa\nb ä\nc\n", "utf16le") });
    await call("apply_patch", { patch: context("b ä", "ü"), path: "f.txt" });
    expect(readFileSync(path.join(dir, "f.txt")).toString("utf16le")).toBe("\uFEFFa\nü\nc\n");
  });

  test.each([
    ["context that contradicts the file", "a\nz\nc\n", context("b", "X"), "does not fit"],
    ["context beside the change that contradicts it", "q\nb\nc\n", context("b", "X"), "does not fit"],
    ["the same lines elsewhere", "new\na\nb\nc\n", context("b", "X"), "offset 1 line"],
    ["a normal change elsewhere", "new\na\nb\nc\n", normal, "offset 1 line"],
    ["several places and no number that decides", "b\na\nb\n", normal, "2 places"],
    ["other white space", "a\nb \nc\n", normal, "FAILED"],
    ["applied already", "a\nX\nc\n", context("b", "X"), "already applied"],
    ["an addition that is there already", "a\nX\nc\n", "1a2\n> X\n", "already applied"],
    ["an addition behind the end", "a\n", "9a10\n> X\n", "nothing says for certain where"],
    ["changes out of order", "a\nb\nc\n", lines("3c3", "< c", "---", "> C", "1c1", "< a", "---", "> A"), "misordered"],
    ["the same change twice", "a\nb\nc\n", normal + normal, "change the same lines"],
    ["an ed script", "a\nb\nc\n", "2c\nX\n.\n", "there is no patch in it"],
  ])("%s is refused", async (_, before, patch, says) => {
    const { call, text } = await patching({ "f.txt": before });
    const { status, error } = await call("apply_patch", { patch, path: "f.txt" });
    expect(status).toBe("failed");
    expect(error?.message).toContain(says);
    expect(text("f.txt")).toBe(before);
  });

  test.each([
    "1!touch CANARY\n",
    "!touch CANARY\nw\nq\n",
    `${normal}!touch CANARY\n`,
    `${context("b", "X")}1!touch CANARY\nw\n`,
  ])("no ed script runs: %j", async (patch) => {
    const canary = path.join(folder(), "canary");
    const { call, text } = await patching({ "f.txt": "a\nb\nc\n" });
    const { status } = await call("apply_patch", { patch: patch.replaceAll("CANARY", canary), path: "f.txt" });
    expect([status, existsSync(canary), text("f.txt")]).toEqual(["failed", false, "a\nb\nc\n"]);
  });

  test("of two files both are changed, or neither", async () => {
    const both = context("b", "X") + context("b", "X").replaceAll("f.txt", "g.txt");
    const { call, text, put } = await patching({ "f.txt": "a\nb\nc\n", "g.txt": "a\nz\nc\n" });
    expect((await call("apply_patch", { patch: both })).status).toBe("failed");
    expect(text("f.txt")).toBe("a\nb\nc\n");
    put("g.txt", "a\nb\nc\n");
    expect((await call("apply_patch", { patch: both })).status).toBe("done");
    expect([text("f.txt"), text("g.txt")]).toEqual(["a\nX\nc\n", "a\nX\nc\n"]);
  });

  test("a missing file is told as such, and none is made", async () => {
    const { call, text } = await patching({});
    const { error } = await call("apply_patch", { patch: "0a1\n> X\n", path: "f.txt" });
    expect([error?.code, text("f.txt")]).toEqual(["NOT_FOUND", undefined]);
  });

  test("what diff writes of any two texts is applied byte for byte", needs("diff"), async () => {
    const { call, text, put, dir } = await patching({});
    const row = fc.constantFrom("a", "b", "c d", "", "! x", "- y", "*** z", "> w", "\ttab", "ä");
    const body = fc
      .tuple(fc.array(row, { minLength: 1, maxLength: 25 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
      .map(([rows, ending, isOpen]) => rows.join(ending) + (isOpen ? "" : ending));
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(body, body, fc.constantFrom("-c", "--normal"), async (before, after, format) => {
        put("f.txt", before);
        put("after.txt", after);
        const patch = spawnSync(program, [format, "-a", "f.txt", "after.txt"], { cwd: dir, encoding: "utf8" }).stdout;
        const { status } = await call("apply_patch", { patch, path: "f.txt" });
        expect(text("f.txt")).toBe(status === "done" ? after : before);
        if (status === "done") applied++;
      }),
      { numRuns: 50 },
    );
    // refused may be a text without any line, and an addition of what is there already
    expect(applied).toBeGreaterThan(40);
  });
});

describe("without a program to trust", () => {
  const diff = { format: "normal" as const, rows: [{ text: "1c1", ending: "\n" as const }] };
  const confirm = (look: Partial<Look>) =>
    confirmBySystem("f.txt", { before: "a\n", after: "b\n" }, diff, look as Look);

  test("it is refused, with another way", async () => {
    await expect(confirm({})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("only the system's patch reads"),
      hint: expect.stringContaining("unified diff"),
    });
  });

  test("what differs from our own rules is refused", async () => {
    const content = new TextEncoder().encode("c\n");
    await expect(confirm({ patch: async () => ({ content }) })).rejects.toThrow("is not what its lines say");
  });
});
