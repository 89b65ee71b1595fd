import { gitConfig, verifies } from "./git-config.ts";
import {
  carried,
  changes,
  EVERYTHING,
  has,
  hasAny,
  listed,
  looks,
  type Parsed,
  type Program,
  type Role,
} from "./program.ts";

const REVISIONS =
  "-# -n: --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep -i -E -F -P --merges --no-merges --first-parent --reverse --all --branches=? --tags=? --remotes=? --topo-order --date-order --author-date-order --simplify-by-decoration --left-right --cherry-pick --boundary --not --ancestry-path --full-history";
const OUTPUT =
  "-p -u -s --patch --no-patch --stat=? --numstat --shortstat --dirstat=? --summary --compact-summary --name-only --name-status --raw -z -U? --unified=? --minimal --patience --histogram --diff-algorithm= --color=? --no-color --color-moved=? --word-diff=? --word-diff-regex= --no-renames --check --full-index --binary --abbrev=? -M? -B? -C? -D --find-renames=? --find-copies=? --diff-filter= -S: -G: --pickaxe-regex --pickaxe-all -R --relative=? -a --text -b -w --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol -W --function-context --exit-code -q --quiet --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --inter-hunk-context= --submodule=? --output=write";
const PRETTY =
  "--oneline --pretty=? --format= --abbrev-commit --no-abbrev-commit --graph --no-graph --decorate=? --no-decorate --decorate-refs= --date= --follow --source --show-pulls --parents --children --notes=? --no-notes -g --walk-reflogs --relative-date -L: -c --cc -m --no-mailmap --mailmap";

type More = readonly (readonly [Role, string])[];

const reads = { always: ["read", "."], objection: verifies } as const;
const lists = { always: ["list", "."], objection: verifies } as const;

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
  ...lists,
  objection: (parsed) =>
    parsed.operands.length > 0 && !hasAny(parsed, VIEWS) ? `it makes a ${what}` : verifies(parsed),
});

const mutates = (rule: string, more: Partial<Program> = {}): Program => ({
  class: "dangerous",
  risk: "medium",
  rule,
  always: ["write", "."],
  ...more,
});
/** What lies outside a repository is compared and searched as plain files. */
const outside =
  (from: number) =>
  (parsed: Parsed): More => {
    const paths: [Role, string][] = [];
    if (has(parsed, "--no-index")) return paths;
    for (const { text } of has(parsed, "-e") ? parsed.operands : parsed.operands.slice(from))
      if (/^[/~]/.test(text) || (text.includes("..") && /(?:^|\/)\.\.(?:\/|$)/.test(text))) paths.push(["tree", text]);
    return paths;
  };
const works = mutates("git changes the work tree or the history");
const talks = mutates("git talks to another repository", { permissions: EVERYTHING });

const ALL: More = [["check-out", "."]];
const checkedOut = (operands: Parsed["operands"]): More => operands.map(({ text }) => ["check-out", text] as const);
/** Files come out of the history, of whatever name. */
const brings = { more: () => ALL } as const;

/** Verbs that write the paths they name, and perhaps more of the tree. */
const writes = (options: string, operands: string, more: Partial<Program> = {}): Program =>
  changes(options, operands, { ...works, options, operands, ...more });
const addressed = (url: string): string =>
  url
    .replace(/(?<!\/)\/+$/, "")
    .replace(/^.*[/:]/, "")
    .replace(/\.git$/, "");

