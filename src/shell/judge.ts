import type { Function as FunctionNode } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { blockedBy, blockedByPattern } from "./blocked.ts";
import { decided, reclassed, withTouches } from "./decisions.ts";
import { isKnownField, nameIn } from "./fields.ts";
import { flowOf } from "./flows.ts";
import { unitedFolders } from "./folders.ts";
import { isShowing } from "./git-names.ts";
import { allLiteral, everything, isEverything, isPlain } from "./judged-by-table.ts";
import { eachOf } from "./lists.ts";
import { SLASH } from "./marks.ts";
import { meaningOf } from "./meanings.ts";
import { namedPlaces } from "./named-places.ts";
import { pathClaims } from "./path-claims.ts";
import { nameOf } from "./paths.ts";
import { isDevice } from "./protected-places.ts";
import { walkNamed } from "./renamed.ts";
import { noteSearched } from "./searched-names.ts";
import { walkWritten } from "./shells.ts";
import { blockedWords } from "./tried.ts";
import {
  type Decision,
  type Field,
  type Flow,
  forked,
  inSubshell,
  isStricter,
  UNKNOWN_FLOW,
  type Walk,
  withoutStandIns,
} from "./walk.ts";
import { isFetchedFile, isLedToFetched } from "./written-files.ts";

/** `$x rm …`: without a value the word is gone, and the next one is the program. In quotes it stays. */
const mayVanish = ({ text, whole, literal }: Field): boolean => (!whole || literal) && withoutStandIns(text) === "";

const unknownProgram = (fields: readonly Field[], walk: Walk): Decision => {
  const name = (fields[0] as Field).text;
  if (name.includes("\u0001"))
    return decided("blocked", "high", "it runs text fetched from the network", [everything()], UNKNOWN_FLOW);
  const bare = nameOf(withoutStandIns(name));
  const blocked = blockedBy(bare, fields, walk) ?? blockedByPattern(bare, fields, walk);
  if (blocked !== undefined) return decided("blocked", "high", blocked, [everything()], UNKNOWN_FLOW);
  const first = fields.findIndex((field) => !mayVanish(field));
  const behind = first > 0 ? blockedWords(fields.slice(first), walk) : undefined;
  if (behind !== undefined) return decided("blocked", "high", behind, [everything()], UNKNOWN_FLOW);
  return decided("dangerous", "medium", "its program is only known when it runs", [everything()], UNKNOWN_FLOW);
};

/** System programs by path, which mean the same as their bare names. */
const OF_SYSTEM = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[\w.+-]+$/;

const byProgram = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const written = (fields[0] as Field).text;
  const body = walk.scope.functions?.get(written);
  if (body !== undefined) return called(body, fields, walk, stdin);
  const slash = ((fields[0] as Field).marks & SLASH) !== 0;
  const name = nameIn(fields[0] as Field);
  const { rule, act } = meaningOf(name);
  const blocked = rule?.(fields, walk);
  if (blocked !== undefined) return decided("blocked", "high", blocked, [everything()], flowOf(name, fields, stdin));
  if ((slash && isFetchedFile(fields[0] as Field, walk)) || isLedToFetched(fields, walk))
    return decided("blocked", "high", "it runs a file fetched from the network", [everything()], UNKNOWN_FLOW);
  if (walk.writtenFiles !== undefined || walk.scope.variables !== undefined) walkNamed(fields, walk);
  if (!slash) return act(fields, walk, stdin, false);
  walkWritten(fields, walk);
  const isOfSystem = OF_SYSTEM.test(written);
  // a file is never a builtin: `./cd` does not change the shell's folder
  const decision = inSubshell(walk, () => act(fields, walk, stdin, !isOfSystem));
  return isOfSystem ? decision : asAnyProgram(written, decision);
};

/** Has the name of a known program, but could be any other. */
const asAnyProgram = (written: string, decision: Decision): Decision => {
  const touches = decision.touches.some(isEverything) ? decision.touches : [...decision.touches, everything()];
  if (!isStricter("dangerous", decision.class)) return withTouches(decision, touches);
  const rule = `${written} is run by its path, so it can be any program`;
  return reclassed(withTouches(decision, touches), "dangerous", rule);
};

