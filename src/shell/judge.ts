import type { Claim } from "../core/touch.ts";
import { blockedBy, blockedByPattern, hasRule } from "./blocked.ts";
import { BUILTINS } from "./builtins.ts";
import { claimsOf } from "./claims.ts";
import { flowOf } from "./flows.ts";
import { parsedOptions } from "./options.ts";
import { joined, normalised } from "./paths.ts";
import { isDevice } from "./places.ts";
import { CHANGING_FORMS, PROGRAMS } from "./programs/all.ts";
import type { Parsed, Program } from "./programs/program.ts";
import { EVERYTHING } from "./programs/program.ts";
import { riskOf } from "./programs/risks.ts";
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

const everything = (): Claim => ({ action: "unknown", permissions: [...EVERYTHING] });

const decided = (
  kind: Decision["class"],
  risk: Decision["risk"],
  rule: string,
  touches: Claim[],
  flow: Flow,
): Decision => ({
  class: kind,
  risk,
  rule,
  touches,
  flow,
});

const unknownProgram = (fields: readonly Field[], walk: Walk): Decision => {
  const name = (fields[0] as Field).text;
  if (name.includes("\u0001"))
    return decided("blocked", "high", "it runs text from the network, unseen", [everything()], UNKNOWN_FLOW);
  const bare = nameOf(withoutStandIns(name));
  const blocked = bare === "" ? undefined : blockedBy(bare, fields, walk);
  if (blocked !== undefined) return decided("blocked", "high", blocked, [everything()], UNKNOWN_FLOW);
  return decided("dangerous", "medium", "its program is not known beforehand", [everything()], UNKNOWN_FLOW);
};

/** Why words that are not plain text leave nothing proven. */
const unproven = (fields: readonly Field[], program: Program): string | undefined => {
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!field.literal) {
      if (program.inert && field.given) continue;
      return "it depends on an expansion";
    }
    // a pattern may turn into a file's name that reads as an option
    if (field.glob && !program.inert && !/^[^-*?[]/.test(field.text)) return "a pattern may turn into an option";
  }
  return undefined;
};

type Known = { program: Program; parsed: Parsed };

/** Follows the verbs of a program (`git remote show`) to the part of the table that fits. */
const known = (fields: readonly Field[], program: Program): Known => {
  let current = program;
  let parsed = parsedOptions(fields, 1, current);
  for (let depth = 0; current.verbs && depth < 4; depth++) {
    const verb = parsed.operands[0];
    const next = verb && Object.hasOwn(current.verbs, verb.text) ? current.verbs[verb.text] : undefined;
    if (next === undefined || parsed.unknown !== undefined) break;
    current = next;
    parsed = parsedOptions(parsed.operands, 1, next);
  }
  return { program: current, parsed };
};

const isVersion = (fields: readonly Field[], program: Program): boolean =>
  fields.length === 2 && program.version !== undefined && program.version.includes((fields[1] as Field).text);

const matchesSafe = (fields: readonly Field[], walk: Walk): boolean =>
  walk.safeCommands.some((entry) => {
    const words = entry.trim().split(/\s+/);
    return words[0] !== "" && words.every((word, index) => fields[index]?.text === word);
  });

const isPlain = (field: Field): boolean => field.literal && !field.glob;
const allLiteral = (fields: readonly Field[]): boolean => fields.every(isPlain);

