import { type Field, isKnown } from "./walk.ts";

const INTERPRETERS_WITH_FOLDERS: ReadonlySet<string> = new Set(["perl", "ruby"]);
const OTHER_FOLDER: ReadonlySet<string> = new Set(["-execdir", "-okdir"]);
/** Any other word may be a folder with a package file that says which of its files is run. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/;
const TAKES_A_VALUE: ReadonlySet<string> = new Set(
  "-r --require --import -C --conditions --loader --experimental-loader --env-file --title --input-type".split(" "),
);
const TAKES_CODE = /^(?:-[ep]|-pe|--eval|--print|--run|--test|--check|-c)(?:=|$)/;
const ALL_PACKAGES = /^(?:--workspaces|-ws|--recursive|-r|workspaces)(?:=|$)/;
const ONE_PACKAGE = /^(?:--workspace|-w|--filter|-F|workspace)(?:=(.*))?$/s;
/** A path, as opposed to a package name; the contents of that folder are examined. */
const FOLDER = /^(?!@)[^*{}[\]!^]*\//;

const namesPackages = (words: readonly string[]): boolean =>
  words.some((word, index) => {
    if (ALL_PACKAGES.test(word)) return true;
    const one = ONE_PACKAGE.exec(word);
    return one !== null && !FOLDER.test(one[1] ?? words[index + 1] ?? "");
  });

/** Words after the script are the script's own arguments. */
function startsFolder(words: readonly string[]): boolean {
  const at = words.findIndex((word, index) => !word.startsWith("-") && !TAKES_A_VALUE.has(words[index - 1] ?? ""));
  if (words.slice(0, at).some((word) => TAKES_CODE.test(word))) return false;
  return at !== -1 && !SCRIPT.test(words[at] as string);
}

const SETS = /^[A-Za-z_]\w*=/;

/** The last word that may be the script; later words are the script's own arguments. */
export function scriptAt(words: readonly Field[]): number {
  const isPlain = ({ text, glob }: Field, index: number): boolean =>
    isKnown(text) && !glob && !text.startsWith("-") && !SETS.test(text) && !words[index - 1]?.text.startsWith("-");
  const at = words.findIndex(isPlain);
  return at === -1 ? words.findLastIndex(({ text }) => !SETS.test(text)) : at;
}

/** Whether a command runs code from folders that its words do not fully determine: `run-parts d`, `perl -Ilib x.pl`. */
export function findsCode(name: string, fields: readonly Field[]): boolean {
  const words = fields.slice(1).map(({ text }) => text);
  if (name === "run-parts") return true;
  if (name === "find")
    return words.some((word, index) => OTHER_FOLDER.has(word) && /[/{]/.test(words[index + 1] ?? ""));
  if (name === "node") return startsFolder(words);
  if (INTERPRETERS_WITH_FOLDERS.has(name)) return words.some((word) => word.startsWith("-I"));
  return ["npm", "pnpm", "yarn", "bun"].includes(name) && namesPackages(words);
}
