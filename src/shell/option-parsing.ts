import { upTo } from "./blanks.ts";
import { withText } from "./fields.ts";
import type { Entry, Given, Option, OptionTable, Parsed, Role } from "./programs/program.ts";
import type { Field } from "./walk.ts";

const EMPTY: OptionTable = { options: new Map(), long: [], numbers: false };

const described = (name: string, value: Option["value"], named: string): Option => {
  const role = (named || "text") as Role;
  return { name, value, role, alone: { name, value: undefined, role } };
};

const longOption = (token: string): Option => {
  const at = token.search(/[=:]/);
  if (at < 0) return described(token, "none", "");
  const rest = token.slice(at + 1);
  return rest === "?" ? described(token.slice(0, at), "attached", "") : described(token.slice(0, at), "needed", rest);
};

const shortOptions = (token: string): Option[] => {
  if (token.endsWith("?") && token.length === 3) return [described(token.slice(0, 2), "attached", "")];
  if (token[2] === ":") return [described(token.slice(0, 2), "needed", token.slice(3))];
  return [...token.slice(1)].map((letter) => described(`-${letter}`, "none", ""));
};

const tableOf = (program: Entry): OptionTable => {
  if (program.options === undefined) return EMPTY;
  const table: OptionTable = { options: new Map(), long: [], numbers: false };
  for (const token of program.options.split(" ")) {
    if (token === "-#") table.numbers = true;
    else if (token !== "")
      for (const option of token.startsWith("--") || program.style === "word"
        ? [longOption(token)]
        : shortOptions(token))
        table.options.set(
          option.name.length === 2 && program.style !== "word" ? (option.name[1] as string) : option.name,
          option,
        );
  }
  if (program.abbreviates) table.long = [...table.options.keys()].filter((name) => name.startsWith("--"));
  return table;
};

const longNamed = (name: string, table: OptionTable): Option | undefined => {
  const exact = table.options.get(name);
  if (exact) return exact;
  const meant = table.long.filter((each) => each.startsWith(name));
  return meant.length === 1 ? table.options.get(meant[0] as string) : undefined;
};

/** `-s10` where one dash starts a word. */
const numbered = (text: string, table: OptionTable): Option | undefined => {
  if (text.charCodeAt(1) === DASH || !/^-[a-zA-Z][+-]?\d/.test(text)) return undefined;
  const option = table.options.get(text.slice(0, 2));
  return option?.value === "needed" ? option : undefined;
};

const piece = (field: Field, from: number): Field => withText(field, field.text.slice(from));

const DASH = 45;
/** Digits come before these. */
const LETTERS = 65;
const isNumber = (text: string): boolean => text.charCodeAt(1) < LETTERS && /^-\d+$/.test(text);

/**
 * A value that looks like an option may be one if the program does not take a value after all, so it is read both ways.
 * Not for numbers and patterns, for `find`, which has its own grammar, or if no option can do harm.
 */
const isDoubtful = (value: Field | undefined, option: Option, program: Entry): boolean =>
  value !== undefined &&
  value.text.charCodeAt(0) === DASH &&
  value.text.length > 1 &&
  !program.inert &&
  program.style !== "word" &&
  !/^-\d/.test(value.text) &&
  !program.patternOptions?.includes(option.name);

const isOption = ({ text }: Field): boolean => text.charCodeAt(0) === DASH && text.length > 1;

/** Reads words as a program's option parser would. The first option that is not allowed is `unknown`. */
export const parsedOptions = (fields: readonly Field[], from: number, program: Entry): Parsed => {
  if (program.style === "none")
    return { options: [], operands: fields.slice(from), unknown: undefined, ended: undefined };
  program.table ??= tableOf(program);
  const { table } = program;
  const options: Given[] = [];
  let unknown: string | undefined;
  let ended: number | undefined;
  let index = from;
  while (index < fields.length && !isOption(fields[index] as Field)) index++;
  if (program.stops && index > from) index = fields.length;
  let operands = index > from ? fields.slice(from, index) : [];
  for (; index < fields.length; index++) {
    const field = fields[index] as Field;
    const { text } = field;
    // an option that may take a value, and what is attached to it
    let option: Option | undefined;
    let attached: Field | undefined;
    if (!isOption(field)) {
      if (program.stops) {
        operands = fields.slice(index);
        break;
      }
      operands.push(field);
    } else if (text === "--") {
      ended = operands.length;
      for (index++; index < fields.length; index++) operands.push(fields[index] as Field);
    } else if (text.charCodeAt(1) === DASH || program.style === "word") {
      const name = upTo("=", text);
      option = longNamed(name, table) ?? numbered(text, table);
      if (option === undefined || (option.value === "none" && name !== text)) {
        unknown ??= text;
        continue;
      }
      if (name !== text) attached = piece(field, name.length + 1);
      else if (option.name.length < text.length) attached = piece(field, 2);
    } else if (table.numbers && isNumber(text)) options.push({ name: "-#", value: piece(field, 1), role: "text" });
    else
      for (let letter = 1; letter < text.length; letter++) {
        option = table.options.get(text[letter] as string);
        if (option === undefined) {
          unknown ??= text;
          break;
        }
        if (option.value !== "none") {
          if (letter + 1 < text.length) attached = piece(field, letter + (text[letter + 1] === "=" ? 2 : 1));
          break;
        }
        options.push(option.alone);
        option = undefined;
      }
    if (option === undefined) continue;
    // the value is what is attached, or the next word where the option needs one
    const next = attached === undefined && option.value === "needed" ? fields[index + 1] : undefined;
    if (isDoubtful(next, option, program)) unknown ??= `${text} ${next?.text}`;
    else if (attached === undefined && option.value === "needed") index++;
    options.push({ name: option.name, value: next ?? attached, role: option.role });
  }
  return { options, operands, unknown, ended };
};
