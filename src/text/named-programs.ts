import { TAKING } from "./secret-options.ts";

type Named = { at: number; length: number; program: string };

const NAMES = [...TAKING.keys()].map((name) => name.replace(/[-]/g, "\\-")).join("|");
const PROGRAM = new RegExp(`(?<![\\w.-])(${NAMES})(?:\\.exe|\\d)?(?=["']?(?:[ \\t\\n<]|$))`, "gi");
/** `c=curl; $c …`, `alias c=curl`. */
const STAND_IN = new RegExp(
  `(?<![\\w-])(alias[ \\t]{1,4})?([A-Za-z_]\\w{0,31})=["']?(?:[\\w.-]{0,32}/){0,8}(${NAMES})["']?(?=[\\s;&|)]|$)`,
  "g",
);
const USED = /\$\{?([A-Za-z_]\w{0,31})\}?(?=["']?[ \t])|(?<=(?:^|[;&|(\n])[ \t]{0,8})([A-Za-z_]\w{0,31})(?=[ \t])/g;
/** A name may be cut by quotes and backslashes, which the shell takes out. */
const CUT = /[A-Za-z0-9](?:""|''|\\(?=[a-z])|["'](?=[a-z]))|(?<![\w\\])\\(?=[a-z])/i;

function joined(text: string): { text: string; at: number[] } {
  let result = "";
  const at: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index] as string;
    const letters = /[\w"'\\]/.test(text[index - 1] ?? "") && /[\w"'\\]/.test(text[index + 1] ?? "");
    if ((char === '"' || char === "'" || char === "\\") && letters) continue;
    result += char;
    at.push(index);
  }
  at.push(text.length);
  return { text: result, at };
}

/** Words of a sentence begin with a capital letter; a program is written in one case. */
const isWritten = (name: string): boolean =>
  name === name.toLowerCase() || (name === name.toUpperCase() && name.length > 2);

/** The programs that take secrets on their line, wherever they are named in a text. */
export function programsIn(text: string): Named[] {
  const found: Named[] = [];
  for (const { 0: whole, 1: name = "", index } of text.matchAll(PROGRAM))
    if (isWritten(name)) found.push({ at: index, length: whole.length, program: name.toLowerCase() });
  if (text.includes("=")) found.push(...standIns(text));
  if (CUT.test(text)) {
    const { text: plain, at } = joined(text);
    for (const { 0: whole, 1: name = "", index } of plain.matchAll(PROGRAM)) {
      const [from, to] = [at[index] as number, (at[index + whole.length - 1] as number) + 1];
      if (to - from > whole.length) found.push({ at: from, length: to - from, program: name.toLowerCase() });
    }
  }
  return found.sort((one, other) => one.at - other.at);
}

function standIns(text: string): Named[] {
  const programs = new Map<string, string>();
  for (const { 2: name = "", 3: program = "" } of text.matchAll(STAND_IN)) programs.set(name, program.toLowerCase());
  if (programs.size === 0) return [];
  return Array.from(text.matchAll(USED), ({ 0: whole, 1: variable, 2: alias, index }) => ({
    at: index,
    length: whole.length,
    program: programs.get(variable ?? alias ?? "") ?? "",
  })).filter(({ program }) => program !== "");
}
