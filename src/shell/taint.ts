import type { Claim } from "../core/words/touch.ts";
import { upTo } from "./blanks.ts";
import { withFlow } from "./decisions.ts";
import { plainField, withText } from "./fields.ts";
import { flowOf, OPEN } from "./flows.ts";
import { joined, nameOf, normalised } from "./paths.ts";
import { PROGRAMS } from "./programs/all.ts";
import { recipesOf } from "./recipe-files.ts";
import { type Decision, FETCHED_FLOW, type Field, type Flow, LIMITS, textFlow, type Walk } from "./walk.ts";
import { holdsFetched, isFetchedFile, noteFile, noteTree, writtenText } from "./written-files.ts";

const named = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Programs that describe a file or change its metadata, and never output its content. */
const PASSES_NOTHING = named(
  "ls stat test [ wc du file md5sum sha1sum sha256sum sha512sum b2sum cksum which rm chmod chown touch mkdir diff cmp",
);
const DECODERS = named("openssl gpg age sops uudecode basenc zstdcat lz4 lz4cat brotli bzcat xzcat bsdtar unar");
const UNPACKING = named("tar bsdtar unzip 7z unar cpio ar");
const COPYING = named("cp mv ln rsync");
/** Programs that run the content of a file that they are given or look for. */
const MAKING = named(
  "make gmake bmake just task rake ant crontab at batch ansible-playbook cmake ninja samu java go gradle ctest",
);
const COMPILERS = named("gcc g++ cc c++ clang clang++ tcc rustc go ghc nim zig ocamlc ocamlopt dmd ldc2 swiftc fpc");

/** The word itself, and the part after an `=` in it. */
const valuesOf = (field: Field): readonly Field[] => {
  const equals = field.text.indexOf("=");
  return equals > 0 ? [field, withText(field, field.text.slice(equals + 1))] : [field];
};

/** Whatever is made from a downloaded file counts as downloaded: a copy, a rename, decoded or printed content. */
export const tainted = (name: string, decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  if (decision.flow.fetched || PASSES_NOTHING.has(name)) return decision;
  if (!PROGRAMS.has(name) && !DECODERS.has(name) && !COMPILERS.has(name) && !PASSING_ON.has(name)) return decision;
  const isTainted = fields
    .slice(1)
    .flatMap(valuesOf)
    .some((field) => isFetchedFile(field, walk) || (COPYING.has(name) && holdsFetched(field, walk)));
  return isTainted ? withFlow(decision, FETCHED_FLOW) : decision;
};

/** Programs that print or copy the content of the files they are given. */
const PASSING_ON = named(
  "cat head tail tac sort uniq grep sed gsed awk gawk mawk nawk nl cut paste pr column fold fmt expand unexpand shuf strings cp mv ln install dd rsync",
);

/** Output made from a file that this line wrote may contain that text, as it is or changed, and more that is not known. */
export const passedOn = (name: string, decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  const { flow } = decision;
  if (flow.fetched || !PASSING_ON.has(name)) return decision;
  const textsIn = (field: Field) => valuesOf(field).flatMap((value) => writtenText(value, walk) ?? []);
  const written = fields.slice(1).flatMap(textsIn).join("");
  if (written === "" || flow.text === written) return decision;
  const others = fields.filter((field) => textsIn(field).length === 0);
  const changed = flowOf(name, others, textFlow(written)).text ?? "";
  return withFlow(decision, textFlow([...new Set([OPEN, flow.text ?? "", written, changed])].join("")));
};

const JAVA_VALUE = /^(?:-cp|-classpath|--class-path|-p|--(?:module-path|add-\w+|upgrade-module-path|source))$/;
const GO_ALONE = /^--?(?:a|n|race|msan|asan|cover|v|work|x|linkshared|modcacherw|trimpath)$|=/;

