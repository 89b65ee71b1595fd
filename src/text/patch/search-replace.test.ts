import { describe, expect, test } from "vitest";
import { parsePatch } from "../patch.ts";

const rows = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const aider = ["<<<<<<< SEARCH", "old", "=======", "new", ">>>>>>> REPLACE"];
const plain = { old: "old\n", new: "new\n", wholeLines: true };

/** Path and blocks in short. */
function read(patch: string, path?: string) {
  const parsed = parsePatch(patch, path === undefined ? {} : { path });
  if ("problems" in parsed) return parsed.problems.map(({ line, message }) => `${line}: ${message}`);
  return parsed.operations.map((operation) => [operation.path, ...(operation.edits ?? [])]);
}

describe("the name of the file", () => {
  test.each<[what: string, patch: string, name: string]>([
    ["above the fence", rows("src/a.py", "```python", ...aider, "```"), "src/a.py"],
    ["inside the fence", rows("```python", "src/a.py", ...aider, "```"), "src/a.py"],
    ["without a fence", rows("src/a.py", ...aider), "src/a.py"],
    ["beside the fence", rows("```python src/a.py", ...aider, "```"), "src/a.py"],
    ["as the fence", rows("```src/a.py", ...aider, "```"), "src/a.py"],
    ["bold", rows("**src/a.py**", "```", ...aider, "```"), "src/a.py"],
    ["between backticks", rows("`src/a.py`", "", "```", ...aider, "```"), "src/a.py"],
    ["bold and between backticks", rows("**`src/a.py`**", ...aider), "src/a.py"],
    ["as a heading", rows("### src/a.py", ...aider), "src/a.py"],
    ["with a colon", rows("src/a.py:", ...aider), "src/a.py"],
    ["with a word before it", rows("File: src/a.py", ...aider), "src/a.py"],
    ["in a sentence", rows("Then change src/a.py as follows:", "```", ...aider, "```"), "src/a.py"],
    ["marked in a sentence", rows("See b.py; in `src/a.py` this changes:", ...aider), "src/a.py"],
    ["without an ending", rows("Makefile", ...aider), "Makefile"],
    ["with a blank in it", rows("`my notes.txt`", ...aider), "my notes.txt"],
    ["with ./ before it", rows("./src/a.py", ...aider), "src/a.py"],
  ])("%s", (_, patch, name) => {
    expect(read(patch)).toEqual([[name, plain]]);
  });

  test("of the call counts for a single file", () => {
    expect(read(rows(...aider), "f")).toEqual([["f", plain]]);
    expect(read(rows("Here it is:", ...aider), "f")).toEqual([["f", plain]]);
    expect(read(rows("other.py", ...aider), "f")).toEqual([["f", plain]]);
  });

  test("counts for the blocks that follow, until there is another", () => {
    const patch = rows(
      "a.py",
      ...aider,
      "",
      "and",
      ...aider,
      "...",
      ...aider,
      "etc.",
      ...aider,
      "b.py",
      ...aider,
      "a.py",
      ...aider,
    );
    expect(read(patch)).toEqual([
      ["a.py", plain, plain, plain, plain],
      ["b.py", plain],
      ["a.py", plain],
    ]);
  });

  test("is missing", () => {
    expect(read(rows(...aider))).toEqual(["1: no file is named: its name belongs on the line above the block"]);
  });
});

