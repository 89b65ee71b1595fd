import {
  ALL_BELOW,
  CODE_BELOW,
  type Code,
  type CodeFile,
  EVERY_FILE,
  OBEYED,
  PACKAGES_BELOW,
} from "../core/words/code.ts";
import { isWithin } from "../core/words/containment.ts";
import type { Claim } from "../core/words/touch.ts";
import { isUnknownFolder } from "./folders.ts";
import { findsCode, scriptAt } from "./found-code.ts";
import { joined, nameOf, normalised, splitAtGlob } from "./paths.ts";
import { callsGit, type Recipe, recipesOf } from "./recipe-files.ts";
import { isInterpreter, SHELLS } from "./shells.ts";
import { setsGit } from "./variables.ts";
import { type Decision, type Field, isKnown, type Ran, type Segment, type Walk } from "./walk.ts";

/** Beyond this many words, only their literal meaning is considered, not what else they might name. */
const MOST_GUESSED = 40;
const MOST_ABOVE = 8;
const MOST_FOLDERS = 12;
const PACKAGES: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);

/** Programs that may do whatever a file says, where any word may be that file. */
const runsCode = ({ touches }: Decision): boolean =>
  touches.some((touch) => touch.action === "unknown" && touch.permissions.includes("execute"));

/** Files that interpreters find by a shortened name. */
const SUFFIXES =
  ".js .cjs .mjs .ts .mts .cts .tsx .jsx .json .py .rb .lua .pl .pm /index.js /__main__.py /__init__.py /package.json".split(
    " ",
  );
const MODULE = /^([A-Za-z_][\w.]*)(?::[\w.()]+)?$/;

