import type { Standing } from "../contracts/store/grants.ts";
import type { Ready } from "../words/ready.ts";
import { type Bound, type BoundFile, boundOf } from "./binding.ts";
import { asItIs, coveredBy, isGranted, stableJson } from "./fingerprints.ts";
import type { Prepared } from "./stages.ts";
import { type Trip, workspaceOf } from "./trip.ts";

/** Saved rules hold for every tool whose calls they cover. */
export const ANY_TOOL = "*";

/** `scope`: the part of the input that must not vary. `files`: the code that decided what ran when it was allowed. */
type SavedRule = { readonly rule: string; readonly scope: unknown; readonly files: readonly BoundFile[] };

/** What a standing yes to this call would save: rules if there are useful ones, else exactly this call. */
export async function standingFor(trip: Trip, prepared: Prepared, bound: Bound): Promise<Standing[]> {
  const { ready } = prepared;
  const exactly = () => coveredBy(ready, trip.station.parts.hash, bound.files);
  return (await rulesFor(trip, prepared, bound)) ?? exactly().map((each) => ({ ...each, tool: ready.tool.name }));
}

/** Returns undefined if no rule expresses it; a yes then holds for exactly this call. */
export async function rulesFor(
  trip: Trip,
  { ready, verdict }: Prepared,
  bound: Bound,
): Promise<Standing[] | undefined> {
  const { name } = ready.tool;
  const scope = scopeOf(ready);
  if (scope === undefined) return undefined;
  const known = (await savedRules(trip, ready.call.sessionID)).map(({ rule }) => rule);
  const { rules: book, redact } = trip.station.parts;
  const rules = await book.propose(verdict.about ?? ready.touches, name, known);
  // a rule is stored verbatim, so it must not contain a secret
  if (!rules?.every((rule) => redact(rule) === rule)) return undefined;
  return rules.map((rule) => ({
    tool: ANY_TOOL,
    covers: stableJson({ rule, scope, files: bound.files } satisfies SavedRule),
    shown: `${rule}${asItIs(bound.files)}`,
  }));
}

/** Why a person's standing yes answers this call, if one does, and the code that it is bound to. */
export async function standingYes(
  trip: Trip,
  { ready, verdict }: Prepared,
): Promise<{ reason: string; bound: Bound } | undefined> {
  const { store, rules, hash } = trip.station.parts;
  const { sessionID } = ready.call;
  const grants = await store.grants({
    tool: ready.tool.name,
    session: sessionID,
    workspace: workspaceOf(trip.station),
  });
  const own = scopeOf(ready);
  const all = own === undefined ? [] : await savedRules(trip, sessionID);
  // without grants there is nothing to compare, so no files are read
  if (grants.length + all.length === 0) return undefined;
  const bound = await boundOf(trip, ready);
  if (!bound.whole) return undefined;
  if (isGranted(coveredBy(ready, hash, bound.files), grants))
    return { reason: "a person allowed exactly this before", bound };
  const scope = stableJson(own);
  const saved = all.filter((each) => stableJson(each.scope) === scope && each.files.every(isAmong(bound.files)));
  if (saved.length === 0 || !bound.files.every(isAmong(saved.flatMap(({ files }) => files)))) return undefined;
  const texts = [...new Set(saved.map(({ rule }) => rule))];
  const answering = await rules.covers(texts, verdict.about ?? ready.touches, ready.tool.name);
  return answering && { reason: `a person allowed ${answering.join(" and ")} before`, bound };
}

/** Whether `files` has this file with the same content. */
const isAmong =
  (files: readonly BoundFile[]) =>
  ({ real, hash }: BoundFile): boolean =>
    files.some((file) => file.real === real && file.hash === hash);

/** The part of the input that must not vary, or undefined if the tool does not say, so that nothing may vary. */
const scopeOf = ({ tool: { definition }, input }: Ready): unknown => {
  if (!definition.scope) return undefined;
  return definition.scope(input as never) || null;
};

async function savedRules(trip: Trip, session: string): Promise<SavedRule[]> {
  const grants = await trip.station.parts.store.grants({
    tool: ANY_TOOL,
    session,
    workspace: workspaceOf(trip.station),
  });
  return grants.flatMap(({ covers }) => readSaved(covers) ?? []);
}

function readSaved(covers: string): SavedRule | undefined {
  try {
    const { rule, scope, files } = JSON.parse(covers) as Partial<SavedRule>;
    return typeof rule === "string" && Array.isArray(files) ? { rule, scope, files } : undefined;
  } catch {
    return undefined;
  }
}
