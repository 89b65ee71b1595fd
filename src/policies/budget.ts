import type { Policy } from "../core/contracts/policy.ts";
import type { Limits } from "../core/words/ceiling.ts";
import { changesSomething } from "../core/words/touch.ts";
import type { Reserve } from "../core/words/verdict.ts";

const HOUR_MS = 3_600_000;

/** What a session may spend, and every session above it. */
export const budget: Policy = {
  name: "budget",
  judge({ touches }, { budgets }) {
    const changes = changesSomething(touches);
    const reserve = budgets.flatMap(({ session, limits }) =>
      wanted(limits, changes).map((each) => ({ ...each, session })),
    );
    return reserve.length > 0 ? { by: "budget", reserve } : undefined;
  },
};

function wanted({ maxCalls, maxChanges, maxActionsPerHour }: Limits, changes: boolean): Reserve[] {
  const reserve: Reserve[] = [];
  if (maxCalls !== undefined)
    reserve.push({ key: "calls", limit: maxCalls, full: `all ${maxCalls} calls of this session are used up` });
  if (changes && maxChanges !== undefined)
    reserve.push({ key: "changes", limit: maxChanges, full: `all ${maxChanges} changes of this session are used up` });
  if (changes && maxActionsPerHour !== undefined)
    reserve.push({
      key: "actions",
      limit: maxActionsPerHour,
      window: HOUR_MS,
      full: `all ${maxActionsPerHour} actions of this hour are used up`,
    });
  return reserve;
}
