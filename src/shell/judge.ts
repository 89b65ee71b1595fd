import type { Claim } from "../core/touch.ts";
import { blockedBy, blockedByPattern, NARROWING, type Rule, ruleOf } from "./blocked.ts";
import { BUILTINS } from "./builtins.ts";
import { flowOf } from "./flows.ts";
import { pathClaims } from "./path-claims.ts";
import { joined, normalised } from "./paths.ts";
import { isDevice, protectedPlace } from "./places.ts";
import { PROGRAMS } from "./programs/all.ts";
import type { Program } from "./programs/program.ts";
import {
  evaluated,
  inInterpreter,
  inShell,
  isInterpreter,
  isShell,
  runsFetchedFile,
  sourced,
  walkEmbedded,
  walkRemote,
} from "./shells.ts";
import { allLiteral, byTable, decided, everything, isPlain } from "./table.ts";
import { isWrapper, throughXargs, unwrapped, walkFound } from "./unwrap.ts";
import {
  assign,
  type Decision,
  type Field,
  type Flow,
  forked,
  isKnown,
  LIMITS,
  textOf,
  UNKNOWN_FLOW,
  type Walk,
  withoutStandIns,
} from "./walk.ts";

const nameOf = (path: string): string => (path.includes("/") ? path.slice(path.lastIndexOf("/") + 1) : path);

const unknownProgram = (fields: readonly Field[], walk: Walk): Decision => {
  const name = (fields[0] as Field).text;
  if (name.includes("\u0001"))
    return decided("blocked", "high", "it runs text from the network, unseen", [everything()], UNKNOWN_FLOW);
  const bare = nameOf(withoutStandIns(name));
  const blocked = bare === "" ? undefined : blockedBy(bare, fields, walk);
  if (blocked !== undefined) return decided("blocked", "high", blocked, [everything()], UNKNOWN_FLOW);
  return decided("dangerous", "medium", "its program is not known beforehand", [everything()], UNKNOWN_FLOW);
};

const matchesSafe = (fields: readonly Field[], walk: Walk): boolean =>
  walk.safeCommands.some((entry) => {
    const words = entry.trim().split(/\s+/);
    return words[0] !== "" && words.every((word, index) => fields[index]?.text === word);
  });

const SPECIAL = ["eval", ".", "source", "xargs", "find", "env"];
/** Programs that only their table and their rule speak of: most of what is ever asked about. */
const ORDINARY: ReadonlyMap<string, { program: Program; rule: Rule | undefined }> = new Map(
  [...PROGRAMS]
    .filter(([name]) => !BUILTINS.has(name) && !isShell(name) && !isWrapper(name) && !SPECIAL.includes(name))
    .map(([name, program]) => [name, { program, rule: ruleOf(name) }]),
);

const byProgram = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const written = (fields[0] as Field).text;
  const ordinary = walk.scope.functions === undefined ? ORDINARY.get(written) : undefined;
  if (ordinary !== undefined) {
    const reason = ordinary.rule?.(fields, walk);
    if (reason === undefined) return inTable(written, ordinary.program, fields, walk, stdin, false);
    return decided("blocked", "high", reason, [everything()], flowOf(written, fields, stdin));
  }
  const slash = written.includes("/");
  const name = slash ? nameOf(written) : written;
  const body = walk.scope.functions?.get(written);
  if (body !== undefined) return called(fields, walk, stdin);
  const blocked = blockedBy(name, fields, walk);
  if (blocked !== undefined) return decided("blocked", "high", blocked, [everything()], flowOf(name, fields, stdin));
  if (slash && runsFetchedFile(fields[0] as Field, walk))
    return decided("blocked", "high", "it runs a file from the network, unseen", [everything()], UNKNOWN_FLOW);
  const builtin = BUILTINS.get(name);
  if (builtin !== undefined) return builtin(fields, walk, stdin);
  if (isShell(name)) return inShell(fields, walk, stdin);
  switch (name) {
    case "eval":
      return evaluated(fields, walk, stdin);
    case ".":
    case "source":
      return sourced(fields, walk, stdin);
    case "xargs":
      return throughXargs(fields, walk, stdin);
    case "find":
      walkFound(fields, walk);
      return listing(inTable(name, PROGRAMS.get(name), fields, walk, stdin, slash), fields, walk);
  }
  if (name.startsWith("ld") && /^ld(?:-\w.*)?\.so/.test(name)) walk.command(fields.slice(1), walk, stdin);
  const inner = unwrapped(name, fields, walk, stdin);
  if (inner !== undefined) return slash && inner.class === "safe" ? { ...inner, class: "dangerous" } : inner;
  return inTable(name, PROGRAMS.get(name), fields, walk, stdin, slash);
};

