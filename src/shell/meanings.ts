import type { Claim } from "../core/words/touch.ts";
import { blockedAnywhere, blockedInTexts } from "./anywhere.ts";
import { RULES, type Rule, ruleOf } from "./blocked.ts";
import { BUILTINS, walkIndexes } from "./builtins.ts";
import { leavesMost } from "./find-tests.ts";
import { flowOf } from "./flows.ts";
import { walkFound, walkFoundByFd } from "./found.ts";
import { byTable, everything } from "./judged-by-table.ts";
import { namedPlaces } from "./named-places.ts";
import { joined, normalised } from "./paths.ts";
import { PROGRAMS } from "./programs/all.ts";
import { EMBEDDED, type Embedding } from "./programs/embedded.ts";
import { protectedPlace } from "./protected-places.ts";
import { walkContained, walkRecipes, walkSchedule } from "./recipes-and-containers.ts";
import {
  evaluated,
  INTERPRETERS,
  inInterpreter,
  inShell,
  inShellLater,
  isInterpreter,
  SHELLS,
  sourced,
  walkEmbedded,
  walkRemote,
} from "./shells.ts";
import { throughXargs, unwrapped, WRAPPING } from "./unwrap.ts";
import { setVariable } from "./variables.ts";
import { type Decision, FETCHED_FLOW, type Field, type Flow, LIMITS, textOf, type Walk } from "./walk.ts";
import { isFetchedFile, noteFile } from "./written-files.ts";

type Act = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined, slash: boolean) => Decision;

/** What a name alone says: why it may have to be refused, and how the words after it are read. */
type Meaning = { rule: Rule | undefined; act: Act };

/** What the tables say, and what else is in the words of a program that is not harmless. */
const inTable = (name: string): Act => {
  const program = PROGRAMS.get(name);
  const embedding = EMBEDDED.get(name);
  const interprets = isInterpreter(name);
  return (fields, walk, stdin, slash) => {
    const judged = byTable(name, program, fields, walk, stdin, slash);
    const decision = walk.fetchedFiles === undefined || interprets ? judged : tainted(name, judged, fields, walk);
    if (program === undefined || interprets || name === "git") {
      const reason = decision.class === "safe" ? undefined : insideWords(name, interprets, embedding, fields, walk);
      if (reason !== undefined)
        return { ...decision, class: "blocked", risk: "high", rule: reason, touches: [everything()] };
    }
    if (interprets && decision.class !== "safe") {
      const other = inInterpreter(name, fields, walk, stdin);
      if (other.class === "blocked") return other;
    }
    if (decision.class !== "dangerous") return decision;
    if (program === undefined || interprets) decision.touches.push(...namedPlaces(fields, walk));
    if (embedding !== undefined) walkEmbedded(embedding, fields, walk);
    if (decision.flow.fetched) noteFetchedFiles(decision.touches, fields, walk);
    else if (decision.flow.text !== undefined)
      for (const touch of decision.touches)
        if (touch.action === "write") noteFile(normalised(touch.target), decision.flow, walk);
    return decision;
  };
};

/** Verbs of git that take messages. */
const WITH_MESSAGE: ReadonlySet<string> = new Set(["commit", "tag", "notes", "stash", "merge", "revert", "am", "log"]);

/** Why what may be run from a program's words must not be. */
const insideWords = (
  name: string,
  interprets: boolean,
  embedding: Embedding | undefined,
  fields: readonly Field[],
  walk: Walk,
): string | undefined => {
  if (fields.length < 2) return undefined;
  if (name === "git")
    return fields.some(({ text }) => WITH_MESSAGE.has(text)) ? undefined : blockedInTexts(fields, walk);
  if (embedding) return blockedInTexts(fields, walk);
  if (!interprets) return blockedAnywhere(name, fields, walk);
  const script = afterScript(fields);
  return script < 0 ? undefined : blockedAnywhere(name, fields.slice(script), walk);
};

/** Where the script is, whose arguments come after it; none where the program is a text among the words. */
const afterScript = (fields: readonly Field[]): number =>
  fields.findIndex(
    ({ text }, index) =>
      index > 0 && !text.startsWith("-") && !/^-[a-zA-Z]*[cemrEp]$/.test(fields[index - 1]?.text ?? ""),
  );

/** They tell about a file, or change what is around it, and do not pass on what is in it. */
const PASSES_NOTHING: ReadonlySet<string> = new Set(
  "ls stat test [ wc du file md5sum sha1sum sha256sum sha512sum b2sum cksum which rm chmod chown touch mkdir diff cmp".split(
    " ",
  ),
);

const DECODERS: ReadonlySet<string> = new Set(
  "openssl gpg uudecode basenc zstdcat lz4 lz4cat brotli bzcat xzcat".split(" "),
);

/** What is made of a file from the network is from the network: a copy, another name, what is decoded or printed. */
const tainted = (name: string, decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  if (decision.flow.fetched || PASSES_NOTHING.has(name)) return decision;
  if (!PROGRAMS.has(name) && !DECODERS.has(name)) return decision;
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    const equals = field.text.indexOf("=");
    if (
      isFetchedFile(field, walk) ||
      (equals > 0 && isFetchedFile({ ...field, text: field.text.slice(equals + 1) }, walk))
    )
      return { ...decision, flow: FETCHED_FLOW };
  }
  return decision;
};

