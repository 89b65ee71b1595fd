import { isKnownField, openField, plainField, withText } from "./fields.ts";
import { selectedByFind } from "./find-names.ts";
import { governingByPath, leavesLinks, leavesMost } from "./find-tests.ts";
import { MANY, repeated } from "./floods.ts";
import { eachOf } from "./lists.ts";
import { marksIn } from "./marks.ts";
import { hasPattern, nameOf, withoutSlashes } from "./paths.ts";
import { belowAnywhere } from "./programs/chosen-names.ts";
import { type Field, type Found, isKnown, UNKNOWN, type Walk } from "./walk.ts";

const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const ASKING: ReadonlySet<string> = new Set(["-ok", "-okdir"]);
/** Options that come before the starting folders of a search. */
const LEADING = /^-[HLPDO]/;
/** How the first of its tests begins. */
const TESTING = /^[-(!,]/;
const executes = (text: string): boolean => text.startsWith("-") && EXECUTING.has(text);
const isEnd = ({ text }: Field): boolean => text === ";" || text === "+";

type Searched = { own: readonly Field[]; commands: readonly (readonly Field[])[] };

/**
 * Walks the commands after `-exec` and the like, with the folder of the search in place of `{}`. Returns them together
 * with the words that belong to `find` itself.
 */
export const walkFound = (fields: readonly Field[], walk: Walk): Searched => {
  const first = fields.findIndex(({ text }) => executes(text));
  if (first < 0) return { own: fields, commands: [] };
  const own = fields.slice(0, first);
  const tests = fields.slice(0, first);
  const commands: Field[][] = [];
  for (let index = first; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!executes(field.text)) {
      own.push(field);
      tests.push(field);
      continue;
    }
    const from = index + 1;
    while (index + 1 < fields.length && !isEnd(fields[index + 1] as Field)) index++;
    const command = fields.slice(from, ++index);
    // the rest stays among find's own words, where it counts as unknown: -ok, an -exec without an end or without {}
    const isAbout = command.some(({ text }) => text === "{}");
    if (ASKING.has(field.text) || !isAbout || index >= fields.length) own.push(field);
    if (command.length > 0) commands.push(command);
  }
  const starts = foundBy(tests, fields.slice(0, first));
  repeated(walk, MANY, () => {
    for (const found of starts)
      for (const command of commands)
        walk.command(
          eachOf(command, (word) => (word.text.includes("{}") ? withFound(word, found) : word)),
          walk,
          undefined,
        );
  });
  // `{}.bak` is beside something that was found, and nobody knows where that is; all starts have a pattern, or none has
  if (commands.some((command) => command.some(isPart)) && starts[0]?.glob === false) own.push(fields[first] as Field);
  return { own, commands };
};
const isPart = ({ text }: Field): boolean => text.includes("{}") && text !== "{}";

/** `grep -l word {}` prints some of the names that it was given, and nothing else. */
export const printsWhatItFound = (command: readonly Field[]): boolean => {
  const [options, words] = [command.filter(isOption), command.filter((field) => !isOption(field))];
  return (
    command.every(({ literal, glob }) => literal && !glob) &&
    options.some(({ text }) => text.includes("l")) &&
    options.every(({ text }) => /^-[EFHilnsw]+$/.test(text)) &&
    words.length === 3 &&
    words[0]?.text === "grep" &&
    words[2]?.text === "{}"
  );
};
const isOption = ({ text }: Field): boolean => text.startsWith("-");

type Start = { text: string; glob: boolean; found: readonly Found[] | undefined; links: false | undefined };
const start = (text: string, glob: boolean, found?: readonly Found[], links?: false): Start => ({
  text,
  glob,
  found,
  links,
});

/** The folders that a search starts in, and its tests. */
const partsOf = (own: readonly Field[]): { roots: readonly Field[]; tests: readonly Field[] } => {
  let from = 1;
  while (from < own.length && LEADING.test((own[from] as Field).text)) from++;
  let to = from;
  while (to < own.length && !TESTING.test((own[to] as Field).text)) to++;
  return { roots: to === from ? [plainField(".")] : own.slice(from, to), tests: own.slice(to) };
};

/**
 * For each folder all that is in it, or only the names that are looked for where the tests select by name. `before`:
 * what is tested before anything is run.
 */
const foundBy = (own: readonly Field[], before: readonly Field[]): readonly Start[] => {
  const { roots, tests } = partsOf(own);
  const scopes = selectedByFind(tests);
  const isNarrow = scopes === undefined && leavesMost(own);
  const governing = isNarrow ? governingByPath(tests) : [];
  const links = scopes === undefined && leavesLinks(own, before) ? false : undefined;
  const starts: Start[] = [];
  for (const root of roots) {
    const { text, glob } = root;
    const folder = withoutSlashes(text);
    if (scopes?.length === 1) starts.push(start(`${folder}/${scopes[0]}`, true));
    else if (scopes !== undefined)
      starts.push(isPlace(root) ? start(text, false, below(folder, scopes)) : start(UNKNOWN, false));
    else if (isNarrow) starts.push(start(UNKNOWN, false, governing.length > 0 ? below(folder, governing) : undefined));
    else {
      // a pattern stands for what fits it, and for all below that
      if (glob) starts.push(start(text, true));
      starts.push(start(text, false, undefined, links));
    }
  }
  return starts;
};