/** Names from a folder that must not be lost stand for the folder itself. */
const listing = (decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    const place = field.text.startsWith("-") ? undefined : protectedPlace(field, walk);
    if (place !== undefined && !fields.some(({ text }) => NARROWING.test(text)))
      return { ...decision, flow: { ...decision.flow, listed: place } };
  }
  return decision;
};

const inTable = (
  name: string,
  program: Program | undefined,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
  slash: boolean,
): Decision => {
  const decision = byTable(name, program, fields, walk, stdin, slash);
  if (decision.class !== "dangerous") return name === "ls" ? listing(decision, fields, walk) : decision;
  if (name === "ssh") walkRemote(fields, walk, stdin);
  else walkEmbedded(name, fields, walk);
  if (isInterpreter(name)) {
    const other = inInterpreter(name, fields, walk, stdin);
    if (other.class === "blocked") return other;
  }
  if (decision.flow.fetched) noteFetchedFiles(decision.touches, fields, walk);
  if (name === "printf" && fields[1]?.text === "-v" && fields[2])
    assign(walk, fields[2].text, textOf(flowOf(name, [fields[0] as Field, ...fields.slice(3)], stdin)));
  return decision;
};

/** A function's body has been judged where it was defined; a call only gives it words. */
const called = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const name = (fields[0] as Field).text;
  const body = walk.scope.functions?.get(name);
  let flow = UNKNOWN_FLOW;
  if (body !== undefined) {
    const before = walk.scope;
    walk.scope = { ...forked(before), positional: fields.slice(1).map((field) => field.text) };
    // a function that calls itself is followed once
    walk.scope.functions?.delete(name);
    walk.again++;
    flow = walk.body(body, walk, stdin);
    walk.again--;
    walk.scope = before;
  }
  return decided("dangerous", "medium", `${name} is a function of this line`, [], flow);
};

const writesDevice = (touches: readonly Claim[]): string | undefined => {
  for (const touch of touches)
    if ((touch.action === "write" || touch.action === "delete") && isDevice(touch.target)) return touch.target;
  return undefined;
};

/** A pattern among the words lists a folder, whatever the program makes of the names. */
const addPatterns = (decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  let { touches } = decision;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!field.glob || !isKnown(field.text) || field.text.startsWith("-")) continue;
    const before = touches;
    const unseen = pathClaims("list", field, walk).filter((claim) => !before.some((touch) => isSame(touch, claim)));
    if (unseen.length > 0) touches = [...before, ...unseen];
  }
  return touches === decision.touches ? decision : { ...decision, touches };
};

const isSame = (one: Claim, other: Claim): boolean =>
  "target" in one &&
  "scope" in one &&
  "target" in other &&
  "scope" in other &&
  one.target === other.target &&
  (one.scope === other.scope || one.scope === `${other.scope}/**`);

/** What a command with these words is, and what it touches. */
export const judged = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const decision = judgedByWords(fields, walk, stdin);
  for (let index = 0; index < fields.length; index++)
    if ((fields[index] as Field).glob) return addPatterns(decision, fields, walk);
  return decision;
};

const judgedByWords = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const name = (fields[0] as Field).text;
  if (!isKnown(name)) return unknownProgram(fields, walk);
  let decision = byProgram(fields, walk, stdin);
  if ((fields[0] as Field).glob) {
    const rule = blockedByPattern(nameOf(name), fields, walk);
    if (rule !== undefined) return decided("blocked", "high", rule, [everything()], UNKNOWN_FLOW);
  }
  if (decision.class === "dangerous") {
    const device = writesDevice(decision.touches);
    if (device !== undefined) return { ...decision, class: "blocked", risk: "high", rule: `writes onto ${device}` };
  } else if (decision.class !== "blocked" && !isPlain(fields[0] as Field))
    decision = { ...decision, class: "dangerous", rule: "its program comes from an expansion" };
  if (walk.safeCommands.length > 0 && decision.class !== "blocked" && decision.class !== "safe")
    if (allLiteral(fields) && matchesSafe(fields, walk))
      return { ...decision, class: "safe", rule: "the configuration lists it as safe" };
  return decision;
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
  for (const field of fields.slice(1, 1 + LIMITS.braces)) {
    const last = field.text.includes("://") ? /^[a-z]+:\/\/[^?#]*\/([^/?#]+)/.exec(field.text)?.[1] : undefined;
    if (last !== undefined)
      for (const folder of folders.slice(0, LIMITS.depth)) walk.fetchedFiles.add(normalised(joined(folder, last)));
  }
};
