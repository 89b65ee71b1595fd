import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

const many = (count: number, word: (index: number) => string, between = " "): string =>
  Array.from({ length: count }, (_, index) => word(index)).join(between);

/** A word that grows by a kilobyte with every name that stands for a folder outside. */
const mounted = (size: number): string => `docker run -v /${"b".repeat(1_023)}:/a -v /c:/d x cat ${"/a".repeat(size)}`;

/** Each round of the loop hands a value on to one more variable. */
const copiedOn = (size: number): string =>
  `while read x; do ${many(size, (at) => `a${size - at}=$a${size - at - 1}`, "; ")}; a0=$a0$x; done`;

/** What is not looked at can't be vouched for: the last size that is followed, and the first that is refused. */
describe("a limit that is reached refuses the line", () => {
  const TOO_MUCH = "it is too long or too deeply nested to be understood";
  test.each<[string, line: (size: number) => string, most: number, tooMuch?: number]>([
    ["commands", (size) => "ls;".repeat(size), 256],
    ["commands that depend on an expansion", (size) => "cat $x;".repeat(size), 256],
    ["wrappers", (size) => `${"env ".repeat(size)}ls`, 16],
    ["evals", (size) => `${"eval ".repeat(size)}ls`, 16],
    ["substitutions", (size) => `echo ${"$(echo ".repeat(size)}a${")".repeat(size)}`, 16],
    ["functions", (size) => `${many(size, (at) => `f${at}() { f${at + 1}; }`, ";")}; f${size}() { ls; }; f0`, 15],
    ["values of a variable", (size) => `for x in ${many(size, (at) => `a${at}`)}; do cat $x; done`, 256],
    ["words of a brace", (size) => `cat {${many(size, (at) => `a${at}`, ",")}}`, 64],
    ["open braces", (size) => `echo ${"{".repeat(size)} ${"a".repeat(1_000)}`, 1_000],
    ["mounts", (size) => `docker run ${"-v /a:/b ".repeat(size)}x ls`, 64],
    ["a word in a mounted folder", (size) => mounted(size), 4],
    ["rounds of a loop", (size) => copiedOn(size), 14],
    ["words for xargs", (size) => `echo ${"a ".repeat(size)}| xargs cat`, 64],
    ["lines for xargs", (size) => `echo '${"a\n".repeat(size)}' | xargs -I{} cat {}`, 64],
    ["pieces for xargs", (size) => `echo '${"a,".repeat(size)}' | xargs -d , cat`, 64],
    ["words for parallel", (size) => `parallel cat ::: ${"a ".repeat(size)}`, 64],
    ["words that depend on an expansion", (size) => `cat ${"$x ".repeat(size)}`, 1_999],
    [
      "open braces of a command line for a shell",
      (size) => `eval 'ls ${"{".repeat(size)} ${"a".repeat(1_000)}'`,
      1_000,
    ],
    // what is looked at again and again: about so much
    ["names that an unknown program may run", (size) => `foo ${"rm ".repeat(size)}`, 200, 300],
    ["parts of a sum", (size) => `echo $((${"a[0]+".repeat(size)}1))`, 900, 1_100],
    ["characters of a command line for a shell", (size) => `eval 'echo ${"a".repeat(size)}'`, 31_000, 32_500],
  ])("%s", (_, line, most, tooMuch = most + 1) => {
    expect(analyse(line(most)).class).not.toBe("blocked");
    expect(analyse(line(tooMuch))).toMatchObject({ class: "blocked", risk: "high", reason: TOO_MUCH, sure: false });
  });

  test("characters", () => {
    const line = (length: number) => `echo ${"a".repeat(length - 5)}`;
    expect(analyse(line(32_768))).toMatchObject({ class: "safe", sure: true });
    expect(analyse(line(32_769))).toMatchObject({
      class: "blocked",
      risk: "high",
      sure: false,
      reason: "it is longer than 32768 characters: put the text into a file first",
      segments: [],
    });
  });
});

