import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../../test/capabilities.ts";
import { trustedProgram } from "./process/trusted-program.ts";
import { systemPatch } from "./system-patch.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const real = systemPatch();

/** Temporary files of this test alone, so that what is left behind is seen. */
function temporary(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-test-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function program(script: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "patch");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const ask = (file: string) => systemPatch(file)!(bytes("a\n"), bytes("1c1\n< a\n---\n> b\n"), "normal");

describe("a program that is not as it should be", () => {
  const good = 'echo "patching file patched (read from content)"';
  test.each([
    ["says nothing", "cp content patched", "did not end"],
    ["tells of an offset", `${good}; echo "Hunk #1 succeeded at 2 (offset 1 line)."; cp content patched`, "offset"],
    ["tells of fuzz", `${good}; echo "Hunk #1 succeeded at 2 with fuzz 1."; cp content patched`, "fuzz"],
    ["complains", `${good}; echo odd >&2; cp content patched`, "odd"],
    ["fails", `${good}; exit 1`, "did not end"],
    ["says too much", "yes", "too much"],
    ["is of another kind", "echo 'unrecognized option --context' >&2; exit 2", "unrecognized"],
  ])("%s, and is refused", async (_, script, says) => {
    const folder = temporary();
    expect(await ask(program(script))).toEqual({ refusal: expect.stringContaining(says) });
    expect(readdirSync(folder).filter((name) => name.startsWith("toolgate-patch-"))).toEqual([]);
  });

  test("says its last word after blank lines, and only that is told", async () => {
    expect(await ask(program(`${good}; echo; echo odd; echo; echo end`))).toEqual({ refusal: "odd; end" });
  });

  test("asks for more than it was given, and gets nothing; nobody waits for it afterwards", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await ask(program(`cat; ${good}; cp content patched`))).toEqual({ content: bytes("a\n") });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is missing, and is refused", async () => {
    expect(await ask("/nowhere/patch")).toEqual({ refusal: expect.stringContaining("ENOENT") });
  });

  test("knows nothing of our environment, and its folder is closed to others", async () => {
    vi.stubEnv("SECRET_OF_TESTS", "hunter2");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { refusal } = (await ask(program("env | tr '\\n' ' '; ls -ld . | cut -c1-10"))) as { refusal: string };
    expect(refusal).toContain("LC_ALL=C");
    expect(refusal).toContain("drwx------");
    expect(refusal).not.toContain("hunter2");
  });
});

describe("the program of this machine", needs("patch"), () => {
  test.each([
    ["a change", "a\nb\nc\n", "2c2\n< b\n---\n> X\n", "a\nX\nc\n"],
    ["CRLF", "a\r\nb\r\n", "2c2\n< b\r\n---\n> X\r\n", "a\r\nX\r\n"],
    ["an open end", "a\nb", "2c2\n< b\n\\ No newline at end of file\n---\n> X\n\\ No newline at end of file\n", "a\nX"],
    ["a byte order mark", "\uFEFFa\nb\n", "2c2\n< b\n---\n> X\n", "\uFEFFa\nX\n"],
    ["everything removed", "a\n", "1d0\n< a\n", ""],
  ])("%s, byte for byte", async (_, before, diff, after) => {
    expect(await real!(bytes(before), bytes(diff), "normal")).toEqual({ content: bytes(after) });
  });

  test.each([
    ["other lines", "a\nz\nc\n", "2c2\n< b\n---\n> X\n", "FAILED"],
    ["lines elsewhere", "a\na\nb\nc\n", "2c2\n< b\n---\n> X\n", "offset"],
    ["applied already", "a\nX\nc\n", "2c2\n< b\n---\n> X\n", "FAILED"],
    ["LF for CRLF", "a\r\nb\r\n", "2c2\n< b\n---\n> X\n", "FAILED"],
    ["an end that is open", "a\nb", "2c2\n< b\n---\n> X\n", "FAILED"],
  ])("%s, refused", async (_, before, diff, says) => {
    expect(await real!(bytes(before), bytes(diff), "normal")).toEqual({ refusal: expect.stringContaining(says) });
  });

  test("an ed script is not even read as one", async () => {
    const folder = temporary();
    const canary = path.join(folder, "canary");
    const script = bytes(`1!touch ${canary}\n!touch ${canary}\n1d\nw\nq\n`);
    for (const format of ["context", "normal"] as const)
      expect(await real!(bytes("a\n"), script, format)).toHaveProperty("refusal");
    expect(existsSync(canary)).toBe(false);
    expect(trustedProgram("patch")).toMatch(/^\//);
  });
});
