import { describe, expect, test } from "vitest";
import { syntaxCheckFor } from "./syntax-checks.ts";

let count = 0;
const problemsOf = async (file: string, text: string) => (await syntaxCheckFor(`/x/${file}`)?.(text)) ?? [];

describe("a check of syntax", () => {
  const wrong: [file: string, text: string, line: number, column: number][] = [
    ["a.json", '{"a": ', 1, 7],
    ["a.json", '{\n  "a": 1,\n}', 3, 1],
    ["a.json", "", 1, 1],
    ["a.yaml", "a: [1, 2\nb: 3\n", 2, 1],
    ["a.yml", "a:\n\t- b\n", 2, 1],
    ["a.toml", "[a\nb = 1\n", 1, 3],
    ["a.js", "const a = = 2;", 1, 11],
    ["a.mjs", "export const = 1;", 1, 14],
    ["a.ts", "function ( { let = ", 1, 10],
    ["a.tsx", "const a = <b>;", 1, 14],
    ["a.py", "def f(:\n  return 1\n", 1, 7],
    ["a.go", "package main\nfunc main( {\n}\n", 2, 12],
    ["a.rs", "fn main() { let = 1; }", 1, 17],
    ["a.sh", "if true; then\necho\n", 3, 1],
  ];
  test.each(wrong)("%s: %j is wrong at %i:%i", async (file, text, line, column) => {
    const [first] = await problemsOf(file, text);
    expect(first?.message).toBeTruthy();
    expect([first?.line, Math.abs((first?.column ?? 0) - column) <= 2]).toEqual([line, true]);
  });

  const right: [file: string, text: string][] = [
    ["a.json", '{"a": [1, 2.5e3, "\\u00e4"]}\n'],
    ["tsconfig.json", "{ // a comment\n}"],
    ["a.yaml", "a: 1\n---\nb: !Ref x\n"],
    ["a.toml", "[a]\nb = 1\n"],
    ["a.js", "const a = <b/>; require('x');\n"],
    ["a.cjs", "with (a) { b }\n"],
    ["a.ts", "export const a: number = 1;\nenum B { C }\n@dec class D {}\n"],
    ["a.d.ts", "declare const a: string;\n"],
    ["a.py", "def f() -> int:\n    return 1\n"],
    ["a.go", "package main\n\nfunc main() {}\n"],
    ["a.unknown", "whatever {{{"],
    ["Makefile", "all:\n\techo\n"],
  ];
  test.each(right)("%s: %j is right", async (file, text) => {
    expect(await problemsOf(file, text)).toEqual([]);
  });
});

describe("a text that is not parsed in this process", () => {
  const LINES = "const a = [1, 2, 3];\n".repeat(200);

  test.each<[file: string, text: string, line: number, message: RegExp]>([
    ["a.ts", `${LINES}const = 1;\n`, 201, /Unexpected token/],
    ["a.yaml", `${"a_: [1, 2, 3]\n".repeat(400).replace(/_/g, () => String(count++))}b: [\n`, 402, /Flow sequence/],
    ["a.yaml", `${"# a comment\n".repeat(500)}a: 1\nb: 2\na: 3\n`, 503, /Map keys must be unique/],
    ["a.toml", `${"# a comment\n".repeat(2000)}a =\n`, 2001, /./],
  ])("%s is wrong in its last line", async (file, text, line, message) => {
    expect(await problemsOf(file, text)).toEqual([
      { line, column: expect.any(Number), message: expect.stringMatching(message) },
    ]);
    expect(await problemsOf(file, text.replace(/.*\n$/, ""))).toEqual([]);
  });

  test.each<[file: string, text: string]>([
    ...["(", "[", "`${", "a<", "(a=", "if(a)", "new "].map((each): [string, string] => ["a.tsx", each.repeat(40_000)]),
    ["a.yaml", "[".repeat(2_000)],
    ["a.yaml", "- ".repeat(400_000)],
    ["a.yaml", "&a ".repeat(300_000)],
    ["a.yaml", `[${",".repeat(900_000)}`],
    ["a.toml", `${"a.".repeat(400_000)}b=1`],
  ])("%s: a hostile text does not end the process, and the next text is parsed", async (file, text) => {
    await problemsOf(file, text);
    expect(await problemsOf("a.ts", `${LINES}const = 1;\n`)).toHaveLength(1);
  });
});