const isPlace = (field: Field): boolean => isKnownField(field) && !hasPattern(field.text);
const below = (folder: string, scopes: readonly string[]): Found[] => scopes.map((scope) => ({ folder, scope }));

/** The files whose names a search prints, if it selects by name. */
export const namesFound = (own: readonly Field[]): readonly Found[] | undefined => {
  const { roots, tests } = partsOf(own);
  return namesBelow(roots, selectedByFind(tests));
};

const PRINTED_AS = /^-f?printf$/;
const DIRECTIVE = /%[-#+ 0\d.]*[A-Za-z]/g;

/** The names that a search spells by its tests, by whole paths, or in the format that it prints them with. */
export const spelledByFind = (words: readonly Field[]): readonly Found[] => {
  const { roots, tests } = partsOf([plainField("find"), ...words]);
  const scopes = selectedByFind(tests) ?? (leavesMost(tests) ? governingByPath(tests) : ["**"]);
  const named = roots.filter(isPlace).flatMap(({ text }) => below(withoutSlashes(text), scopes));
  const at = tests.findIndex(({ text }) => PRINTED_AS.test(text));
  const format = at < 0 ? undefined : tests[at + (tests[at]?.text === "-printf" ? 1 : 2)]?.text;
  if (format === undefined) return named;
  const ends = format
    .replace(/\\[0n]/g, "\n")
    .replace(DIRECTIVE, UNKNOWN)
    .split(/\s+/);
  return [
    ...named,
    ...below(
      ".",
      ends.flatMap((end) => belowAnywhere(nameOf(end)) ?? []),
    ),
  ];
};

/** The matching names below each folder, if the folders are certain. */
export const namesBelow = (
  folders: readonly Field[],
  scopes: readonly string[] | undefined,
): readonly Found[] | undefined =>
  scopes && folders.every(isPlace) ? folders.flatMap(({ text }) => below(withoutSlashes(text), scopes)) : undefined;

/** A whole word that is found is a path below where the search started; a part of a word may be anything. */
const withFound = (word: Field, { text, glob: named, found, links }: Start): Field => {
  const isWhole = word.text === "{}";
  const isBelow = !named && word.text.startsWith("{}/") && isKnown(text);
  const end = isWhole ? "" : word.text.startsWith("{}/") ? word.text.slice(2) : undefined;
  const filled = isWhole ? text : word.text.replaceAll("{}", () => (isBelow ? `${withoutSlashes(text)}/**` : text));
  return {
    text: filled,
    marks: marksIn(filled),
    literal: false,
    worked: false,
    whole: true,
    glob: word.glob || named || isBelow,
    flow: word.flow,
    given: isWhole && isKnown(text) ? "path" : word.given,
    found: end === undefined ? undefined : found?.map((each) => ({ ...each, scope: each.scope + end })),
    links,
  };
};

const FD_EXECUTING = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)(?:=(.*))?$/s;
/** Placeholders for the path, the path without its ending, or its folder; each may be the starting folder. */
const FD_PLACES = /\{(?:\.|\/\/)?\}/g;
/** The last name of the path, with or without its ending. */
const FD_NAMES = /\{\/\.?\}/g;
const FD_PLACEHOLDER = /\{(?:\.|\/\/|\/\.?)?\}/;

/** `fd pattern folder -x command`: the commands; those without a placeholder get the found path appended. */
export const walkFoundByFd = (fields: readonly Field[], walk: Walk): void => {
  const first = fields.findIndex(({ text }) => FD_EXECUTING.test(text));
  if (first < 0) return;
  const [pattern, root, ...more] = fields.slice(1, first);
  const whole = root !== undefined && more.length === 0 && /^(?:\.?|\.\*|\^|\*)$/.test(pattern?.text ?? "");
  const found = openField(whole ? root.text : UNKNOWN, false, "anything");
  found.whole = true;
  for (let at = first; at < fields.length; at++) {
    const [, attached] = FD_EXECUTING.exec((fields[at] as Field).text) ?? [];
    if (!FD_EXECUTING.test((fields[at] as Field).text)) continue;
    const command = attached ? [plainField(attached)] : [];
    while (at + 1 < fields.length && (fields[at + 1] as Field).text !== ";") command.push(fields[++at] as Field);
    if (command.length === 0) continue;
    const isPlaced = command.some(({ text }) => FD_PLACEHOLDER.test(text));
    walk.command(isPlaced ? eachOf(command, (word) => placedByFd(word, found)) : [...command, found], walk, undefined);
  }
};

const placedByFd = (word: Field, found: Field): Field =>
  FD_PLACEHOLDER.test(word.text)
    ? withText(
        found,
        word.text.replace(FD_PLACES, () => found.text).replace(FD_NAMES, () => UNKNOWN),
      )
    : word;
