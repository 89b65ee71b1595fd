import { describe, expect, test } from "vitest";
import { Automaton } from "./automaton.ts";
import { byteString, ruleGlob } from "./rule-globs.ts";
import { ruleLines, rulesOf } from "./rule-lines.ts";

const verdict = (rules: string, path: string) =>
  new Automaton(rulesOf(rules)).verdict(byteString(path.replace(/\/$/, "")), path.endsWith("/"));

describe("rules of a .gitignore, as ripgrep reads them", () => {
  test.each<[rules: string, ignored: string, not: string]>([
    ["a", "a x/a a/ x/y/a", "ab ba a/b"],
    ["/a", "a a/", "x/a"],
    ["a/b", "a/b", "x/a/b b a"],
    ["a/", "a/ x/a/", "a x/a"],
    ["a/b/", "a/b/", "a/b x/a/b/"],
    ["*.o", "x.o .o d/y.o", "x.oo o x.o/y"],
    ["a*b", "ab axb axxb", "a/b axc"],
    ["?", "a x/b", "ab"],
    ["a?c", "abc", "ac a/c abbc"],
    ["[ab]c", "ac bc", "cc abc"],
    ["[a-c]x", "ax bx cx", "dx -x"],
    ["[!a]x", "bx", "ax"],
    ["[^a]x", "bx", "ax"],
    ["[]a]x", "]x ax", "bx"],
    ["[!]a]x", "bx", "]x ax"],
    ["[a-]x", "ax -x", "bx"],
    ["[-a]x", "-x ax", "bx"],
    ["[a-c-]x", "bx -x", "dx"],
    ["[a", "[a", "a"],
    ["[a[b]", "a [ b x/b", "ab c"],
    ["[a[b", "[a[b", "a b"],
    ["x[ü]", "", "x xü"],
    ["[a-a]x", "ax", "bx"],
    ["[€][€][€]", "€", "₰ a"],
    ["[‿-ヿ][‿-ヿ][‿-ヿ]", "‿ ヿ", "a"],
    ["{a,b}c", "ac bc", "c abc"],
    ["{a,}c", "ac", "c"],
    ["{,}c", "c", "ac"],
    ["{a,{b,c}}d", "ad bd cd", "d abd"],
    ["a,b", "a,b", "a b"],
    ["a\\*b", "a*b", "axb"],
    ["\\[a]", "[a]", "a"],
    ["**", "a a/b a/b/c", ""],
    ["**/a", "a x/a x/y/a", "ab"],
    ["a/**", "a/b a/b/c a/b/", "a a/"],
    ["a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb x/a/b"],
    ["/**/a", "a x/a", "b"],
    ["**/a/**/b", "a/b x/a/y/b", "b a"],
    ["a/**/**/b", "a/b a/x/b", "ab"],
    ["**/**/a", "a x/a", "b"],
    ["a**b", "ab axb", "a/b"],
    ["a/**b", "a/b a/xb", "a/x/b b"],
    ["x/{**,y}/b", "x/y/b", "b"],
    ["x/{y,**}/b", "x/y/b x/q/b x/ya/b", "x/b b"],
    ["x/{**}/b", "x/y/b x/q/b", "x/b"],
    ["{**/b,c}", "b c x/b a/x/y/b", "a xb"],
    ["{c,**/b}", "b c x/b", "xb"],
    ["{x/**,c}/b", "x/y/b x/q/b", "x/b b"],
    ["x/{**,y}", "x/b x/yb", "xb b"],
    ["x/{y,**}", "x/b", "xb"],
    ["{**,c}/b", "x/b q/b", "b x/y/b"],
    ["a{/**}/b", "a/x/b a/x/y/b", "a/b ab"],
    ["x{**,y}b", "xb x/xb", "x/b x/yb"],
    ["x/{y,**b}", "x/b x/yb", "x/b2 xb"],
    ["x/**,b", "x/a,b", "x/b a,b x/q/a,b"],
    ["x,**/b", "x,y/b", "x/b b"],
    ["a/{**/b,c}", "a/b a/x/b a/x/y/b a/c", "b c"],
    ["{a/**,c}", "c a/b a/c a/x/b", "a b"],
    ["{c,a/**}", "c a/b a/x/b", "a b"],
    ["{a/**b,c}", "c a/b a/xb", "a/x/b"],
    ["{a\\,**/b,c}", "c a/b a/x/b", "a,/b a,x/b b"],
    ["{a\\{**/b,c}", "c a/b a/x/b", "a{/b a{x/b b"],
    ["{{,},a}b", "ab", "b"],
    ["/**", "a a/b x/y/z", ""],
    ["/**b", "b xb", "x/b"],
    ["/a**", "a ab abb", "b x/a"],
    ["/a**/b", "a/b ab/b", "axb b"],
    ["a/**/**", "a/b", "a"],
    ["a/**", "a/x\ny", "x\ny"],
    ["**", "x\ny", ""],
    ["/q/**/b", "q/b q/x\ny/b", "b"],
    ["\\#a", "#a", "a"],
    ["\\!a", "!a", "a"],
    ["a ", "a", "aa"],
    ["a\\ ", "a\u0020", "a"],
    ["a\t \t", "a", "b"],
    ["#a", "", "#a a"],
    ["ü", "ü x/ü", "u"],
    ["a\n!a", "", ""],
    ["\ufeffa", "a", "b"],
  ])("%j", (rules, ignored, not) => {
    const names = (text: string) => text.split(/ (?=\S)/).filter((name) => name !== "");
    for (const path of names(ignored)) expect([path, verdict(rules, path)]).toEqual([path, "ignored"]);
    for (const path of names(not)) expect([path, verdict(rules, path)]).toEqual([path, undefined]);
  });

  test("the last rule that fits counts, and for a file those alone that are not for folders", () => {
    expect(verdict("a\n!a", "a")).toBe("wanted");
    expect(verdict("!a\na", "a")).toBe("ignored");
    expect(verdict("*\n!*.ts\nx.ts", "y.ts")).toBe("wanted");
    expect(verdict("*\n!*.ts\nx.ts", "x.ts")).toBe("ignored");
    expect([verdict("!a\na/", "a"), verdict("!a\na/", "a/")]).toEqual(["wanted", "ignored"]);
  });

  test.each(["{a", "a}", "a\\", "[b-a]x", "{a,{b}"])("%s is no glob, and counts for nothing", (glob) => {
    expect(ruleGlob(glob)).toBeUndefined();
    expect(rulesOf(`${glob}\nok`)).toHaveLength(1);
  });
});

test("lines are taken apart", () => {
  const line = (glob: string, more: object = {}) => ({
    ...{ isNegated: false, isAnchored: false, glob, onlyFolders: false },
    ...more,
  });
  expect(ruleLines("# no\n\na\r\n!b\n/c\nd/e/\n\\!f\n  \n!/g/\nh\\/\n")).toEqual([
    line("a"),
    line("b", { isNegated: true }),
    line("c", { isAnchored: true }),
    line("d/e", { isAnchored: true, onlyFolders: true }),
    line("!f"),
    line("g", { isNegated: true, isAnchored: true, onlyFolders: true }),
    line("h", { onlyFolders: true }),
  ]);
});
