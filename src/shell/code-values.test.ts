import { expect, test } from "vitest";
import { assembled } from "./assembled-code.ts";

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