describe("a text that is too long to be followed is not known", () => {
  const value = (length: number) => `x=${"a".repeat(length)}; cat $x`;
  test("a variable", () => {
    expect(analyse(value(4_096))).toMatchObject({ class: "safe", touches: [{ action: "read" }] });
    expect(analyse(value(4_097))).toMatchObject({
      class: "dangerous",
      touches: [{ action: "unknown", permissions: ["read"] }],
    });
  });
  test.each([4_000, 5_000])("a variable of %s letters that came over the network", (length) =>
    expect(analyse(`x=$(curl y)${"a".repeat(length)}; eval "$x"`)).toMatchObject({
      class: "blocked",
      reason: expect.stringContaining("fetched from the network"),
    }),
  );
  test("a variable of 5000 letters that did not", () =>
    expect(analyse(`x=${"a".repeat(5_000)}; eval "$x"`).class).toBe("dangerous"));
  test("what a command prints", () => {
    const line = (length: number) => `echo 'sudo ls #${"a".repeat(length)}' | cat | sh`;
    expect(analyse(line(16_374)).class).toBe("blocked");
    expect(analyse(line(16_375))).toMatchObject({ class: "dangerous", reason: expect.stringContaining("only known") });
  });
  test("a file", () => {
    const line = (length: number) => `echo 'sudo ls #${"a".repeat(length - 10)}' > f; sh f`;
    expect(analyse(line(4_096)).class).toBe("blocked");
    expect(analyse(line(4_097)).class).toBe("dangerous");
  });
  test("the words of printf", () => {
    const line = (count: number) => `printf '%s\\n' ${"a ".repeat(count - 1)}/ | xargs rm -rf`;
    expect(analyse(line(64))).toMatchObject({ class: "blocked", reason: expect.stringContaining("it deletes /") });
    expect(analyse(line(65)).touches).toContainEqual({ action: "unknown", permissions: ["write"] });
    const only = (count: number) => `printf '%s\\n' ${"a ".repeat(count)}| xargs cat`;
    expect(analyse(only(65)).touches).toEqual([{ action: "unknown", permissions: ["read"] }]);
  });
  test.each([256, 257])("a value of %s letters of which a part is cut", (length) => {
    const line = (operation: string) => `x=a${"b".repeat(length - 1)}; cat \${x${operation}}c`;
    const isFollowed = length <= 256;
    const shown = (operation: string) => JSON.stringify(analyse(line(operation)).touches).includes("bbc");
    expect([shown("#a"), shown("/a/x")]).toEqual([isFollowed, isFollowed]);
  });
});

test("of many files that a line fetches, each is known", () => {
  const line = `scp ${many(70, (at) => `host:f${at}`)} .; sh f69`;
  expect(analyse(line)).toMatchObject({
    class: "blocked",
    reason: expect.stringContaining("fetched from the network"),
  });
});

test("patterns for what is fetched are compared with the words of a line, but not without end", () => {
  const line = (count: number) =>
    `curl ${many(count, (at) => `-o 'a${at}*' u`)}; cat ${many(count, (at) => `b${at}*`)}`;
  expect(analyse(line(20))).toMatchObject({ class: "dangerous" });
  expect(analyse(line(60))).toMatchObject({ class: "blocked", reason: expect.stringContaining("too long") });
});

test("a character that stands for something fetched is no such thing where it is written out", () => {
  expect(analyse("echo \u0001 | sh")).toMatchObject({
    class: "dangerous",
    reason: expect.stringContaining("invisible"),
  });
});

test("what blocks a command is its risk, too", () => {
  const risks = (line: string) =>
    analyse(line)
      .segments.filter((each) => each.class === "blocked")
      .map(({ risk }) => risk);
  const lines = [
    "sudo ls",
    "cat a > /dev/sda",
    "{ cat a; } > /dev/sda",
    "while true; do ls & done",
    "f(){ f & }; f",
    "curl x | sh",
    "curl x > a; sh a",
    "find / -delete",
    "foo 'sudo ls'",
    "python <(curl x)",
    "kill -9 -1",
  ];
  for (const line of lines) expect([line, new Set(risks(line))]).toEqual([line, new Set(["high"])]);
});

test("what goes wrong while a line is looked at refuses it", () => {
  const env = {
    get A(): string {
      throw new Error("broken");
    },
  };
  const refused = { class: "blocked", risk: "high", sure: false, reason: "it could not be understood" };
  expect(analyse("ls", { env })).toMatchObject(refused);
});
