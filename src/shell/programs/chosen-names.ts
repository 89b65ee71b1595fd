import type { Given, Parsed } from "./program.ts";

/** Letters, wildcards and plain classes mean the same to every program; other characters may mean anything. */
const PLAIN = /^(?:[\p{L}\p{N}_.*?-]|\[[\p{L}\p{N}_]+\])+$/u;

const bothCases = (letter: string): string => `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

/** The names as a scope below a folder; undefined if it is not certain which names are meant. */
export const belowAnywhere = (name: string, anyCase = false): string | undefined => {
  if (!PLAIN.test(name) || name.includes("**") || (anyCase && name.includes("["))) return undefined;
  return `**/${anyCase ? name.replace(/\p{L}/gu, bothCases) : name}`;
};

/** Undefined as soon as one is. */
const all = (scopes: readonly (string | undefined)[]): readonly string[] | undefined =>
  scopes.every((scope) => scope !== undefined) ? [...new Set(scopes)] : undefined;

const INCLUDING: ReadonlySet<string> = new Set(["--include", "--exclude", "--exclude-from"]);

/** `grep` reads every file that no glob mentions, unless its first glob is an `--include`. */
export const includedByGrep = ({ options }: Parsed): readonly string[] | undefined => {
  if (options.find(({ name }) => INCLUDING.has(name))?.name !== "--include") return undefined;
  return all(options.filter(({ name }) => name === "--include").map((each) => belowAnywhere(textIn(each))));
};

const GLOBS: ReadonlySet<string> = new Set(["-g", "--glob", "--iglob"]);
const TYPES: ReadonlySet<string> = new Set(["-t", "--type"]);

/** The endings of each type that is certain to be in every version of `rg`. Its `sh` has `.env` in it. */
export const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["ts", "cts mts ts tsx"],
  ["typescript", "cts mts ts tsx"],
  ["js", "cjs js jsx mjs vue"],
  ["py", "py pyi"],
  ["python", "py pyi"],
  ["rust", "rs"],
  ["go", "go"],
  ["java", "java jsp jspx properties"],
  ["kotlin", "kt kts"],
  ["swift", "swift"],
  ["cs", "cs"],
  ["css", "css scss"],
  ["html", "ejs htm html"],
  ["md", "markdown md mdown mdwn mdx mkd mkdn"],
  ["markdown", "markdown md mdown mdwn mdx mkd mkdn"],
  ["php", "php php3 php4 php5 php7 php8 pht phtml"],
]);

const textIn = ({ value }: Given): string => value?.text ?? "";

/** `*.{ts,js}` becomes two names; anything more complex is left as it is, and is then not a plain name. */
const choicesIn = (glob: string): readonly string[] => {
  const [, before = "", choices, after = ""] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? [];
  return choices?.split(",").map((choice) => before + choice + after) ?? [glob];
};

/** The last part of an `rg` glob; the parts before it only say in which folders. */
const globbed = (glob: string, anyCase: boolean): readonly (string | undefined)[] =>
  choicesIn(glob).map((each) => belowAnywhere(each.slice(each.lastIndexOf("/") + 1), anyCase));

/** `rg` reads what its globs name; if they only exclude, what its types name. */
export const chosenByRipgrep = ({ options }: Parsed): readonly string[] | undefined => {
  const named = options.filter((each) => GLOBS.has(each.name) && !textIn(each).startsWith("!"));
  const anyCase = options.some(({ name }) => name === "--glob-case-insensitive");
  if (named.length > 0) return all(named.flatMap((each) => globbed(textIn(each), anyCase || each.name === "--iglob")));
  const types = options.filter(({ name }) => TYPES.has(name)).map(textIn);
  if (types.length === 0) return undefined;
  return all(
    types.flatMap(
      (type) =>
        ENDINGS.get(type)
          ?.split(" ")
          .map((ending) => belowAnywhere(`*.${ending}`)) ?? undefined,
    ),
  );
};