const writing: Readonly<Record<string, Program>> = {
  checkout: writes(
    "-fqlmptd2 -b: -B: --orphan= --conflict= --pathspec-from-file=read --quiet --force --detach --track=? --no-track --guess --no-guess --ours --theirs --merge --patch --progress --no-progress --overlay --no-overlay --ignore-skip-worktree-bits --recurse-submodules=? --pathspec-file-nul",
    "write-perhaps*",
    {
      // a single word may be a branch
      more: ({ operands, ended }) =>
        ended === undefined && operands.length === 1 ? ALL : checkedOut(operands.slice(ended)),
    },
  ),
  switch: writes(
    "-dfmqt -c: -C: --create= --force-create= --orphan= --detach --force --discard-changes --merge --quiet --track=? --no-track --guess --no-guess --progress --no-progress --recurse-submodules=? --ignore-other-worktrees",
    "text*",
    { more: ({ operands }) => (operands.length > 0 ? ALL : []) },
  ),
  reset: writes("-qpN --soft --mixed --hard --merge --keep --quiet --patch --intent-to-add", "text*", {
    more: (parsed) => (has(parsed, "--hard", "--merge", "--keep") || parsed.unknown !== undefined ? ALL : []),
  }),
  "checkout-index": writes(
    "-afnquz --all --force --quiet --index --prefix=write-tree --stage= --temp --stdin",
    "write*",
    brings,
  ),
  restore: writes(
    "-SWmpq -s: -U: --source= --staged --worktree --ours --theirs --merge --conflict= --patch --quiet --progress --no-progress --overlay --no-overlay --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --pathspec-from-file=read --pathspec-file-nul",
    "write*",
    { more: (parsed) => (parsed.operands.length > 0 ? checkedOut(parsed.operands) : ALL) },
  ),
  mv: writes("-fknv --force --dry-run --verbose", "delete-tree* write-tree", {
    into: {},
    more: ({ operands }) => carried(operands.slice(0, -1)),
  }),
  clean: writes(
    "-dfinqxX -e: --force --interactive --dry-run --quiet --exclude=",
    "delete-tree*",
    // without a name it is whatever git does not know
    { more: ({ operands }) => (operands.length > 0 ? [] : ALL) },
  ),
  rm: writes(
    "-fnqr --force --dry-run --quiet --cached --ignore-unmatch --sparse --pathspec-from-file=read --pathspec-file-nul",
    "delete*",
    { roles: { "-r": "delete-tree*" } },
  ),
  apply: writes(
    "-3RvqzN -p: -C: --stat --numstat --summary --check --index --cached --3way --reverse --reject --recount --verbose --quiet --whitespace= --directory=write-tree --include= --exclude= --intent-to-add --unidiff-zero --allow-empty --build-fake-ancestor=write",
    "read*",
    { more: (parsed) => (has(parsed, "--stat", "--numstat", "--summary", "--check", "--cached") ? [] : ALL) },
  ),
  "merge-file": writes("-pq -L: --ours --theirs --union --stdout --quiet --diff3 --marker-size=", "write read*"),
  "format-patch": writes(
    `${REVISIONS} ${OUTPUT} -o:write-tree --output-directory=write-tree --stdout --numbered --no-numbered -N -k -v: --signoff --cover-letter --subject-prefix= --start-number= --suffix= --root --base=?`,
    "text*",
  ),
  init: writes(
    "-q -b: --quiet --bare --initial-branch= --template=read --separate-git-dir=write-tree --object-format= --ref-format= --shared=?",
    "write-tree",
    {
      more: (parsed) =>
        has(parsed, "--template") ? [["write", `${parsed.operands[0]?.text ?? "."}/.git/hooks`] as const] : [],
    },
  ),
  archive: {
    ...talks,
    options:
      "-v -0123456789 -o:write --output=write --format= --prefix= --remote= --exec= --add-file=read --list --verbose",
    operands: "text*",
    more: () => [["tree", "."]],
  },
  bundle: {
    ...talks,
    options: "",
    stops: true,
    verbs: { create: { ...talks, options: "-q --quiet --progress --all --version=", operands: "write text*" } },
  },
  clone: {
    ...talks,
    options:
      "-lnqsv46 -b: -o: -c: -j: -u: --branch= --origin= --config= --depth= --jobs= --quiet --verbose --progress --bare --mirror --local --shared --no-checkout --no-tags --single-branch --no-single-branch --recursive=? --recurse-submodules=? --shallow-submodules --shallow-since= --shallow-exclude= --filter= --sparse --template=read --reference=read --separate-git-dir=write-tree --upload-pack=",
    operands: "text*",
    more: (parsed) => {
      const [url, named] = parsed.operands;
      const folder = named?.text ?? (addressed(url?.text ?? "") || ".");
      const obeyed = has(parsed, "--template", "-c", "--config") ? [["write", `${folder}/.git/config`] as const] : [];
      return [["write-tree", folder], ["unpack", folder], ...obeyed];
    },
  },
  submodule: {
    ...works,
    options: "-q --quiet",
    stops: true,
    verbs: { add: writes("-fq -b: --force --name= --reference=read --depth=", "text write-tree", talks) },
  },
};