/** Adds a step that looks at the words before the table judges them. */
const after =
  (look: (fields: readonly Field[], walk: Walk, stdin: Flow | undefined) => void, act: Act): Act =>
  (fields, walk, stdin, slash) => {
    look(fields, walk, stdin);
    return act(fields, walk, stdin, slash);
  };

/** A listing of a protected folder is treated as the folder itself: `ls / | xargs rm -rf`. */
const listing =
  (act: Act): Act =>
  (fields, walk, stdin, slash) => {
    const decision = act(fields, walk, stdin, slash);
    for (let index = 1; index < fields.length; index++) {
      const field = fields[index] as Field;
      const place = field.text.startsWith("-") ? undefined : protectedPlace(field, walk);
      if (place !== undefined && !leavesMost(fields)) return { ...decision, flow: { ...decision.flow, listed: place } };
    }
    return decision;
  };

const inFind = listing(inTable("find"));
const searching: Act = (fields, walk, stdin, slash) => inFind(walkFound(fields, walk), walk, stdin, slash);

/** `printf -v name …` prints into a variable. */
const intoVariable = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  const attached = /^-v(.+)$/s.exec(fields[1]?.text ?? "")?.[1];
  const name = attached ?? (fields[1]?.text === "-v" ? fields[2]?.text : undefined);
  if (name === undefined) return;
  walkIndexes(fields, walk);
  const rest = fields.slice(attached === undefined ? 3 : 2);
  setVariable(walk, name, textOf(flowOf("printf", [fields[0] as Field, ...rest], stdin)));
};

const SPECIAL: ReadonlyMap<string, Act> = new Map<string, Act>([
  ["eval", evaluated],
  [".", sourced],
  ["source", sourced],
  ["xargs", throughXargs],
  ["at", inShellLater],
  ["batch", inShellLater],
  ["find", searching],
  ["fd", after(walkFoundByFd, inTable("fd"))],
  ["fdfind", after(walkFoundByFd, inTable("fdfind"))],
  ["ls", listing(inTable("ls"))],
  ["ssh", after(walkRemote, inTable("ssh"))],
  ["test", after(walkIndexes, inTable("test"))],
  ["[", after(walkIndexes, inTable("["))],
  ["unset", after(walkIndexes, inTable("unset"))],
  ["make", after(walkRecipes, inTable("make"))],
  ["gmake", after(walkRecipes, inTable("gmake"))],
  ["crontab", after(walkSchedule, inTable("crontab"))],
  ...["docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc"].map(
    (name) => [name, after(walkContained, inTable(name))] as const,
  ),
  ["printf", after(intoVariable, inTable("printf"))],
]);

const inWrapper = (name: string): Act => {
  const otherwise = inTable(name);
  return (fields, walk, stdin, slash) => {
    const inner = unwrapped(name, fields, walk, stdin) ?? otherwise(fields, walk, stdin, slash);
    return slash && inner.class === "safe" ? { ...inner, class: "dangerous" } : inner;
  };
};

/** `ld-linux.so.2 program`: the loader itself, which starts the program after it. */
const LOADER = /^ld(?:-\w.*)?\.so/;
const loaded = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void =>
  void walk.command(fields.slice(1), walk, stdin);

const workedOut = (name: string): Meaning => ({
  rule: ruleOf(name),
  act:
    BUILTINS.get(name) ??
    SPECIAL.get(name) ??
    (SHELLS.has(name) ? inShell : WRAPPING.has(name) ? inWrapper(name) : inTable(name)),
});

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  [PROGRAMS, BUILTINS, SPECIAL, SHELLS, WRAPPING, RULES, INTERPRETERS]
    .flatMap((names) => [...names.keys()])
    .map((name) => [name, workedOut(name)]),
);

export const meaningOf = (name: string): Meaning => {
  const known = MEANINGS.get(name);
  if (known !== undefined) return known;
  const { rule, act } = workedOut(name);
  return { rule, act: LOADER.test(name) ? after(loaded, act) : act };
};

const before = (mark: string, text: string): string => {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
};

/** `https://a.b/c/d.sh?e` is saved as `d.sh`. */
const nameInUrl = (text: string): string | undefined => {
  if (!text.includes("://")) return undefined;
  const path = before("?", before("#", text));
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1).replace("/", "") || undefined;
};

/** Remembers what a download leaves behind, so that running it is seen as what it is. */
const noteFetchedFiles = (touches: readonly Claim[], fields: readonly Field[], walk: Walk): void => {
  walk.fetchedFiles ??= new Set();
  const folders = [""];
  for (const touch of touches)
    if (touch.action === "write") {
      walk.fetchedFiles.add(normalised(touch.target));
      folders.push(touch.target);
    }
  for (let index = 1; index < fields.length && index <= LIMITS.braces; index++) {
    const { text } = fields[index] as Field;
    const last = nameInUrl(text);
    if (last !== undefined)
      for (let place = 0; place < folders.length && place < LIMITS.depth; place++)
        walk.fetchedFiles.add(normalised(joined(folders[place] as string, last)));
  }
};
