import { describe, expect, test } from "vitest";
import { readToolArguments } from "./tool-arguments.ts";

describe("the arguments of a tool as typed", () => {
  test.each<[string[], unknown]>([
    [[], {}],
    [["README.md"], "README.md"],
    [["a b c"], "a b c"],
    [["https://example.com/?a=b"], "https://example.com/?a=b"],
    [["./a=b.txt"], "./a=b.txt"],
    [["[1]"], "[1]"],
    [['{"path": "a"}'], { path: "a" }],
    [[' {"path": "a"}'], { path: "a" }],
    [["path=a"], { path: "a" }],
    [["path="], { path: "" }],
    [["path=a=b"], { path: "a=b" }],
    [["path=a:=b"], { path: "a:=b" }],
    [["text=one\ntwo"], { text: "one\ntwo" }],
    [["limit:=5"], { limit: 5 }],
    [['tags:=["a", "b"]', "deep:=false"], { tags: ["a", "b"], deep: false }],
    [["limit=5"], { limit: "5" }],
    [["path=a", "limit:=null"], { path: "a", limit: null }],
    [["__proto__=x"], JSON.parse('{"__proto__": "x"}')],
  ])("%j", (words, args) => {
    expect(readToolArguments(words)).toStrictEqual(args);
  });

  test.each<[string[], RegExp]>([
    [["{bad"], /cannot be read as JSON/],
    [["limit:=five"], /value of limit cannot be read as JSON/],
    [["a", "b"], /a is not key=value/],
    [["path=a", "b"], /b is not key=value/],
    [["path=a", "path=b"], /path is given twice/],
    [["path=a", "path:=1"], /path is given twice/],
    [['{"path": "a"}', "limit=1"], /not key=value/],
  ])("%j is refused", (words, complaint) => {
    expect(() => readToolArguments(words)).toThrow(complaint);
  });
});
