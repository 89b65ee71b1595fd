import type { Hash } from "../contracts/store/changes.ts";
import type { Grant } from "../contracts/store/grants.ts";
import type { Bytes } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import { describeTouch, isPathTouch, type Touch } from "../words/touch.ts";
import type { Bound, BoundFile } from "./binding.ts";

/** Of tool, input, touches, changes and the code that would run: an answer holds for what the person saw, and nothing else. */
export function fingerprint(ready: Ready, bound: Bound, hash: (bytes: Bytes) => Hash): Hash {
  return hashOf([ready.tool.name, ready.input, ready.touches, changesOf(ready, hash), bound.files], hash);
}

function changesOf({ changes }: Pick<Ready, "changes">, hash: (bytes: Bytes) => Hash) {
  const content = (bytes: Bytes | null) => (bytes === null ? null : hash(bytes));
  return changes.map(({ place, before, after, mode }) => [place.real, content(before), content(after), mode ?? null]);
}

/** Of the changes alone. */
export const changesHash = (ready: Ready, hash: (bytes: Bytes) => Hash): Hash => hashOf(changesOf(ready, hash), hash);

/** The same for a call that will run later: what is there by then is the plan's own doing. */
export function plannedFingerprint(ready: Ready, bound: Bound, hash: (bytes: Bytes) => Hash): Hash {
  return fingerprint({ ...ready, touches: ready.touches.map(wherever) }, bound, hash);
}

const wherever = (touch: Touch): Touch => {
  if (touch.action === "run") return { ...touch, inner: touch.inner.map(wherever) };
  return isPathTouch(touch) ? { ...touch, place: { ...touch.place, exists: true } } : touch;
};

const hashOf = (value: unknown, hash: (bytes: Bytes) => Hash): Hash =>
  hash(new TextEncoder().encode(stableJson(value)));

/** JSON with sorted keys, so that the same thing always reads the same. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return `${each}n`;
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** What a standing yes is bound to, and the same in words for people. */
export type Covered = { covers: string; shown: string };

/**
 * One for each touch: a yes for two files is a yes for each of them. Each is bound to the whole input as well, unless
 * the tool says what of it may vary. It is kept as a hash, because commands and arguments may hold secrets.
 */
export function coveredBy(
  { tool, input, touches }: Pick<Ready, "tool" | "input" | "touches">,
  hash: (bytes: Bytes) => Hash,
  files: readonly BoundFile[] = [],
): Covered[] {
  const { scope } = tool.definition;
  const bound = scope ? { scope: scope(input as never) ?? null } : { input };
  const so = scope ? "" : ", with exactly these arguments";
  if (touches.length === 0) return [{ covers: hashOf([bound], hash), shown: `${tool.name}${so}` }];
  return touches.map((touch) => ({
    covers: hashOf(
      touch.action === "run" && files.length > 0 ? [bound, target(touch), files] : [bound, target(touch)],
      hash,
    ),
    shown: `${describeTouch(touch)}${so}${touch.action === "run" ? asItIs(files) : ""}`,
  }));
}

export const asItIs = (files: readonly BoundFile[]): string =>
  files.length > 0 ? asNow([...new Set(files.map(({ shown }) => shown))]) : "";

const asNow = (names: readonly string[]): string =>
  `, while ${names.join(", ")} stay${names.length > 1 ? "" : "s"} as now`;

const target = (touch: Touch): unknown => {
  if (isPathTouch(touch)) return [touch.action, touch.place.real, touch.scope ?? null];
  switch (touch.action) {
    case "run":
      return ["run", touch.command, touch.setting ?? null];
    case "fetch":
      return ["fetch", touch.method, touch.url];
    case "use":
      return ["use", touch.source, touch.name];
    case "unknown":
      return ["unknown", touch.permissions];
    default:
      return [touch.action, touch.target];
  }
};

/** Whether everything that the call would do has its own standing yes. */
export const isGranted = (covered: readonly Covered[], grants: readonly Grant[]): boolean =>
  covered.every(({ covers }) => grants.some((grant) => grant.covers === covers));
