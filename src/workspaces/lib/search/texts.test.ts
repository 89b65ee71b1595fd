import { getEventListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { failure } from "../../../../test/contracts/disk.ts";
import type { TextQuery } from "../../../core/contracts/search.ts";
import type { Bytes, FileInfo, Files } from "../../../core/contracts/workspace.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Place } from "../../../core/words/touch.ts";
import type { Task } from "./task.ts";
import { searchText } from "./texts.ts";

const HELD = 4 << 20;
const BEGINNING = 64 * 1024;

/** A file as it is told: whole, in pieces (then it counts as a large one), or by what goes wrong with it. */
type Told = string | Uint8Array | (string | Uint8Array | Error)[] | Error | FileInfo["kind"] | undefined;
const KINDS = ["folder", "link", "other"];

function stage(files: Record<string, Told>, query: Partial<TextQuery> = {}, size = HELD + 1) {
  const uses: string[] = [];
  const told = (place: Place) => files[place.shown];
  const controller = new AbortController();
  const task = {
    query: { pattern: "needle", ...query },
    report: { engine: "", tookAsText: false, excluded: 0, unreadable: 0 },
    signal: controller.signal,
    files: {
      async stat(place) {
        const file = told(place);
        if (file === undefined) return undefined;
        const kind = KINDS.includes(file as string) ? (file as FileInfo["kind"]) : "file";
        const length = Array.isArray(file) ? size : (file as string).length;
        return { kind, mode: 0o644, stamp: { size: length, mtimeMs: 0, ctimeMs: 0, ino: 1 } };
      },
      async read(place) {
        uses.push(`read ${place.shown}`);
        const file = told(place);
        if (file instanceof Error) throw file;
        const content = Array.isArray(file) ? file.join("") : (file as string);
        return { bytes: Buffer.from(content as string), mode: 0o644, stamp: {} as never };
      },
      async *chunks(place) {
        uses.push(`chunks ${place.shown}`);
        for (const piece of told(place) as (string | Error)[]) {
          if (piece instanceof Error) throw piece;
          yield Buffer.from(piece);
        }
      },
    } satisfies Pick<Files, "stat" | "read" | "chunks">,
  } as unknown as Task<TextQuery>;
  async function* places(): AsyncGenerator<Place> {
    for (const shown of Object.keys(files)) yield { shown, real: `/${shown}`, root: "/", exists: true };
  }
  const run = async (deadline = 20_000) => {
    const found: string[] = [];
    for await (const { path, line, text, hit } of searchText(task, places(), deadline))
      found.push(`${path}:${line}${hit ? "!" : " "}${text.slice(0, 40)}`);
    return found;
  };
  return { run, uses, task, controller, report: task.report };
}
const found = (files: Record<string, Told>, query?: Partial<TextQuery>) => stage(files, query).run();
const wide = (text: string, big = false): Bytes => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return big ? bytes.swap16() : bytes;
};

describe("texts that are held as a whole", () => {
  test.each<[what: string, file: Told, lines: string[]]>([
    ["a line", "hay\nneedle\n", ["f:2!needle"]],
    ["nothing", "hay", []],
    ["an empty file", "", []],
    ["a NUL at once", "needle\0", []],
    ["a NUL at the end of the beginning", `needle\n${"x".repeat(BEGINNING - 8)}\0`, []],
    ["a NUL just behind it", `needle\n${"x".repeat(BEGINNING - 7)}\0needle`, ["f:1!needle"]],
    ["a NUL ends the search", `needle\n${"x\n".repeat(BEGINNING)}\0\nneedle\n`, ["f:1!needle"]],
    ["wide characters", wide("hay\nneedle"), ["f:2!needle"]],
    ["wide characters, the other way round", wide("hay\nneedle", true), ["f:2!needle"]],
    ["a folder", "folder", []],
    ["a link", "link", []],
    ["a pipe", "other", []],
    ["what has vanished", undefined, []],
  ])("%s", async (_, file, lines) => expect(await found({ f: file })).toEqual(lines));

  test("text itself is found as well, wide or not, and neighbours come along", async () => {
    const files = { a: "x\nneedle\ny\n", b: wide("needle"), c: "hay" };
    expect(await found(files, { literal: true })).toEqual(["a:2!needle", "b:1!needle"]);
    expect(await found(files, { context: 1 })).toEqual(["a:1 x", "a:2!needle", "a:3 y", "b:1!needle"]);
  });

  test("very many are found each once, in their order", async () => {
    const names = Array.from({ length: 300 }, (_, n) => `f${n}`);
    for (const pattern of ["needle", "ne+dle"])
      expect(await found(Object.fromEntries(names.map((name) => [name, "needle"])), { pattern })).toEqual(
        names.map((name) => `${name}:1!needle`),
      );
  });

  test("what may not be read is counted, what vanished is not, and all else goes on", async () => {
    const denied = new ToolFailure("PERMISSION_DENIED", "no", "no");
    const gone = new ToolFailure("NOT_FOUND", "gone", "gone");
    const { run, report } = stage({ a: denied, b: gone, c: "needle" });
    expect([await run(), report.unreadable]).toEqual([["c:1!needle"], 1]);
    await expect(stage({ a: new Error("broken") }).run()).rejects.toThrow("broken");
  });

  test("a pattern that is none is told to be taken as text", async () => {
    const { run, report } = stage({ a: "a(b" }, { pattern: "a(" });
    expect([await run(), report.tookAsText]).toEqual([["a:1!a(b"], true]);
  });
});

