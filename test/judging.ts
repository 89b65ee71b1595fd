import type { Policy } from "../src/core/contracts/policy.ts";
import { GateFacts, Session } from "../src/core/journey/facts.ts";
import type { LoadedEntry } from "../src/core/registry.ts";
import type { Ceiling } from "../src/core/words/ceiling.ts";
import type { Ready } from "../src/core/words/ready.ts";
import type { Danger, Permission, Touch } from "../src/core/words/touch.ts";
import type { Verdict } from "../src/core/words/verdict.ts";

export type Given = { touches?: Touch[]; danger?: Danger; tool?: string; needs?: Permission[] | undefined };

export function ready({ touches = [], danger = "safe", tool = "thing", ...more }: Given): Ready {
  const needs = "needs" in more ? more.needs : [];
  const entry = { name: tool, permissions: needs && { required: needs } } as LoadedEntry;
  return { tool: entry, touches, danger, input: {}, changes: [], notes: [], call: {} as Ready["call"] };
}

/** What a policy knows of a session in which nothing has happened yet. */
export const factsUnder = (ceiling: Ceiling, budgets: GateFacts["budgets"] = []): GateFacts =>
  new GateFacts(ceiling, new Session("session"), budgets);

export const says = (policy: Policy, given: Given, ceiling: Partial<Ceiling> = {}): Verdict["answer"] | undefined =>
  policy.judge(ready(given), factsUnder({ mode: "yolo", ...ceiling }))?.answer;

export const at = (action: "read" | "list" | "write" | "delete", real: string, more: object = {}): Touch => {
  const full = real.startsWith("/") ? real : `/ws/${real}`;
  const place = { shown: real, real: full.replace(/\/\.?$/, ""), root: "/ws", exists: true };
  return { action, place, certain: true, ...more };
};
export const run = (...inner: Touch[]): Touch => ({ action: "run", command: "x", class: "dev", inner });
