import { has, hasAny, type Parsed } from "./program.ts";

/** Words for git, several commands of them, that name the files whose contents a line would show. */
export type Asked = readonly (readonly string[])[];

const NAMED = "--name-only -z --no-renames --no-ext-diff --no-textconv --no-relative --ignore-submodules=all".split(
  " ",
);
const LOG = ["log", "--format=", "--no-show-signature", ...NAMED];
const TREES = ["diff-tree", "-r", "--root", "-m", "--no-commit-id", ...NAMED];
const STAGED = ["diff", "--cached", ...NAMED];
const HELD = ["ls-tree", "-r", "--name-only", "-z", "--full-tree"];

/** Options that say where a history starts: without them there would be less of it. */
const STARTS = ["--all", "--branches", "--tags", "--remotes", "-g", "--walk-reflogs"];
const MERGES = ["-m", "-c", "--cc"];
const LIMITS = ["-#", "-n", "--max-count"];
const TIMES = ["--since", "--after", "--until", "--before"];
/** Options that leave out commits. Where one of them is not passed on, a limit is none of this history. */
const SIFTING =
  "--skip --author --committer --grep --all-match --invert-grep --merges --no-merges --first-parent --simplify-by-decoration --cherry-pick --boundary --not --ancestry-path --reverse --diff-filter -S -G -L --follow".split(
    " ",
  );

const texts = ({ operands }: Parsed): string[] => operands.map(({ text }) => text).filter((text) => text !== "-");

/** The operands as they were given: what stands before a `--` may be a revision or a path. */
const given = (parsed: Parsed, otherwise: readonly string[] = []): string[] => {
  const all = texts(parsed);
  const [before, paths] =
    parsed.ended === undefined ? [all, undefined] : [all.slice(0, parsed.ended), all.slice(parsed.ended)];
  return ["--end-of-options", ...(before.length > 0 ? before : otherwise), ...(paths ? ["--", ...paths] : [])];
};

const passed = ({ options }: Parsed, names: readonly string[]): string[] =>
  options.flatMap(({ name, value }) => {
    if (!names.includes(name)) return [];
    if (name === "-#" || name === "-n") return value ? [`-n${value.text}`] : [];
    return [value ? `${name}=${value.text}` : name];
  });

const ofHistory = (parsed: Parsed, ...more: string[]): string[] => [
  ...LOG,
  ...more,
  ...passed(parsed, [...STARTS, ...TIMES]),
  ...(hasAny(parsed, SIFTING) ? [] : passed(parsed, LIMITS)),
  ...(hasAny(parsed, MERGES) ? ["-m"] : []),
];

/** Without one of these a history only names its commits; `-L` shows a file that is named. */
const SHOWS = ["-p", "-u", "--patch", "-U", "--unified", "--word-diff", "--binary", ...MERGES];
const isShown = (parsed: Parsed): boolean => hasAny(parsed, SHOWS) && !has(parsed, "-L");

/** `git log -p`: what the commits changed. */
export const inHistory = (parsed: Parsed): Asked => (isShown(parsed) ? [[...ofHistory(parsed), ...given(parsed)]] : []);

/** `git stash list -p`: the same of all that was set aside. */
export const inStashes = (parsed: Parsed): Asked =>
  isShown(parsed) ? [[...ofHistory(parsed, "-g", "-m", "--first-parent"), ...given(parsed, ["refs/stash"])]] : [];

/** `HEAD:a` and `:a` are files that are named. */
const NAMES_FILE = /^(?:[^:]+:|:(?!\/)).*$/s;

/** `git show`: what these commits changed, or those of a range. */
export const inCommits = (parsed: Parsed): Asked => {
  const operands = parsed.operands.filter(
    ({ text }, index) => index >= (parsed.ended ?? Infinity) || !NAMES_FILE.test(text),
  );
  if (operands.length === 0 && parsed.operands.length > 0) return [];
  const ended = parsed.ended === undefined ? undefined : parsed.ended - (parsed.operands.length - operands.length);
  return [[...LOG, "--no-walk=unsorted", "-m", ...given({ ...parsed, operands, ended }, ["HEAD"])]];
};

const RANGE = /^(.*?)(\.{2,3})(.*)$/s;

/** `git diff`: never held against the working tree, for which git might run what the repository says. */
export const inDiff = (parsed: Parsed): Asked => {
  if (has(parsed, "--no-index")) return [];
  const isStaged = hasAny(parsed, ["--cached", "--staged"]);
  if (parsed.operands.length === 0) return isStaged ? [[...STAGED, ...given(parsed)]] : [];
  const [first = ""] = texts(parsed);
  const [, from, dots, to] = parsed.ended === 0 ? [] : (RANGE.exec(first) ?? []);
  if (dots === undefined)
    return [
      [...STAGED, ...given(parsed)],
      [...TREES, ...given(parsed)],
    ];
  const ends = [from || "HEAD", to || "HEAD"];
  const paths = given(parsed).slice(2);
  const others = paths[0] === "--" || paths.length === 0 ? paths : ["--", ...paths.filter((path) => path !== "--")];
  return [[...TREES, ...(dots === "..." ? ["--merge-base"] : []), "--end-of-options", ...ends, ...others]];
};

export const inTrees = (parsed: Parsed): Asked =>
  has(parsed, "--stdin")
    ? [[...LOG, "--all"]]
    : [
        [...TREES, ...given(parsed)],
        [...STAGED, ...given(parsed)],
      ];

const NUMBER = /^\d+$/;

/** `git stash show -p`: what was set aside, and the files that git did not know. */
export const inStash = (parsed: Parsed): Asked => {
  const [name = "0"] = texts(parsed);
  const stash = NUMBER.test(name) ? `stash@{${name}}` : name;
  return [
    [...TREES, "--end-of-options", `${stash}^1`, stash],
    [...HELD, "--end-of-options", `${stash}^3`],
  ];
};

/** `git grep word HEAD~1`: any file of that tree. What is no revision has none. */
export const inSearched = (parsed: Parsed): Asked =>
  texts(parsed)
    .slice(has(parsed, "-e") ? 0 : 1, parsed.ended)
    .slice(0, MOST_SEARCHED)
    .map((text) => [...HELD, "--end-of-options", text]);
const MOST_SEARCHED = 20;

export const inRanges = (parsed: Parsed): Asked => {
  const [base = "", ...others] = texts(parsed);
  if (others.length === 2) return others.map((end) => [...LOG, "--end-of-options", `${base}..${end}`]);
  return texts(parsed).map((range) => [...LOG, "--end-of-options", range]);
};
