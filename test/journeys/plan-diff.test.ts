import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/index.ts";
import { gitPatch } from "../../src/workspaces/git-patch.ts";
import { needs } from "../capabilities.ts";
import { folder } from "./harness.ts";

/** A file: its content, and what it may be besides; a link: where it leads. */
type File = { content: string | Uint8Array; run?: true; link?: true };
type Tree = Record<string, File>;

const bytesOf = ({ content }: File): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;
const modeOf = ({ run, link }: File): number => (link ? 0o120777 : run ? 0o755 : 0o644);

function changesBetween(root: string, before: Tree, after: Tree): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const same = was && is && modeOf(was) === modeOf(is) && Buffer.compare(bytesOf(was), bytesOf(is)) === 0;
    if (same) return [];
    return {
      place: { shown: name, real: path.join(root, name), root, exists: was !== undefined },
      before: was ? bytesOf(was) : null,
      after: is ? bytesOf(is) : null,
      ...(was && { modeBefore: modeOf(was) }),
      ...(is && { mode: modeOf(is) }),
    };
  });
}

function put(dir: string, files: Tree): void {
  for (const [name, file] of Object.entries(files)) {
    const at = path.join(dir, name);
    mkdirSync(path.dirname(at), { recursive: true });
    if (file.link) symlinkSync(Buffer.from(bytesOf(file)), at);
    else {
      writeFileSync(at, bytesOf(file));
      chmodSync(at, modeOf(file));
    }
  }
}

function found(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => {
      const isLink = lstatSync(file).isSymbolicLink();
      const run = !isLink && (lstatSync(file).mode & 0o100) !== 0;
      const content = isLink ? readlinkSync(file, "buffer") : readFileSync(file);
      return [path.relative(dir, file), `${isLink ? "link" : run ? "run" : "file"} ${content.toString("base64")}`];
    }),
  );
}

/** What git makes of `before` with the diff to `after`. */
function applied(before: Tree, after: Tree): { diff: string; made: Record<string, string> } {
  const dir = folder();
  put(dir, before);
  const diff = gitPatch(changesBetween("/w", before, after));
  // outside a repository, and without what this machine sets
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: dir,
  };
  if (diff !== "") execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: dir, input: diff, env });
  return { diff, made: found(dir) };
}

function treeOf(files: Tree): Record<string, string> {
  const dir = folder();
  put(dir, files);
  return found(dir);
}

const text = (content: string | Uint8Array): File => ({ content });
const BINARY = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256);

