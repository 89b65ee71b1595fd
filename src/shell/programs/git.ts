import { EVERYTHING, has, listed, looks, type Program } from "./program.ts";

const REVISIONS =
  "-# -n: --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep -i -E -F -P --merges --no-merges --first-parent --reverse --all --branches=? --tags=? --remotes=? --topo-order --date-order --author-date-order --simplify-by-decoration --left-right --cherry-pick --boundary --not --ancestry-path --full-history";
const OUTPUT =
  "-p -u -s --patch --no-patch --stat=? --numstat --shortstat --dirstat=? --summary --compact-summary --name-only --name-status --raw -z -U: --unified= --minimal --patience --histogram --diff-algorithm= --color=? --no-color --color-moved=? --word-diff=? --word-diff-regex= --no-renames --check --full-index --binary --abbrev=? -M? -B? -C? -D --find-renames=? --find-copies=? --diff-filter= -S: -G: --pickaxe-regex --pickaxe-all -R --relative=? -a --text -b -w --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol -W --function-context --exit-code -q --quiet --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --inter-hunk-context= --submodule=?";
const PRETTY =
  "--oneline --pretty=? --format= --abbrev-commit --no-abbrev-commit --graph --no-graph --decorate=? --no-decorate --decorate-refs= --date= --follow --source --show-pulls --parents --children --notes=? --no-notes -g --walk-reflogs --relative-date -L: -c --cc -m --no-mailmap --mailmap";

const reads = { always: ["read", "."] } as const;
const lists = { always: ["list", "."] } as const;

const VIEWS = [
  "--list",
  "-l",
  "--contains",
  "--no-contains",
  "--merged",
  "--no-merged",
  "--points-at",
  "--show-current",
];
const onlyViews = (what: string): Partial<Program> => ({
  objection: (parsed) => (parsed.operands.length > 0 && !has(parsed, ...VIEWS) ? `it makes a ${what}` : undefined),
  ...lists,
});

const mutates = (rule: string, more: Partial<Program> = {}): Program => ({
  class: "dangerous",
  risk: "medium",
  rule,
  always: ["write", "."],
  ...more,
});
const works = mutates("git changes the work tree or the history");
const talks = mutates("git talks to another repository", { permissions: EVERYTHING });

