import { has, looks, type Program } from "./program.ts";

/** Settings that hold a command, or name files that do. */
const OBEYED =
  /^(?:core\.(?:fsmonitor|pager|editor|hookspath|sshcommand|gitproxy|askpass|attributesfile|worktree)$|(?:sequence\.editor|init\.templatedir|interactive\.difffilter|diff\.external)$|(?:alias|pager|filter|include|includeif|credential|gpg|difftool|mergetool|browser|man|protocol|url|sendemail|uploadpack)\.|(?:diff|merge|remote|submodule)\..+\.(?:command|textconv|driver|uploadpack|receivepack|vcs|update)$)/i;
const ELSEWHERE = ["--global", "--system", "--get", "--get-all", "--get-regexp", "-l", "--list"];

/** `git config`: looking is harmless; some of what can be set is a command. */
export const gitConfig: Program = looks(
  "-l -z --list --get= --get-all= --get-regexp= --local --global --system --show-origin --show-scope --name-only --type= --null",
  "text*",
  {
    objection: (parsed) =>
      parsed.operands.length === (has(parsed, "-l", "--list", "--get", "--get-all", "--get-regexp") ? 0 : 1) &&
      parsed.operands.every(({ text }) => /^[\w-]+\.[\w.-]+$/.test(text))
        ? undefined
        : "it sets the configuration",
    risk: "low",
    more: ({ operands, options, unknown }) =>
      (operands.length > 1 || unknown !== undefined) &&
      operands.some(({ text }) => OBEYED.test(text)) &&
      !options.some(({ name }) => ELSEWHERE.includes(name))
        ? [["write", ".git/config"]]
        : [],
  },
);
