import { expect, test } from "vitest";
import { assembled } from "./assembled-code.ts";
import { added, joined, MOST_ITEMS, MOST_TEXT, repeated } from "./code-values.ts";

test.each<[language: string, code: string, whole: string]>([
  ["perl", '$c="a"; $c.="b"; f($c)', '$c="a"; $c.="b"; f("ab")'],
  ["php", '$c="a"; $c.="b"; f($c)', '$c="a"; $c.="b"; f("ab")'],
  ["python", "f(chr(100-3)+chr(97+1))", 'f("ab")'],
  ["python", 'f("%d%s" % (1,"a"))', 'f("1a")'],
  ["python", 'f(chr(2) + "ab")', 'f("ab")'],
  ["python", 'f(b64decode("AmFi"))', 'f("ab")'],
  ["python", 'f(bytes.fromhex("006162"))', 'f("ab")'],
  ["python", 'f(unquote("%01ab"))', 'f("ab")'],
  ["python", 'f("{}{}".format(1, "a"))', 'f("1a")'],
  ["python", 'f("a"*3)', 'f("aaa")'],
  ["python", 'f("abxx".rstrip("x"))', 'f("ab")'],
  ["python", 'f("xxab".lstrip("x"))', 'f("ab")'],
  ["python", "f(bytes([97,98]))", 'f("ab")'],
  ["python", 'f([a for a in ("b","c")])', 'f(["b", "c"])'],
  ["perl", "f(join(' ', split(',', 'a,b')))", 'f("a b")'],
  ["php", 'f(implode(" ", ["a","b"]))', 'f("a b")'],
  ["ruby", 'f("a" "b")', 'f("ab")'],
  ["ruby", "f([97,98].map(&:chr).join)", 'f("ab")'],
  ["lua", 'f(table.concat({"a","b"}))', 'f("ab")'],
  ["lua", 'f(table.concat({97,98}, "-"))', 'f("97-98")'],
])("%s: %s is worked out", (language, code, whole) => expect(assembled(language, code)).toBe(whole));

test.each<[language: string, code: string]>([
  ["python", "f(chr(0))"],
  ["python", "f(chr(n-1))"],
  ["python", "f(chr(1-n))"],
  ["python", 'f("{}".format(x))'],
  ["python", 'f(["a", x])'],
  ["python", 'f("".join([x, "a"]))'],
  ["python", "f(base64.b16decode(x))"],
  ["node", 'f("a" x 3)'],
  ["awk", 'BEGIN{f("a" /b/)}'],
])("%s: %s stays as it is", (language, code) => expect(assembled(language, code)).toBe(code));

test("a text that grows too long is not followed", () => {
  const longest = "a".repeat(MOST_TEXT - 1);
  expect(added(longest, "b")).toBe(`${longest}b`);
  expect(added(`${longest}b`, "c")).toBeUndefined();
  expect(repeated("a", MOST_TEXT)).toHaveLength(MOST_TEXT);
  expect(repeated("a", MOST_TEXT + 1)).toBeUndefined();
  expect(repeated("a", -1)).toBeUndefined();
  expect(joined("", [longest, longest, "bb"])).toHaveLength(2 * MOST_TEXT);
  expect(joined("", [longest, longest, "bbb"])).toBeUndefined();
  const long = 'f(("a"*4000).replace("a", "b"*4000))';
  expect(assembled("python", long)).not.toContain("b".repeat(4_001));
});

test("a list that grows too long is not followed", () => {
  const items = (count: number): string => Array.from({ length: count }, () => '"a"').join(",");
  const whole = `f("${"a".repeat(MOST_ITEMS)}")`;
  expect(assembled("python", `f("".join([${items(MOST_ITEMS)}]))`)).toBe(whole);
  expect(assembled("python", `f("".join([${items(MOST_ITEMS + 1)}]))`)).not.toBe(whole);
  const list = Array.from({ length: MOST_ITEMS }, () => "a");
  expect(added(list.slice(1), ["b"])).toHaveLength(MOST_ITEMS);
  expect(added(list, ["b"])).toBeUndefined();
});

test("code inside code is followed so deep, and no deeper", () => {
  const nested = (depth: number): string => `f(${"(".repeat(depth)}"a"+"b"${")".repeat(depth)})`;
  expect(assembled("python", nested(22))).toContain('"ab"');
  expect(assembled("python", nested(24))).not.toContain('"ab"');
});

test("loops in loops end soon", () => {
  const inLoops = (times: number): string => `${"[".repeat(times)}"a"${" for c in x]".repeat(times)}`;
  const code = `x="${"y".repeat(300)}"; f(${inLoops(6)}); f("a"+"b")`;
  expect(assembled("python", code)).toContain("for c in x");
});
