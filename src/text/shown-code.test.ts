import { describe, expect, test } from "vitest";
import { blanked, substitutionEnd } from "./shown-code.ts";

/** A secret that stands between « and », with what is put in its place; code is marked as looked into. */
function shown(marked: string): string {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  return blanked(marked.replace(/[«»]/g, ""), start, end, "•", (code) => code && `{${code}}`);
}

describe("the literal parts of a value go, and what a shell would run stays", () => {
  test.each<[marked: string, shown: string]>([
    ["«secret»", "•"],
    ["« »", "•"],
    ["«a`b`c»", "•{`b`}•"],
    ["«a`b(`c»", "•{`b(`}•"],
    ["«a$(b)c»", "•{$(b)}•"],
    ["«a<(b)>(c)»", "•{<(b)}{>(c)}"],
    ["«$(a)$(b)»", "{$(a)}{$(b)}"],
    ["«$(a $(b) c)d»", "{$(a $(b) c)}•"],
    ["«a$(b (c) d)»", "•{$(b (c) d)}"],
    ['«"$(a)"\'»', '"{$(a)}"\''],
    ["«$(a) $(b)»", "{$(a)} {$(b)}"],
    ["«a$(b»", "•"],
    ["«a`b»", "•"],
    ["«a$(b»c)", "•{$(b}"],
    ["«a;b»", "•{;b}"],
    ["«a|b»", "•{|b}"],
    ["«a&b»", "•{&b}"],
    ["«a\nb»", "•{\nb}"],
    ["«;b»", "{;b}"],
    [";ab «c;d»", "•{;d}"],
    ["«a$(b;c);d»", "•{$(b}{;c);d}"],
    ["«a\\;b»", "•"],
    ["'«a;b»'", "•"],
    ['"«a;b»"', "•"],
    ["«a'b;c'd;e»", "•{;e}"],
    ["'«a\\';b»", "•{;b}"],
    ['"«a\\";b»"', "•"],
    ["x 'y' «a;b»", "•{;b}"],
    ["x 'y «a;b»", "•"],
    ['x \\"«a;b»', "•"],
    ["x \\'«a;b»", "•"],
    ["x \\`«a;b»", "•"],
    ['x "«a;b»"', "•"],
  ])("%s", (marked, expected) => expect(shown(marked)).toBe(expected));

  test("quotes count from so far before the value", () => {
    expect(shown(`'${"x".repeat(4095)}«a;b»`)).toBe("•");
    expect(shown(`'${"x".repeat(4096)}«a;b»`)).toBe("•{;b}");
  });
});

describe("the end of a substitution", () => {
  const long = "x".repeat(4093);

  test.each<[text: string, end: number]>([
    ["$(a)b", 4],
    ["$(a(b)c)d", 8],
    ["$(a", -1],
    ["$(a(b)", -1],
    [`$(${long})b`, 4096],
    [`$(${long}x)b`, 4098],
    [`$(${long}x`, -1],
  ])("%#", (text, end) => expect(substitutionEnd(text, 0, "$(")).toBe(end));
});

describe("code inside code inside code", () => {
  const looks = (): number => {
    let count = 0;
    const within = (): string => {
      count++;
      return blanked(";x", 0, 2, "•", within);
    };
    within();
    return count - 1;
  };

  test("is looked into three deep, every time anew", () => {
    expect([looks(), looks()]).toEqual([3, 3]);
  });

  test("a look that fails takes nothing from later ones", () => {
    const failing = () => {
      throw new Error("no");
    };
    for (let time = 0; time < 4; time++) expect(() => blanked(";x", 0, 2, "•", failing)).toThrow("no");
    expect(looks()).toBe(3);
  });
});