const CASES: Record<string, [Tree, Tree]> = {
  "a changed file": [{ a: text("1\n2\n3\n") }, { a: text("1\nzwei\n3\n") }],
  "a new file and a deleted one": [{ a: text("1\n") }, { b: text("2\n") }],
  "a new file in a new folder": [{}, { "x/y/z.txt": text("new\n") }],
  "a renamed file": [{ "old name.txt": text("1\n2\n") }, { "new/name.txt": text("1\n2\n") }],
  "two equal files, of which one moves": [
    { a: text("x\n"), b: text("x\n") },
    { a: text("x\n"), c: text("x\n") },
  ],
  "names swapped": [
    { a: text("1\n"), b: text("2\n") },
    { a: text("2\n"), b: text("1\n") },
  ],
  "no newline at the end, before": [{ a: text("1\n2") }, { a: text("1\n2\n") }],
  "no newline at the end, after": [{ a: text("1\n2\n") }, { a: text("1\n2") }],
  "no newline at the end, both": [{ a: text("1\n2") }, { a: text("2\n2") }],
  "a new file without a newline": [{}, { a: text("1") }],
  "lines that end in CRLF": [{ a: text("1\r\n2\r\n") }, { a: text("1\r\nzwei\r\n") }],
  "CRLF that becomes LF": [{ a: text("1\r\n2\r\n") }, { a: text("1\n2\n") }],
  "an empty file that comes": [{}, { a: text("") }],
  "an empty file that goes": [{ a: text("") }, {}],
  "a file that becomes empty": [{ a: text("1\n") }, { a: text("") }],
  "an empty file that is filled": [{ a: text("") }, { a: text("1\n") }],
  "bits to run alone": [{ a: text("1\n") }, { a: { content: "1\n", run: true } }],
  "bits to run, and text": [{ a: { content: "1\n", run: true } }, { a: text("2\n") }],
  "a new file to run": [{}, { a: { content: "#!/bin/sh\n", run: true } }],
  "what is no text": [
    { a: text(BINARY), b: text("1\n") },
    { a: text(BINARY.slice(1)), b: text("2\n") },
  ],
  "what is no text and new": [{}, { a: text(BINARY) }],
  "what is no text and goes": [{ a: text(BINARY) }, {}],
  "what is no text and moves": [{ a: text(BINARY) }, { b: text(BINARY) }],
  "what becomes text": [{ a: text(BINARY) }, { a: text("1\n") }],
  "text in another encoding": [{ a: text(new Uint8Array([0xe4, 0x0a])) }, { a: text(new Uint8Array([0xf6, 0x0a])) }],
  "a byte order mark": [{ a: text("\u{FEFF}1\n") }, { a: text("\u{FEFF}2\n") }],
  "a byte order mark that goes": [{ a: text("\u{FEFF}1\n") }, { a: text("1\n") }],
  "names with blanks": [
    { "a b c": text("1\n"), " x ": text("1\n") },
    { "a b c": text("2\n"), " x ": text("2\n") },
  ],
  "names with blanks, no text": [{ "a b": text(BINARY) }, { "a b": text(BINARY.slice(2)) }],
  "an empty file with blanks in its name": [{}, { "a b": text("") }],
  "names with quotes, backslashes and tabs": [
    { 'q"q': text("1\n"), "b\\b": text("1\n"), "t\tt": text("1\n") },
    { 'q"q': text("2\n"), "b\\b": text("2\n"), "t\tt": text("2\n") },
  ],
  "a name with a line break": [{}, { "one\ntwo": text("1\n") }],
  "names that are not English": [
    { "grüße/日本.txt": text("1\n") },
    { "grüße/日本.txt": text("2\n"), "😀": text("3\n") },
  ],
  "lines that look like a diff": [
    { a: text("--- x\n+++ y\n@@ -1 +1 @@\n") },
    { a: text("--- x\n+++ y\n@@ -1 +1 @@\ndiff --git a/q b/q\n-- \n") },
  ],
  "a link": [{ a: { content: "here", link: true } }, { b: { content: "there", link: true } }],
  "a link that leads elsewhere": [{ a: { content: "here", link: true } }, { a: { content: "there", link: true } }],
  "a file in place of a link": [{ a: { content: "here", link: true } }, { a: text("1\n") }],
  "a folder in place of a file": [{ a: text("1\n") }, { "a/b": text("2\n") }],
  "a file in place of a folder": [{ "a/b": text("1\n") }, { a: text("2\n") }],
  "form feeds and lone carriage returns": [{ a: text("1\f2\r3\n") }, { a: text("1\f2\r4\n") }],
};

describe("git applies the diff of", needs("git"), () => {
  test.each(Object.entries(CASES))("%s", (_, [before, after]) => {
    expect(applied(before, after).made).toEqual(treeOf(after));
  });

  test("whatever files become of whatever files", () => {
    const name = fc.constantFrom("a", "b c", "d/e", "d/f g", "ü");
    const line = fc.constantFrom("one", "two", "", "a\rb", "\\ No newline at end of file", "-- x", "ü");
    const ending = fc.constantFrom("\n", "\r\n");
    const lines = fc
      .tuple(fc.array(fc.tuple(line, ending), { maxLength: 12 }), fc.constantFrom("", "end"))
      .map(([all, last]) => all.map(([each, end]) => each + end).join("") + last);
    const content = fc.oneof(
      { weight: 4, arbitrary: lines },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    );
    const file = fc.tuple(content, fc.boolean()).map(([each, run]): File => ({ content: each, ...(run && { run }) }));
    const tree = fc.dictionary(name, file, { maxKeys: 4 });
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        expect(applied(before, after).made).toEqual(treeOf(after));
      }),
      { numRuns: 60 },
    );
  });
});

test("a moved file is told as moved, and a summary before the diff does no harm", needs("git"), () => {
  const { diff } = applied({ a: text("1\n") }, { b: text("1\n") });
  expect(diff).toBe("diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n");
  const dir = folder({ a: "1\n" });
  execFileSync("git", ["apply", "-"], { cwd: dir, input: `   1  edit_file  a\n\nConflict: a has changed.\n\n${diff}` });
  expect(readFileSync(path.join(dir, "b"), "utf8")).toBe("1\n");
  rmSync(path.join(dir, "b"));
});