describe("large texts", () => {
  const MEGABYTE = 1 << 20;
  const filler = (length: number) => `${"x".repeat(length - 1)}\n`;

  test.each([
    [HELD, "read f"],
    [HELD + 1, "chunks f"],
  ])("one of %i bytes is taken by %s", async (size, use) => {
    const { run, uses } = stage({ f: ["needle\n"] }, {}, size);
    expect([await run(), uses]).toEqual([["f:1!needle"], [use]]);
  });

  test.each<[what: string, pieces: (string | Uint8Array)[], lines: string[]]>([
    ["a line over two pieces", ["hay\nnee", "dle\n"], ["f:2!needle"]],
    ["a last line without an end", [filler(MEGABYTE), "needle"], ["f:2!needle"]],
    ["many pieces", [filler(MEGABYTE), `${filler(MEGABYTE)}nee`, "dle\nneedle\n"], ["f:3!needle", "f:4!needle"]],
    ["characters over two pieces", [Buffer.from([0xc3]), Buffer.from([0xa9, 0x6e]), "eedle"], ["f:1!éneedle"]],
    ["a NUL at once", ["needle\0", "needle"], []],
    ["a NUL at the end of the beginning", [`needle\n${"x".repeat(BEGINNING - 8)}\0`], []],
    ["a NUL just behind it", [`needle\n${"x".repeat(BEGINNING - 7)}\0needle`, "needle"], ["f:1!needle"]],
    ["a NUL in a later piece", ["needle\n", "needle\n\0needle\n", "needle\n"], ["f:1!needle", "f:2!needle"]],
    ["wide characters", [wide("hay\nnee"), Buffer.from("dle\n", "utf16le")], ["f:2!needle"]],
    ["wide the other way", [wide("hay\nnee", true), Buffer.from("dle", "utf16le").swap16()], ["f:2!needle"]],
  ])("%s", async (_, pieces, lines) => expect(await found({ f: pieces })).toEqual(lines));

  test("of a line that is longer than can be held only the beginning is searched", async () => {
    const most = Array.from({ length: 4 }, () => "y".repeat(8 * MEGABYTE));
    const cut = await found({ f: ["needle", ...most, "needle", "more\nneedle\n"] });
    expect(cut.map((line) => line.slice(0, 10))).toEqual(["f:1!needle", "f:2!needle"]);
    expect(await found({ f: [...most, "needle\n"] }), "that is still held").toHaveLength(1);
    expect(await found({ f: [...most, "y", "needle\n"] })).toEqual([]);
  });

  test("many long lines are each a line", async () => {
    const lines = Array.from({ length: 5 }, () => filler(8 * MEGABYTE));
    expect(await found({ f: [...lines, "needle\n"] })).toEqual(["f:6!needle"]);
  });

  test("neighbours come along over pieces", async () => {
    const pieces = [`${filler(MEGABYTE)}`, "needle\nafter\n"];
    expect(await found({ f: pieces }, { context: 1 })).toEqual([`f:1 ${"x".repeat(40)}`, "f:2!needle", "f:3 after"]);
  });

  test("come in their turn, after what was waiting, and nothing comes twice", async () => {
    const files = { a: "needle", b: "needle", c: ["needle\n"], d: "needle", e: "needle", f: "needle" };
    expect(await found(files)).toEqual(["a", "b", "c", "d", "e", "f"].map((name) => `${name}:1!needle`));
  });

  test("one that cannot be read to its end is counted, and the search goes on", async () => {
    const denied = new ToolFailure("PERMISSION_DENIED", "no", "no");
    const { run, report } = stage({ a: ["needle\n", denied], b: "needle" });
    expect([await run(), report.unreadable]).toEqual([["b:1!needle"], 1]);
    await expect(stage({ a: ["needle\n", new Error("broken")] }).run()).rejects.toThrow("broken");
  });

  test("one that takes too long is told", async () => {
    const endless = stage({ a: [`${"a".repeat(60)}!\n`] }, { pattern: "(a+)+$" });
    const several = stage({ a: "b", b: "b", c: `${"a".repeat(60)}!` }, { pattern: "(a+)+$" });
    await expect(several.run(300)).rejects.toThrow("on files from b to c within");
    const single = stage({ a: `${"a".repeat(60)}!` }, { pattern: "(a+)+$" });
    await expect(single.run(300)).rejects.toThrow("on a within");
    await expect(endless.run(300)).rejects.toMatchObject({
      ...failure("TIMEOUT"),
      message: expect.stringContaining(" a "),
    });
  });
});

test("nothing goes on when a search is over, or is left", async () => {
  const ended = vi.spyOn(Worker.prototype, "terminate");
  onTestFinished(() => ended.mockRestore());
  await stage({ a: "needle" }, { pattern: "ne+dle" }).run();
  expect(ended).toHaveBeenCalledOnce();
});

describe("an end from outside", () => {
  test("is heard before anything is matched, and nobody listens afterwards", async () => {
    for (const file of ["needle", ["needle\n"]]) {
      const { run, controller } = stage({ f: file });
      controller.abort();
      await expect(run()).rejects.toMatchObject(failure("CANCELLED"));
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    }
  });

  test("whatever goes wrong then is the end, and not what went wrong", async () => {
    const { run, controller, task } = stage({ f: "needle" });
    task.files.read = async () => {
      controller.abort();
      throw new Error("broken");
    };
    await expect(run()).rejects.toMatchObject(failure("CANCELLED"));
  });
});