describe("a block", () => {
  const block = (...lines: string[]) => read(rows("f", ...lines));
  test.each<[what: string, lines: string[], old: string, wanted: string, line?: number]>([
    ["by its plain marks", aider, "old\n", "new\n"],
    ["with an arrow too many", ["<<<<<<< SEARCH>>", "a", "=======", "b", ">>>>>>> REPLACE"], "a\n", "b\n"],
    ["with shorter marks", ["<<<<< SEARCH", "a", "=====", "b", ">>>>> REPLACE"], "a\n", "b\n"],
    ["with older words", ["<<<<<<< ORIGINAL", "a", "=======", "b", ">>>>>>> UPDATED"], "a\n", "b\n"],
    ["with dashes and pluses", ["------- SEARCH", "a", "=======", "b", "+++++++ REPLACE"], "a\n", "b\n"],
    ["with blanks after the marks", ["<<<<<<< SEARCH ", "a", "======= ", "b", ">>>>>>> REPLACE  "], "a\n", "b\n"],
    ["that removes", ["<<<<<<< SEARCH", "a", "=======", ">>>>>>> REPLACE"], "a\n", ""],
    ["for a new file", ["<<<<<<< SEARCH", "=======", "a", ">>>>>>> REPLACE"], "", "a\n"],
    [
      "with a line",
      ["<<<<<<< SEARCH", ":start_line:12", "-------", "a", "=======", "b", ">>>>>>> REPLACE"],
      "a\n",
      "b\n",
      12,
    ],
    [
      "with two lines",
      ["<<<<<<< SEARCH", ":start_line: 12", ":end_line: 13", "-------", "a", "=======", "b", ">>>>>>> REPLACE"],
      "a\n",
      "b\n",
      12,
    ],
    [
      "with a line and no rule",
      ["<<<<<<< SEARCH", ":start_line:3", "a", "=======", "b", ">>>>>>> REPLACE"],
      "a\n",
      "b\n",
      3,
    ],
    ["with a rule that is text", ["<<<<<<< SEARCH", "-------", "=======", "b", ">>>>>>> REPLACE"], "-------\n", "b\n"],
    [
      "with a heading of equals signs",
      ["<<<<<<< SEARCH", "Title", "=====", "=======", "Name", "====", ">>>>>>> REPLACE"],
      "Title\n=====\n",
      "Name\n====\n",
    ],
    [
      "with marks that are text",
      [
        "<<<<<<< SEARCH",
        "\\<<<<<<< HEAD",
        "\\=======",
        "=======",
        "\\>>>>>>> main",
        "\\:start_line:1",
        ">>>>>>> REPLACE",
      ],
      "<<<<<<< HEAD\n=======\n",
      ">>>>>>> main\n:start_line:1\n",
    ],
    [
      "with backslashes that are text",
      ["<<<<<<< SEARCH", "\\d", "=======", "\\\\n", ">>>>>>> REPLACE"],
      "\\d\n",
      "\\\\n\n",
    ],
  ])("%s", (_, lines, old, wanted, line) => {
    expect(block(...lines)).toEqual([["f", { old, new: wanted, wholeLines: true, ...(line && { line }) }]]);
  });

  test.each<[what: string, lines: string[], says: string]>([
    ["without an end", aider.slice(0, 4), "2: the block has no end: the patch may have been cut off"],
    ["without a divider", ["<<<<<<< SEARCH", "a", ">>>>>>> REPLACE"], '2: the block has no "======="'],
    ["with two dividers", ["<<<<<<< SEARCH", "=======", "=======", ">>>>>>> REPLACE"], "2: the block has several"],
    ["in a block", ["<<<<<<< SEARCH", "a", "=======", ...aider], "5: a block begins before the one of line 2"],
    ["with its line in the wrong place", ["<<<<<<< SEARCH", "a", "=======", ":start_line:1", ">>>>>>> REPLACE"], "5: "],
    ["with marks outside of it", [...aider, "======="], '7: "=======" is outside'],
  ])("%s cannot be read", (_, lines, says) => {
    expect(block(...lines)[0]).toMatch(new RegExp(`^${says.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`));
  });

  test("with CRLF is read like another", () => {
    expect(read(rows("f", ...aider).replaceAll("\n", "\r\n"))).toEqual([["f", plain]]);
  });
});

test("marks in another format are its text", () => {
  const added = rows("*** Begin Patch", "*** Add File: f", ...aider.map((line) => `+${line}`), "*** End Patch");
  expect(read(added)).toEqual([["f"]]);
  const diff = rows("--- a/f", "+++ b/f", "@@ -1 +1,5 @@", ...aider.map((line) => `+${line}`), "-x");
  expect(read(diff)).toEqual([["f"]]);
});

test("long lines above a block take no time", () => {
  for (const line of ["w.o-r/d@".repeat(50_000), `${"w.o-r/d@".repeat(50_000)} x`, "`a.b` ".repeat(50_000)])
    expect(read(rows(line, ...aider), "f")).toEqual([["f", plain]]);
});
