import { expect, test } from "vitest";
import { rebase, rebaseRules } from "./rebase.ts";

const same = (part: string, name: string) => part === "*" || part === name;

test.each<[pattern: string, folder: string, left: string[]]>([
  ["a/b/c", "a", ["b/c"]],
  ["a/b/c", "a/b", ["c"]],
  ["a/b", "a/b", []],
  ["a/b", "a/b/c", []],
  ["a/b", "x", []],
  ["*/b", "x", ["b"]],
  ["**/c", "a/b", ["**/c"]],
  ["a/**/c", "a/b", ["**/c"]],
  ["**/a/b", "x/a", ["**/a/b", "b"]],
  ["a/**", "a", ["**"]],
  ["a/**", "a/b/c", ["**"]],
])("%s seen from %s", (pattern, folder, left) => {
  expect(rebase(pattern.split("/"), folder.split("/"), same).map((rest) => rest.join("/"))).toEqual(left);
});

test("many stars take no time", () => {
  const pattern = Array.from({ length: 300 }, (_, at) => (at % 2 ? "a" : "**"));
  expect(
    rebase(
      pattern,
      Array.from({ length: 60 }, () => "a"),
      same,
    ).length,
  ).toBeGreaterThan(0);
});

test.each<[rules: string, left: string]>([
  ["*.log\n# no\n\n!keep.log", "*.log\n!keep.log"],
  ["/src/gen/*.ts\n/other/x\nsrc/**/y/", "/gen/*.ts\n/**/y/"],
  ["!/src/z", "!/z"],
  ["/src", ""],
  ["src/", "src/"],
  ["/s*/gen", "/gen"],
  ["\\!a\n\\#b\n!c", "\\!a\n\\#b\n!c"],
  ["/src/!a\n/src/#b\n!/src/!c", "/!a\n/#b\n!/!c"],
])("the rules %j seen from src", (rules, left) => {
  expect(rebaseRules(rules, ["src"])).toBe(left);
});
