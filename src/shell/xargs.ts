import { decided, withTouches } from "./decisions.ts";
import { isKnownField, openField, plainField } from "./fields.ts";
import { flood, MANY, repeated, runsManyAtOnce } from "./floods.ts";
import { spokenLines } from "./flows.ts";
import { eachOf } from "./lists.ts";
import { marksIn } from "./marks.ts";
import { parsedOptions } from "./option-parsing.ts";
import { pathClaims } from "./path-claims.ts";
import { hasPattern, nameOf } from "./paths.ts";
import { PROGRAMS } from "./programs/all.ts";
import { type Entry, uniform } from "./programs/program.ts";
import { fileFlow } from "./redirects.ts";
import {
  type Decision,
  FETCHED,
  type Field,
  type Flow,
  isKnown,
  SELECTED,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";

const XARGS: Entry = uniform({
  class: "safe",
  stops: true,
  options:
    "-0 -o -p -r -t -x -a:read -d: -E: -e? -I: -i? -L: -l? -n: -P: -s: --null --no-run-if-empty --verbose --interactive --exit --arg-file=read --delimiter= --eof=? --replace=? --max-lines=? --max-args= --max-procs= --max-chars=",
});

/** `xargs`: the command after it, with words that come from its input. */
export const throughXargs = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const parsed = parsedOptions(fields, 1, XARGS);
  const has = (...names: readonly string[]) => parsed.options.find((option) => names.includes(option.name));
  const replaced = has("-I", "-i", "--replace");
  const mark = replaced && (replaced.value?.text || "{}");
  const delimiter = has("-0", "--null") ? NUL : has("-d", "--delimiter")?.value?.text;
  const file = has("-a", "--arg-file");
  const given = argumentsFrom(file?.value ? fileFlow(file.value, walk) : stdin, delimiter, mark !== undefined, walk);
  const words = parsed.operands.length > 0 ? parsed.operands : [plainField("echo")];
  const count = stdin?.lines ?? (stdin?.text !== undefined && isKnown(stdin.text) ? given.length : MANY);
  const flow = repeated(walk, count, () => {
    if (mark === undefined)
      return walk.command(takesFirst(words) ? [...words, ...given, ...given] : [...words, ...given], walk, stdin);
    let last = UNKNOWN_FLOW;
    for (const one of given)
      last = walk.command(
        eachOf(words, (word) => (word.text.includes(mark) ? filled(word, mark, one) : word)),
        walk,
        stdin,
      );
    return last;
  });
  const flooding = runsManyAtOnce(has("-P", "--max-procs"), stdin, words) ? flood(count) : undefined;
  const floor = parsed.unknown === undefined && file === undefined ? "safe" : "dangerous";
  const judged = flooding
    ? decided(flooding.class, "low", flooding.rule, [], flow)
    : decided(floor, "low", "xargs runs another command, which is judged on its own", [], flow);
  return file?.value ? withTouches(judged, pathClaims("read", file.value, walk)) : judged;
};

/** `xargs grep`: the first word of the input is no file, but all that follow it are. */
const takesFirst = (words: readonly Field[]): boolean => {
  const operands = PROGRAMS.get(nameOf((words[0] as Field).text))?.operands;
  return (
    operands?.startsWith("text ") === true && words.every(({ text }, index) => index === 0 || text.startsWith("-"))
  );
};

/** Text around the placeholder that may lead elsewhere: `/etc/{}`, `{}/../x`. */
const LEADS_OUT = /(?:^|[=:,])[/~]|(?:^|[/=:,])\.\.(?:\/|$)/;

const filled = (word: Field, mark: string, one: Field): Field => {
  const text = word.text.split(mark).join(one.text);
  return {
    text,
    marks: marksIn(text),
    literal: false,
    worked: false,
    whole: true,
    glob: word.glob || one.glob,
    flow: undefined,
    given: LEADS_OUT.test(word.text) && !isKnownField(one) ? "anything" : one.given,
    found: word.text === mark ? one.found : undefined,
    links: undefined,
  };
};

/** A word from the output of another command, which may itself come from a pattern. */
const fromInput = (text: string): Field => openField(text, hasPattern(text), "known");

const MOST_ARGUMENTS = 64;

/** Words beyond the limit are not examined, so a line with more is refused. */
export const most = <T>(words: readonly T[], walk: Walk): readonly T[] => {
  if (words.length > MOST_ARGUMENTS) walk.exceeded = true;
  return words.slice(0, MOST_ARGUMENTS);
};

const NUL = "\\0";

/** The words that `xargs` makes of its input: between delimiters, line by line, or by blanks and quotes. */
export const argumentsFrom = (
  stdin: Flow | undefined,
  delimiter: string | undefined,
  byLine: boolean,
  walk: Walk,
): readonly Field[] => {
  if (stdin?.text === undefined || !isKnown(stdin.text)) {
    const spoken = spokenLines(stdin);
    const partly =
      spoken.length > 0
        ? spoken.flatMap((line) => (byLine || delimiter !== undefined ? [line] : most(wordsIn(line), walk)))
        : stdin?.text === undefined
          ? []
          : most(wordsIn(stdin.text), walk).filter(isOpenPath);
    const text = stdin?.fetched ? FETCHED : stdin?.selected ? SELECTED : UNKNOWN;
    const word = openField(text, false, stdin?.names ? "known" : "anything");
    const split = delimiter !== NUL && delimiter !== "\\n";
    word.found = stdin?.found?.map((each) => ({ ...each, split }));
    const before = stdin?.listed === undefined ? partly : [...partly, stdin.listed];
    return before.length === 0 ? [word] : [...eachOf(before, fromInput), word];
  }
  if (delimiter !== undefined)
    return most(
      piecesOf(stdin, stdin.text.replace(/\n$/, ""), delimiter).filter((piece) => piece !== ""),
      walk,
    ).map(fromInput);
  if (byLine)
    return most(
      stdin.text.split("\n").filter((line) => line.trim() !== ""),
      walk,
    ).map((line) => fromInput(line.trimStart()));
  return eachOf(most(wordsIn(stdin.text), walk), fromInput);
};

const wordsIn = (text: string): string[] =>
  (text.match(/(?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\])+/g) ?? []).map((word) =>
    word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\(.)/gs, (_, a, b, c) => a ?? b ?? c),
  );

/** A path of which only a part is known: `$D/config`. */
const isOpenPath = (word: string): boolean => !isKnown(word) && word.includes("/");

const piecesOf = ({ pieces }: Flow, text: string, delimiter: string): readonly string[] => {
  if (delimiter === NUL) return pieces ?? [text];
  const plain = delimiter.replace("\\n", "\n").replace("\\t", "\t");
  return plain.length === 1 ? text.split(plain) : [text, UNKNOWN];
};
