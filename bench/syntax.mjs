// What a change costs more because its syntax is checked: small files in turns of many languages, each used before.
import { compare } from "./lib/measure.mjs";
import { built } from "./lib/place.mjs";

const SMALL = {
  "a.json": '{ "a": [1, 2, 3] }\n',
  "a.ts": "export const a: number = 1;\n",
  "a.py": "def f(a, b):\n    return a + b\n",
  "a.go": "package main\n\nfunc main() {}\n",
  "a.rs": "fn main() {\n    let a = 1;\n}\n",
  "a.java": "class A {\n  int a() {\n    return 1;\n  }\n}\n",
  "a.css": "a {\n  color: red;\n}\n",
  "a.rb": "def a\n  1\nend\n",
};
const MOST_MS = 5;

export async function tables({ quick }) {
  const { syntaxCheckFor } = await built("sources/syntax-checks.js");
  const { hasGrammars } = await built("sources/lib/tree-sitter.js");
  const title = "A check of syntax, the language changing each time";
  if (!hasGrammars())
    return [{ title, unit: "", rows: [], targets: [], notes: ["skipped  the grammars are not installed"] }];
  const cases = Object.entries(SMALL).map(([name, text]) => {
    const check = syntaxCheckFor(`/bench/${name}`);
    return {
      name,
      async run() {
        if ((await check(text)).length > 0) throw new Error(`${name} is sound`);
      },
    };
  });
  const targets = Object.keys(SMALL).map((name) => ({ name, most: MOST_MS, of: "median" }));
  return [await compare({ title, unit: "ms", cases, targets, warmups: 2, rounds: quick ? 20 : 100 })];
}
