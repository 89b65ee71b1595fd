import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";

const FILES = { x: "a\n", y: "a\n", "d/x": "a\n", "two words": "a\n", empty: "" };
const HUNK = "@@ -1 +1 @@\n-a\n+b\n";
const NEW = "@@ -0,0 +1 @@\n+b\n";
const GONE = "@@ -1 +0,0 @@\n-a\n";
const git = (old: string, fresh: string, ...more: string[]) =>
  [`diff --git ${old} ${fresh}`, ...more].map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("");
const named = (old: string, fresh: string, hunk = HUNK) => `--- ${old}\n+++ ${fresh}\n${hunk}`;

/** What the files are afterwards, by name; absent ones are gone. */
const filesIn = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.toolgate/.test(entry.parentPath))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), readFileSync(file, "utf8")]),
  );

const AGREEING: [string, string, Record<string, string>][] = [
  ["one name throughout", git("a/x", "b/x", named("a/x", "b/x")), { ...FILES, x: "b\n" }],
  ["a mode that stays", git("a/x", "b/x", "index 1..2 100644", named("a/x", "b/x")), { ...FILES, x: "b\n" }],
  ["a new file", git("a/n", "b/n", "new file mode 100644", named("/dev/null", "b/n", NEW)), { ...FILES, n: "b\n" }],
  ["a deleted file", git("a/x", "b/x", "deleted file mode 100644", named("a/x", "/dev/null", GONE)), without("x")],
  [
    "a rename with its names",
    git("a/x", "b/n", "similarity index 50%", "rename from x", "rename to n", named("a/x", "b/n")),
    { ...without("x"), n: "b\n" },
  ],
  ["a rename without lines", git("a/x", "b/n", "rename from x", "rename to n"), { ...without("x"), n: "a\n" }],
  ["a file of a folder", git("a/d/x", "b/d/x", named("a/d/x", "b/d/x")), { ...FILES, "d/x": "b\n" }],
  ["the epoch behind +++", named("x\t2024-01-01 00:00:00 +0000", "x\t1970-01-01 00:00:00 +0000", GONE), without("x")],
  [
    "the epoch of another zone",
    named("x\t2024-01-01 00:00:00 +0000", "x\t1970-01-01 01:00:00.000000000 +0100", GONE),
    without("x"),
  ],
  ["the epoch west of it", named("x\t2024-01-01 00:00:00 +0000", "x\t1969-12-31 19:00:00 -0500", GONE), without("x")],
  [
    "the epoch behind ---",
    named("n\t1970-01-01 00:00:00 +0000", "n\t2024-01-01 00:00:00 +0000", NEW),
    { ...FILES, n: "b\n" },
  ],
  ["quoted names", git('"a/x"', '"b/x"', named('"a/x"', '"b/x"')), { ...FILES, x: "b\n" }],
  ["one quoted name", git("a/x", '"b/x"', named("a/x", '"b/x"')), { ...FILES, x: "b\n" }],
  [
    "a rename to a quoted name",
    git("a/x", '"b/\\303\\251"', "rename from x", 'rename to "\\303\\251"'),
    { ...without("x"), é: "a\n" },
  ],
  [
    "names with blanks",
    git("a/two words", "b/two words", named("a/two words\t", "b/two words\t")),
    { ...FILES, "two words": "b\n" },
  ],
  [
    "a rename of a name with blanks",
    git("a/two words", "b/n", "rename from two words", "rename to n"),
    { ...without("two words"), n: "a\n" },
  ],
  ["an empty file that goes", git("a/empty", "b/empty", "deleted file mode 100644"), without("empty")],
  [
    "first content for an empty file",
    git("a/empty", "b/empty", named("a/empty", "b/empty", NEW)),
    { ...FILES, empty: "b\n" },
  ],
  [
    "a time close to the epoch",
    named("x\t1970-01-01 00:00:01 +0000", "x\t1970-01-01 00:00:02 +0000"),
    { ...FILES, x: "b\n" },
  ],
];

