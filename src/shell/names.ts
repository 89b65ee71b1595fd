import type { Field } from "./walk.ts";

/**
 * Programs that print file names, and the words that make them do so; without `only`, any words do. `options`: those
 * with which only names are printed, since others add owners, dates or link targets.
 */
type Printer = { only?: RegExp; never?: RegExp; options?: RegExp };

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    "ls",
    {
      options:
        /^(?:-[1aABcCdfFhkLNpqrRStuUvXx]+|--(?:all|almost-all|ignore-backups|directory|reverse|recursive|color=(?:never|auto)|group-directories-first|sort=\w+|literal)|--)$/,
    },
  ],
  ["find", { never: /^-(?:f?printf|fls|ls|exec|execdir|ok|okdir|files0-from)/ }],
  ["fd", { never: /^(?:-[a-zA-Z]*[xXl]|--exec|--format|--list-details)/ }],
  ["fdfind", { never: /^(?:-[a-zA-Z]*[xXl]|--exec|--format|--list-details)/ }],
  ["rg", { only: /^(?:-[a-zA-Z]*l|--files)/, never: /^--(?:pre|replace|path-separator|json)/ }],
  ["grep", { only: /^(?:-[a-zA-Z]*[lL]|--files-with)/, never: /^--la/ }],
  ["git", { only: /^(?:ls-files|--name-only)$/, never: /^(?:--format|--pretty|--stage|-[a-zA-Z]*[stvC]$)/ }],
]);

/** Filters that print some of the lines they are given, as they are. */
const SIFTING: ReadonlySet<string> = new Set(["sort", "uniq", "head", "tail", "tac", "cat", "grep", "rg"]);

/** The word is not an absolute path and has no `..`, so it cannot name anything outside. */
const staysBelow = ({ text, literal }: Field): boolean => literal && !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(text);

/** Options that take the next word if it is a number. */
const COUNTED: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^-k$/],
  ["uniq", /^-[fsw]$/],
  ["head", /^-[nc]$/],
  ["tail", /^-[nc]$/],
  ["grep", /^-[ABCm]$/],
  ["rg", /^-[ABCm]$/],
]);
const PATTERN: ReadonlySet<string> = new Set(["grep", "rg"]);
/** An option that gives the pattern, or a label for input without a name. */
const TELLING = /^(?:-[a-zA-Z]*[ef]|--(?:re|fi|la))/;

/** A filter's own words: options, their numbers, and for `grep` its one pattern. Any other word is a file. */
const isSifting = (program: string, fields: readonly Field[]): boolean => {
  if (!SIFTING.has(program) || (PATTERN.has(program) && fields.some(({ text }) => TELLING.test(text)))) return false;
  const operands = fields.filter(({ text }, index) => {
    if (index === 0 || /^-./.test(text)) return false;
    return !(/^\d+$/.test(text) && COUNTED.get(program)?.test(fields[index - 1]?.text ?? ""));
  });
  return operands.length <= (PATTERN.has(program) ? 1 : 0);
};

/** Options with which a filter still prints whole lines as they are, and nothing else. */
const WHOLE: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^-[ruVfdnh]+$/],
  ["uniq", /^-[ud]$/],
  ["head", /^-(?:n|n?\d+)$/],
  ["tail", /^-(?:n|n?\d+)$/],
  ["tac", /^$/],
  ["cat", /^$/],
  ["grep", /^-[viEFPwx]+$/],
  ["rg", /^-[viFw]+$/],
]);

/** Whether a filter prints only whole names from its input. */
export const siftsNames = (program: string, fields: readonly Field[]): boolean =>
  isSifting(program, fields) &&
  fields.slice(1).every(({ text }) => !text.startsWith("-") || WHOLE.get(program)?.test(text));

/** Whether a program can print only names of files below the starting folder. `given`: its input is such names. */
export const printsNames = (program: string, fields: readonly Field[], given: boolean): boolean => {
  if (given && isSifting(program, fields) && fields.every(({ literal }) => literal)) return true;
  const printer = PRINTERS.get(program);
  if (printer === undefined) return false;
  const { only, never, options } = printer;
  return (
    (only === undefined || fields.some(({ text }) => only.test(text))) &&
    (never === undefined || !fields.some(({ text }) => never.test(text))) &&
    (options === undefined || fields.every(({ text }) => !text.startsWith("-") || options.test(text))) &&
    fields.every(staysBelow)
  );
};
