import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { parseSync } from "oxc-parser";

export type Written = { at: string; source: string; flags: string };

/** Every regular expression that is written as such in the sources. */
export function regexesIn(root: string): Written[] {
  const found: Written[] = [];
  const visit = (node: unknown, file: string, text: string): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
    if (regex)
      found.push({
        at: `${file}:${text.slice(0, start).split("\n").length}`,
        source: regex.pattern,
        flags: regex.flags,
      });
    for (const [key, child] of Object.entries(node)) if (key !== "regex" && key !== "value") visit(child, file, text);
    const { value } = node as { value?: unknown };
    if (typeof value === "object") visit(value, file, text);
  };
  for (const file of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const text = fs.readFileSync(path.join(root, file), "utf8");
    visit(parseSync(file, text).program, file, text);
  }
  return found;
}

const GENERAL = [..." a0A_-\"'\\/.=:\n\t\r{([<@#$,;*!%&|~`"];
const PAIRS = ["a", " ", "\\", '"', "\n"];

/** The texts that a pattern spells out. */
const runsOf = (source: string): string[] =>
  source
    .replace(/\\[wsdWSDbB]|\[[^\]]*\]|\(\?(?:<?[=!]|:)|[(){}?*+|^$]/g, "\0")
    .replace(/\\(.)/g, "$1")
    .split("\0")
    .filter((run) => run !== "" && run.length < 20);

/** Texts that repeat what a pattern may repeat, and at last disappoint it. */
function* attacksOn(source: string): Generator<(length: number) => string> {
  const runs = [...new Set(runsOf(source))].slice(0, 8);
  const own = [...new Set(source.replace(/\\[a-zA-Z]/g, ""))].filter((each) => !/[\\^$|?*+()[\]{}]/.test(each));
  const pumps = new Set([...GENERAL, ...own.slice(0, 20), ...runs]);
  for (const run of runs) for (const each of [" ", "a", "-", "="]) pumps.add(run + each);
  for (const one of PAIRS) for (const other of PAIRS) pumps.add(one + other);
  for (const pump of pumps)
    for (const before of ["", ...runs.slice(0, 3)])
      for (const after of ["", "\0x"]) yield (length) => before + pump.repeat(Math.ceil(length / pump.length)) + after;
}

const SHORT = 8_000;
const NEVER_MS = 400;
/** A thousand times what a linear one takes for so short a text; how busy the machine is does not matter. */
const SUSPICIOUS_MS = 12;

const world = vm.createContext({});
const run = new vm.Script("for (const text of texts) { regex.lastIndex = 0; regex.exec(text); }");

/** The time limit takes a thread of its own, which costs more than most of what is run under it. */
function costOf(regex: RegExp, texts: readonly string[]): number {
  Object.assign(world, { regex, texts });
  const before = process.cpuUsage();
  try {
    run.runInContext(world, { timeout: NEVER_MS });
  } catch {
    return Number.POSITIVE_INFINITY;
  }
  return process.cpuUsage(before).user / 1000;
}

const least = (regex: RegExp, text: string): number => Math.min(costOf(regex, [text]), costOf(regex, [text]));

/** Without a repetition that has no end, a match is over after so many steps. */
const repeats = (source: string): boolean => /[*+]|\{\d+,\}/.test(source.replace(/\\./g, ""));

/** A text on which the cost of matching grows faster than its length; undefined: none was found. */
export function blowUp({ source, flags }: Written): string | undefined {
  if (!repeats(source)) return undefined;
  // once, from the start: what a loop around it costs is no property of the pattern
  const regex = new RegExp(source, flags.replace("g", ""));
  for (const attacks of inBatches([...attacksOn(source)])) {
    const texts = attacks.map((attack) => attack(SHORT));
    if (costOf(regex, texts) < SUSPICIOUS_MS) continue;
    for (const [index, attack] of attacks.entries()) {
      const short = least(regex, texts[index] as string);
      if (short < SUSPICIOUS_MS) continue;
      if (short > NEVER_MS || least(regex, attack(2 * SHORT)) > 2.8 * short) return attack(24);
    }
  }
  return undefined;
}

/** Together they take no longer than one that is suspicious, if none of them is. */
const BATCH = 32;
const inBatches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
