import type { Hash } from "../contracts/store/changes.ts";
import type { Grant } from "../contracts/store/grants.ts";
import type { Bytes } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import { describeTouch, isPathTouch, type Touch } from "../words/touch.ts";

/** Of tool, input, touches and changes: what the person saw is what an answer holds for, and nothing else. */
export function fingerprint(ready: Ready, hash: (bytes: Bytes) => Hash): Hash {
  const content = (bytes: Bytes | null) => (bytes === null ? null : hash(bytes));
  const changes = ready.changes.map((change) => [
    change.place.real,
    content(change.before),
    content(change.after),
    change.mode ?? null,
  ]);
  return hash(new TextEncoder().encode(stableJson([ready.tool.name, ready.input, ready.touches, changes])));
}

/** JSON with sorted keys, so that the same thing always reads the same. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return `${each}n`;
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** What a standing yes is bound to: every touch, and the whole input unless the tool says what of it may vary. */
export function coveredBy({ tool, input, touches }: Pick<Ready, "tool" | "input" | "touches">): string {
  const { scope } = tool.definition;
  return stableJson([scope ? { scope: scope(input as never) ?? null } : { input }, touches.map(target)]);
}

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

/** The same in words, for people. */
export function grantShown({ tool, touches }: Pick<Ready, "tool" | "touches">): string[] {
  const { scope, touches: declared } = tool.definition;
  const shown = touches.map(describeTouch);
  return scope && declared ? shown : [...shown, "with exactly these arguments"];
}

export const isGranted = (covers: string, grants: readonly Grant[]): boolean =>
  grants.some((grant) => grant.covers === covers);
