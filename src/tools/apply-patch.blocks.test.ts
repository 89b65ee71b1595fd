import { chmodSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";

const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join("");
const block = (old: string[], wanted: string[], ...place: string[]): string =>
  lines("<<<<<<< SEARCH", ...place, ...old, "=======", ...wanted, ">>>>>>> REPLACE");
const begin = (...rows: string[]): string => lines("*** Begin Patch", ...rows, "*** End Patch");
const move = (from: string, to: string, ...rows: string[]) => [
  `*** Update File: ${from}`,
  `*** Move to: ${to}`,
  ...rows,
];

const patching = (files: Record<string, string | Uint8Array>) =>
  bench(files, { config: { workspace: { allow_delete: true } }, store: "memory" });

describe("SEARCH/REPLACE blocks", () => {
  test.each<[what: string, before: string, patch: string, after: string]>([
    ["one", "a\nb\n", block(["b"], ["x", "y"]), "a\nx\ny\n"],
    ["two", "a\nb\nc\n", block(["a"], ["x"]) + block(["c"], ["z"]), "x\nb\nz\n"],
    ["one that removes", "a\nb\nc\n", block(["b"], []), "a\nc\n"],
    ["whole lines alone", "ab\nb\nbc\n", block(["b"], ["x"]), "ab\nx\nbc\n"],
    ["the last line without an end", "a\nb", block(["b"], ["x"]), "a\nx"],
    ["CRLF", "a\r\nb\r\n", block(["b"], ["x", "y"]), "a\r\nx\r\ny\r\n"],
    ["a mark", "\uFEFFa\nb\n", block(["a"], ["x"]), "\uFEFFx\nb\n"],
    ["other indents", "{\n\ta\n\tb\n}\n", block(["  a", "  b"], ["  a", "  c"]), "{\n\ta\n\tc\n}\n"],
    ["other quotes", "say “a”\n", block(['say "a"'], ["x"]), "x\n"],
    ["line numbers", "a\nb\n", block(["2 | b"], ["2 | x"]), "a\nx\n"],
    ["a line that chooses", "a\n-\n-\na\n", block(["a"], ["x"], ":start_line:4", "-------"), "a\n-\n-\nx\n"],
    [
      "a line that is a little off",
      "a\n-\n-\n-\na\n",
      block(["a"], ["x"], ":start_line:2", "-------"),
      "x\n-\n-\n-\na\n",
    ],
    ["a line that is wrong", "a\nb\n", block(["b"], ["x"], ":start_line:900", "-------"), "a\nx\n"],
    ["dashes and pluses", "a\nb\n", lines("------- SEARCH", "b", "=======", "x", "+++++++ REPLACE"), "a\nx\n"],
    ["an empty file", "", block([], ["x"]), "x\n"],
  ])("%s", async (_, before, patch, after) => {
    const { call, text } = await patching({ "f.txt": before });
    const result = await call("apply_patch", { patch: `f.txt\n${patch}` });
    expect(result.error).toBeUndefined();
    expect(text("f.txt")).toBe(after);
  });

  test.each<[what: string, patch: string, says: RegExp]>([
    ["two places", block(["a"], ["x"]), /the SEARCH text fits 2 places in f\.txt: at lines 1, 4/],
    ["a line far from both", block(["a"], ["x"], ":start_line:30", "-------"), /fits 2 places/],
    ["a part of a line", block(["wor"], ["x"]), /was not found in f\.txt/],
    ["another word", block(["worlds"], ["x"]), /was not found in f\.txt/],
    ["the second of two", block(["word"], ["x"]) + block(["none"], ["y"]), /^Block 2 of 2 for f\.txt: /],
    ["an empty text", block([], ["x"]), /is empty, and the file is not/],
    ["nothing that changes", block(["word"], ["word"]), /the same/],
    ["lines left out", block(["word"], ["x", "// ... rest of the code ..."]), /left out/],
    ["no end", lines("<<<<<<< SEARCH", "a", "=======", "b"), /cut off/],
  ])("change nothing where one does not fit: %s", async (_, patch, says) => {
    const before = { "f.txt": "a\nword\nb\na\n", "g.txt": "g\n" };
    const { call, text } = await patching(before);
    const result = await call("apply_patch", { patch: `g.txt\n${block(["g"], ["G"])}\nf.txt\n${patch}` });
    expect(result.status).toBe("failed");
    expect(result.error?.message).toMatch(says);
    expect(result.error?.hint).not.toMatch(/replace_all|line\)/);
    expect([text("f.txt"), text("g.txt")]).toEqual(Object.values(before));
  });

  test("of several files, with a new one, in a text around them", async () => {
    const { call, text } = await patching({ "a.py": "one\ntwo\n", "b.py": "three\n" });
    const patch = lines(
      "I will change two files and add one.",
      "",
      "a.py",
      "```python",
      ...block(["one"], ["1"]).trimEnd().split("\n"),
      "```",
      "",
      "**b.py**",
      "```python",
      ...block(["three"], ["3"]).trimEnd().split("\n"),
      "```",
      "new/c.py",
      "```python",
      ...block([], ["four"]).trimEnd().split("\n"),
      "```",
    );
    const result = await call("apply_patch", { patch });
    expect(result.error).toBeUndefined();
    expect(["a.py", "b.py", "new/c.py"].map(text)).toEqual(["1\ntwo\n", "3\n", "four\n"]);
    expect(result.metadata.files).toMatchObject([
      { letter: "M", path: "a.py" },
      { letter: "M", path: "b.py" },
      { letter: "A", path: "new/c.py" },
    ]);
  });

  test("declare the files that they name, and no others", async () => {
    const { gate } = await patching({ "a.py": "one\n" });
    const { touches } = await gate.explain({
      name: "apply_patch",
      args: { patch: `a.py\n${block(["one"], ["1"])}` },
    });
    expect(JSON.stringify(touches)).toContain("a.py");
    const outside = await gate.explain({ name: "apply_patch", args: { patch: `../x.py\n${block(["one"], ["1"])}` } });
    expect(outside.verdict).toBe("deny");
  });
});

