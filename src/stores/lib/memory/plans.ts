import type { Hash } from "../../../core/contracts/store/changes.ts";
import { OPEN_PLANS, type PlannedCall, type PlanQuery, type Plans } from "../../../core/contracts/store/plans.ts";
import { duplicateFailure } from "../failure.ts";
import { copy } from "../json.ts";
import { movedPlan } from "../moved-plan.ts";
import type { Using } from "../usage.ts";
import type { MemoryContents } from "./contents.ts";

const meets = (call: PlannedCall, { id, session, workspace, states, after = 0 }: PlanQuery): boolean =>
  (call.seq ?? 0) > after &&
  (id === undefined || call.id === id) &&
  (session === undefined || call.session === session) &&
  (workspace === undefined || call.workspace === workspace) &&
  (states === undefined || states.includes(call.state));

/** `needed` returns the contents of calls that may still be run. */
export function memoryPlans(using: Using, contents: MemoryContents): Plans & { needed(): Hash[] } {
  const plans = new Map<string, { call: PlannedCall; hashes: readonly Hash[] }>();
  return {
    plan: (call, added) =>
      using(() => {
        if (plans.has(call.id)) throw duplicateFailure("a planned call", call.id);
        for (const [hash, bytes] of added) contents.keep(hash, bytes.slice(), call.at);
        plans.set(call.id, { call: { ...copy(call), seq: plans.size + 1 }, hashes: [...added.keys()] });
      }),
    planned: (query) =>
      using(() => [...plans.values()].filter(({ call }) => meets(call, query)).map(({ call }) => copy(call))),
    planMark: (workspace) =>
      using(() => {
        const rows = [...plans.values()].filter(({ call }) => call.workspace === workspace);
        const open = rows.filter(({ call }) => OPEN_PLANS.includes(call.state)).length;
        return { last: rows.at(-1)?.call.seq ?? 0, open };
      }),
    plannedContent: (hash) => using(() => contents.read(hash)),
    movePlan: (ids, from, to, learnt) =>
      using(() =>
        ids.filter((id) => {
          const plan = plans.get(id);
          if (!plan || !from.includes(plan.call.state)) return false;
          plan.call = copy(movedPlan(plan.call, to, learnt));
          return true;
        }),
      ),
    needed: () => [...plans.values()].flatMap(({ call, hashes }) => (OPEN_PLANS.includes(call.state) ? hashes : [])),
  };
}
