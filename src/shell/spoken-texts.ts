import { assembled } from "./assembled-code.ts";
import { hasBlank } from "./blanks.ts";
import { CALLS, isText } from "./code-values.ts";
import { withFlow } from "./decisions.ts";
import { OPEN } from "./flows.ts";
import { BLANK } from "./marks.ts";
import { nameOf } from "./paths.ts";
import { isInterpreter } from "./shells.ts";
import { WORTH } from "./tried.ts";
import { type Decision, type Field, type Flow, isKnown, LIMITS, textFlow } from "./walk.ts";

/** Programs that may print what stands in their words, whatever they do besides. */
const SPEAKING: ReadonlySet<string> = new Set(
  "awk gawk mawk nawk jq yq sed seq date find stat git expr basename perl python python3 ruby node nodejs php lua deno bun".split(
    " ",
  ),
);
export const speaks = (name: string): boolean => SPEAKING.has(name);

const QUOTED = /"([^"\n]{1,500})"|'([^'\n]{1,500})'/g;
/** `+format`, `--format=…`, `1i text`, `$atext`. */
const BEFORE = /^\s{0,4}(?:\+|--?[\w-]{1,40}=(?:t?format:)?|(?:[\d,$!~+ ]{0,20}|\/[^/]{0,80}\/)[aci]\\?\s{0,4})/;
/** Between the edits of sed. */
const EDITS = /[;{}\n]/;
const ESCAPED_SLASH = /\\\//g;
const SPLIT = /(?<!\\)\//;

/** The texts in a word: those in quotes, else those between the marks of sed, or all of it. */
const textsIn = (word: string): string[] => {
  const quoted = [...word.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? "");
  if (quoted.length > 0) return quoted;
  const parts = word.split(SPLIT).map((part) => part.replace(ESCAPED_SLASH, "/"));
  return [...word.split(EDITS).map((edit) => edit.replace(BEFORE, "")), ...parts];
};

/** Of git's words, only a format is printed. */
const OF_GIT = /^--(?:format|pretty)=/;

/** Words of code that decodes what it is given. */
const DECODES = /b64|base64|hex|H\*|pack|rot_?13|revers|\[::-1\]/i;
/** `"…" | @base64d` of jq. */
const OF_JQ = /@base64d|implode|\+|join|ascii_downcase|reverse/;
const KINDS = ["b64decode", "unhexlify", "rot13", "reverse"];
const decodings = (text: string): string[] =>
  KINDS.flatMap((kind) => {
    const decoded = CALLS.get(kind)?.([text.trim()]);
    return isText(decoded) ? [decoded] : [];
  });

const worthIn = (texts: readonly string[]): string[] => texts.filter((each) => WORTH.test(each));

/** `awk 'BEGIN { print "rm -rf x" }' | sh`: what a program prints may be a command that stands in its words. */
export const withSpoken = (decision: Decision, fields: readonly Field[], stdin: Flow | undefined): Decision => {
  const known = decision.flow.text;
  const name = nameOf(fields[0]?.text ?? "");
  const isCode = isInterpreter(name);
  // filters in code are not followed far: it may decode what they are taken to pass on
  if (decision.flow.fetched || (known !== undefined && isKnown(known) && !isCode)) return decision;
  const isGit = name === "git";
  const texts: string[] = [];
  for (let index = 1; index < fields.length; index++) {
    const { text: written, marks } = fields[index] as Field;
    const text = isCode ? assembled(name, written.slice(0, LIMITS.value)) : written;
    if (!(isCode ? hasBlank(text) : marks & BLANK) || (isGit && !OF_GIT.test(text))) continue;
    for (const each of new Set([text, written])) texts.push(...worthIn(textsIn(each.slice(0, LIMITS.value))));
  }
  if (stdin?.text !== undefined && (isCode || name === "jq")) {
    const input = stdin.text.slice(0, LIMITS.value);
    if (isCode && (fields.length === 1 || fields.at(-1)?.text === "-"))
      texts.push(...worthIn(textsIn(assembled(name, input))));
    if (fields.some(({ text }) => DECODES.test(text))) texts.push(...worthIn(decodings(input)));
  }
  if (name === "jq")
    for (const { text } of fields)
      if (OF_JQ.test(text)) {
        const all = textsIn(assembled("jq", text.slice(0, LIMITS.value)));
        texts.push(...worthIn(all), ...worthIn(all.flatMap(decodings)));
      }
  if (texts.length === 0) return decision;
  return withFlow(decision, textFlow(`${OPEN}${known ?? ""}${texts.join("\n").replaceAll("\\n", "\n")}\n`));
};