const CONTRADICTING: [string, string][] = [
  ["+++ names another file", git("a/x", "b/x", named("a/x", "b/y"))],
  ["--- names another file", git("a/x", "b/x", named("a/y", "b/x"))],
  ["both name another file", git("a/x", "b/x", named("a/y", "b/y"))],
  ["another folder", git("a/x", "b/x", named("a/d/x", "b/d/x"))],
  ["the folder is only in the git line", git("a/d/x", "b/d/x", named("a/x", "b/x"))],
  ["the git line names two", git("a/x", "b/y", named("a/x", "b/x"))],
  ["two files and no rename", git("a/x", "b/y", named("a/x", "b/y"))],
  ["rename from another file", git("a/x", "b/n", "rename from y", "rename to n", named("a/x", "b/n"))],
  ["rename to another file", git("a/x", "b/n", "rename from x", "rename to m", named("a/x", "b/n"))],
  ["rename whose +++ differs", git("a/x", "b/n", "rename from x", "rename to n", named("a/x", "b/m"))],
  ["rename whose --- differs", git("a/x", "b/n", "rename from x", "rename to n", named("a/y", "b/n"))],
  ["rename without lines, of others", git("a/x", "b/n", "rename from y", "rename to n")],
  ["rename without an end", git("a/x", "b/x", "rename from x", named("a/x", "b/x"))],
  ["rename without a start", git("a/x", "b/x", "rename to n", named("a/x", "b/x"))],
  ["a new file that was there", git("a/x", "b/x", "new file mode 100644", named("a/x", "b/x"))],
  ["a new file under two names", git("a/n", "b/m", "new file mode 100644", named("/dev/null", "b/m", NEW))],
  ["a new file whose +++ differs", git("a/n", "b/n", "new file mode 100644", named("/dev/null", "b/m", NEW))],
  ["a deleted file that stays", git("a/x", "b/x", "deleted file mode 100644", named("a/x", "b/x"))],
  ["a deleted file whose --- differs", git("a/x", "b/x", "deleted file mode 100644", named("a/y", "/dev/null", GONE))],
  ["first content for a file with text", named("x", "x", NEW)],
  ["first content by git's names", git("a/x", "b/x", named("a/x", "b/x", NEW))],
  [
    "first content for a file that is renamed",
    git("a/x", "b/n", "rename from x", "rename to n", named("a/x", "b/n", NEW)),
  ],
  ["a deletion that shows none of the lines", git("a/x", "b/x", "deleted file mode 100644")],
  ["a deletion by names alone", named("a/x", "/dev/null", "")],
  ["a deletion of two words that shows no lines", git("a/two words", "b/two words", "deleted file mode 100644")],
  ["a git line with one name", git("a/x", "", named("a/x", "b/x"))],
  ["a git line with one name, and a deletion of another", git("a/x", "", named("a/y", "/dev/null", GONE))],
  ["a git line with a word more", git("a/x b/x", "evil", named("a/x", "b/x"))],
  ["a git line with other blanks", git("a/two words", "b/x y z", "rename from two words", "rename to n")],
  ["a rename to nowhere", git("a/x", "/dev/null", "rename from x", "rename to n", named("a/x", "b/n"))],
  ["a rename from nowhere", git("/dev/null", "b/n", "rename from x", "rename to n")],
  ["a git line that says new, of a file that is there", git("/dev/null", "b/x", named("a/x", "b/x"))],
  ["a git line that says deleted, of a file that stays", git("a/x", "/dev/null", named("a/x", "b/x"))],
  ["a file that becomes a link", git("a/x", "b/x", "old mode 100644", "new mode 120000", named("a/x", "b/x"))],
  ["a link that becomes a file", git("a/x", "b/x", "old mode 120000", "new mode 100644", named("a/x", "b/x"))],
  ["a mode of a link before a deletion", git("a/x", "b/x", "new mode 120000", named("a/x", "/dev/null", GONE))],
  ["the epoch behind another name", named("y\t2024-01-01 00:00:00 +0000", "x\t1970-01-01 00:00:00 +0000", GONE)],
  ["the epoch behind another name, with prefixes", named("a/y", "b/x\t1970-01-01 00:00:00 +0000", GONE)],
  ["a new file by the epoch of another", named("y\t1970-01-01 00:00:00 +0000", "n\t2024-01-01 00:00:00 +0000", NEW)],
  ["the epoch with lines left", named("x\t2024-01-01 00:00:00 +0000", "x\t1970-01-01 00:00:00 +0000", HUNK)],
];

function without(name: keyof typeof FILES): Record<string, string> {
  const { [name]: _, ...rest } = FILES;
  return rest;
}

const applied = async (patch: string) => {
  const one = await bench(FILES, { store: "memory", sandbox: "off", config: { workspace: { allow_delete: true } } });
  const result = await one.call("apply_patch", { patch });
  return { result, files: filesIn(one.dir) };
};

/** What git makes of the same patch in the same folder. */
function byGit(patch: string): Record<string, string> {
  const dir = folder(FILES);
  const level = patch.startsWith("diff --git") ? "-p1" : "-p0";
  execFileSync("git", ["apply", level, "-"], { cwd: dir, input: patch, stdio: "pipe" });
  return filesIn(dir);
}

describe("a patch whose names agree is applied as git applies it", needs("git"), () => {
  test.each(AGREEING)("%s", async (_, patch, files) => {
    const ours = await applied(patch);
    expect(ours.result).toMatchObject({ success: true });
    expect(ours.files).toEqual(files);
    expect(byGit(patch)).toEqual(files);
  });
});

describe("a patch that contradicts itself is refused, whichever of its names is looked at", () => {
  test.each(CONTRADICTING)("%s", async (_, patch) => {
    const { result, files } = await applied(patch);
    expect(result).toMatchObject({ success: false });
    expect(files).toEqual(FILES);
  });
});