export const CALLED_SAFE = "the configuration lists it as safe";

const matchesSafe = (fields: readonly Field[], walk: Walk): boolean =>
  walk.safeCommands.length > 0 &&
  walk.safeCommands.some((entry) => {
    const words = entry.trim().split(/\s+/);
    return words[0] !== "" && words.every((word, index) => fields[index]?.text === word);
  });

/** A function's body was judged where it was defined; a call only adds the arguments. */
const called = (body: FunctionNode, fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const name = (fields[0] as Field).text;
  const before = walk.scope;
  walk.scope = forked(
    before,
    eachOf(fields.slice(1), (field) => field.text),
  );
  // a recursive function is followed once
  walk.scope.functions?.delete(name);
  walk.again++;
  const flow = walk.body(body, walk, stdin);
  walk.again--;
  // a function runs in the shell itself, so its folder changes and variables stay
  const { folders, variables } = walk.scope;
  walk.scope = before;
  before.folders = unitedFolders(folders, before.folders);
  before.variables = variables;
  return decided("dangerous", "medium", `${name} is a function of this line`, [], flow);
};

const writesDevice = (touches: readonly Claim[]): string | undefined => {
  for (const touch of touches)
    if ((touch.action === "write" || touch.action === "delete") && isDevice(touch.target)) return touch.target;
  return undefined;
};

/** A pattern lists a folder, whatever the program does with the names; for git it may select what is shown. */
const addPatterns = (decision: Decision, fields: readonly Field[], walk: Walk): Decision => {
  let { touches } = decision;
  const action = isGitShowing(fields) ? "read" : "list";
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!field.glob || !isKnownField(field) || field.text.startsWith("-")) continue;
    const before = touches;
    const unseen = pathClaims(action, field, walk).filter((claim) => !before.some((touch) => isSame(touch, claim)));
    if (unseen.length > 0) touches = [...before, ...unseen];
  }
  return touches === decision.touches ? decision : withTouches(decision, touches);
};

const isGitShowing = (fields: readonly Field[]): boolean =>
  nameOf(fields[0]?.text ?? "") === "git" && isShowing(fields.map(({ text, glob }) => (glob ? null : text)));

const isSame = (one: Claim, other: Claim): boolean =>
  "scope" in one &&
  "scope" in other &&
  one.target === other.target &&
  (one.scope === other.scope || one.scope === `${other.scope}/**`);

/** What a command with these words is, and what it touches. */
export const judged = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const name = nameIn(fields[0] as Field);
  // `fd` itself runs what it finds
  if (walk.flowing || walk.giving || name === "fd" || name === "fdfind") noteSearched(name, fields, walk);
  let decision = judgedByWords(fields, walk, stdin);
  if (decision.class === "dangerous" || decision.class === "dev") {
    const places = namedPlaces(name, fields, walk, stdin);
    if (places.length > 0) decision = withTouches(decision, [...decision.touches, ...places]);
  }
  if (walk.ran && walk.trying === 0) walk.ran.push({ fields, folders: walk.scope.folders, decision });
  for (let index = 0; index < fields.length; index++)
    if ((fields[index] as Field).glob) return addPatterns(decision, fields, walk);
  return decision;
};

const judgedByWords = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const name = (fields[0] as Field).text;
  if (!isKnownField(fields[0] as Field)) return unknownProgram(fields, walk);
  let decision = byProgram(fields, walk, stdin);
  const rule = (fields[0] as Field).glob ? blockedByPattern(nameOf(name), fields, walk) : undefined;
  if (rule !== undefined) return decided("blocked", "high", rule, [everything()], UNKNOWN_FLOW);
  if (decision.class === "dangerous") {
    const device = writesDevice(decision.touches);
    if (device !== undefined) return reclassed(decision, "blocked", `it writes to the device ${device}`, "high");
  } else if (decision.class !== "blocked" && !isPlain(fields[0] as Field))
    decision = reclassed(decision, "dangerous", "its program comes from an expansion");
  if (decision.class !== "blocked" && decision.class !== "safe" && matchesSafe(fields, walk) && allLiteral(fields))
    return reclassed(decision, "safe", CALLED_SAFE);
  return decision;
};
