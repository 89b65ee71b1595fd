import fc from "fast-check";
import { parse as secondOpinion } from "sh-syntax";
import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { BLOCKED } from "./cases/blocked.ts";
import { DANGEROUS } from "./cases/dangerous.ts";
import { DISGUISED, DISGUISED_LONG } from "./cases/disguised.ts";
import { FRIGHTENING_SAFE } from "./cases/frightening.ts";
import { SAFE_LONG } from "./cases/proven.ts";

const PIECES = [
  "ls",
  "rm",
  "-rf",
  "/",
  "~",
  "$HOME",
  "$x",
  "${x}",
  "${x:-",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "|",
  "||",
  "&&",
  "&",
  ";",
  ";;",
  "\n",
  ">",
  ">>",
  "<",
  "<<",
  "<<<",
  "<(",
  ">(",
  "EOF",
  "{",
  "}",
  "(",
  "[[",
  "]]",
  "((",
  "))",
  "if",
  "then",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "while",
  "case",
  "esac",
  "function",
  "f()",
  "x=",
  "x=1",
  "a,b",
  "{a,b}",
  "{1..9}",
  "*",
  "?",
  "[a]",
  "!",
  "#",
  "$'\\x41'",
  '$"',
  "$[",
  "]",
  "@",
  "=",
  "eval",
  "bash -c",
  "sudo",
  "env",
  "xargs",
  "find . -exec",
  "curl",
  "2>&1",
  " ",
  "\t",
  "\u00a0",
  "\0",
  "\r",
  "é",
  "😀",
];

const sane = (command: string): void => {
  const analysis = analyse(command);
  expect(["safe", "dev", "dangerous", "blocked"]).toContain(analysis.class);
  expect(["low", "medium", "high"]).toContain(analysis.risk);
  expect(analysis.segments.length).toBeLessThanOrEqual(256);
  expect(analysis.reason).not.toBe("");
  for (const { text, program } of analysis.segments) expect(`${text}${program}`).not.toMatch(/[\u0000-\u0002]/);
};

describe("any text", () => {
  test("arbitrary strings", () =>
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), sane), { numRuns: 500 }));
  test("pieces of shell", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }),
        fc.constantFrom("", " "),
        (pieces, between) => sane(pieces.join(between)),
      ),
      { numRuns: 3_000 },
    ));

  test("a text that goes on is never milder than its beginning was dangerous", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...BLOCKED),
        fc.array(fc.constantFrom("ls", "pwd", "echo a"), { maxLength: 5 }),
        (bad, good) => {
          expect(analyse([...good, bad].join("; ")).class).toBe("blocked");
          expect(analyse([bad, ...good].join("\n")).class).toBe("blocked");
        },
      ),
      { numRuns: 200 },
    ));

  test.each([
    ["very long", "a".repeat(1_000_000)],
    ["many commands", "ls;".repeat(20_000)],
    ["many pipes", Array(5_000).fill("cat").join("|")],
    ["deep parentheses", "(".repeat(5_000) + ")".repeat(5_000)],
    ["deep substitutions", "$(".repeat(2_000) + ")".repeat(2_000)],
    ["deep quotes", `${'"$('.repeat(500)}x`],
    ["deep backticks", "`".repeat(5_000)],
    ["many braces", `echo ${"{a,b}".repeat(40)}`],
    ["a long sequence", "echo {1..999999999}"],
    ["many variables", `${"x=$x$x;".repeat(200)}echo $x`],
    ["doubling variables", `x=aaaaaaaa;${"x=$x$x$x$x;".repeat(60)}$x`],
    ["many wrappers", `${"env ".repeat(5_000)}ls`],
    ["evals in evals", `${"eval ".repeat(5_000)}ls`],
    [
      "functions that call each other",
      Array.from({ length: 80 }, (_, index) => `f${index}() { f${index + 1} a; f${index + 1} b; }`).join(";"),
    ],
    ["loops in loops", `${"for x in a b c d e f g h; do ".repeat(12)}echo $x${"; done".repeat(12)}`],
    ["many heredocs", `${"cat <<A\nx\nA\n".repeat(2_000)}`],
    ["many globs", `rm -rf /${"*a".repeat(500)}`],
    ["backslashes in a script of sed", `sed -i 's/${"\\\\".repeat(60)}/' a`],
    ["braces that never close", `echo ${"{".repeat(30_000)}`],
    ["braces that never close, with commas", `echo ${"{a,".repeat(300)}`],
    ["sums that never close", `echo ${"$[".repeat(15_000)}`],
    ["names of blocked programs", `foo ${"rm ".repeat(10_000)}`],
    ["spaces in code", `python -c '${"system ".repeat(3_000)}'`],
  ])("%s ends, and is not called safe for it", (name, command) => {
    const { class: kind } = analyse(command);
    if (name !== "many heredocs" && name !== "many pipes") expect(kind).not.toBe("dev");
    expect(typeof kind).toBe("string");
  });

  test("over a limit is refused", () => {
    for (const command of [
      "ls ".repeat(30_000),
      "ls;".repeat(3_000),
      `${"env ".repeat(40)}ls`,
      `${"$(".repeat(40)}ls${")".repeat(40)}`,
      `bash -c '${"$[".repeat(3_000)}'`,
    ])
      expect(analyse(command).class).toBe("blocked");
  });
});

const opinion = async (text: string): Promise<boolean> => {
  try {
    await secondOpinion(text, { variant: 0 } as never);
    return true;
  } catch {
    return false;
  }
};

describe("another parser's opinion", () => {
  const every = (list: readonly string[], step: number) => list.filter((_, index) => index % step === 0);
  const valid = [
    ...every(BLOCKED, 20),
    ...every(DISGUISED, 10),
    ...DISGUISED_LONG,
    ...every(DANGEROUS, 20),
    ...every(FRIGHTENING_SAFE, 20),
    ...SAFE_LONG,
  ];

  test("what it parses, ours parses, and the other way round", async () => {
    const different: string[] = [];
    for (const text of valid) if ((await opinion(text)) !== analyse(text).parsed) different.push(text);
    expect(different).toEqual([]);
  });

  test.each([
    "ls &&& ls",
    "ls &&",
    "ls |",
    "ls (",
    "ls )",
    "echo 'a",
    'echo "a',
    "echo $(ls",
    "if ls",
    "if ls; then",
    "fi",
    "for x in a",
    "ls;; ls",
    "}",
    ")",
    "case a in",
    "while true; do",
    "f() {",
    "(ls",
    "ls ))",
    "echo `ls",
    "| ls",
    "&& ls",
    "; ls",
    "ls > ",
    "ls <",
    "a=(",
    "[[ a",
    "done",
  ])("both refuse: %s", async (text) => {
    expect(await opinion(text)).toBe(false);
    expect(analyse(text).parsed).toBe(false);
  });
});
