import { describe, expect, test } from "vitest";
import { plainField } from "./fields.ts";
import { parsedOptions } from "./option-parsing.ts";
import { type Program, uniform } from "./programs/program.ts";

/** What a parser makes of words: options as `name`, `name=value` or `name=value(role)`, operands, and the rest. */
const read = (program: Partial<Program>, line: string): string => {
  const words = line.split(" ").map(plainField);
  const { options, operands, unknown, ended } = parsedOptions(words, 0, uniform({ class: "safe", ...program }));
  const given = options.map(
    ({ name, value, role }) =>
      name + (value === undefined ? "" : `=${value.text}`) + (role === "text" ? "" : `(${role})`),
  );
  const rest = [...(ended === undefined ? [] : [`ended ${ended}`]), ...(unknown === undefined ? [] : [`? ${unknown}`])];
  return [given.join(" "), operands.map(({ text }) => text).join(" "), ...rest].join(" | ");
};

const GNU = "-ab -n: -f:read -u? -# --all --almost --max= --file=read --color=?";

describe("the options of a program", () => {
  test.each([
    ["x y", " | x y"],
    ["-", " | -"],
    ["-a", "-a | "],
    ["-ab", "-a -b | "],
    ["-ba x", "-b -a | x"],
    ["-n 5 x", "-n=5 | x"],
    ["-n5 x", "-n=5 | x"],
    ["-n=5 x", "-n=5 | x"],
    ["-an5 x", "-a -n=5 | x"],
    ["-an 5 x", "-a -n=5 | x"],
    ["-n", "-n | "],
    ["-f x y", "-f=x(read) | y"],
    ["-fx y", "-f=x(read) | y"],
    ["-u x", "-u | x"],
    ["-ux y", "-u=x | y"],
    ["-u=x y", "-u=x | y"],
    ["-12 x", "-#=12 | x"],
    ["-1a x", " | x | ? -1a"],
    ["-z x", " | x | ? -z"],
    ["-az x", "-a | x | ? -az"],
    ["-z -y", " |  | ? -z"],
    ["--all x", "--all | x"],
    ["--all=1 x", " | x | ? --all=1"],
    ["--al x", " | x | ? --al"],
    ["--max 5 x", "--max=5 | x"],
    ["--max=5 x", "--max=5 | x"],
    ["--max= x", "--max= | x"],
    ["--file x y", "--file=x(read) | y"],
    ["--file=x y", "--file=x(read) | y"],
    ["--color x", "--color | x"],
    ["--color=x y", "--color=x | y"],
    ["--zap x", " | x | ? --zap"],
    ["--zap=1 x", " | x | ? --zap=1"],
    ["--a x", " | x | ? --a"],
    ["x -a y", "-a | x y"],
    ["-- -a x", " | -a x | ended 0"],
    ["x -- -a", " | x -a | ended 1"],
    ["-n -5 x", "-n=-5 | x"],
    ["-n -a x", "-n=-a -a | x | ? -n -a"],
    ["--max -a x", "--max=-a -a | x | ? --max -a"],
    ["-n - x", "-n=- | x"],
  ])("%s", (line, expected) => expect(read({ options: GNU }, line)).toBe(expected));

  test.each([
    ["--al x", " | x | ? --al"],
    ["--alm x", "--almost | x"],
    ["--all x", "--all | x"],
    ["--m 5 x", "--max=5 | x"],
    ["--m=5 x", "--max=5 | x"],
    ["--col x", "--color | x"],
    ["--z x", " | x | ? --z"],
    ["-m x", " | x | ? -m"],
  ])("any beginning that fits one long option: %s", (line, expected) =>
    expect(read({ options: GNU, abbreviates: true }, line)).toBe(expected),
  );

  const WORDS = "-name: -s: -print -x=? -newer:read";
  test.each([
    ["-print x", "-print | x"],
    ["-name -x y", "-name=-x | y"],
    ["-newer x y", "-newer=x(read) | y"],
    ["-p x", " | x | ? -p"],
    ["-s10 x", "-s=10 | x"],
    ["-s+10 x", "-s=+10 | x"],
    ["-s 10 x", "-s=10 | x"],
    ["-sx y", " | y | ? -sx"],
    ["-x5 y", " | y | ? -x5"],
    ["-x=5 y", "-x=5 | y"],
    ["-q5 y", " | y | ? -q5"],
    ["-name=5 y", "-name=5 | y"],
  ])("one dash starts a whole word: %s", (line, expected) =>
    expect(read({ options: WORDS, style: "word" }, line)).toBe(expected),
  );

  test.each<[string, Partial<Program>, string, string]>([
    ["there are none", { style: "none" }, "-a -- x", " | -a -- x"],
    ["none are known", {}, "-a --b x", " | x | ? -a"],
    ["without numbers", { options: "-a" }, "-5 x", " | x | ? -5"],
    ["the first operand ends them", { options: "-a", stops: true }, "-a x -b -- y", "-a | x -b -- y"],
    ["no option can harm", { options: "-n: -a", inert: true }, "-n -a x", "-n=-a | x"],
    ["its value is a pattern", { options: "-e: -a", patternOptions: ["-e"] }, "-e -a x", "-e=-a | x"],
    ["another takes the pattern", { options: "-e: -n: -a", patternOptions: ["-e"] }, "-n -a", "-n=-a -a |  | ? -n -a"],
    ["empty lists", { options: "" }, "-a", " |  | ? -a"],
    ["a question mark among letters", { options: "-ab?" }, "-?a x", "-? -a | x"],
    ["one name is how another begins", { options: "--all --all-of-it", abbreviates: true }, "--all x", "--all | x"],
    ["one dash, in full only", { options: "-all --max", style: "word", abbreviates: true }, "-al x", " | x | ? -al"],
    ["two dashes, not in full", { options: "-all --max", style: "word", abbreviates: true }, "--ma x", "--max | x"],
  ])("%s", (_, program, line, expected) => expect(read(program, line)).toBe(expected));

  test("words before the start are left alone", () => {
    const program = uniform({ class: "safe", options: "-a" });
    expect(parsedOptions(["x", "-z", "-a"].map(plainField), 2, program)).toMatchObject({
      operands: [],
      unknown: undefined,
    });
  });
});
