import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs, when } from "../../test/capabilities.ts";
import { parsedOptions } from "./option-parsing.ts";
import { PROGRAMS } from "./programs/all.ts";
import type { Entry } from "./programs/program.ts";
import type { Field } from "./walk.ts";

/** An option that no program has: one that still takes it as the value of the option before it does not complain. */
const BOGUS = "--toolgate-bogus";
const COMPLAINS =
  /unrecognized (?:option|argument:)|unknown (?:option|argument|switch|predicate)|invalid option|not an option/i;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "arity-"));
  spawnSync("git", ["init", "-q", folder]);
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  spawnSync("git", ["-C", folder, ...identity, "commit", "-q", "--allow-empty", "-m", "first"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  PATH: process.env.PATH,
  HOME: "/nowhere",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_PAGER: "cat",
};

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
const NEXT = "\u001e";

/** What each line prints. One shell runs them all: starting a process from here takes longer than the program itself. */
const printed = (lines: readonly (readonly string[])[], where: string): string[] => {
  const tries = lines.map((words) => `${quoted(words)} </dev/null ${where}; printf '${NEXT}'`);
  const { stdout, status } = spawnSync("bash", ["-c", tries.join("\n")], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: 30_000,
  });
  const each = stdout.split(NEXT);
  expect({ status, tried: each.length - 1 }).toEqual({ status: 0, tried: lines.length });
  return each.slice(0, -1);
};
const complaints = (lines: readonly (readonly string[])[]): boolean[] =>
  printed(lines, "2>&1 >/dev/null").map((told) => COMPLAINS.test(told) && told.includes("toolgate-bogus"));

/** Which options the real program takes the next word for. */
const takingNext = (program: string, before: readonly string[], options: readonly string[]): Set<string> => {
  const bogus = program === "find" ? BOGUS.slice(1) : BOGUS;
  const complains = complaints(options.map((option) => [program, ...before, option, bogus]));
  return new Set(options.filter((_, index) => !complains[index]));
};

/** What the table says of each option: whether it takes the next word. */
const arities = ({ options = "" }: Entry): [option: string, takes: boolean][] => {
  const found = new Map<string, boolean>();
  for (const token of options.split(" ")) {
    const [, option = "", role] = /^(--?[^=:]+)[=:](.*)$/.exec(token) ?? [];
    if (option !== "") found.set(option, role !== "?");
    // the later one of two counts
    else if (token.startsWith("--")) found.set(token, false);
    else for (const letter of token.slice(1)) found.set(`-${letter}`, false);
  }
  return [...found];
};

/** They end a program before it looks at what follows. */
const ENDING = /^--?(?:help|version|h|V|v|\?|#|list|l|L|type-list|build-options)$/;

/**
 * Were one wrong that is said to take the next word, an option behind it would not be seen; were one wrong that is said
 * to take none, a `--` behind it would be its value, and what follows an option again.
 */
const differing = (program: string, before: readonly string[], entry: Entry, flags = false): string[] => {
  const tried = arities(entry).filter(([option, takes]) => takes || (flags && !ENDING.test(option)));
  const taking = takingNext(
    program,
    before,
    tried.map(([option]) => option),
  );
  return tried.flatMap(([option, takes]) => (takes === taking.has(option) ? [] : [option]));
};

const installed = (program: string) =>
  when(spawnSync(program, ["--version"], { input: "" }).status === 0, `${program} is not installed here`);

/** Some programs that need no installing do not know `--version`. */
const startsHere = (program: string) =>
  when(!spawnSync(program, [BOGUS], { input: "" }).error, `${program} is not installed here`);

describe("git's options take values as the table says", needs("git"), () => {
  const verbs = [...(PROGRAMS.get("git")?.verbs ?? [])].filter(
    ([, { options, class: kind }]) => options && kind === "safe",
  );
  test.each(verbs)("git %s", (verb, entry) => expect(differing("git", [verb], entry)).toEqual([]));
});

const GNU =
  "ls cat head tail wc tac nl du df basename dirname realpath readlink stat cut sort uniq tr join paste fold fmt expand unexpand od cmp diff comm grep md5sum base64 date sed tar find shuf numfmt seq uname column iconv hexdump pgrep free nproc b2sum nm readelf objdump strings file";
describe("options of GNU programs take values as the table says", () => {
  for (const name of GNU.split(" "))
    test(name, installed(name), () =>
      expect(differing(name, name === "find" ? ["."] : [], PROGRAMS.get(name) as Entry, name !== "find")).toEqual([]),
    );
});

const AWKS = ["awk", "gawk", "mawk", "nawk"];
/** Were a program wrong that is said to look for options behind its operands, the value of one would be a file. */
describe("words behind an operand are options as the table says", () => {
  const reading = GNU.split(" ").filter((name) => name !== "find" && PROGRAMS.get(name)?.operands !== "text*");
  for (const name of reading)
    test(name, startsHere(name), () => {
      const [first, behind] = complaints([
        [name, BOGUS],
        [name, "x", BOGUS],
      ]);
      expect({ first, behind }).toEqual({ first: true, behind: PROGRAMS.get(name)?.stops !== true });
    });
  // not every awk names the option that it does not know, but none runs the program then
  for (const name of AWKS)
    test(name, startsHere(name), () => {
      const program = 'BEGIN { print "ran" }';
      const lines = [
        [name, program],
        [name, BOGUS, program],
        [name, program, BOGUS],
      ];
      const ran = printed(lines, "2>/dev/null").map((told) => told === "ran\n");
      expect(ran).toEqual([true, false, PROGRAMS.get(name)?.stops === true]);
    });
});

describe("awk takes its words as the table says", () => {
  const program = (name: string): string => `BEGIN { print "${name}", x }`;
  const word = fc.constantFrom("-F", "-F,", "-F:", "-v", "-vx=1", "-f", "--", ",", "x=2", "-v", "x=3");
  const lines = fc.sample(
    fc
      .tuple(fc.array(word, { maxLength: 4 }), fc.array(word, { maxLength: 3 }))
      .map(([before, behind]) => [...before, program("one"), ...behind, program("two")]),
    { seed: 11, numRuns: 300 },
  );

  for (const name of AWKS)
    test(name, startsHere(name), () => {
      const entry = PROGRAMS.get(name) as Entry;
      expect(differing(name, [], entry, true)).toEqual([]);
      const said = printed(
        lines.map((words) => [name, ...words]),
        "2>/dev/null",
      );
      const readings = lines.map((words) => {
        const fields = words.map((text) => ({ text, literal: true, worked: true, whole: true }) as Field);
        const { operands, options, unknown } = parsedOptions(fields, 0, entry);
        const set = options.findLast(({ name: option }) => option === "-v")?.value?.text.slice("x=".length) ?? "";
        const runs = ["one", "two"].find((each) => operands[0]?.text === program(each));
        return unknown === undefined && runs !== undefined ? `${runs} ${set}\n` : undefined;
      });
      // what awk does not take, and what the table leaves open, says nothing
      const compared = lines.flatMap((words, index) =>
        said[index] && readings[index] ? [[words, said[index], readings[index]]] : [],
      );
      expect(compared.length).toBeGreaterThan(60);
      expect(compared.filter(([, real, read]) => real !== read)).toEqual([]);
    });
});
