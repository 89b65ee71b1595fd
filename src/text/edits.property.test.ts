import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeDiff } from "./change-diff.ts";
import { type Decoded, decode, type Edit, encode, encodeEdited } from "./decode.ts";
import { unifiedDiff } from "./diff.ts";

const line = fc.constantFrom("", "a", "b", "same", "é", "\r", "😀", "x\0");
const texts = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded ? "\n" : ""));
const replacement = fc.oneof(fc.constantFrom("", "a", "\n", "same\n", "ä\n", "\nb\nb"), texts);

/** Edits in order, none over another. */
const edited = fc
  .tuple(texts, fc.array(fc.tuple(fc.nat(), replacement), { minLength: 1, maxLength: 4 }))
  .map(([text, given]) => {
    const bounds = given
      .flatMap(([at]) => [at % (text.length + 1), (at * 7) % (text.length + 1)])
      .sort((a, b) => a - b);
    const edits: Edit[] = given.map(([, each], index) => ({
      start: bounds[2 * index] as number,
      end: bounds[2 * index + 1] as number,
      text: each,
    }));
    return { text, edits };
  })
  .filter(({ text, edits }) => applied(text, edits).isWellFormed());

const applied = (text: string, edits: readonly Edit[]): string & { isWellFormed(): boolean } => {
  let [made, at] = ["", 0];
  for (const edit of edits) {
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return (made + text.slice(at)) as string & { isWellFormed(): boolean };
};

describe("a content that edits made", () => {
  test("is what its whole text is, in bytes and as a diff", () => {
    fc.assert(
      fc.property(edited, ({ text, edits }) => {
        const before = new TextEncoder().encode(text);
        const decoded: Decoded = decode(before) ?? { text, encoding: "utf-8", bom: false };
        const whole = applied(decoded.text, edits);
        const after = encodeEdited(before, decoded, whole, edits);
        expect(after).toEqual(new Uint8Array(encode(whole, decoded)));
        const shown = unifiedDiff(decoded.text, whole, { from: "a/x", to: "b/x" });
        if (shown !== "" && !whole.includes("\0") && !text.includes("\0"))
          expect(changeDiff("x", before, after)).toBe(shown);
      }),
      { numRuns: 1000 },
    );
  });

  test("cannot hold half of a pair", () => {
    const before = new TextEncoder().encode("plain");
    const decoded = decode(before) as Decoded;
    const edits = [{ start: 0, end: 5, text: "\ud83d" }];
    expect(() => encodeEdited(before, decoded, "\ud83d", edits)).toThrow(RangeError);
  });
});
