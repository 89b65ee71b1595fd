import type { Field } from "./walk.ts";

const INTERPRETERS_WITH_FOLDERS: ReadonlySet<string> = new Set(["perl", "ruby"]);
const OTHER_FOLDER: ReadonlySet<string> = new Set(["-execdir", "-okdir"]);
/** A package says in a file of its own which of its files is run. */
const PACKAGE_FOLDER = /^\.{1,2}$|\/\.{0,2}$/;
const ALL_PACKAGES = /^(?:--workspaces|-ws|--recursive|-r|workspaces)(?:=|$)/;
const ONE_PACKAGE = /^(?:--workspace|-w|--filter|-F|workspace)(?:=(.*))?$/s;
/** A path, as opposed to the name of a package; what is in that folder is looked at. */
const FOLDER = /^(?!@)[^*{}[\]!^]*\//;

const namesPackages = (words: readonly string[]): boolean =>
  words.some((word, index) => {
    if (ALL_PACKAGES.test(word)) return true;
    const one = ONE_PACKAGE.exec(word);
    return one !== null && !FOLDER.test(one[1] ?? words[index + 1] ?? "");
  });

/** Whether a command finds what it runs in folders that its words do not tell: `run-parts d`, `perl -Ilib x.pl`. */
export function findsCode(name: string, fields: readonly Field[]): boolean {
  const words = fields.slice(1).map(({ text }) => text);
  if (name === "run-parts") return true;
  if (name === "find")
    return words.some((word, index) => OTHER_FOLDER.has(word) && /[/{]/.test(words[index + 1] ?? ""));
  if (name === "node") return PACKAGE_FOLDER.test(words.find((word) => !word.startsWith("-")) ?? "");
  if (INTERPRETERS_WITH_FOLDERS.has(name)) return words.some((word) => word.startsWith("-I"));
  return ["npm", "pnpm", "yarn", "bun"].includes(name) && namesPackages(words);
}
