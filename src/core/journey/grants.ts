import type { Grant, Hash } from "../contracts/store.ts";
import type { Bytes } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import { isPathTouch } from "../words/touch.ts";

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

/** What a standing yes is about: exact targets, nothing wider; where none is known, the very input. */
export function grantTargets({
  touches,
  input,
}: Pick<Ready, "touches" | "input">): { action: string; target: string }[] {
  return touches.map((touch) => {
    if (isPathTouch(touch))
      return { action: touch.action, target: touch.scope ? `${touch.place.real}/${touch.scope}` : touch.place.real };
    switch (touch.action) {
      case "run":
        return { action: "run", target: touch.setting ? `${touch.command}\n${touch.setting}` : touch.command };
      case "fetch":
        return { action: "fetch", target: `${touch.method} ${touch.url}` };
      case "use":
        return { action: "use", target: `${touch.source} ${touch.name}` };
      case "unknown":
        return { action: "unknown", target: `${touch.permissions.join(",")} ${stableJson(input)}` };
      default:
        return { action: touch.action, target: touch.target };
    }
  });
}

/** Whether every touch of the call has its own standing yes. */
export function isGranted(ready: Pick<Ready, "touches" | "input">, grants: readonly Grant[]): boolean {
  const targets = grantTargets(ready);
  return (
    targets.length > 0 &&
    targets.every(({ action, target }) => grants.some((each) => each.action === action && each.target === target))
  );
}