const byTable = (
  name: string,
  program: Program | undefined,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
  slash: boolean,
): Decision => {
  const flow = flowOf(name, fields, stdin);
  if (program === undefined)
    return decided(
      "dangerous",
      riskOf(name, fields),
      `${name} is not a command that is known to be harmless`,
      [everything()],
      flow,
    );
  if (isVersion(fields, program) && allLiteral(fields) && !slash)
    return decided("safe", "low", "it only tells its version", [], flow);
  const started = startedBy(fields, program);
  if (started !== undefined) {
    const { text } = started[0] as Field;
    const inner = byTable(text, PROGRAMS.get(text), started, walk, stdin, slash);
    return inner.class === "safe" ? { ...inner, class: "dev" } : inner;
  }
  const words = name === "tar" ? withDash(fields) : fields;
  const { program: found, parsed } = known(words, program);
  const against = objection(name, fields, found, parsed, slash);
  if (against === undefined)
    return decided(
      found.class,
      found.risk ?? "low",
      found.class === "dev" ? `${name} is a development tool` : `${name} only looks`,
      claimsOf(found, parsed, walk),
      flow,
    );
  const form = found.class === "dangerous" ? undefined : CHANGING_FORMS.get(name);
  const touches =
    form === undefined ? claimsOf(found, parsed, walk) : claimsOf(form, parsedOptions(fields, 1, form), walk);
  if (
    form === undefined &&
    found.class !== "dangerous" &&
    !found.inert &&
    !found.permissions &&
    parsed.unknown === undefined
  )
    touches.push(everything());
  const risk =
    found.risk ??
    (found.class === "dangerous" ? riskOf(name, fields) : parsed.unknown === undefined ? "low" : "medium");
  return decided("dangerous", risk, against, touches, flow);
};

/** Why a known program is not of its class with these words. */
const objection = (
  name: string,
  fields: readonly Field[],
  found: Program,
  parsed: Parsed,
  slash: boolean,
): string | undefined => {
  if (found.class === "dangerous") return found.rule ?? `${name} changes things, or is not known to be harmless`;
  if (slash) return `${(fields[0] as Field).text} is named by its place, so it can be anything`;
  if (parsed.unknown !== undefined) return `${parsed.unknown} is not an option that is known to be harmless`;
  if (found.verbs && parsed.operands.length > 0)
    return `${name} ${(parsed.operands[0] as Field).text} is not known to be harmless`;
  return unproven(fields, found) ?? found.objection?.(parsed);
};

/** `tar xzf a` is `tar -xzf a`. */
const withDash = (fields: readonly Field[]): readonly Field[] => {
  const [name, mode, ...rest] = fields;
  if (name === undefined || mode === undefined || mode.text.startsWith("-")) return fields;
  return [name, { ...mode, text: `-${mode.text}` }, ...rest];
};

const startedBy = (fields: readonly Field[], program: Program): readonly Field[] | undefined => {
  if (program.starts === undefined) return undefined;
  const { after, names } = program.starts;
  if (!after.every((word, index) => fields[index + 1]?.text === word)) return undefined;
  const inner = fields.slice(after.length + 1);
  return inner[0] !== undefined && isPlain(inner[0]) && names.includes(inner[0].text) ? inner : undefined;
};

const SPECIAL = ["eval", ".", "source", "xargs", "find", "env"];
/** Programs that nothing but their table speaks of: most of what is ever asked about. */
const ORDINARY: ReadonlyMap<string, Program> = new Map(
  [...PROGRAMS].filter(
    ([name]) => !hasRule(name) && !BUILTINS.has(name) && !isShell(name) && !isWrapper(name) && !SPECIAL.includes(name),
  ),
);

const byProgram = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const written = (fields[0] as Field).text;
  const ordinary = walk.scope.functions === undefined ? ORDINARY.get(written) : undefined;
  if (ordinary !== undefined) return inTable(written, ordinary, fields, walk, stdin, false);
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
  }
  if (/^ld(?:-\w.*)?\.so/.test(name)) walk.command(fields.slice(1), walk, stdin);
  const inner = unwrapped(name, fields, walk, stdin);
  if (inner !== undefined) return slash && inner.class === "safe" ? { ...inner, class: "dangerous" } : inner;
  return inTable(name, PROGRAMS.get(name), fields, walk, stdin, slash);
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
  if (decision.class !== "dangerous") return decision;
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

/** What a command with these words is, and what it touches. */
export const judged = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
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
  for (const field of fields.slice(1, 1 + LIMITS.choices)) {
    const last = /^[a-z]+:\/\/[^?#]*\/([^/?#]+)/.exec(field.text)?.[1];
    if (last !== undefined)
      for (const folder of folders.slice(0, LIMITS.depth)) walk.fetchedFiles.add(normalised(joined(folder, last)));
  }
};