const verbs: Readonly<Record<string, Program>> = {
  status: looks(
    "-s -b -v -z -u? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=? --ignore-submodules=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    "text*",
    lists,
  ),
  log: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads),
  diff: looks(`${OUTPUT} --cached --staged --merge-base --no-index -1 -2 -3 --ours --theirs --base`, "text*", {
    ...reads,
    roles: { "--no-index": "tree*" },
    more: outside(0),
  }),
  show: looks(`${OUTPUT} ${PRETTY} --first-parent`, "text*", reads),
  whatchanged: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads),
  shortlog: looks(
    `${REVISIONS} -s -n -e -c --committer --summary --numbered --email --group= --format=`,
    "text*",
    reads,
  ),
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
    "-b -c -e -f -l -n -s -t -w -p -C? -M? -L: --root --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date= --since= --abbrev=? --color-lines --color-by-age --ignore-rev= --progress --no-progress",
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
    "--all --tags --long --always --dirty=? --broken=? --abbrev=? --match= --exclude= --exact-match --first-parent --contains --candidates= --debug",
    "text*",
    lists,
  ),
  grep: looks(
    "-a -c -E -F -G -h -H -i -I -l -L -n -o -P -p -q -v -w -W -z -# -A: -B: -C: -e: --and --or --not --break --heading --color=? --no-color --column --count --cached --untracked --name-only --files-with-matches --files-without-match --fixed-strings --extended-regexp --perl-regexp --ignore-case --invert-match --line-number --max-depth= --only-matching --show-function --word-regexp --all-match --no-index --threads= --full-name",
    "text*",
    { ...reads, roles: { "--no-index": "text tree*" }, patternOptions: ["-e"], more: outside(1) },
  ),
  remote: {
    class: "safe",
    options: "-v --verbose",
    always: ["list", "."],
    verbs: {
      "get-url": looks("--all --push", "text*"),
      ...listed("add rename remove rm set-url set-branches", {
        ...talks,
        rule: "it sets the configuration",
        more: () => [["write", ".git/config"]],
      }),
    },
  },
  stash: {
    ...works,
    ...brings,
    options: "",
    verbs: {
      list: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", reads),
      show: looks(OUTPUT, "text*", reads),
      ...listed("drop clear create store", works),
    },
  },
  worktree: {
    ...works,
    options: "",
    verbs: {
      list: looks("-v -z --porcelain --verbose", "text*", lists),
      add: writes("-b: -B: -dfq --reason= --detach --lock --orphan --quiet --force", "write-tree text"),
      move: writes("-f --force", "delete-tree write-tree", { into: {} }),
      remove: writes("-f --force", "delete-tree*"),
    },
  },
  reflog: {
    class: "safe",
    options: `${REVISIONS} ${PRETTY}`,
    ...lists,
    verbs: { show: looks(`${REVISIONS} ${PRETTY} ${OUTPUT}`, "text*", lists), exists: looks("", "text*") },
  },
  config: gitConfig,
  version: looks("--build-options", "text*"),
  help: looks("-a -g --all --guides", "text*", { objection: ({ operands: [page] }) => page && "it opens a viewer" }),
};

const BRINGING = "am bisect cherry-pick merge read-tree rebase revert filter-branch sparse-checkout";
const CHANGING =
  "add commit gc prune replace stage update-index update-ref notes fast-import symbolic-ref maintenance repack hash-object mktag mktree";
const TALKING = "fetch push ls-remote remote-update send-email daemon request-pull svn lfs";

export const GIT: Readonly<Record<string, Program>> = {
  git: {
    class: "safe",
    options: "-P --no-pager --no-optional-locks --literal-pathspecs --version --help",
    stops: true,
    verbs: {
      ...listed(CHANGING, works),
      ...listed(BRINGING, { ...works, ...brings }),
      ...listed(TALKING, talks),
      pull: { ...talks, ...brings },
      ...writing,
      ...verbs,
    },
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
