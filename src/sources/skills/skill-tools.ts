import { SERVED_PREFIX } from "../../core/contracts/servers.ts";
import { ARGUMENT_TYPES, type ArgumentType, type SkillArgument, type SkillTool } from "../../core/words/skill.ts";
import { FOLDER, namesIn, readTemplate } from "../../shell/template.ts";
import { type Say, shown } from "./say.ts";

type Fields = Readonly<Record<string, unknown>>;
type At = readonly (string | number)[];

const NAME = /^[A-Za-z][\w-]{0,63}$/;
const ARGUMENT = /^[A-Za-z_][\w-]{0,63}$/;
const LONGEST_COMMAND = 4_000;
const LONGEST_DESCRIPTION = 1_024;
const MOST_TOOLS = 50;
const MOST_ARGUMENTS = 30;
const LONGEST_SECONDS = 600;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The commands that a skill brings along. One with any defect is left out. */
export function skillTools(written: unknown, say: Say): SkillTool[] {
  if (written === undefined || written === null) return [];
  if (!Array.isArray(written)) {
    say(true, "tools must be a list", "tools");
    return [];
  }
  if (written.length > MOST_TOOLS) say(true, `only the first ${MOST_TOOLS} tools are taken`, "tools", MOST_TOOLS);
  const tools: SkillTool[] = [];
  for (const [index, each] of written.slice(0, MOST_TOOLS).entries()) {
    const tool = toolOf(each, ["tools", index], say);
    if (!tool) continue;
    if (tools.some(({ name }) => name === tool.name))
      say(true, `there are two tools named ${tool.name}`, "tools", index);
    else tools.push(tool);
  }
  return tools;
}

function toolOf(written: unknown, at: At, say: Say): SkillTool | undefined {
  if (!isFields(written)) {
    say(true, "a tool must have name, description and cmd", ...at);
    return undefined;
  }
  const { name, description, cmd, args } = written;
  let isRight = true;
  const wrong = (message: string, ...path: At): void => {
    isRight = false;
    say(true, message, ...at, ...path);
  };
  if (typeof name !== "string" || !NAME.test(name))
    wrong(`a tool's name must be a letter and up to 63 letters, digits, _ or -, not ${shown(name)}`, "name");
  else if (name.toLowerCase().startsWith(SERVED_PREFIX))
    wrong(`${name}: names that begin with ${SERVED_PREFIX} are those of servers`, "name");
  if (typeof description !== "string" || description.trim() === "") wrong("a tool needs a description", "description");
  const seconds = secondsOf(written, wrong);
  const listed = argumentsOf(args, wrong);
  if (typeof cmd !== "string" || cmd.trim() === "") wrong("a tool needs a cmd: the command that it runs", "cmd");
  else if (cmd.length > LONGEST_COMMAND) wrong(`cmd has more than ${LONGEST_COMMAND} characters`, "cmd");
  else checkCommand(cmd, listed, wrong, (message, ...path) => say(false, message, ...at, ...path));
  if (!isRight) return undefined;
  const text = (description as string).trim().slice(0, LONGEST_DESCRIPTION);
  return {
    ...{ name: name as string, description: text, cmd: (cmd as string).trim(), args: listed },
    ...(seconds !== undefined && { seconds }),
  };
}

type Wrong = (message: string, ...path: At) => void;

/** `timeout` in seconds; other clients write `timeout_ms`. */
function secondsOf({ timeout, timeout_ms }: Fields, wrong: Wrong): number | undefined {
  const given = timeout ?? (typeof timeout_ms === "number" ? timeout_ms / 1000 : timeout_ms);
  if (given === undefined || given === null) return undefined;
  if (typeof given === "number" && given > 0 && given <= LONGEST_SECONDS) return given;
  wrong(`timeout must be seconds, at most ${LONGEST_SECONDS}`, timeout === undefined ? "timeout_ms" : "timeout");
  return undefined;
}

function checkCommand(cmd: string, args: readonly SkillArgument[], wrong: Wrong, advise: Wrong): void {
  const template = readTemplate(cmd);
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(cmd)) wrong("cmd contains control characters", "cmd");
  else if ("problem" in template) wrong(`cmd: ${template.problem}`, "cmd");
  else if (isProgramText(cmd))
    wrong(
      "cmd: a value inside a program's text (python -c, node -e) may be more than a word; pass it as an argument",
      "cmd",
    );
  else {
    const named = namesIn(template).filter((name) => name !== FOLDER);
    for (const name of named)
      if (!args.some((each) => each.name === name)) wrong(`cmd has {{${name}}}, which is not among args`, "cmd");
    for (const { name } of args)
      if (!named.includes(name)) advise(`cmd does not use the argument ${name}`, "args", name);
  }
}

