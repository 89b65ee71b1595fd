import { eachOf } from "../lists.ts";
import { changes, EVERYTHING, type Parsed, type Program, type Role } from "./program.ts";

export const REVISIONS =
  "-# -n: --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep -i -E -F -P --merges --no-merges --first-parent --reverse --all --branches=? --tags=? --remotes=? --topo-order --date-order --author-date-order --simplify-by-decoration --left-right --cherry-pick --boundary --not --ancestry-path --full-history";
export const OUTPUT =
  "-p -u -s --patch --no-patch --stat=? --numstat --shortstat --dirstat=? --summary --compact-summary --name-only --name-status --raw -z -U? --unified=? --minimal --patience --histogram --diff-algorithm= --color=? --no-color --color-moved=? --word-diff=? --word-diff-regex= --no-renames --check --full-index --binary --abbrev=? -M? -B? -C? -D --find-renames=? --find-copies=? --diff-filter= -S: -G: --pickaxe-regex --pickaxe-all -R --relative=? -a --text -b -w --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol -W --function-context --exit-code -q --quiet --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --inter-hunk-context= --submodule=? --output=write";
/** How commits are told. */
export const LOOK =
  "--oneline --pretty=? --format= --abbrev-commit --no-abbrev-commit --graph --no-graph --decorate=? --no-decorate --decorate-refs= --date= --follow --source --show-pulls --parents --children --notes=? --no-notes -g --walk-reflogs --relative-date --no-mailmap --mailmap";
/** The same, and options that may show contents. */
export const PRETTY = `${LOOK} -L: -c --cc -m`;

export type More = readonly (readonly [Role, string])[];

const mutates = (rule: string, more: Partial<Program> = {}): Program => ({
  class: "dangerous",
  risk: "medium",
  rule,
  always: ["write", "."],
  ...more,
});
export const works = mutates("git changes the work tree or the history");
export const talks = mutates("git talks to another repository", { permissions: EVERYTHING });

/** Verbs that set the configuration or install hooks. */
export const configures = mutates("it sets the configuration", {
  permissions: EVERYTHING,
  more: () => [["write", ".git/config"]],
});

export const ALL: More = [["check-out", "."]];
export const checkedOut = (operands: Parsed["operands"]): More =>
  eachOf(operands, ({ text }) => ["check-out", text] as const);
/** Any file may be checked out of the history. */
export const brings = { more: () => ALL } as const;

/** Verbs that write the paths they name, and perhaps more of the tree. */
export const writes = (options: string, operands: string, more: Partial<Program> = {}): Program =>
  changes(options, operands, { ...works, options, operands, ...more });