test("lines that name no place are added at the end, and that is told", async () => {
  const { call, text } = await patching({ f: "a\nb\n" });
  const { output } = await call("apply_patch", { patch: begin("*** Update File: f", "@@", "+c", "+d") });
  expect(text("f")).toBe("a\nb\nc\nd\n");
  expect(output).toContain("M f (+2 -0): hunk 1 names no place, so its lines were added at the end");
});

test("a difference that was forgiven is told", async () => {
  const { call, text } = await patching({ f: "say “a”\nb\n" });
  const { output } = await call("apply_patch", { patch: begin("*** Update File: f", "@@", ' say "a"', "-b", "+c") });
  expect(text("f")).toBe("say “a”\nc\n");
  expect(output).toContain("the file differed from the patch in typographic punctuation");
});

test.each([
  begin("*** Update File: f", "@@", "-b", "+// ... existing code ..."),
  begin("*** Add File: g", "+a", "+# ..."),
  lines("--- a/f", "+++ b/f", "@@ -1,2 +1,2 @@", " a", "-b", "+/* ... */"),
])("lines left out are refused: %j", async (patch) => {
  const { call, text } = await patching({ f: "a\nb\n" });
  expect((await call("apply_patch", { patch })).error?.message).toContain("left out");
  expect([text("f"), text("g")]).toEqual(["a\nb\n", undefined]);
});

describe("files that change their names with each other", () => {
  const git = (from: string, to: string) =>
    lines(`diff --git a/${from} b/${to}`, "similarity index 100%", `rename from ${from}`, `rename to ${to}`);
  test.each<[what: string, patch: string, after: Record<string, string>]>([
    ["two", begin(...move("a", "b"), ...move("b", "a")), { a: "B\n", b: "A\n", c: "C\n" }],
    ["two, by git", git("a", "b") + git("b", "a"), { a: "B\n", b: "A\n", c: "C\n" }],
    ["three", git("a", "b") + git("b", "c") + git("c", "a"), { a: "C\n", b: "A\n", c: "B\n" }],
    ["a chain", git("a", "b") + git("b", "d"), { b: "A\n", c: "C\n", d: "B\n" }],
    ["a chain, the last first", git("b", "d") + git("a", "b"), { b: "A\n", c: "C\n", d: "B\n" }],
    [
      "two, with changes",
      begin(...move("a", "b", "@@", "-A", "+1"), ...move("b", "a", "@@", "-B", "+2")),
      { a: "2\n", b: "1\n", c: "C\n" },
    ],
  ])("%s", async (_, patch, after) => {
    const { call, text, dir } = await patching({ a: "A\n", b: "B\n", c: "C\n" });
    chmodSync(path.join(dir, "a"), 0o755);
    const result = await call("apply_patch", { patch });
    expect(result.error).toBeUndefined();
    expect(Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, text(name)]))).toEqual({
      a: undefined,
      d: undefined,
      ...after,
    });
    expect(statSync(path.join(dir, "b")).mode & 0o777).toBe(0o755);
    await call("undo_turn", {});
  });

  test.each<[what: string, patch: string]>([
    ["onto a file that stays", git("a", "b")],
    ["two onto one", git("a", "d") + git("b", "d")],
    ["away twice", git("a", "b") + git("b", "c") + git("c", "a") + git("b", "d") + git("b", "e")],
  ])("but nothing is overwritten: %s", async (_, patch) => {
    const { call, text } = await patching({ a: "A\n", b: "B\n", c: "C\n" });
    expect((await call("apply_patch", { patch })).status).toBe("failed");
    expect(["a", "b", "c", "d"].map(text)).toEqual(["A\n", "B\n", "C\n", undefined]);
  });
});
