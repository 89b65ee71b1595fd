import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { needs } from "../../../test/capabilities.ts";
import { unifiedDiff } from "../diff.ts";
import { parsePatch } from "../patch.ts";
import { applyPatch } from "./apply.ts";
import type { FileOperation } from "./patch-lines.ts";
import { newContent } from "./splice.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-patch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C" };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false", ...args], {
    cwd,
    env,
    encoding: "utf8",
  });

type Files = Record<string, string>;

function operationsOf(patch: string): FileOperation[] {
  const parsed = parsePatch(patch);
  if ("problems" in parsed) throw new Error(`${JSON.stringify(parsed.problems)} in\n${patch}`);
  return parsed.operations;
}

function patchedFiles(files: Files, patch: string): Files {
  const after = { ...files };
  for (const { kind, path: name, newPath, hunks } of operationsOf(patch)) {
    const content = kind === "add" ? newContent(hunks) : patchedText(after[name] ?? "", hunks);
    if (kind !== "update") delete after[name];
    if (kind !== "delete") after[newPath ?? name] = content;
    else expect(content).toBe("");
  }
  return after;
}

function patchedText(before: string, hunks: FileOperation["hunks"]): string {
  const result = applyPatch(before, hunks);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.text;
}

const word = fc.constantFrom("a", "b", "", "\tc", "-- x", "++ y", "@@ -1 +1 @@", "}", "long line of text");
const text = fc
  .tuple(fc.array(fc.tuple(word, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 30 }), fc.boolean())
  .map(([rows, isOpen]) => rows.map((row) => row.join("")).join("") + (isOpen ? "end" : ""));
const edited = fc.tuple(text, fc.array(fc.tuple(fc.nat(), word), { maxLength: 5 })).map(([before, edits]) => {
  const rows = before.split(/(?<=\n)/);
  for (const [at, added] of edits) rows.splice(at % Math.max(1, rows.length), at % 3 === 0 ? 1 : 0, `${added}\n`);
  return { before, after: rows.join("") };
});
const names = ["plain.txt", "a b.txt", "ä.txt", "d/e/f.txt", 'quote".txt', "tab\t.txt", "a/b.txt", "x"];

function write(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
}

describe("what git writes", needs("git"), () => {
  const samples = fc.sample(edited, { numRuns: 8 * names.length, seed: 7 });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])("is applied byte for byte (%i)", (round) => {
    const dir = path.join(folder, `repo${round}`);
    const own = samples.slice(round * names.length, (round + 1) * names.length);
    const named = (side: "before" | "after"): Files =>
      Object.fromEntries(names.map((name, index) => [name, own[index]![side]]));
    const moved = Array.from({ length: 30 }, (_, index) => `moved ${index}\n`).join("");
    const before: Files = { ...named("before"), "gone.txt": "x\ny\n", "empty.txt": "", "from.txt": moved };
    const after: Files = {
      ...named("after"),
      "new.txt": "n\nopen",
      "new empty.txt": "",
      "to/it.txt": moved.replace("3\n", "three\n"),
    };
    mkdirSync(dir);
    git(dir, "init", "-q");
    write(dir, before);
    git(dir, "add", "-A");
    git(dir, "commit", "-qm", "x");
    git(dir, "rm", "-rqf", ".");
    write(dir, after);
    git(dir, "add", "-A");
    for (const options of [
      ["-U3"],
      ["-U1"],
      ["-U10"],
      ["--no-prefix"],
      ["--no-renames"],
      ["-c", "diff.mnemonicPrefix=true"],
    ]) {
      const [flag = "", ...rest] = options;
      const diff =
        flag === "-c"
          ? git(dir, "-c", rest[0]!, "diff", "--cached", "--text")
          : git(dir, "diff", "--cached", "-M", "--text", flag);
      expect(patchedFiles(before, diff), options.join(" ")).toEqual(after);
    }
  });
});

const distinct = fc
  .tuple(fc.integer({ min: 12, max: 40 }), fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 3 }))
  .map(([count, edits]) => {
    const before = Array.from({ length: count }, (_, index) => `line ${index}\n`);
    const after = [...before];
    for (const edit of edits) after.splice(edit % count, edit % 3 === 0 ? 0 : 1, `edit ${edit}\n`);
    return { before, after };
  });
const moved = fc.sample(fc.tuple(distinct, fc.nat(4), fc.nat(39)), { numRuns: 40, seed: 11 });

/** The diff of two texts, and the first text changed by somebody else in the meantime. */
function situation([{ before, after }, above, at]: (typeof moved)[number]): { diff: string; now: string } {
  const diff = unifiedDiff(before.join(""), after.join(""), { from: "a/f", to: "b/f", context: 2 });
  return { diff, now: "above\n".repeat(above) + before.with(at % before.length, "changed\n").join("") };
}

const engines: [name: "git" | "patch", args: string[]][] = [
  ["git", ["apply", "p"]],
  ["patch", ["-p1", "-F0", "-s", "-f", "-i", "p"]],
];

describe.each(engines)("beside %s", (program, args) => {
  test("what both apply becomes the same, and it applies nothing that we refuse", needs(program), () => {
    let both = 0;
    for (const [index, sample] of moved.entries()) {
      const { diff, now } = situation(sample);
      const dir = path.join(folder, `${program}${index}`);
      write(dir, { f: now, p: diff });
      const theirs =
        spawnSync(program, args, { cwd: dir, env: { ...env, GIT_CEILING_DIRECTORIES: folder } }).status === 0;
      const ours = applyPatch(now, operationsOf(diff)[0]!.hunks);
      if (theirs) expect(ours, diff).toHaveProperty("text");
      if (!theirs || "problems" in ours) continue;
      both++;
      expect(ours.text).toBe(readFileSync(path.join(dir, "f"), "utf8"));
    }
    expect(both).toBeGreaterThan(15);
  });
});
