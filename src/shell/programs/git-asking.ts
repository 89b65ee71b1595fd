import { has, hasAny, type Parsed } from "./program.ts";

/**
 * Words for git, several commands of them, that name the files whose contents a line would show. `any`: no such words
 * are known, so it may be any file.
 */
export type Asked = readonly (readonly string[])[] | "any";
export type Asking = readonly (readonly string[])[];

const NAMED = "--name-only -z --no-ext-diff --no-textconv --no-relative --ignore-submodules=all".split(" ");
/** `FOLLOWED`: the same with the earlier names of a file that was renamed. */
export const FOLLOWED = ["log", "--format=", "--no-show-signature", ...NAMED];
export const LOG = [...FOLLOWED, "--no-renames"];
export const TREES = ["diff-tree", "-r", "--root", "-m", "--no-commit-id", ...NAMED, "--no-renames"];
export const STAGED = ["diff", "--cached", ...NAMED, "--no-renames"];
const HELD = ["ls-tree", "-r", "--name-only", "-z"];

export const texts = ({ operands }: Parsed): string[] => operands.map(({ text }) => text);

/** The operands that may be revisions: those before a `--`. */
export const before = (parsed: Parsed): string[] => texts(parsed).slice(0, parsed.ended);

/** The operands as they were given: what stands before a `--` may be a revision or a path. */
export const given = (parsed: Parsed, otherwise: readonly string[] = []): string[] => {
  const revisions = before(parsed);
  const paths = parsed.ended === undefined ? [] : ["--", ...texts(parsed).slice(parsed.ended)];
  return ["--end-of-options", ...(revisions.length > 0 ? revisions : otherwise), ...paths];
};

export const MERGES = ["-m", "-c", "--cc"];
/** Options that show contents; `--check` shows the lines that it objects to. */
const SHOWS = [..."-p -u -U -L --patch --unified --word-diff --binary --check".split(" "), ...MERGES];
/** Options that make git show only names and numbers. */
const COUNTS =
  "-s --no-patch --quiet --stat --numstat --shortstat --dirstat --summary --compact-summary --name-only --name-status --raw".split(
    " ",
  );
/** Whether contents are shown by a verb that shows them only if it is told to. */
export const isToldToShow = (parsed: Parsed): boolean => hasAny(parsed, SHOWS);
/** Whether they are shown by a verb that shows them unless it is told otherwise, perhaps by an option of its own. */
export const isShown = (parsed: Parsed, ...own: string[]): boolean =>
  isToldToShow(parsed) || !(hasAny(parsed, COUNTS) || hasAny(parsed, own));

/** Whether nobody can tell whose files are shown: those of another repository, or of revisions that a pattern names. */
export const isUntold = (parsed: Parsed, isChecked = true): boolean =>
  parsed.options.some(({ name, value }) => name === "--submodule" && value?.text === "diff") ||
  // without a `--`, most verbs refuse a word that is both a file and a revision
  ((parsed.ended !== undefined || !isChecked) && parsed.operands.slice(0, parsed.ended).some(({ glob }) => glob));

/** `HEAD:a`, `main@{10:30}:a`, `:a` and `:0:a`, but not `:/text` or `:(top)`, are files that are named. */
const OF_REVISION = /^((?:[^:{}]|\{[^{}]*\})+):(.*)$/s;
const OF_INDEX = /^:(?:[0-3]:)?[^/!^(:]/;
export const isFile = (text: string): boolean => OF_REVISION.test(text) || OF_INDEX.test(text);

/** The files of a revision, of all of it or at `HEAD:place`, by their whole names. */
export const heldIn = (text: string): readonly string[] => {
  const [, revision = text, place = ""] = OF_REVISION.exec(text) ?? [];
  const names = /^\.\.?(?:\/|$)/.test(place) ? "--full-name" : "--full-tree";
  return [...HELD, names, "--end-of-options", revision, ...(place === "" ? [] : [place])];
};

/** What only commits are called: `HEAD`, `x~1`, `x^2`, `a..b`. */
const COMMIT = /^(?:HEAD|@)$|[~^]\d*$|\.\./;

/** The kinds of what these words name, each read from a line of its own: the content of a file may be that of any. */
export const nameless = (revisions: readonly string[]): Asking => {
  const doubtful = revisions.filter((text) => !COMMIT.test(text) && !isFile(text));
  // what a tag points to; behind a time in braces git would take it for a part of the time
  const behind = doubtful.filter((text) => !text.includes("@{")).map((text) => `${text}^{}`);
  return doubtful.length === 0 ? [] : [["cat-file", "--batch-check=%(objecttype)", ...doubtful, ...behind]];
};

/** The two ends of a range, and all of the word: git takes it for a range only if it has both of them. */
const ends = (text: string): string[] => {
  const plain = text.replace(/^\^/, "");
  const [from = "", dots, to = ""] = split(plain);
  return dots === undefined ? [plain] : [plain, from || "HEAD", to || "HEAD"];
};

/** Dots in braces belong to a text that is searched for. */
const RANGE = /^((?:[^.{}]|\{[^{}]*\}|\.(?!\.))*)(\.{2,3})(.*)$/s;
export const split = (text: string): string[] => RANGE.exec(text)?.slice(1) ?? [text];

/** Contents that words name without a history: files, objects without a name, and both ends of a range of them. */
export const namedContents = (revisions: readonly string[], isNamed: (text: string) => boolean = isFile): Asking => {
  const all = revisions.flatMap(ends);
  return [...all.filter(isNamed).map(heldIn), ...nameless(all)];
};

/** `HEAD:./a`: the folder belongs to the name, and only git knows it. */
export const isBelow = (text: string): boolean => /^\.\.?(?:\/|$)/.test(OF_REVISION.exec(text)?.[2] ?? "");

export const isStaged = (parsed: Parsed): boolean => has(parsed, "--cached", "--staged");
