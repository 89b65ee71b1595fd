import { type Clock, eachInTurns } from "../contracts/clock.ts";
import type { Hash } from "../contracts/store/changes.ts";
import type { Grant } from "../contracts/store/grants.ts";
import type { Bytes } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import { describeTouch, isPathTouch, type Touch } from "../words/touch.ts";
import type { Bound, BoundFile } from "./binding.ts";

/** The hash function, and the clock by which long work yields. */
type Using = { clock: Clock; hash: (bytes: Bytes) => Hash };

/** Hash of tool, input, touches, changes and code: an answer holds for exactly what the person saw. */
export async function fingerprint(ready: Ready, bound: Bound, using: Using): Promise<Hash> {
  const touches = await told(ready.touches, using);
  const changes = await told(await changesOf(ready, using), using);
  return hashOf([ready.tool.name, ready.input, touches, changes, bound.files], using.hash);
}

function changesOf({ changes }: Pick<Ready, "changes">, { clock, hash }: Using): Promise<unknown[]> {
  const content = (bytes: Bytes | null) => (bytes === null ? null : hash(bytes));
  return eachInTurns(clock, changes, ({ place, before, after, mode }) => [
    place.real,
    content(before),
    content(after),
    mode ?? null,
  ]);
}

const MOST_AT_ONCE = 500;

/** Hashes very long lists in chunks, and yields between them. */
async function told(all: readonly unknown[], { clock, hash }: Using): Promise<readonly unknown[]> {
  if (all.length <= MOST_AT_ONCE) return all;
  const starts = Array.from({ length: Math.ceil(all.length / MOST_AT_ONCE) }, (_, piece) => piece * MOST_AT_ONCE);
  return eachInTurns(clock, starts, (start) => hashOf(all.slice(start, start + MOST_AT_ONCE), hash));
}

/** Hash of the changes alone. */
export const changesHash = async (ready: Ready, using: Using): Promise<Hash> =>
  hashOf(await told(await changesOf(ready, using), using), using.hash);

/** The same for a planned call. Whether files exist is left out, because earlier calls of the plan may create them. */
export const plannedFingerprint = (ready: Ready, bound: Bound, using: Using): Promise<Hash> =>
  fingerprint({ ...ready, touches: ready.touches.map(wherever) }, bound, using);

const wherever = (touch: Touch): Touch => {
  if (touch.action === "run") return { ...touch, inner: touch.inner.map(wherever) };
  return isPathTouch(touch) ? { ...touch, place: { ...touch.place, exists: true } } : touch;
};

const hashOf = (value: unknown, hash: (bytes: Bytes) => Hash): Hash =>
  hash(new TextEncoder().encode(stableJson(value)));

/** JSON with sorted keys, so that equal values give equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return `${each}n`;
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** What a standing yes is bound to, as a hash and in words for people. */
export type Covered = { covers: string; shown: string };

/**
 * One for each touch: a yes for two files is a yes for each of them. Each is bound to the whole input as well, unless
 * the tool's `scope` names the part that counts. Kept as a hash, because commands and arguments may hold secrets.
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

/** Whether every touch of the call has a standing yes of its own. */
export const isGranted = (covered: readonly Covered[], grants: readonly Grant[]): boolean =>
  covered.every(({ covers }) => grants.some((grant) => grant.covers === covers));