/** `-c`, also bundled (`-Bc`) or with the code attached (`-c'…'`, `--eval='…'`). */
const CODE = /\s(?:-\w*[ceEpr]|--(?:eval|print|run)|eval)(?:[ \t]+|=)?(?=["'])/g;
const LAST_COMMAND = /[^;&|\n]*$/;
const INTERPRETER = /(?:^|[\s/])(?:python[\d.]*|pypy[\d.]*|node|nodejs|perl|ruby|php|lua|deno|bun|Rscript|julia)(?=\s)/;
/** One shell word: quoted pieces, and what stands between them. */
const WORD = /^(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\;&|])*/;

/** Whether a value would be inserted into code that is not shell, where our quoting does not help. */
function isProgramText(cmd: string): boolean {
  for (const found of cmd.matchAll(CODE)) {
    const [word = ""] = WORD.exec(cmd.slice(found.index + found[0].length)) ?? [];
    const before = cmd.slice(0, found.index + 1);
    if (word.includes("{{") && INTERPRETER.test(before.slice(before.search(LAST_COMMAND)))) return true;
  }
  return false;
}

/** Accepts a map of names to descriptions, a list of those, or a list of names. */
function argumentsOf(written: unknown, wrong: Wrong): SkillArgument[] {
  if (written === undefined || written === null) return [];
  if (!Array.isArray(written) && !isFields(written)) {
    wrong("args must be a map of names to what they are", "args");
    return [];
  }
  const rows: [name: unknown, about: unknown, at: string | number][] = Array.isArray(written)
    ? written.map((each, index) => (isFields(each) ? [each.name, each, index] : [each, null, index]))
    : Object.entries(written).map(([name, about]) => [name, about, name]);
  if (rows.length > MOST_ARGUMENTS) wrong(`there are more than ${MOST_ARGUMENTS} arguments`, "args");
  const found: SkillArgument[] = [];
  for (const [name, about, at] of rows) {
    if (typeof name !== "string" || !ARGUMENT.test(name) || name === FOLDER || name in {})
      wrong(`an argument's name must be a letter and then letters, digits, _ or -, not ${shown(name)}`, "args", at);
    else if (found.some((each) => each.name === name)) wrong(`there are two arguments named ${name}`, "args", at);
    else found.push(argumentOf(name, about, (message) => wrong(message, "args", at)));
  }
  return found;
}

const isType = (value: unknown): value is ArgumentType => (ARGUMENT_TYPES as readonly unknown[]).includes(value);

function argumentOf(name: string, about: unknown, wrong: (message: string) => void): SkillArgument {
  // `path: string`, or a short description
  if (about === null || typeof about === "string")
    return {
      ...{ name, type: isType(about) ? about : "string", required: true },
      ...(typeof about === "string" && !isType(about) && { description: about }),
    };
  if (!isFields(about)) {
    wrong(`${name} must say what it is, such as { type: string }`);
    return { name, type: "string", required: true };
  }
  const { type = "string", required, description, default: usual, enum: choices } = about;
  if (!isType(type)) wrong(`${name}: type must be one of ${ARGUMENT_TYPES.join(", ")}, not ${shown(type)}`);
  if (required !== undefined && typeof required !== "boolean") wrong(`${name}: required must be true or false`);
  if (description !== undefined && typeof description !== "string") wrong(`${name}: description must be a text`);
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0 && choices.every(isChoice)))
    wrong(`${name}: enum must be a list of texts or numbers`);
  if (usual !== undefined && isType(type) && !fits(usual, type)) wrong(`${name}: default must be of the type ${type}`);
  return {
    ...{
      name,
      type: isType(type) ? type : "string",
      required: required === true || (required === undefined && usual === undefined),
    },
    ...(typeof description === "string" && { description }),
    ...(usual !== undefined && { default: usual }),
    ...(Array.isArray(choices) && { choices: choices as (string | number)[] }),
  };
}

const isChoice = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

function fits(value: unknown, type: ArgumentType): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isFields(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