const verbs: Readonly<Record<string, Program>> = {
  status: looks(
    "-s -b -v -z -u? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=? --ignore-submodules=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    "text*",
    lists,
  ),
  log: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads),
  diff: looks(`${OUTPUT} --cached --staged --merge-base --no-index -1 -2 -3 --ours --theirs --base`, "text*", reads),
  show: looks(`${OUTPUT} ${PRETTY} --first-parent`, "text*", reads),
  whatchanged: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads),
  shortlog: looks(`${REVISIONS} -s -n -e -c --summary --numbered --email --group= --format=`, "text*", reads),
  branch: looks(
    "-a -r -v -l -i --all --remotes --verbose --list --show-current --contains= --no-contains= --merged= --no-merged= --points-at= --sort= --format= --column=? --no-column --color=? --no-color --abbrev=? --no-abbrev --ignore-case",
    "text*",
    onlyViews("branch"),
  ),
  tag: looks(
    "-l -n? -i --list --contains= --no-contains= --merged= --no-merged= --points-at= --sort= --format= --column=? --no-column --color=? --ignore-case",
    "text*",
    onlyViews("tag"),
  ),
  blame: looks(
    "-b -c -e -f -l -n -s -t -w -p -C? -M? -L: --root --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date= --since= --abbrev= --color-lines --color-by-age --ignore-rev= --progress --no-progress",
    "text*",
    reads,
  ),
  "rev-parse": looks(
    "--show-toplevel --abbrev-ref --short --short= --verify --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --show-prefix --show-cdup --symbolic --symbolic-full-name -q --quiet --all --branches --tags --remotes --revs-only --sq",
    "text*",
    lists,
  ),
  "rev-list": looks(
    `${REVISIONS} --count --objects --oneline --pretty=? --format= --parents --abbrev-commit --no-commit-header`,
    "text*",
    reads,
  ),
  "ls-files": looks(
    "-c -d -m -o -i -s -u -k -t -v -z --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --exclude= -x: --directory --no-empty-directory --full-name --error-unmatch --abbrev=? --format=",
    "text*",
    lists,
  ),
  "ls-tree": looks(
    "-r -d -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev=? --format=",
    "text*",
    lists,
  ),
  "cat-file": looks("-p -t -s -e", "text*", reads),
  "merge-base": looks("-a --all --octopus --independent --is-ancestor --fork-point", "text*", lists),
  "name-rev": looks("--tags --name-only --always --no-undefined", "text*", lists),
  "show-ref": looks(
    "-q -d -s --head --heads --branches --tags --verify --hash=? --abbrev=? --dereference --quiet",
    "text*",
    lists,
  ),
  "for-each-ref": looks(
    "--count= --sort= --format= --points-at= --merged= --no-merged= --contains= --no-contains= --color=? --ignore-case",
    "text*",
    lists,
  ),
  "count-objects": looks("-v -H --verbose --human-readable", "text*", lists),
  "check-ignore": looks("-q -v -z -n --quiet --verbose --no-index --non-matching", "text*", lists),
  describe: looks(
    "--all --tags --long --always --dirty=? --broken=? --abbrev= --match= --exclude= --exact-match --first-parent --contains --candidates= --debug",
    "text*",
    lists,
  ),
  grep: looks(
    "-a -c -E -F -G -h -H -i -I -l -L -n -o -P -p -q -v -w -W -z -# -A: -B: -C: -e: --and --or --not --break --heading --color=? --no-color --column --count --cached --untracked --name-only --files-with-matches --files-without-match --fixed-strings --extended-regexp --perl-regexp --ignore-case --invert-match --line-number --max-depth= --only-matching --show-function --word-regexp --all-match --no-index --threads= --full-name",
    "text*",
    reads,
  ),
  remote: {
    class: "safe",
    options: "-v --verbose",
    always: ["list", "."],
    verbs: { "get-url": looks("--all --push", "text*") },
  },
  stash: {
    ...works,
    options: "",
    verbs: { list: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads), show: looks(OUTPUT, "text*", reads) },
  },
  worktree: { ...works, options: "", verbs: { list: looks("-v -z --porcelain --verbose", "text*", lists) } },
  reflog: {
    class: "safe",
    options: `${REVISIONS} ${PRETTY}`,
    ...lists,
    verbs: { show: looks(`${REVISIONS} ${PRETTY} ${OUTPUT}`, "text*", lists), exists: looks("", "text*") },
  },
  config: looks(
    "-l -z --list --get= --get-all= --get-regexp= --local --global --system --show-origin --show-scope --name-only --type= --null",
    "text*",
    {
      objection: (parsed) =>
        parsed.operands.length > 0 || !has(parsed, "-l", "--list", "--get", "--get-all", "--get-regexp")
          ? "it sets the configuration"
          : undefined,
      risk: "low",
    },
  ),
  version: looks("--build-options", "text*"),
  help: looks("-a -g --all --guides", "text*", {
    objection: ({ operands }) => (operands.length > 0 ? "it opens a viewer" : undefined),
  }),
};

const CHANGING =
  "add am apply bisect checkout cherry-pick clean commit format-patch gc init merge mv prune rebase replace reset restore revert rm switch update-index update-ref notes submodule filter-branch fast-import symbolic-ref maintenance sparse-checkout repack hash-object mktag mktree";
const TALKING = "clone fetch pull push ls-remote remote-update send-email archive bundle daemon request-pull svn lfs";

export const GIT: Readonly<Record<string, Program>> = {
  git: {
    class: "safe",
    options: "-P --no-pager --no-optional-locks --literal-pathspecs --version --help",
    stops: true,
    verbs: { ...listed(CHANGING, works), ...listed(TALKING, talks), ...verbs },
    version: ["--version", "-v"],
  },
  gh: {
    class: "dangerous",
    rule: "gh talks to the network",
    permissions: EVERYTHING,
    version: ["--version"],
    stops: true,
  },
};
