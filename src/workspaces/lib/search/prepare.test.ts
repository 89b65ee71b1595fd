import { describe, expect, test } from "vitest";
import { failure } from "../../../../test/contracts/disk.ts";
import type { FileQuery, TextQuery } from "../../../core/contracts/search.ts";
import type { FileInfo, Files } from "../../../core/contracts/workspace.ts";
import { isShown, prepare } from "./prepare.ts";

const report = () => ({ engine: "", tookAsText: false, excluded: 0, unreadable: 0 });

/** What is made of a query about a place, of which this is told. */
function prepared(
  query: FileQuery | TextQuery,
  { real = "/ws", kind = "folder", root = "/ws", shown = ".", signal }: Partial<Given> = {},
) {
  const looks: string[] = [];
  const stat = async () => {
    looks.push(real);
    return kind === "none" ? undefined : ({ kind, mode: 0, stamp: {} } as FileInfo);
  };
  const place = { real, shown, root, exists: true };
  return { task: prepare({ stat } as unknown as Files, place, query, report(), signal), looks };
}
type Given = { real: string; kind: FileInfo["kind"] | "none"; root: string; shown: string; signal: AbortSignal };

describe("patterns", () => {
  const LONGEST = 32 * 1024;
  test.each<[query: TextQuery, refused: string | undefined]>([
    [{ pattern: "a" }, undefined],
    [{ pattern: "x".repeat(LONGEST) }, undefined],
    [{ pattern: "x".repeat(LONGEST + 1) }, "is longer than 32768 characters"],
    [{ pattern: "x".repeat(LONGEST + 1), multiline: true }, "is longer than 32768 characters"],
    [{ pattern: `${"x".repeat(LONGEST - 1)}\n` }, "contains a line break"],
    [{ pattern: "a\0b" }, "contains a line break"],
    [{ pattern: "a\0b", multiline: true, literal: true }, "contains a line break"],
    [{ pattern: "a\nb" }, "contains a line break"],
    [{ pattern: "a\nb", literal: true }, "contains a line break"],
    [{ pattern: "a\nb", multiline: true }, undefined],
    [{ pattern: "a\\nb" }, "contains a line break"],
    [{ pattern: "a\\nb", multiline: true }, undefined],
    [{ pattern: "a\\nb", literal: true }, undefined],
    [{ pattern: "a\\\\nb" }, undefined],
    [{ pattern: "[^\\n]b" }, undefined],
    [{ pattern: "[]\\n]b" }, undefined],
    [{ pattern: "(a\\n" }, undefined],
  ])("%j: %s", async (query, refused) => {
    const { task, looks } = prepared(query);
    if (refused === undefined) expect(await task).toMatchObject({ query, only: undefined });
    else {
      await expect(task).rejects.toMatchObject({
        ...failure("VALIDATION_ERROR"),
        message: expect.stringContaining(refused),
      });
      expect(looks).toEqual([]);
    }
  });
});

describe("places", () => {
  test.each<[given: Partial<Given>, folder: { real: string; shown: string }, only: string | undefined]>([
    [{ real: "/ws/d", shown: "d" }, { real: "/ws/d", shown: "d" }, undefined],
    [{ real: "/ws/f", shown: "f", kind: "file" }, { real: "/ws", shown: "." }, "f"],
    [{ real: "/ws/d/f", shown: "d/f", kind: "file" }, { real: "/ws/d", shown: "d" }, "f"],
    [{ real: "/ws/d/l", shown: "d/l", kind: "link" }, { real: "/ws/d", shown: "d" }, "l"],
    [{ real: "/f", shown: "/f", root: "/", kind: "file" }, { real: "/", shown: "/" }, "f"],
    [{ real: "/ws/.gitx/f", shown: ".gitx/f", kind: "file" }, { real: "/ws/.gitx", shown: ".gitx" }, "f"],
    [{ real: "/x/.git/ws", root: "/x/.git/ws" }, { real: "/x/.git/ws", shown: "." }, undefined],
  ])("%j", async (given, folder, only) => {
    expect(await prepared({}, given).task).toMatchObject({ folder, only });
  });

  test.each<[given: Partial<Given>, code: string, message: string]>([
    [{ kind: "none", shown: "missing" }, "NOT_FOUND", "missing"],
    [{ kind: "other", shown: "pipe" }, "VALIDATION_ERROR", "not a regular file"],
    [{ real: "/ws/.git", shown: ".git" }, "VALIDATION_ERROR", ".git is never searched"],
    [{ real: "/ws/d/.git/x", shown: "d/.git/x", kind: "file" }, "VALIDATION_ERROR", "never searched: .git does"],
    [{ real: "/ws/.toolgate/x", shown: ".toolgate/x" }, "VALIDATION_ERROR", "never searched: .toolgate does"],
  ])("%j is refused", async (given, code, message) => {
    const { task } = prepared({}, given);
    await expect(task).rejects.toMatchObject({ ...failure(code), message: expect.stringContaining(message) });
  });

  test("nothing is looked at for a search that is over", async () => {
    const { task, looks } = prepared({ pattern: "\0" }, { signal: AbortSignal.abort() });
    await expect(task).rejects.toMatchObject(failure("CANCELLED"));
    expect(looks).toEqual([]);
  });
});

test.each<[query: FileQuery, below: string, shown: boolean, excluded: number]>([
  [{}, "a", true, 0],
  [{ globs: ["*.ts"] }, "a", false, 0],
  [{ globs: ["*.ts"] }, "a.ts", true, 0],
  [{ exclude: ["a"] }, "a", false, 1],
  [{ globs: ["*.ts"], exclude: ["a"] }, "a", false, 0],
])("of a file by itself, %j shows %s: %s", async (query, below, shown, excluded) => {
  const task = await prepared(query).task;
  expect([isShown(task, below), task.report.excluded]).toEqual([shown, excluded]);
});
