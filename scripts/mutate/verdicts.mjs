// What is known of each mutant: a file of lines, to which every process appends and which outlives those that hang.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

export const note = (file, row) => appendFileSync(file, `${JSON.stringify(row)}\n`);

/** The mutant that is switched on: whoever ends the process is found by it. */
const nowOf = (file) => `${file}.now`;
export const begin = (file, number) => writeFileSync(nowOf(file), String(number));
export const end = (file) => rmSync(nowOf(file), { force: true });
export const underway = (file) => (existsSync(nowOf(file)) ? Number(readFileSync(nowOf(file), "utf8")) : undefined);

export const rowsIn = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/**
 * By number: who killed it, which test files did not, how many milliseconds of tests they took, whether it is
 * reached before the first test, and whether nothing more will be tried.
 */
export function verdictsIn(file) {
  const verdicts = new Map();
  for (const { number, killer, spent = 0, survived, poisoned, early, settled } of rowsIn(file)) {
    if (number === undefined) continue;
    const verdict = verdicts.get(number) ?? { spent: 0, survived: new Set(), poisoned: 0 };
    verdicts.set(number, verdict);
    verdict.spent += spent;
    verdict.killer ??= killer;
    if (survived) verdict.survived.add(survived);
    if (poisoned) verdict.poisoned += 1;
    if (early) verdict.early = true;
    if (settled) verdict.settled = true;
  }
  return verdicts;
}
