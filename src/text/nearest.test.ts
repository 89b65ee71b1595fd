import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const TOOLS = ["read_file", "write_file", "edit_file", "list_files", "find_files", "grep", "undo_file", "run_command"];
const FILES = ["README.md", "src/core/touch.ts", "src/tools/read-file.ts", "docs/guide.md", "package.json"];

describe("nearest finds the name that was meant", () => {
  test.each<[string, string[], string]>([
    ["raed_file", TOOLS, "read_file"],
    ["readFile", TOOLS, "read_file"],
    ["READ-FILE", TOOLS, "read_file"],
    ["file_read", TOOLS, "read_file"],
    ["fileRead", TOOLS, "read_file"],
    ["gerp", TOOLS, "grep"],
    ["ripgrep", TOOLS, "grep"],
    ["list_file", TOOLS, "list_files"],
    ["command", TOOLS, "run_command"],
    ["readme.md", FILES, "README.md"],
    ["touch.ts", FILES, "src/core/touch.ts"],
    ["src/cor/tuoch.ts", FILES, "src/core/touch.ts"],
    ["lib/read_file.ts", FILES, "src/tools/read-file.ts"],
    ["pakage.json", FILES, "package.json"],
    ["max_call", ["max_calls", "max_changes"], "max_calls"],
  ])("%s", (word, candidates, expected) => {
    expect(nearest(word, candidates)[0]).toBe(expected);
  });
});

describe("nearest stays silent about what is unrelated", () => {
  test.each<[string, string[]]>([
    ["teleport", TOOLS],
    ["xy", TOOLS],
    ["", TOOLS],
    ["rm", ["ls", "cp", "mv"]],
    ["kubernetes", FILES],
    ["grep", []],
  ])("%s", (word, candidates) => {
    expect(nearest(word, candidates)).toEqual([]);
  });
});

test("no more than asked for, each once, the best first", () => {
  expect(nearest("file1", ["file9", "file12", "file1x", "file9", "file1"], 2)).toEqual(["file1", "file9"]);
  expect(nearest("file", ["file1", "file2", "file3", "file4"])).toHaveLength(3);
});

test("an endless list of candidates ends", () => {
  function* endless() {
    for (let number = 0; ; number++) yield `candidate_${number}`;
  }
  expect(nearest("candidate_77", endless())[0]).toBe("candidate_77");
});

test("huge names are compared by their ends", () => {
  const folder = "a/".repeat(100_000);
  expect(nearest(`${folder}raedme.md`, [`${folder}readme.md`])).toEqual([`${folder}readme.md`]);
});

test("answers are candidates, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (word, candidates) => {
      const answers = nearest(word, candidates);
      expect(answers.length).toBeLessThanOrEqual(3);
      expect(candidates).toEqual(expect.arrayContaining(answers));
      if (candidates.includes(word)) expect(answers[0]).toBe(word);
    }),
  );
});
