import { describe, expect, test } from "vitest";
import { fresh, hunk, lines, old, ours, type Row, refused, stars, taken } from "../cases/patch-foreign.ts";
import { disagreeing } from "../cases/patch-foreign-sides.ts";
import { parsePatch } from "../patch.ts";
import { foreignText } from "./foreign-diff.ts";

const parsed = ({ patch, path }: Row) => parsePatch(patch, path === undefined ? {} : { path });

describe("context and normal diffs", () => {
  test.each(taken)("$name is taken", (row) => {
    const read = parsed(row);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(read.operations.map(({ path }) => path)).toEqual(row.files ?? ["f.txt"]);
    expect(read.operations.every(({ kind, foreign }) => kind === "update" && foreign?.format === row.format)).toBe(
      true,
    );
    expect(
      read.operations.flatMap(({ hunks }) => hunks.flatMap((each) => each.lines.map(({ mark }) => mark))).join(""),
    ).toBe(row.marks);
  });

  test.each([...refused, ...disagreeing])("$name is refused", (row) => {
    const read = parsed(row);
    if (!("problems" in read)) throw new Error(JSON.stringify(read.operations));
    expect(read.problems[0]?.message).toContain(row.says);
    if (row.line !== undefined) expect(read.problems[0]?.line).toBe(row.line);
  });

  test.each(ours)("$name stays ours", (row) => {
    const read = parsed(row);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    expect(read.operations[0]).not.toHaveProperty("foreign");
  });
});

test.each([
  [
    "context",
    lines("*** f.txt", "--- f.txt", stars, "*** 1,2 ****", "  a", "! b", "--- 1,2 ----", "  a", "! X"),
    false,
  ],
  [
    "context, open at its end",
    `${lines("*** f.txt", "--- f.txt", stars, "*** 1,2 ****", "  a", "! b", "--- 1,2 ----", "  a", "! X")}\\ No newline\n`,
    true,
  ],
  ["normal", lines("2c2", "< b", "---", "> X"), false],
  ["normal, open at its end", lines("2c2", "< b", "---", "> X", "\\ No newline at end of file"), true],
])("whether the file ends with a hunk is known: %s", (_, patch, atEnd) => {
  const read = parsePatch(patch, { path: "f.txt" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  expect(read.operations[0]?.hunks.map((each) => each.atEnd)).toEqual([atEnd]);
});

describe("what patch is given", () => {
  const given = (patch: string, ending: "\n" | "\r\n") => {
    const read = parsePatch(patch, { path: "f.txt" });
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    return foreignText(read.operations[0]!.foreign!, ending);
  };

  test("no names and nothing that stood around it", () => {
    const text = given(
      lines("```", "Index: ../../x", "*** /etc/x", "--- /etc/x", `${stars} f()`, ...old, ...fresh, "```"),
      "\n",
    );
    expect(text).toBe(lines("*** content", "--- content", ...hunk));
  });

  test("lines that end as those of the file, but for an open one", () => {
    const patch = lines("2c2", "< b", "\\ No newline at end of file", "---", "> X");
    expect(given(patch, "\r\n")).toBe("2c2\n< b\n\\ No newline at end of file\n---\n> X\r\n");
  });

  test("its own endings, where it has any", () => {
    const patch = "2c2\n< b\r\n---\n> X\n";
    expect(given(patch, "\r\n")).toBe(patch);
  });
});
