import { expect, test } from "vitest";
import { choicesOf } from "./glob-braces.ts";

test.each<[glob: string, choices: string[]]>([
  ["*.ts", ["*.ts"]],
  ["*.{ts,js}", ["*.ts", "*.js"]],
  ["*.{ts}", ["*.ts"]],
  ["{**/*.ts,**/*.js}", ["**/*.ts", "**/*.js"]],
  ["{src,lib}/**/*.{ts,tsx}", ["src/**/*.ts", "src/**/*.tsx", "lib/**/*.ts", "lib/**/*.tsx"]],
  ["{a,b{c,d}}", ["a", "bc", "bd"]],
  ["{a,{b,{c,d}}}e", ["ae", "be", "ce", "de"]],
  ["{{a,b},c}", ["a", "b", "c"]],
  ["a{,b}", ["a", "ab"]],
  ["{a,a}", ["a"]],
  ["{1..3}", ["1", "2", "3"]],
  ["f{1..3}.txt", ["f1.txt", "f2.txt", "f3.txt"]],
  ["{3..1}", ["3", "2", "1"]],
  ["{-1..1}", ["-1", "0", "1"]],
  ["{08..11}", ["08", "09", "10", "11"]],
  ["{1..10..4}", ["1", "5", "9"]],
  ["{a..d}", ["a", "b", "c", "d"]],
  ["{d..a..2}", ["d", "b"]],
  ["{A..C}{1..2}", ["A1", "A2", "B1", "B2", "C1", "C2"]],
  ["{1..3,x}", ["1..3", "x"]],
  ["{a..3}", ["a..3"]],
  ["{..}", [".."]],
  ["{}", ["\\{\\}"]],
  ["a{}b{c,d}", ["a\\{\\}bc", "a\\{\\}bd"]],
  ["{a", ["\\{a"]],
  ["a}", ["a\\}"]],
  ["{a,b", ["\\{a,b"]],
  ["{a{b,c}", ["\\{ab", "\\{ac"]],
  ["\\{a,b\\}", ["\\{a,b\\}"]],
  ["{a\\,b,c}", ["a\\,b", "c"]],
  ["[{]a{b,c}", ["[{]ab", "[{]ac"]],
  ["{[a,b],c}", ["[a,b]", "c"]],
  ["{[!},],c}", ["[!},]", "c"]],
  ["[!]{a,b}]", ["[!]{a,b}]"]],
  ["[]{a,b}]", ["[]{a,b}]"]],
  ["{-05..05..5}", ["-05", "000", "005"]],
  ["[a{b,c}", ["[ab", "[ac"]],
])("%s", (glob, choices) => {
  expect(choicesOf(glob)).toEqual(choices);
});

test.each(["{1..501}", "{1..999999999}", "{a,b}".repeat(10), "{{1..30},{1..30}}{1..30}", "{1..400},".repeat(100)])(
  "%s stands for too many",
  (glob) => {
    expect(choicesOf(glob.startsWith("{1..400}") ? `{${glob}}` : glob)).toBeUndefined();
  },
);

test.each<[glob: string, count: number | undefined]>([
  ["{1..500}", 500],
  ["{1..250}{a,b}", 500],
  ["{1..251}{a,b}", undefined],
  [`{a,b}${"x".repeat(3_995)}`, 2],
  [`{a,b}${"x".repeat(3_996)}`, undefined],
  ["{7..7}", 1],
  ["x".repeat(4_001), 1],
])("how many choices there are: %#", (glob, count) => expect(choicesOf(glob)?.length).toBe(count));

test("braces without end take no time", () => {
  expect(choicesOf("{".repeat(1_000))).toEqual(["\\{".repeat(1_000)]);
  expect(choicesOf(`${"{a,".repeat(300)}b${"}".repeat(300)}`)).toEqual(["a", "b"]);
  expect(choicesOf("{[".repeat(400))).toHaveLength(1);
  expect(choicesOf(`${"[".repeat(1_000_000)}{`)).toBeUndefined();
});
