import { expect, test } from "vitest";
import { inEitherCase } from "./regex-classes.ts";

const CASED = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter((char) =>
  /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u.test(char),
);

test.each(["k", "[^k]", "\\p{Lu}", "\\p{Ll}", "[a-f]", "[^\\p{Lu}]", "\\w", "\u017f", "\u0130", "\u{10400}"])(
  "%s in either case matches what the flag i matches",
  (source) => {
    const [made, meant] = [new RegExp(`^${inEitherCase(source)}$`, "v"), new RegExp(`^${source}$`, "iv")];
    expect(CASED.filter((char) => made.test(char) !== meant.test(char))).toEqual([]);
    expect(inEitherCase(source), "asked again").toBe(inEitherCase(source));
  },
);

test.each(["5", "[0-9]", "."])("%s has no case, and stays as it is", (source) =>
  expect(inEitherCase(source)).toBe(source),
);
