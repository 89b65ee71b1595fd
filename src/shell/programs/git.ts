import { inDiff, inIndex, inLines, inObject, inRanges, inSearched, inStash, inTrees } from "./git-compared.ts";
import { gitConfig, verifies } from "./git-config.ts";
import { inChanges, inCommits, inHistory, inStashes } from "./git-history.ts";
import { brings, configures, LOOK, type More, OUTPUT, PRETTY, REVISIONS, talks, works, writes } from "./git-kinds.ts";
import { writing } from "./git-writing.ts";
import { EVERYTHING, has, hasAny, listed, looks, type Parsed, type Program, type Role } from "./program.ts";

/** Unless told otherwise, git reads only tracked files. */
const UNTRACKED = ["--no-index", "--untracked"];
const tracked = (parsed: Parsed): boolean => !hasAny(parsed, UNTRACKED);
const reads = { always: ["read", "."], objection: verifies, tracked } as const;
const lists = { always: ["list", "."], objection: verifies } as const;
const COMPARES = `${OUTPUT} -r -t -m -c --cc --cached --root --stdin --no-commit-id --pretty=?`;

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

/** Paths outside the repository are compared and searched as plain files. */
const outside =
  (from: number) =>
  (parsed: Parsed): More => {
    const paths: [Role, string][] = [];
    if (has(parsed, "--no-index")) return paths;
    for (const { text } of has(parsed, "-e") ? parsed.operands : parsed.operands.slice(from))
      if (/^[/~]/.test(text) || (text.includes("..") && /(?:^|\/)\.\.(?:\/|$)/.test(text))) paths.push(["tree", text]);
    return paths;
  };

const verbs: Readonly<Record<string, Program>> = {
  status: looks(
    "-s -b -v -z -u? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=? --ignore-submodules=? --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    "text*",
    lists,
  ),
  log: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", { ...reads, history: inHistory }),
  diff: looks(`${OUTPUT} --cached --staged --merge-base --no-index -1 -2 -3 --ours --theirs --base`, "text*", {
    ...reads,
    history: inDiff,
    roles: { "--no-index": "tree*" },
    more: outside(0),
  }),
  show: looks(`${OUTPUT} ${PRETTY} --first-parent`, "text*", { ...reads, history: inCommits }),
  whatchanged: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", { ...reads, history: inChanges }),
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
  cherry: looks("-v --abbrev=?", "text*", reads),
  "range-diff": looks(`${OUTPUT} --creation-factor= --no-dual-color --left-only --right-only`, "text*", {
    ...reads,
    history: inRanges,
  }),
  "diff-tree": looks(COMPARES, "text*", { ...reads, history: inTrees }),
  "diff-index": looks(COMPARES, "text*", { ...reads, history: inIndex }),
  "diff-files": looks(COMPARES, "text*", reads),
  "show-branch": looks(
    "-a -r --all --remotes --list --current --topo-order --date-order --sha1-name --no-name",
    "text*",
    lists,
  ),
  "check-attr": looks("-a -z --all --cached", "text*", lists),
  fsck: looks(
    "-v --full --strict --no-dangling --unreachable --no-reflogs --connectivity-only --progress --no-progress",
    "text*",
    reads,
  ),
  bisect: {
    ...works,
    ...brings,
    options: "",
    stops: true,
    verbs: { log: looks("", "", lists), terms: looks("", "", lists) },
  },
  notes: { ...works, options: "", stops: true, verbs: listed("list show", looks("", "text*", reads)) },
  "sparse-checkout": { ...works, ...brings, options: "", stops: true, verbs: { list: looks("", "", lists) } },
  blame: looks(
    "-b -c -e -f -l -n -s -t -w -p -C? -M? -L: --root --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date= --since= --abbrev=? --color-lines --color-by-age --ignore-rev= --progress --no-progress",
    "text*",
    { ...reads, history: inLines },
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
  "cat-file": looks("-p -t -s -e", "text*", { ...reads, history: inObject }),
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
    { ...reads, roles: { "--no-index": "text tree*" }, patternOptions: ["-e"], more: outside(1), history: inSearched },
  ),
  remote: {
    class: "safe",
    options: "-v --verbose",
    stops: true,
    always: ["list", "."],
    verbs: {
      "get-url": looks("--all --push", "text*"),
      ...listed("add rename remove rm set-url set-branches", configures),
      ...listed("show prune update", talks),
    },
  },
  stash: {
    ...works,
    ...brings,
    options: "",
    stops: true,
    verbs: {
      list: looks(`${REVISIONS} ${OUTPUT} ${PRETTY}`, "text*", {
        ...reads,
        history: inStashes,
      }),
      show: looks(OUTPUT, "text*", { ...reads, history: inStash }),
      ...listed("drop clear create store", works),
    },
  },
  worktree: {
    ...works,
    options: "",
    stops: true,
    verbs: {
      list: looks("-v -z --porcelain --verbose", "text*", lists),
      add: writes("-b: -B: -dfq --reason= --detach --lock --orphan --quiet --force", "write-tree text"),
      move: writes("-f --force", "delete-tree write-tree", { into: {}, deletesBehindLinks: true }),
      remove: writes("-f --force", "delete-tree*", { deletesBehindLinks: true }),
    },
  },
  reflog: {
    class: "safe",
    options: `${REVISIONS} ${LOOK}`,
    ...lists,
    verbs: {
      show: looks(`${REVISIONS} ${LOOK}`, "text*", lists),
      exists: looks("", "text*"),
    },
  },
  config: gitConfig,
  version: looks("--build-options", "text*"),
  help: looks("-a -g --all --guides", "text*", { objection: ({ operands: [page] }) => page && "it opens a viewer" }),
};

const BRINGING = "am bisect cherry-pick merge read-tree rebase revert filter-branch sparse-checkout";
const CHANGING =
  "gc prune replace update-index update-ref notes fast-import symbolic-ref repack hash-object mktag mktree";
const TALKING = "fetch push ls-remote remote-update send-email daemon request-pull svn";

export const GIT: Readonly<Record<string, Program>> = {
  git: {
    class: "safe",
    options: "-P --no-pager --no-optional-locks --literal-pathspecs --version",
    stops: true,
    verbs: {
      ...listed(CHANGING, works),
      ...listed(BRINGING, { ...works, ...brings }),
      ...listed(TALKING, talks),
      pull: { ...talks, ...brings },
      maintenance: { ...works, options: "", stops: true, verbs: listed("start stop register unregister", configures) },
      lfs: { ...talks, options: "", stops: true, verbs: listed("install uninstall update", configures) },
      flow: { ...works, options: "", stops: true, verbs: { init: configures } },
      ...writing,
      ...verbs,
    },
    // with a page after it, it opens a viewer
    version: ["--version", "-v", "--help"],
  },
  gh: {
    class: "dangerous",
    rule: "gh talks to the network",
    permissions: EVERYTHING,
    version: ["--version"],
    stops: true,
    options: "",
    verbs: {
      auth: {
        ...talks,
        rule: "gh talks to the network",
        options: "",
        stops: true,
        verbs: { "setup-git": configures },
      },
    },
  },
};