/** The words that decide what runs; later words are arguments of the program that runs. */
const ofWhatRuns = (name: string, fields: readonly Field[]): readonly Field[] => {
  const isGo = name === "go" && fields[1]?.text === "run";
  if (name !== "java" && !isGo) return fields.slice(1);
  const takesValue = (text: string): boolean => (isGo ? !GO_ALONE.test(text) : JAVA_VALUE.test(text));
  let end = isGo ? 2 : 1;
  for (; end < fields.length; end++) {
    const { text } = fields[end] as Field;
    if (text.startsWith("-")) end += takesValue(text) ? 1 : 0;
    else if (!text.startsWith("@")) break;
  }
  // `go run a.go b.go`
  while (isGo && fields[end]?.text.endsWith(".go") && fields[end + 1]?.text.endsWith(".go")) end++;
  const words = fields.slice(1, end + 1);
  // `-cp a.jar:b.jar`, `-javaagent:a.jar`, `@arguments`
  return isGo ? words : words.flatMap((word) => word.text.split(/[:@]/).map((text) => withText(word, text)));
};

export const runsFiles = (name: string): boolean => MAKING.has(name);

/** Why a program that takes its commands from a file must not run: the file is from the network. */
export const runsFetched = (
  name: string,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): string | undefined => {
  // crontab reads standard input by default
  const reads =
    stdin?.fetched === true && (name === "crontab" || fields.some(({ text }) => /^-f?-?$|^\/dev\/stdin$/.test(text)));
  const given = ofWhatRuns(name, fields).flatMap(valuesOf);
  const looked = walk.fetchedFiles ? recipesOf(name, fields).map(({ file }) => plainField(file)) : [];
  return reads || [...given, ...looked].some((field) => isFetchedFile(field, walk, true))
    ? "it runs a file fetched from the network"
    : undefined;
};

const OF_OTHER_MACHINE = /^[\w.@-]{2,}:(?!\/\/)(?:.*\/)?([^/]+)$/;

/** `https://a.b/c/d.sh?e` is saved as `d.sh`, and so is `host:c/d.sh`. */
const savedName = (text: string): string | undefined => {
  if (!text.includes(":")) return undefined;
  if (!text.includes("://")) return OF_OTHER_MACHINE.exec(text)?.[1];
  const path = upTo("?", upTo("#", text));
  return nameOf(path.endsWith("/") ? path.slice(0, -1) : path) || undefined;
};

const OUTPUT = /^(?:-[a-zA-Z]*o|-out|--out[a-z-]*|-O)$/;
const OUTPUT_WITHIN = /^(?:--out[a-z-]*=|-o(?=[\w./]))(.+)$/s;
/** The default names of a compiler's output. */
const compiled = (path: string): string => upTo(".", nameOf(path)) || "a.out";

/** The suffixes of the first parts of a split file. */
const PARTS = [
  ...Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `a${letter}`),
  ...Array.from("0123456789", (digit) => `0${digit}`),
];

/** Remembers the files that a download creates, so that running one counts as running downloaded text. */
export const noteFetchedFiles = (
  name: string,
  touches: readonly Claim[],
  fields: readonly Field[],
  walk: Walk,
): void => {
  const folders = [""];
  const note = (path: string): void => noteFile(normalised(path), FETCHED_FLOW, walk);
  for (const touch of touches)
    if (touch.action === "write") {
      note(touch.target);
      folders.push(touch.target);
      const isTree = UNPACKING.has(name) ? touch.brings !== undefined : COPYING.has(name);
      const path = normalised(touch.target);
      if (isTree && !(COPYING.has(name) && path === ".")) noteTree(path, walk);
    }
  const last = fields.at(-1)?.text ?? "";
  const compiles = COMPILERS.has(name);
  if (name === "scp" || name === "sftp") {
    folders.push(last);
    note(last);
  }
  const here = (path: string): void => note(joined(walk.scope.folders[0] ?? "", path));
  // any of its words may be the prefix of the parts' names
  if (name === "split") for (const { text } of [...fields, plainField("x")]) for (const end of PARTS) here(text + end);
  for (let index = 1; index < fields.length; index++) {
    const { text } = fields[index] as Field;
    const before = (fields[index - 1] as Field).text;
    if (before.startsWith("-") && OUTPUT.test(before)) here(text);
    const within = text.startsWith("-") ? OUTPUT_WITHIN.exec(text)?.[1] : undefined;
    if (within !== undefined) here(within);
    if (compiles) for (const file of ["a.out", compiled(text)]) here(file);
    const saved = savedName(text);
    if (saved !== undefined)
      for (let place = 0; place < folders.length && place < LIMITS.depth; place++)
        note(joined(folders[place] as string, saved));
  }
};
