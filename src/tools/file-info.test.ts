import { chmodSync, utimesSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { fileInfo } from "./file-info.ts";
import { isoTime } from "./lib/iso-time.ts";

const gate = async (files: Record<string, string | Uint8Array>) => {
  const made = await bench(files, { store: "memory", tools: [fileInfo] });
  for (const name of Object.keys(files)) {
    chmodSync(path.join(made.dir, name), 0o640);
    utimesSync(path.join(made.dir, name), 86_400, 86_400);
  }
  return made;
};
const rest = "mode 640, modified 1970-01-02T00:00:00Z";

const rows: [what: string, content: string | Uint8Array, output: string][] = [
  ["text", "one\ntwo\nthree", `f: file, 13 bytes, utf-8 text, 3 lines, ${rest}`],
  ["nothing", "", `f: file, 0 bytes, utf-8 text, 0 lines, ${rest}`],
  ["Latin-1", Buffer.from("caf\xe9\n", "latin1"), `f: file, 5 bytes, latin1 text, 1 line, ${rest}`],
  ["UTF-16", Buffer.from("\uFEFFa\nb\n", "utf16le"), `f: file, 10 bytes, utf-16le text, 2 lines, ${rest}`],
  ["binary", Buffer.from([0, 1, 2, 3, 255]), `f: file, 5 bytes, binary, ${rest}`],
  ["too large to read", "x\n".repeat(3 << 20), `f: file, ${6 << 20} bytes, ${rest}`],
];
test.each(rows)("%s", async (_, content, output) => {
  const { call } = await gate({ f: content });
  expect((await call("file_info", { path: "f" })).output).toBe(output);
});

test("a folder; other names", async () => {
  const { call } = await gate({ "d/a": "", "d/b": "" });
  const { output, metadata } = await call("get_file_info", { file_path: "d" });
  expect(output).toMatch(/^d: folder, 2 entries, mode \d{3}, modified \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(metadata).toMatchObject({ kind: "folder", entries: 2 });
  expect((await call("stat", { path: "d/a" })).metadata).toMatchObject({ kind: "file", size: 0, lines: 0 });
});

describe("refused", () => {
  test("a missing path, with near names", async () => {
    const { call } = await gate({ "config.yaml": "" });
    const { status, error } = await call("file_info", { path: "confg.yaml" });
    expect([status, error?.code]).toEqual(["failed", "NOT_FOUND"]);
    expect(error?.hint).toContain("config.yaml");
  });
  test("a path outside", async () => {
    const { call } = await gate({});
    expect((await call("file_info", { path: "/etc/passwd" })).status).toBe("refused");
  });
});

test("times are written as the machine would write them", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(-6e13), max: new Date(2e14), noInvalidDate: true }), (date) => {
      expect(isoTime(date.getTime())).toBe(
        date
          .toISOString()
          .replace(/\.\d+Z$/, "Z")
          .replace(/^\+00/, ""),
      );
    }),
  );
});
