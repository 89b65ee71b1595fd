import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "../lines.ts";
import { replaceText } from "../match.ts";
import { readingsOf } from "./text-readings.ts";
import { plainText } from "./typography.ts";

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("a", " ", "\t", "\n", "\r", "“", '"', "…", ".", "\\", "n", "1", ":", "|", "\uFEFF"),
    maxLength: 40,
  }),
);

test("a text that occurs once is replaced by a plain splice", () => {
  fc.assert(
    fc.property(anything, anything, anything, anything, (head, old, tail, wanted) => {
      const content = head + old + tail;
      fc.pre(old !== "" && old !== wanted && content.indexOf(old) === content.lastIndexOf(old));
      // new lines take the endings of the file
      fc.pre(!/[\r\n]/.test(old + wanted) || !(content + wanted).includes("\r"));
      // an indent that the file has before the old text is not put there twice
      fc.pre(!/^[ \t]/.test(wanted) || !/[ \t]$/.test(head));
      const text = content.slice(0, content.indexOf(old)) + wanted + content.slice(content.indexOf(old) + old.length);
      expect(replaceText(content, { old, new: wanted })).toMatchObject({ kind: "replaced", text, how: [] });
    }),
    { numRuns: 1000 },
  );
});

test("nothing makes it throw, and what is replaced is what it says", () => {
  fc.assert(
    fc.property(anything, anything, anything, fc.boolean(), (content, old, wanted, all) => {
      const result = replaceText(content, { old, new: wanted, all });
      if (result.kind !== "replaced") return;
      expect(result.text).not.toBe(content);
      const substance = (text: string) => plainText(text).replace(/\s/g, "");
      const lines = splitLines(content).map((line) => line.text + line.ending);
      for (const { line, lines: count } of result.places) {
        const own = substance(lines.slice(line - 1, line - 1 + count).join(""));
        const meant = readingsOf({ old, new: wanted }).flat();
        expect([{ old }, ...meant].some((reading) => own.includes(substance(reading.old)))).toBe(true);
      }
      const [first, last] = [result.places[0]!, result.places.at(-1)!];
      expect(result.text.startsWith(lines.slice(0, first.line - 1).join(""))).toBe(true);
      expect(result.text.endsWith(lines.slice(last.line - 1 + last.lines).join(""))).toBe(true);
      expect(result.how.length > 0 || content.includes(old)).toBe(true);
      if (!all) expect(result.places).toHaveLength(1);
    }),
    { numRuns: 3000 },
  );
});

// every line has a word of its own, so that a block can be found in one place only
const body = fc.constantFrom('say "hi"', "it's", "a - b", "wait...", "{", "}", "return x;", "");
const files = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), body), { minLength: 1, maxLength: 12 })
  .map((rows) => rows.map(([depth, text], index) => ({ depth, text: text === "" ? "" : `${text} w${index}w` })));
type Row = { depth: number; text: string };
const render = (rows: Row[], unit: string, ending: string, base = 0) =>
  rows.map(({ depth, text }) => (text === "" ? "" : unit.repeat(depth + base) + text) + ending).join("");

const curly = (text: string) =>
  text
    .replace(/"(\w+)"/g, "“$1”")
    .replace(/'/g, "’")
    .replace(/ - /g, " — ")
    .replace(/\.\.\./g, "…");
const numbered = (text: string) =>
  splitLines(text)
    .map((line, index) => `${index + 7}\t${line.text}${line.ending}`)
    .join("");
const perturbations: Record<string, (text: string) => string> = {
  "trailing white space": (text) => text.replaceAll("\n", "  \n"),
  "typographic punctuation": curly,
  "line-number prefixes": numbered,
  "blank lines at the ends": (text) => `\n\n${text}\n`,
  "line endings": (text) => text.replaceAll("\n", "\r\n"),
};

test("a perturbed block is found, and only its lines change", () => {
  const chosen = fc.subarray(Object.keys(perturbations));
  const unit = fc.constantFrom("  ", "    ", "\t");
  const ending = fc.constantFrom("\n", "\r\n");
  const block = fc.tuple(fc.nat(), fc.nat());
  fc.assert(
    fc.property(
      files,
      chosen,
      unit,
      unit,
      ending,
      block,
      fc.integer({ min: 0, max: 2 }),
      (rows, names, ownUnit, unit, ending, [from, size], base) => {
        const start = from % rows.length;
        const end = Math.min(rows.length, start + 1 + (size % 5));
        const copied = rows.slice(start, end);
        fc.pre(copied.some((row) => row.text !== "") && copied[0]!.text !== "" && copied.at(-1)!.text !== "");
        const content = render(rows, ownUnit, ending);
        const least = Math.min(...copied.filter((row) => row.text !== "").map((row) => row.depth));
        const shift = base - Math.min(base, least);
        const plain = render(copied, unit, "\n", shift);
        const changed = render([...copied.slice(0, -1), { ...copied.at(-1)!, text: "changed" }], unit, "\n", shift);
        const perturb = (text: string) => names.reduce((sum, name) => perturbations[name]!(sum), text);
        const result = replaceText(content, { old: perturb(plain), new: perturb(changed) });
        const lines = splitLines(content).map((line) => line.text + line.ending);
        const kept = lines.slice(0, end - 1).join("");
        expect(result.kind).toBe("replaced");
        if (result.kind !== "replaced") return;
        expect(result.text.startsWith(kept)).toBe(true);
        expect(result.text.endsWith(lines.slice(end).join(""))).toBe(true);
        const written = result.text.slice(kept.length, result.text.length - lines.slice(end).join("").length);
        const indent = ownUnit.repeat(copied.at(-1)!.depth);
        expect(written.trimEnd() + ending).toBe(`${indent}changed${ending}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a change of one letter is never forgiven", () => {
  const pick = fc.tuple(fc.nat(), fc.nat(), fc.nat());
  fc.assert(
    fc.property(
      files,
      pick,
      fc.subarray(Object.keys(perturbations)),
      fc.boolean(),
      (rows, [from, size, at], names, all) => {
        const start = from % rows.length;
        const plain = render(rows.slice(start, start + 1 + (size % 5)), "  ", "\n");
        const letters = [...plain.matchAll(/\S/g)].map((found) => found.index);
        fc.pre(letters.length > 0);
        const where = letters[at % letters.length]!;
        const mutated = `${plain.slice(0, where)}Z${plain.slice(where + 1)}`;
        const old = names.reduce((sum, name) => perturbations[name]!(sum), mutated);
        const content = render(rows, "  ", "\n");
        fc.pre(!content.includes(old));
        expect(replaceText(content, { old, new: "new", all }).kind).toBe("missing");
      },
    ),
    { numRuns: 1000 },
  );
});
