import { ALL, brings, checkedOut, configures, OUTPUT, REVISIONS, talks, works, writes } from "./git-kinds.ts";
import { carried, has, listed, looks, type Program } from "./program.ts";

const addressed = (url: string): string =>
  url
    .replace(/(?<!\/)\/+$/, "")
    .replace(/^.*[/:]/, "")
    .replace(/\.git$/, "");

/** Verbs that change files or the history, by what they name. */
export const writing: Readonly<Record<string, Program>> = {
  checkout: writes(
    "-fqlmptd2 -b: -B: --orphan= --conflict= --pathspec-from-file=read --quiet --force --detach --track=? --no-track --guess --no-guess --ours --theirs --merge --patch --progress --no-progress --overlay --no-overlay --ignore-skip-worktree-bits --recurse-submodules=? --pathspec-file-nul",
    "write-perhaps*",
    {
      more: (parsed) => {
        const { operands, ended } = parsed;
        // a single word may be a branch, and without one -f takes back every change
        const isAll = operands.length === 0 ? has(parsed, "-f", "--force") : operands.length === 1;
        return ended === undefined && isAll ? ALL : checkedOut(operands.slice(ended));
      },
    },
  ),
  switch: writes(
    "-dfmqt -c: -C: --create= --force-create= --orphan= --detach --force --discard-changes --merge --quiet --track=? --no-track --guess --no-guess --progress --no-progress --recurse-submodules=? --ignore-other-worktrees",
    "text*",
    {
      more: (parsed) => (parsed.operands.length > 0 || has(parsed, "-f", "--force", "--discard-changes") ? ALL : []),
    },
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
  commit: writes(
    "-aepnqsvzi -m: -F:read -t:read -C: -c: -u? -S? -o --all --patch --reuse-message= --reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --file=read --author= --date= --message= --template=read --signoff --no-signoff --trailer= --verify --no-verify --allow-empty --allow-empty-message --cleanup= --edit --no-edit --amend --no-post-rewrite --include --only --pathspec-from-file=read --pathspec-file-nul --untracked-files=? --verbose --quiet --dry-run --status --no-status --gpg-sign=? --no-gpg-sign",
    "text*",
  ),
  ...listed(
    "add stage",
    writes(
      "-nvfipeuANk --dry-run --verbose --force --sparse --interactive --patch --edit --update --all --no-all --ignore-removal --no-ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --chmod= --pathspec-from-file=read --pathspec-file-nul",
      "text*",
    ),
  ),
  mv: writes("-fknv --force --dry-run --verbose", "delete-tree* write-tree", {
    into: {},
    more: ({ operands }) => carried(operands.slice(0, -1)),
  }),
  clean: writes(
    "-dfinqxX -e: --force --interactive --dry-run --quiet --exclude=",
    "delete-tree*",
    // without a name: every untracked file
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
      abbreviates: true,
      // the second word moves an existing repository
      more: (parsed) =>
        has(parsed, "--template", "--separate-git-dir")
          ? [["write", `${parsed.operands[0]?.text ?? "."}/.git/hooks`] as const]
          : [],
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
    abbreviates: true,
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
    verbs: {
      status: looks("--cached --recursive", "text*", { always: ["list", "."] }),
      add: writes("-fq -b: --force --name= --reference=read --depth=", "text write-tree", configures),
      ...listed("init deinit sync set-url set-branch absorbgitdirs", configures),
      update: {
        ...talks,
        options:
          "-fNq -j: --init --recursive --remote --no-fetch --force --checkout --merge --rebase --quiet --progress --single-branch --recommend-shallow --depth= --jobs= --reference=read --filter=",
        abbreviates: true,
        more: (parsed) =>
          has(parsed, "--init") || parsed.unknown !== undefined ? [...ALL, ["write", ".git/config"]] : ALL,
      },
    },
  },
};
