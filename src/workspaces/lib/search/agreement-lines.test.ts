import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FoundLine, Search, TextQuery } from "../../../core/contracts/search.ts";
import type { Workspace } from "../../../core/contracts/workspace.ts";
import { localWorkspace } from "../../local.ts";
import { engineNamed } from "./engines.ts";
import { searchIn } from "./search.ts";

let root: string;
let workspace: Workspace;
let engines: [name: string, search: Search][];
beforeEach(async () => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-agreement-")));
  workspace = localWorkspace({ root });
  engines = [];
  for (const name of ["ripgrep", "grep", "walk"]) {
    const engine = await engineNamed(name, []);
    if (engine) engines.push([name, searchIn({ files: workspace.files, roots: [root], engine })]);
  }
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function outcome(search: Search, query: TextQuery) {
  const findings = search.lines(await workspace.locate("."), query);
  try {
    const lines: FoundLine[] = [];
    for await (const line of findings) lines.push(line);
    lines.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
    return { lines, tookAsText: findings.report.tookAsText };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

const TEXT = "a é 1 A_b\nσ B-\n\tfoo\n[[a\n\nx.y\\z\na1{2}\n\u00a0\n";

// numbers of the lines of TEXT
test.each<[pattern: string, due: number[] | "text"]>([
  ["\\p{L}", [1, 2, 3, 4, 6, 7]],
  ["\\p{greek}", [2]],
  ["\\p{sc=Greek}", [2]],
  ["\\P{ASCII}", [1, 2, 8]],
  ["\\p{^L}{3}", [1, 7]],
  ["\\p{lowercase letter}\\p{Nd}", [7]],
  ["[\\pN]\\{", [7]],
  ["\\w[\\W]\\w", [1, 2, 6, 7]],
  ["^\\s+$", [8]],
  ["^[[:space:]]", [3]],
  ["[[:^alpha:]]{3}", [1, 7]],
  ["[^[:^alpha:]]1", [7]],
  ["[[a]x]\\.", [6]],
  ["[[(]a", [4]],
  ["[a-z&&[^a]]o", [3]],
  ["[a-z--f]o", [3]],
  ["^[\\w~~a]$", []],
  ["[]a]1", [7]],
  ["[-.]", [2, 6]],
  ["[\\w-]-", [2]],
  ["[a-\\d]", "text"],
  ["[z-a]", "text"],
  ["\\<f", [3]],
  ["B\\>", [2]],
  ["\\b{start}é", [1]],
  ["\\bé\\b", [1]],
  ["\\b{end-half}1", []],
  ["o{,2}$", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["fo{ 2 }", [3]],
  ["1{a}", []],
  ["\\x{e9}", [1]],
  ["\\u{e9}|\\U000003c3", [1, 2]],
  ["\\.", [6]],
  ["\\-", [2]],
  ["\\_", [1]],
  ["\\e|é", [1]],
  ["\\z", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["\\A", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["^$", [5]],
  ["$?-", [2]],
  ["\\b+é", [1]],
  ["a(", "text"],
  ["\\", "text"],
  [")(", "text"],
  ["[)a](\\)|1)", [7]],
  ["(?i)a_B", [1]],
  ["(?s)f.o", [3]],
  ["f(?=o)", [3]],
  ["[^\\n]o", [3]],
  ["(?i:É) 1", [1]],
  ["(?i:b)-", [2]],
  ["(?i:[^b])-", []],
  ["(?i:Σ)", [2]],
  ["(?i:[Σ])", [2]],
  ["(?i:[^ς]) B", []],
  ["(?i:[a-b])_", [1]],
  ["(?i:[F])O*$", []],
  ["(?i:[X-Z]\\.\\x59)", [6]],
  ["(?i:[[:upper:]]O)o", [3]],
  ["(?i:[^f])oo", []],
  ["(?P<q>o)(?P=q)", [3]],
  ["(?#c)fo(?#d)+", [3]],
  ["o++", [3]],
  ["fo++o", [3]],
  ["(?=f)fo++o", []],
  ["(?>fo)o", [3]],
  ["(?>fo+)o", []],
  ["o**x", [6]],
  ["o{1}{2}", [3]],
  ["\\Qx.y\\E", [6]],
])("%s hits %j", async (pattern, due) => {
  fs.writeFileSync(path.join(root, "f"), TEXT);
  for (const [name, search] of engines) {
    const { lines, tookAsText } = await outcome(search, { pattern });
    if (due === "text") expect(tookAsText, name).toBe(true);
    else expect([tookAsText, lines?.map(({ line }) => line)], name).toEqual([false, due]);
    const whole = TEXT.split("\n");
    for (const { line, text } of lines ?? []) expect(text, name).toBe(whole[line - 1]);
  }
});

test.each(["a\\nb", "\\n", "(a|\\n)", "[a]\\r\\n", "a\nb"])("%j asks for more than a line", async (pattern) => {
  fs.writeFileSync(path.join(root, "f"), TEXT);
  for (const [name, search] of engines)
    expect(await outcome(search, { pattern }), name).toEqual({ refused: expect.stringContaining("line break") });
});

test("what is no regular expression may hold what looks like a line break", async () => {
  fs.writeFileSync(path.join(root, "f"), 'printf("a\\n");\n');
  for (const [name, search] of engines)
    for (const query of [{ pattern: 'f("a\\n' }, { pattern: "a\\n", literal: true }])
      expect((await outcome(search, query)).lines, name).toHaveLength(1);
});

test("whatever the pattern and the text, every engine finds the same lines", async () => {
  const chars = ["a", "b", "A", "é", "É", "ß", "k", "\u212a", "σ", "ς", "_", "1", "٣", " ", "\t", "\n", "\n", "\r\n"];
  const more = ["-", ".", "(", "[", "foo", "日", "😀", "\u00a0", "\u2028", "e\u0301", "$", "{", "\\", "|", "*"];
  const text = fc.array(fc.constantFrom(...chars, ...more), { maxLength: 14 }).map((parts) => parts.join(""));
  const file = fc
    .tuple(text, fc.constantFrom("utf8", "utf8", "utf16", "mark", "binary", "long"))
    .map(([given, kind]) => {
      if (kind === "utf16") return Buffer.from(`\ufeff${given}`, "utf16le");
      if (kind === "mark") return Buffer.from(`\ufeff${given}`);
      if (kind === "binary") return Buffer.from(`${given}\0${given}`);
      return Buffer.from(kind === "long" ? `${given}${"y".repeat(300)}${given}` : given);
    });
  const atoms = [
    "a",
    "b",
    "é",
    "A",
    ".",
    "\\w",
    "\\W",
    "\\d",
    "\\D",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "(?:a|b)",
    "\\.",
    "σ",
  ];
  const others = [
    "[[:alpha:]]",
    "[^[:alnum:]]",
    "[\\w-]",
    "[^\\w]",
    "\\p{L}",
    "\\P{Lu}",
    "\\x41",
    "K",
    " ",
    "[\\]a]",
    "foo",
    "(?i:k)",
    "(?i:[^a])",
    "(?i:\\x41|é)",
  ];
  const bare = ["^", "$", "\\b", "|", "(", ")", "}", "]", "\\\\", "\\t", "\\$", "-"];
  const counted = fc.tuple(
    fc.constantFrom(...atoms, ...others),
    fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "*?", "++", "?+"),
  );
  const regex = fc
    .array(fc.oneof({ weight: 2, arbitrary: counted.map((parts) => parts.join("")) }, fc.constantFrom(...bare)), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(""));
  // two stars, and a brace that counts nothing, are for PCRE2 alone, which sees the line break as well
  const plain = text.map((given) => given.replace(/[*{]/g, ""));
  const query = fc.record({
    pattern: fc.oneof({ weight: 3, arbitrary: regex }, plain),
    literal: fc.boolean(),
    ignoreCase: fc.boolean(),
    context: fc.nat(1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), query, async (files, asked) => {
      fs.rmSync(root, { recursive: true, force: true });
      fs.mkdirSync(root);
      for (const [at, content] of files.entries()) fs.writeFileSync(path.join(root, `f${at}`), content);
      const [first, ...rest] = await Promise.all(engines.map(([, search]) => outcome(search, asked)));
      for (const each of rest) expect(each).toEqual(first);
    }),
    { numRuns: 150 },
  );
});
