import type { Field } from "./walk.ts";

/**
 * Programs that print names of files, and the words that make them do so: without `only`, any words do. `options`: all
 * that leave it at names, where others add owners, dates, or where links lead.
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

/** The word names nothing outside: no absolute path, and none with `..`. */
const staysBelow = ({ text, literal }: Field): boolean => literal && !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(text);

/** Options that take the next word, where it is a number. */
const COUNTED: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^-k$/],
  ["uniq", /^-[fsw]$/],
  ["head", /^-[nc]$/],
  ["tail", /^-[nc]$/],
  ["grep", /^-[ABCm]$/],
  ["rg", /^-[ABCm]$/],
]);
const PATTERN: ReadonlySet<string> = new Set(["grep", "rg"]);
/** A pattern that is an option of its own, a name for what has none. */
const TELLING = /^(?:-[a-zA-Z]*[ef]|--(?:re|fi|la))/;

/** A filter's own words: options, the numbers after them, and for `grep` its one pattern. What else it names is a file. */
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

/** Whether a filter prints some of the names that it is given, and no part of one. */
export const siftsNames = (program: string, fields: readonly Field[]): boolean =>
  isSifting(program, fields) &&
  fields.slice(1).every(({ text }) => !text.startsWith("-") || WHOLE.get(program)?.test(text));

/** Whether what a program prints can only be names of files below where the line starts. `given`: it is given such. */
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
