import type { Claim } from "../core/words/touch.ts";
import { RULES } from "./blocked.ts";
import { claimsOf } from "./claims.ts";
import { decided } from "./decisions.ts";
import { plainField } from "./fields.ts";
import { eachOf } from "./lists.ts";
import { parsedOptions } from "./option-parsing.ts";
import { changed, nameOf } from "./paths.ts";
import { PROGRAMS } from "./programs/all.ts";
import { type Entry, type Given, type Parsed, uniform } from "./programs/program.ts";
import { RUNNERS, WRAPPERS, type Wrapper } from "./programs/wrappers.ts";
import { SHELLS } from "./shells.ts";
import { walkText } from "./texts.ts";
import { isHarmlessFor, setVariable } from "./variables.ts";
import {
  type Decision,
  type Field,
  type Flow,
  forked,
  isKnown,
  stricter,
  textFlow,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { argumentsFrom, most } from "./xargs.ts";

const decision = (rule: string, floor: Decision["class"], flow: Flow, touches: Claim[] = []): Decision =>
  decided(floor, "low", rule, touches, flow);

const known = (text: string): Flow => (isKnown(text) ? textFlow(text) : UNKNOWN_FLOW);

/** Wrappers by name, with their options parsed once. */
type Wrapped = { wrapper: Wrapper; program: Entry };
const WRAPPED: ReadonlyMap<string, Wrapped> = new Map(
  Object.entries(WRAPPERS).map(([name, wrapper]) => [
    name,
    {
      wrapper,
      program: uniform({
        class: "safe",
        options: wrapper.options,
        operands: wrapper.own ?? "text*",
        stops: true,
        abbreviates: true,
      }),
    },
  ]),
);

/** `env -`: a lone dash clears the environment. */
const ASSIGNMENT = /^(?:-$|[A-Za-z_][A-Za-z0-9_]*=)/;
const texts = (fields: readonly Field[]): string => fields.map((field) => field.text).join(" ");

const optionValue = ({ options }: Parsed, short: string, long: string): Field | undefined =>
  options.find(({ name }) => name === short || name === long)?.value;

/** Applies the folder and variables that `env` sets; returns whether they may affect what the command does. */
const enterEnvironment = (parsed: Parsed, walk: Walk): boolean => {
  const folder = optionValue(parsed, "-C", "--chdir");
  if (folder) walk.scope.folders = eachOf(walk.scope.folders, (each) => changed(each, folder.text));
  let steers = parsed.options.length > 0;
  let set = 0;
  for (; set < parsed.operands.length; set++) {
    const { text } = parsed.operands[set] as Field;
    if (!ASSIGNMENT.test(text)) break;
    const equals = text.indexOf("=");
    const name = text.slice(0, equals);
    const value = text.slice(equals + 1);
    if (equals > 0) setVariable(walk, name, value);
    if (equals <= 0 || !isHarmlessFor("", name, value)) steers = true;
  }
  parsed.operands = parsed.operands.slice(set);
  return steers;
};

const quoted = (fields: readonly Field[]): string =>
  fields.map((field) => `'${field.text.replaceAll("'", "'\\''")}'`).join(" ");

/** Programs that hand their words to a shell as one text. */
const JOINING: ReadonlySet<string> = new Set(["watch", "parallel", "entr"]);

export const WRAPPING: ReadonlySet<string> = new Set([...WRAPPED.keys(), ...Object.keys(RUNNERS)]);

/** A program that runs another command is judged by that command. */
export const unwrapped = (
  name: string,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): Decision | undefined => {
  const wrapped = WRAPPED.get(name);
  if (wrapped === undefined) return inRunner(name, fields, walk, stdin);
  const { wrapper, program } = wrapped;
  const parsed = parsedOptions(fields, 1, program);
  if (name === "command" && parsed.options.some((option) => option.name === "-v" || option.name === "-V"))
    return decision("it only looks up a command", "safe", known(`${parsed.operands[0]?.text ?? ""}\n`));
  if (name === "exec" && parsed.operands.length === 0)
    return decision("it changes the shell itself", "dangerous", UNKNOWN_FLOW);
  const before = walk.scope;
  walk.scope = forked(before);
  let floor = wrapper.floor ?? "safe";
  if (parsed.unknown !== undefined) floor = stricter(floor, "dangerous");
  const touches = ownClaims(wrapped, parsed, walk);
  if (touches.length > 0 && touches.some(({ action }) => action === "write")) floor = stricter(floor, "dangerous");
  if (wrapper.assigns && enterEnvironment(parsed, walk)) floor = stricter(floor, "dangerous");
  const split = name === "env" ? optionValue(parsed, "-S", "--split-string") : undefined;
  const inner = wrapper.skips === undefined ? parsed.operands : parsed.operands.slice(wrapper.skips);
  for (let index = fields.length - inner.length - 1; index >= 0; index--)
    if (!(fields[index] as Field).worked || (fields[index] as Field).glob) floor = stricter(floor, "dangerous");
  const flow = split
    ? walkText(`${split.text} ${quoted(wordsAfter(split, fields))}`, walk, stdin)
    : runs(name, inner, walk, stdin);
  if (parsed.unknown !== undefined) walkLater(inner, walk, stdin);
  walk.scope = before;
  if (inner.length === 0 && split === undefined)
    return decision(
      name === "env" && floor === "safe" ? "it only prints the environment" : `${name} without a command`,
      name === "env" ? floor : stricter(floor, "dangerous"),
      flow,
      touches,
    );
  return decision(`${name} runs another command, which is judged on its own`, floor, flow, touches);
};

/** What a wrapper touches by words of its own: `time -o file`, `flock file`. */
const ownClaims = ({ wrapper, program }: Wrapped, parsed: Parsed, walk: Walk): Claim[] => {
  if (wrapper.own === undefined && parsed.options.every(isText)) return [];
  return claimsOf(program, { ...parsed, operands: parsed.operands.slice(0, wrapper.skips ?? 0) }, walk);
};
const isText = ({ role }: Given): boolean => role === "text";

/** The words that `env -S` produces come before all later words, including options. */
const wordsAfter = (split: Field, fields: readonly Field[]): readonly Field[] =>
  fields.slice(
    1 + fields.findIndex((field) => field === split || (/^-/.test(field.text) && field.text.endsWith(split.text))),
  );

const MOST_VALUES = 8;
const isProgram = ({ text }: Field): boolean => {
  const name = nameOf(text);
  return PROGRAMS.has(name) || RULES.has(name) || SHELLS.has(name) || WRAPPING.has(name);
};

/** After an unknown option, the next words may be its values, and the command may start later. */
const walkLater = (inner: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  for (let from = 1; from < inner.length && from <= MOST_VALUES && !isProgram(inner[from - 1] as Field); from++)
    walk.command(inner.slice(from), walk, stdin);
};

const runs = (name: string, inner: readonly Field[], walk: Walk, stdin: Flow | undefined): Flow => {
  const command = name === "flock" && /^(?:-c|--command)$/.test(inner[0]?.text ?? "") ? inner[1] : undefined;
  if (command) return walkText(command.text, walk, stdin);
  if (JOINING.has(name)) {
    const at = inner.findIndex((field) => field.text.startsWith(":::"));
    const words = texts(at < 0 ? inner : inner.slice(0, at));
    const listed = at < 0 ? [] : most(inner.slice(at + 1), walk);
    const given = at < 0 && stdin !== undefined ? argumentsFrom(stdin, undefined, true, walk) : listed;
    let flow = UNKNOWN_FLOW;
    for (const argument of given.length > 0 ? given : [plainField("")]) {
      flow = walkText(withArgument(words, argument.text), walk, stdin);
      // a word that holds a whole command may also be passed on as one word
      const command = argument.text === "" ? inner : [...inner.slice(0, Math.max(at, 0)), argument];
      if (command.length > 1 && command.some(({ text }) => /\s/.test(text))) walk.command(command, walk, stdin);
    }
    return flow;
  }
  if (inner.length === 0) return UNKNOWN_FLOW;
  if (name === "chroot") walk.scope.folders = ["/"];
  return walk.command(inner, walk, stdin);
};

const withArgument = (command: string, argument: string): string =>
  command.includes("{}") ? command.split("{}").join(argument) : `${command} ${argument}`;

const inRunner = (
  name: string,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): Decision | undefined => {
  if (!RUNNERS[name]?.includes(fields[1]?.text ?? "")) return undefined;
  const inner = fields.slice(name === "direnv" ? 3 : 2);
  if (inner.length === 0 || inner[0]?.text.startsWith("-")) return undefined;
  return decision(`${name} runs another command, which is judged on its own`, "dev", walk.command(inner, walk, stdin));
};
