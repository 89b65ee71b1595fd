import { describe, expect, test } from "vitest";
import { choicesOf } from "./glob-braces.ts";
import { globsOverlap } from "./glob-overlap.ts";
import { dominantEnding } from "./lines.ts";
import { newText } from "./new-text.ts";
import { outsideText } from "./outside.ts";

test.each<[text: string, ending: string]>([
  ["", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["a\r\nb\r", "\r\n"],
  ["a\nb\r", "\n"],
  ["a\r\nb\nc\n", "\n"],
  ["a\rb\rc\n", "\r"],
  ["a\r\nb\rc\r", "\r"],
])("the ending that most lines of %j have", (text, ending) => expect(dominantEnding(text)).toBe(ending));

describe("choices in braces", () => {
  test.each<[glob: string, choices: string[] | undefined]>([
    ["a", ["a"]],
    ["{a,b}", ["a", "b"]],
    ["{a,a}", ["a"]],
    ["{1..3}", ["1", "2", "3"]],
    ["{3..1}", ["3", "2", "1"]],
    ["{1..1}", ["1"]],
    ["{-02..1}", ["-02", "-01", "000", "001"]],
    ["{01..3}", ["01", "02", "03"]],
    ["{a..c}", ["a", "b", "c"]],
    ["{1..a}", ["1..a"]],
    ["{1..}", ["1.."]],
    ["[!{,}]x", ["[!{,}]x"]],
    ["[]{a,b}]", ["[]{a,b}]"]],
    ["[^]{a,b}]", ["[^]{a,b}]"]],
    ["{a", ["{a"]],
  ])("%s", (glob, choices) => expect(choicesOf(glob)?.map((each) => each.replaceAll("\\", ""))).toEqual(choices));

  test("as many as are worked out, and no more", () => {
    const most = [...Array(4_096).keys()].findLast((count) => choicesOf(`{1..${count}}`) !== undefined) ?? 0;
    expect(choicesOf(`{1..${most}}`)).toHaveLength(most);
    expect(choicesOf(`{1..${most + 1}}`)).toBeUndefined();
    expect(choicesOf(`{${"a,".repeat(20_000)}b}`)).toBeUndefined();
  });
});

describe("globs that could mean one path", () => {
  test.each<[one: string, other: string, meet: boolean]>([
    ["/a\\", "/a/b", true],
    ["/a/**", "/a", true],
    ["/**", "/**", true],
    ["/a/**/b", "/a/**", true],
    ["/a/**/b", "/**/c", false],
    ["/a*", "/*b", true],
    ["/a*c", "/b*", false],
    ["/*", "/a/b", false],
    ["/a", "/a/b", false],
    ["/a/b", "/a", false],
    ["/**/x", "/a/**/x", true],
    ["/a**", "/ab", true],
    ["/a*", "/a", true],
    ["/a", "/a*", true],
    [`/${"{a,b}".repeat(6)}`, "/abbaab", true],
    [`/${"{a,b}".repeat(6)}`, "/abbaac", false],
    [`/${"{a,b}".repeat(7)}`, "/zzz", true],
    [`/x/${"{a,b}".repeat(7)}`, "/zzz", false],
  ])("%s and %s: %s", (one, other, meet) => {
    expect([globsOverlap(one, other), globsOverlap(other, one)]).toEqual([meet, meet]);
  });
  test("one that is too long to be read may mean anything", () => {
    expect(globsOverlap(`/a${"a".repeat(4_095)}`, "/b")).toBe(true);
    expect(globsOverlap(`/a${"a".repeat(4_094)}`, "/b")).toBe(false);
  });
});

describe("which characters are new", () => {
  const marked = (before: string, after: string): string => [...newText(before, after)].join("");
  test.each<[before: string, after: string, marks: string]>([
    ["", "ab", "11"],
    ["", "\n", "1"],
    ["", "a\n", "11"],
    ["ab", "ab", "00"],
    ["ab", "axb", "010"],
    ["abc", "ac", "11"],
    ["aaa", "aa", "01"],
    ["aa", "aaa", "001"],
    ["a\nb", "b\na", "000"],
    ["a\nx", "a\nx\nx", "00001"],
    ["a\nb\nc", "b\na\na\nc", "0000110"],
    ["x", "y", "1"],
    ["a", "a\nb", "001"],
  ])("%j becomes %j", (before, after, marks) => expect(marked(before, after)).toBe(marks));
});

describe("where a text from outside comes from", () => {
  const from = (source: string): string =>
    outsideText(source, "x", () => "0123456789abcdefgh").split(",", 1)[0] as string;
  test.each<[source: string, shown: string]>([
    ["https://h/a", "[From https://h/a"],
    ["a  b\nc", "[From a b c"],
    ['a"]b', "[From a%22%5Db"],
    ["x".repeat(300), `[From ${"x".repeat(300)}`],
    ["x".repeat(301), `[From ${"x".repeat(300)}…`],
  ])("%j", (source, shown) => expect(from(source)).toBe(shown));
});
