import { describe, expect, test } from "vitest";
import type { Reading } from "../core/words/tool.ts";
import { bare, readInto, readingsBy, refusedUnknown } from "./argument-readings.ts";
import type { PlainObject } from "./json-schema.ts";

describe("an unknown argument that would have made the call do less", () => {
  test.each([
    ...["dry_run", "dryRun", "DRY-RUN", "preview", "preview_only", "check_only", "simulate", "noop"],
    ...["exclude", "excludePattern", "ignore", "ignore_case_of", "skip", "omit_x", "except", "filter", "filters"],
    ...["only", "only_files", "files_only", "path_filter", "depth", "max_depth", "maxDepth", "head", "tail"],
    ...["start_line", "end_line", "first_line", "last_line", "from_line", "to_line", "startLineNumber", "line_range"],
    ...["range", "page", "pages", "max_count", "limit", "until", "since", "before", "after", "line", "lines"],
    ...["line_number", "line_numbers", "append", "append_text", "prepend", "insert", "insert_line"],
  ])("%s is refused", (key) => {
    for (const value of [true, 1, 0, "x", ["a"], {}, { length: 0 }])
      expect(refusedUnknown(key, value)).toMatchObject({
        path: key,
        expected: "nothing",
        refused: "it is not known here, and without it the call would do more than you asked for",
      });
    for (const value of [null, undefined, false, "", []])
      expect(refusedUnknown(key, value), `${JSON.stringify(value)} asks for nothing`).toBeUndefined();
  });

  test.each([
    ...["path", "description", "reason", "content", "headers", "linear", "deep", "depths", "pager", "approved"],
    ...["timeout", "untilted", "limits", "online", "beforehand", "reappend"],
  ])("%s is not", (key) => expect(refusedUnknown(key, true)).toBeUndefined());

  test("what came is told", () => expect(refusedUnknown("dry_run", "yes")?.got).toBe('"yes"'));
});

describe("arguments of others that mean something here", () => {
  const reading: Reading = () => ({});
  test("are found by their name, and in another spelling only where that is asked for", () => {
    const find = readingsBy({ start_line: reading });
    expect(find("start_line", false)).toBe(reading);
    expect(find("startLine", false)).toBeUndefined();
    expect(find("startLine", true)).toBe(reading);
    expect(find("START-LINE", true)).toBe(reading);
    expect(find("end_line", true)).toBeUndefined();
    expect(find("constructor", false)).toBeUndefined();
    expect(readingsBy()("start_line", true)).toBeUndefined();
    expect(bare("Start_Line-No")).toBe("startlineno");
  });

  const read = (meant: ReturnType<Reading>, named: PlainObject = {}) => {
    const issues = readInto(named, [["theirs", 7, () => meant]], (name) => ["a", "b"].includes(name));
    return { issues, named };
  };
  test("are put into ours", () => {
    expect(read({ a: 1, b: 2 }, { a: 0 })).toEqual({ issues: [], named: { a: 1, b: 2 } });
    expect(read({ a: undefined }, { a: 0 })).toEqual({ issues: [], named: { a: 0 } });
    expect(read({})).toEqual({ issues: [], named: {} });
  });

  test("are refused in words, or where the tool does not take what they mean", () => {
    expect(read("it cannot be done")).toEqual({
      issues: [{ path: "theirs", expected: "nothing", got: "7", refused: "it cannot be done" }],
      named: {},
    });
    const unknown = read({ a: 1, c: 2 });
    expect(unknown.named, "nothing of it is taken").toEqual({});
    expect(unknown.issues).toMatchObject([{ path: "theirs", refused: expect.stringContaining("not known here") }]);
  });

  test("see what came before them", () => {
    const named: PlainObject = { a: 2 };
    readInto(named, [["x", 3, (value, before) => ({ b: Number(value) * Number(before.a) })]], () => true);
    expect(named).toEqual({ a: 2, b: 6 });
  });
});
