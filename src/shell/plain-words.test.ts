import { parse, type Word } from "unbash";
import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { plainWord } from "./plain-words.ts";

const wordIn = (line: string): Word | undefined => {
  const command = parse(line).commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  return word?.type === "Word" ? word : undefined;
};
const CHARACTERS = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
const WORDS = CHARACTERS.flatMap((one) => [one, `a${one}`, `${one}b`, `a${one}b`, `a${one}{b,c}`, `${one}${one}(a)`]);

test("a word that is plain has no parts for the parser either", () => {
  const plain = WORDS.flatMap((text) => wordIn(`: ${text}`) ?? []).filter((word) => plainWord(word) !== undefined);
  expect(plain.length).toBeGreaterThan(200);
  expect(plain.filter(({ parts, value, text }) => parts !== undefined || value !== text || text[0] === "~")).toEqual(
    [],
  );
});

test.each<[text: string, isPlain: boolean]>([
  ["a", true],
  ["--a=b,c:d/e.f@1", true],
  ["HEAD~1^", true],
  ["{}", true],
  ["~/a", false],
  ["~", false],
  ["{}{}", false],
  ["a*", false],
  ["$a", false],
  ["'a'", false],
  ["a\\ b", false],
])("%s is plain: %s", (text, isPlain) => expect(plainWord(wordIn(`: ${text}`) as Word) !== undefined).toBe(isPlain));

test.each([
  ["ls 'a b'", "a b"],
  ["ls ''", ""],
  ["ls '~/a'", "./~/a"],
  ["ls 'a$b`c`\\'", "a$b`c`\\"],
  ["ls \"a 'b'\"", "a 'b'"],
  ['ls ""', ""],
  ['ls "a\\"b"', 'a"b'],
  ["ls 'a''b'", "ab"],
  ["ls \"a\"'b'", "ab"],
  ['ls "a""b"', "ab"],
  ['ls "$x"', undefined],
  ['ls "`a`"', undefined],
  ["ls \"${x:-'a'}\"", "'a'"],
])("the word of %s", (line, word) => expect(analyse(line).segments.at(-1)?.words[1]).toBe(word));
