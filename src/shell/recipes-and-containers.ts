import { plainField, withText } from "./fields.ts";
import { eachOf } from "./lists.ts";
import { isAbsolute } from "./paths.ts";
import { walkText } from "./texts.ts";
import { type Field, type Flow, LIMITS, type Segment, type Walk } from "./walk.ts";
import { writtenText } from "./written-files.ts";

const fromInput = /^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0)$/;

/** `make -f -`: the recipes in its input. */
export const walkRecipes = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  const isRead = fields.some(({ text }) => fromInput.test(text.replace(/^-f|^--\w+=/, "")));
  const text = fields.find(({ flow }) => flow?.text !== undefined)?.flow?.text ?? (isRead ? stdin?.text : undefined);
  if (text === undefined) return;
  for (const recipe of recipesIn(text.slice(0, LIMITS.value))) walkText(recipe, walk, undefined);
};

/** The commands of a makefile. */
export const recipesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![^\n])(?:\t(.*)|[^\t#=\n][^=:\n]*:[^=;\n]*;(.*))$/gm)].map(([, recipe, after]) =>
    (recipe ?? after ?? "").replace(/^[\s@+-]+/, "").replaceAll("$$", "$"),
  );

/** `crontab -`: the command of every line, after five fields or a word such as `@daily`. */
export const walkSchedule = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  const file = fields
    .slice(1)
    .find((field) => field.flow?.text !== undefined || writtenText(field, walk) !== undefined);
  const given = file === undefined ? stdin?.text : (file.flow?.text ?? writtenText(file, walk));
  for (const [, command = ""] of given
    ?.slice(0, LIMITS.value)
    .matchAll(/^[ \t]*(?:@\w+|(?:[\w*,/-]+[ \t]+){4}[\w*,/-]+)[ \t]+(.+)$/gm) ?? [])
    walkText(command.slice(0, 1_024), walk, undefined);
};

/** `cmake -E rm -rf x`: commands of its own, and of others. */
export const walkOwnCommands = (fields: readonly Field[], walk: Walk): void => {
  const at = fields.findIndex(({ text }) => text === "-E");
  const [verb, ...rest] = at < 0 ? [] : fields.slice(at + 1);
  if (verb === undefined) return;
  const removes = /^(?:remove|remove_directory)$/.test(verb.text);
  if (verb.text === "chdir") walk.command(rest.slice(1), walk, undefined);
  else walk.command(removes ? [plainField("rm"), plainField("-rf"), ...rest] : [verb, ...rest], walk, undefined);
};

const STARTING: ReadonlySet<string> = new Set(["run", "exec", "create", "debug"]);
/** Long options without a value; all others take the next word, unless they have an `=`. */
const ALONE: ReadonlySet<string> = new Set(
  "--rm --init --privileged --read-only --detach --interactive --tty --stdin --publish-all --no-healthcheck --quiet --no-deps --no-TTY --build --service-ports --sig-proxy --use-aliases --quiet-pull".split(
    " ",
  ),
);
/** Flag letters, possibly followed by one with a value, in the same word or the next. */
const SHORT = /^-[ditPqT]*(?:([a-zA-Z])=?(.*))?$/s;
const DASH = 45;
const MOUNT = /^([~/][^:]*):([^:]+)/;
const MOUNTED = /^(?=.*\b(?:src|source)=([^,]+))(?=.*\b(?:dst|destination|target)=([^,]+))/;

/** The value of an option, which may be the next word; none for flags. */
const valueGiven = (text: string, next: string | undefined): { value: string | undefined; taken: boolean } => {
  if (text.charCodeAt(1) === DASH) {
    const equals = text.indexOf("=");
    if (equals > 0) return { value: text.slice(equals + 1), taken: false };
    return { value: next, taken: true };
  }
  const given = SHORT.exec(text);
  if (given?.[1] === undefined) return { value: undefined, taken: false };
  return given[2] ? { value: given[2], taken: false } : { value: next, taken: true };
};

/**
 * `docker run image command`, `kubectl exec pod -- command`: a command in a container is judged as if it ran here, and
 * mounted folders of this machine count under their own names.
 */
export const walkContained = (fields: readonly Field[], walk: Walk): void => {
  let index = 1;
  while (index < fields.length && !STARTING.has((fields[index] as Field).text)) index++;
  const mounts: [string, string][] = [];
  let entry: string | undefined;
  for (index++; index < fields.length; index++) {
    const { text } = fields[index] as Field;
    if (text.charCodeAt(0) !== DASH || text === "--") break;
    if (ALONE.has(text)) continue;
    const { value, taken } = valueGiven(text, fields[index + 1]?.text);
    if (taken) index++;
    const mount = mountIn(text, value ?? "");
    if (mount) mounts.push([mount[2] as string, mount[1] as string]);
    if (mounts.length > LIMITS.braces) walk.exceeded = true;
    if (text.startsWith("--entrypoint")) entry = value;
  }
  const words = fields.slice(index + 1 + ownWords(fields, index + 1));
  if (entry !== undefined) words.unshift(plainField(entry));
  if (words.length === 0 || walk.exceeded) return;
  let from = walk.segments.length;
  walk.command(
    mounts.length === 0 ? words : eachOf(words, (word) => seenFromHere(word, mounts, walk)),
    walk,
    undefined,
  );
  for (; from < walk.segments.length; from++) (walk.segments[from] as Segment).touches = [];
};

const mountIn = (option: string, value: string): RegExpExecArray | null =>
  option.startsWith("--mount") ? MOUNTED.exec(value) : isAbsolute(value) ? MOUNT.exec(value) : null;

/** The words before `--` belong to `kubectl` itself. */
const ownWords = (fields: readonly Field[], from: number): number => {
  const { text: program } = fields[0] as Field;
  if (!program.endsWith("kubectl") && !program.endsWith("oc")) return 0;
  return fields.slice(from).findIndex(({ text }) => text === "--") + 1;
};

const seenFromHere = (word: Field, mounts: readonly (readonly [string, string])[], walk: Walk): Field => {
  let { text } = word;
  for (const [inside, outside] of mounts) {
    if (text.length > LIMITS.value) walk.exceeded = true;
    if (walk.exceeded) break;
    text = text.replaceAll(inside, outside === "/" ? "/." : outside);
  }
  return text === word.text ? word : withText(word, text);
};
