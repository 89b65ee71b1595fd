import {
  type Asked,
  before,
  FOLLOWED,
  given,
  isBelow,
  isFile,
  isShown,
  isToldToShow,
  isUntold,
  LOG,
  MERGES,
  namedContents,
} from "./git-asking.ts";
import { has, hasAny, type Parsed } from "./program.ts";

/**
 * Options that say where a history starts, in which order it comes and which commits belong to it: without them there
 * would be less of it, or a limit would leave another part. A time until which it goes may have moved on later.
 */
const PASSED =
  "--all --branches --tags --remotes -g --walk-reflogs --topo-order --date-order --author-date-order --first-parent --full-history --show-pulls --boundary --since --after".split(
    " ",
  );
const LIMITS = ["-#", "-n", "--max-count"];
/** Options that leave out commits. Where one of them is not passed on, a limit is none of this history. */
const SIFTING =
  "--skip --author --committer --grep --all-match --invert-grep --merges --no-merges --simplify-by-decoration --cherry-pick --boundary --not --ancestry-path --reverse --diff-filter -S -G -L --follow --until --before --no-graph".split(
    " ",
  );
/** Options that decide what counts as a renamed file. */
const RENAMES = ["-M", "-C", "-B", "--find-renames", "--find-copies"];

const passed = ({ options }: Parsed, names: readonly string[]): string[] =>
  options.flatMap(({ name, value }) => {
    if (!names.includes(name)) return [];
    if (name === "-#" || name === "-n") return value ? [`-n${value.text}`] : [];
    return [value ? `${name}=${value.text}` : name];
  });

/** A graph is drawn in an order of its own, unless another one is given. */
const ofHistory = (parsed: Parsed, ...more: string[]): string[] => [
  ...more,
  ...(has(parsed, "--graph") ? ["--topo-order"] : []),
  ...passed(parsed, PASSED),
  ...(hasAny(parsed, SIFTING) ? [] : passed(parsed, LIMITS)),
  ...(hasAny(parsed, [...MERGES, "--first-parent"]) ? ["-m"] : []),
];

/** `git log -p`: what the commits changed. */
export const inHistory = (parsed: Parsed): Asked => {
  if (!isToldToShow(parsed)) return [];
  if (isUntold(parsed)) return "any";
  if (has(parsed, "-L")) return anywhere(parsed);
  if (!has(parsed, "--follow")) return [[...LOG, ...ofHistory(parsed), ...given(parsed)]];
  const isOwn =
    hasAny(parsed, RENAMES) ||
    hasAny(
      parsed,
      SIFTING.filter((name) => name !== "--follow"),
    );
  return isOwn ? anywhere(parsed) : [[...FOLLOWED, "--follow", ...ofHistory(parsed), ...given(parsed)]];
};

/** `git whatchanged -p`: a limit counts only commits that show something. */
export const inChanges = (parsed: Parsed): Asked =>
  inHistory({ ...parsed, options: parsed.options.filter(({ name }) => !LIMITS.includes(name)) });

/** Lines and files are followed to other names: whatever the history holds may be among them. */
const anywhere = (parsed: Parsed): Asked => {
  const revisions = parsed.ended === undefined && !has(parsed, "-L") ? before(parsed).slice(0, -1) : before(parsed);
  return [[...LOG, ...ofHistory(parsed), "--end-of-options", ...revisions, "--"]];
};

/** `git stash list -p`: the same of all that was set aside. */
export const inStashes = (parsed: Parsed): Asked => {
  if (!isToldToShow(parsed)) return [];
  if (isUntold(parsed, false)) return "any";
  const isPlain = parsed.operands.length === 0 && parsed.ended === undefined;
  const how = isPlain ? ofHistory(parsed) : passed(parsed, PASSED);
  const more = isPlain ? [] : ["HEAD", ...before(parsed)];
  return [[...LOG, ...how, "-g", "-m", "--first-parent", "--end-of-options", ...more, "refs/stash", "--"]];
};

/** `git show`: what these commits changed, or those of a range; the objects that are no commits, in any case. */
export const inCommits = (parsed: Parsed): Asked => {
  if (isUntold(parsed)) return "any";
  const asked = namedContents(before(parsed), isBelow);
  const isCommit = (text: string): boolean => !isFile(text) || text.includes("..");
  const operands = parsed.operands.filter(({ text }, index) => index >= (parsed.ended ?? Infinity) || isCommit(text));
  const left = parsed.operands.length - operands.length;
  if (!isShown(parsed, "-q") || (left > 0 && left === before(parsed).length)) return asked;
  const ended = parsed.ended === undefined ? undefined : parsed.ended - left;
  return [[...LOG, "--no-walk=unsorted", "-m", ...given({ ...parsed, operands, ended }, ["HEAD"])], ...asked];
};