/** What a word may name: itself, an option's value, the part before `::`, or a dotted module. */
function namesIn(text: string, guess: boolean): string[] {
  const equals = text.indexOf("=");
  const names = equals > 0 ? [text, text.slice(equals + 1)] : [text];
  if (/^-[A-Za-z]./.test(text)) names.push(text.slice(2));
  for (const name of [...names]) {
    if (name.startsWith("@")) names.push(name.slice(1));
    const test = name.indexOf("::");
    if (test > 0) names.push(name.slice(0, test), ...(guess ? [name.replaceAll("::", "/")] : []));
  }
  if (guess && /[\s(]/.test(text)) names.push(...namesInCode(text));
  const plain = names.filter((name) => name !== "" && !name.startsWith("-"));
  if (!guess) return plain;
  return plain.flatMap((name) => {
    const module = MODULE.exec(name)?.[1]?.replaceAll(".", "/");
    const modules = module ? [`${module}.py`, `${module}/__main__.py`, ...packagesOf(module)] : [];
    return [name, ...SUFFIXES.map((suffix) => name + suffix), ...modules];
  });
}

/** The files that run before a module `a/b/c`. */
const packagesOf = (module: string): string[] =>
  module.split("/").map((_, index, parts) => `${parts.slice(0, index + 1).join("/")}/__init__.py`);

const MOST_CODE = 4_096;

/** The files that code in another language names in quotes or imports: `require("./x")`, `import x`. */
const namesInCode = (code: string): string[] =>
  [...code.slice(0, MOST_CODE).matchAll(/["'`]([\w./@-]{1,200})["'`]|\b(?:import|from|require)\s+([\w.]{1,100})/g)]
    .slice(0, MOST_GUESSED)
    .map(([, quoted, module]) => quoted ?? `${module?.replaceAll(".", "/")}`);

type Obeyed = NonNullable<Walk["obeyed"]>;
type Noted = { files: Map<string, CodeFile>; open: boolean };

function add(code: Noted, { folders }: Ran, name: string, part?: string): void {
  for (const folder of folders) {
    if (isUnknownFolder(folder) && !name.startsWith("/") && !name.startsWith("~")) {
      code.open = true;
      continue;
    }
    const target = joined(folder, name);
    // one command may depend on a part of a file, and another on all of it
    if (part === undefined) code.files.set(target, { target });
    else if (isOfFolder(part)) code.files.set(`${target}\0${part}`, { target, part });
    else if (!code.files.has(target)) code.files.set(target, { target, part });
  }
}

const isOfFolder = (part: string): boolean => part === EVERY_FILE || part === OBEYED || part.startsWith(ALL_BELOW);

/** Notes which files decide what a command does: the program itself, a script among its words, a recipe that it looks for. */
function noteCode(code: Noted, ran: Ran): void {
  const { fields, decision } = ran;
  const first = fields[0] as Field;
  const name = nameOf(first.text);
  const isNamed = isKnown(first.text);
  if (decision.class !== "safe") {
    if (isNamed && first.text.includes("/")) add(code, ran, first.text);
    if (!isNamed || first.glob || first.given) addWherever(code, ran, first, ALL_BELOW);
    if (findsCode(name, fields)) addFound(code, ran, name);
    if (callsGit(name, fields)) addGit(code, ran);
  }
  if (!runsCode(decision)) return;
  // the folder may be on the PATH
  if (isNamed) add(code, ran, first.text);
  const folders = ["", ...foldersAbove(ran)];
  const words = fields.slice(1);
  const script = scriptAt(words);
  for (const [index, field] of words.entries()) {
    const { text, glob, given } = field;
    if (glob || !isKnown(text) || given === "path" || given === "anything") {
      if (index <= script) addWherever(code, ran, field, CODE_BELOW);
      code.open = true;
      continue;
    }
    for (const name of namesIn(text, index < MOST_GUESSED)) add(code, ran, name);
    if (index < MOST_FOLDERS) folders.push(...namesIn(text, false));
  }
  if (isKnown(name)) addRecipes(code, ran, folders);
}

/** Notes where a file may be if only the running shell knows which one a word stands for. */
function addWherever(code: Noted, ran: Ran, { text, glob, found }: Field, part: string): void {
  code.open = true;
  const { folder, pattern } = splitAtGlob(text);
  const below = (folder: string) => add(code, ran, folder, folder === "." ? part : ALL_BELOW);
  if (found) for (const each of found) below(each.folder);
  else if (glob && isKnown(text) && !/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) below(folder);
  else add(code, { ...ran, folders: [""] }, "", part);
}

/** For a command that looks for code in the folders it is given; packages are recognised by their names. */
function addFound(code: Noted, ran: Ran, name: string): void {
  code.open = true;
  if (PACKAGES.has(name)) add(code, { ...ran, folders: [""] }, "", PACKAGES_BELOW);
  else if (name !== "node")
    for (const { text } of ran.fields.slice(1, MOST_FOLDERS))
      if (isKnown(text)) for (const folder of namesIn(text, false)) add(code, ran, folder, ALL_BELOW);
}

/** Another repository may be named: `git -C sub commit`. */
function addGit(code: Noted, ran: Ran): void {
  addFiles(code, ran, ["", ...foldersAbove(ran)], recipesOf("git", []));
  for (const { text } of ran.fields.slice(1, MOST_FOLDERS))
    if (isKnown(text)) for (const folder of namesIn(text, false)) add(code, ran, folder, OBEYED);
}

function addRecipes(code: Noted, ran: Ran, folders: readonly string[]): void {
  addFiles(code, ran, folders, recipesOf(nameOf((ran.fields[0] as Field).text), ran.fields));
}

function addFiles(code: Noted, ran: Ran, folders: readonly string[], recipes: readonly Recipe[]): void {
  for (const { file, part } of recipes) for (const folder of folders) add(code, ran, joined(folder, file), part);
}

/** Programs also look for recipes in parent folders; how far up from the starting folder is not known. */
function foldersAbove({ folders }: Ran): string[] {
  const deepest = Math.max(...folders.map((folder) => (folder === "" ? 0 : folder.split("/").length)));
  return Array.from({ length: Math.min(deepest, MOST_ABOVE) }, (_, index) => "../".repeat(index + 1));
}

/** Variables whose value is a folder, a list of folders, or options, and can lead to any number of files. */
const LEADS =
  /(?:PATH|LIB|OPTS?|OPTIONS|FLAGS|HOME)$|^(?:ZDOTDIR|SHELLOPTS|BASHOPTS|GLIBC_TUNABLES|BASH_FUNC_.*)$|^npm_config_/i;
/** Variables whose value is a file that runs with every command. */
const LOADED = /^(?:BASH_ENV|ENV|LD_\w+|DYLD_\w+)$/;
const ONE_WORD = /^[\w./~@+][\w./~@+-]*$/;
const ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//;

/** Notes the file that a variable names. A value of several words may lead a program to any other code. */
function noteVariable(code: Noted, { name, value }: Obeyed[number], all: readonly Ran[]): void {
  const leads = LEADS.test(name.replace(/\[.*/s, "")) || setsGit(name);
  // an empty PATH is the folder where the command runs
  if (value === "" && name !== "PATH") return;
  if (!leads && ONE_WORD.test(value)) for (const ran of all) add(code, ran, value);
  else if (leads || LOADED.test(name) || (all.some(({ decision }) => runsCode(decision)) && !ADDRESS.test(value))) {
    code.open = true;
    for (const word of value.split(/[\s:]+/).slice(0, MOST_FOLDERS))
      for (const each of isKnown(word) ? namesIn(word, false) : [])
        for (const ran of all) {
          add(code, ran, each);
          add(code, ran, each, ALL_BELOW);
        }
  }
}

type PathClaim = Extract<Claim, { scope?: string }>;

function addRead(code: Noted, { target, scope }: PathClaim, isFed: boolean): void {
  if (scope === undefined) code.files.set(target, { target });
  else if (isFed) {
    code.open = true;
    code.files.set(`${target}\0${ALL_BELOW}`, { target, part: ALL_BELOW });
  }
}

/** The line runs a file that it has written itself: `cat sub/* > y; sh y`. */
function makesCode({ target, scope }: PathClaim, { files }: Noted): boolean {
  const made = normalised(target);
  const isMade = (file: string): boolean =>
    scope === undefined ? file === made : made === "." || isWithin(file, made);
  return [...files.values()].some((file) => isMade(normalised(file.target)));
}

const INPUT = /^(?:-|-[a-z]*s|\/dev\/(?:stdin|fd\/.*))$/;
const BY_LINE = /^(?:source|\.|eval|psql|mysql|sqlite\d?|gdb|ed|ex|expect|bc)$/;

/** Whether another command may feed it its code: `cat sub/* | sh`. */
function takesCode({ fields, decision }: Ran): boolean {
  const [first, ...words] = fields as [Field, ...Field[]];
  const name = nameOf(first.text);
  if (!runsCode(decision) || !(SHELLS.has(name) || isInterpreter(name) || BY_LINE.test(name))) return false;
  return (
    BY_LINE.test(name) || words.every(({ text }) => text.startsWith("-")) || words.some(({ text }) => INPUT.test(text))
  );
}

/** Where one command feeds another, the files that the line reads are the code it runs: `cat x.sh | sh`, `sh < x.sh`. */
export function codeOf(all: readonly Ran[], obeyed: Obeyed, segments: readonly Segment[], understood: boolean): Code {
  const code: Noted = { files: new Map(), open: !understood };
  for (const ran of all) noteCode(code, ran);
  for (const variable of obeyed) noteVariable(code, variable, all);
  const isSafe = segments.every((segment) => segment.class === "safe");
  const touches = isSafe ? [] : segments.flatMap((segment) => segment.touches);
  const isFed = all.some(takesCode) || touches.some((touch) => touch.action === "write" && makesCode(touch, code));
  for (const touch of touches) if (touch.action === "read") addRead(code, touch, isFed);
  return { files: [...code.files.values()], ...(code.open && { open: true }) };
}
