import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claim } from "../core/words/touch.ts";
import { analyse } from "./analyse.ts";
import { plainField } from "./fields.ts";
import { selectedByFind } from "./find-names.ts";
import { fits } from "./paths.ts";
import { belowAnywhere, ENDINGS } from "./programs/chosen-names.ts";

const NAMES = ["a.ts", "b.ts", "c.tsx", ".env", "x.env", "d.js", "README", "a.TS", ".ts", "a.ts.bak", "node_modules"];
const FOLDERS = [".", "src", "src/node_modules", ".hidden"];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "chosen-"));
  for (const place of FOLDERS) mkdirSync(path.join(folder, place), { recursive: true });
  for (const place of FOLDERS)
    for (const name of NAMES.slice(0, -1)) writeFileSync(path.join(folder, place, name), "needle\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names that each line prints. One shell runs them all. */
const printed = (lines: readonly string[]): string[][] => {
  const script = lines.map((line) => `${line} </dev/null 2>/dev/null; printf '\\036'`).join("\n");
  const { stdout } = spawnSync("bash", ["-c", `rg() { '${rgPath}' --no-config "$@"; }\n${script}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    encoding: "utf8",
    timeout: 60_000,
  });
  const each = stdout.split("\u001e");
  expect(each).toHaveLength(lines.length + 1);
  return each.slice(0, -1).map((text) => text.split("\n").filter(Boolean));
};

const readsWhole = (claim: Claim): boolean =>
  (claim.action === "unknown" && claim.permissions.includes("read")) ||
  (claim.action === "read" && claim.scope !== undefined && /(?:^|\/)\*\*$/.test(claim.scope));

/** What a line reads although none of its claims says so. */
const unclaimed = (line: string, names: readonly string[]): readonly string[] => {
  const { touches } = analyse(line);
  if (touches.some(readsWhole)) return [];
  const scopes = touches.flatMap((claim) => (claim.action === "read" && claim.scope ? [claim.scope] : []));
  return names.filter((name) => !scopes.some((scope) => fits(scope.slice(3), path.basename(name))));
};

const globs = fc.constantFrom(
  "*.ts",
  "*.[tj]s",
  "*",
  ".e*",
  "?env",
  "a.*",
  ".env",
  "*.{ts,js}",
  "[!a]*",
  "\\.env",
  "src/*",
  "**",
  "*env",
);
const quoted = (text: string) => `'${text}'`;
const words = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((each) => each.join(" "));

const grepOption = fc.oneof(
  fc
    .tuple(fc.constantFrom("--include=", "--include ", "--exclude=", "--inc="), globs)
    .map(([name, glob]) => name + quoted(glob)),
  fc.constantFrom("--exclude-dir=src", "-n", "-i"),
);
const rgOption = fc.oneof(
  fc.tuple(fc.constantFrom("-g ", "--glob=", "--iglob ", "-g"), globs).map(([name, glob]) => name + quoted(glob)),
  fc.tuple(fc.constantFrom("-g ", "--glob="), globs).map(([name, glob]) => name + quoted(`!${glob}`)),
  fc.constantFrom(
    "-t ts",
    "-tjs",
    "--type=py",
    "-t sh",
    "-T ts",
    "--hidden",
    "-u",
    "--glob-case-insensitive",
    "--no-ignore",
  ),
);
const findTest: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(fc.constantFrom("-name ", "-iname "), globs).map(([name, glob]) => name + quoted(glob)),
    fc.constantFrom("-type f", "-print", "-path './src/*'", "-prune", "-true", "-false", "-maxdepth 1", "-size -9k"),
    tie("any").map((inner) => `! ${inner}`),
    tie("any").map((inner) => `-not ${inner}`),
    tie("any").map((inner) => `\\( ${inner} \\)`),
    words(tie("any"), tie("any")),
    words(tie("any"), fc.constantFrom("-o", "-or", "-a", "-and", ","), tie("any")),
  ),
})).any;

describe("what a search reads is among what is claimed for it", () => {
  const holds = (lines: fc.Arbitrary<string>, count: number, narrowed: (line: string) => boolean) => {
    const samples = [...new Set(fc.sample(lines, { numRuns: count, seed: 7 }))];
    const names = printed(samples.map((line) => line.replace(/ \| xargs .*/, "")));
    const missed = samples.flatMap((line, index) =>
      unclaimed(line, names[index] as string[]).map((name) => `${line}: ${name}`),
    );
    expect(missed).toEqual([]);
    // most lines would pass if nothing were ever narrowed
    expect(samples.filter(narrowed).length).toBeGreaterThan(samples.length / 8);
    expect(names.filter((each) => each.length > 0).length).toBeGreaterThan(samples.length / 4);
  };
  const isNarrow = (line: string): boolean => !analyse(line).touches.some(readsWhole);

  test("grep", () =>
    holds(
      fc.array(grepOption, { maxLength: 4 }).map((given) => `grep -rl needle . ${given.join(" ")}`),
      120,
      isNarrow,
    ));
  test("rg", () =>
    holds(
      fc.array(rgOption, { maxLength: 4 }).map((given) => `rg -l needle ${given.join(" ")}`),
      120,
      isNarrow,
    ));
  test("find, for what is given its names", () =>
    holds(
      findTest.map((tests) => `find . ${tests} | xargs -d '\\n' cat`),
      250,
      isNarrow,
    ));
});

test("types of rg have no other endings than these", () => {
  const { stdout } = spawnSync(rgPath, ["--no-config", "--type-list"], { encoding: "utf8" });
  const real = new Map(stdout.split("\n").map((row) => row.split(": ") as [string, string]));
  for (const [type, endings] of ENDINGS)
    expect(
      endings.split(" ").map((ending) => `*.${ending}`),
      type,
    ).toEqual(expect.arrayContaining((real.get(type) ?? "missing").split(", ")));
});

test.each<[name: string, scope: string | undefined]>([
  ["*.ts", "**/*.ts"],
  ["a-b_c.é?", "**/a-b_c.é?"],
  ["*.[ch]", "**/*.[ch]"],
  ["**", undefined],
  ["[!a]*", undefined],
  ["[[:alpha:]]", undefined],
  ["\\.env", undefined],
  ["a/b", undefined],
  ["+(a)", undefined],
  ["{a,b}", undefined],
  ["", undefined],
])("the name %s", (name, scope) => expect(belowAnywhere(name)).toBe(scope));

test("a name in any case", () => {
  expect(belowAnywhere(".Env*1", true)).toBe("**/.[eE][nN][vV]*1");
  expect(belowAnywhere("*.[ch]", true)).toBeUndefined();
});

test.each<[expression: string, scopes: readonly string[] | undefined]>([
  ["", undefined],
  ["-name a", ["**/a"]],
  ["-type f -name a", ["**/a"]],
  ["-name a -a -name b", ["**/a"]],
  ["-name a -o -name b", ["**/a", "**/b"]],
  ["-name a -o -type f", undefined],
  ["( -name a -or -name b ) -size +1k", ["**/a", "**/b"]],
  ["! -name a", undefined],
  ["-not ( -name a )", undefined],
  ["! -name a -name b", ["**/b"]],
  ["-path x -prune -o -name a -print", ["**/a"]],
  ["-path x -prune -o -name a", undefined],
  ["-name a -print -o -name b -print0", ["**/a", "**/b"]],
  ["-print -name a", undefined],
  ["-name a , -name b", undefined],
  ["-name", undefined],
  ["( -name a", undefined],
  ["( -name a , -name b", undefined],
  ["-name a -print -type f -o -name b", ["**/a"]],
  ["-name a )", undefined],
  ["-delete -o -name a", undefined],
  ["-name a -unheard of", undefined],
  [`${"! ".repeat(5000)}-name a`, undefined],
  [`${"-true ".repeat(198)}-name a`, ["**/a"]],
  [`${"-true ".repeat(199)}-name a`, undefined],
])("the expression %s", (expression, scopes) =>
  expect(selectedByFind(expression.split(" ").filter(Boolean).map(plainField))).toEqual(scopes),
);
