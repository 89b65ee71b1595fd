import type { Policy } from "../core/contracts/policy.ts";
import type { Limits } from "../core/words/ceiling.ts";
import { BUDGET, isSet, leftOf } from "../core/words/model-spending.ts";
import { changesSomething } from "../core/words/touch.ts";
import type { Reserve } from "../core/words/verdict.ts";

const HOUR_MS = 3_600_000;
/** Limits what a session, and every session above it, may spend. */
export const budget: Policy = {
  name: BUDGET,
  judge({ touches }, { budgets }) {
    if (budgets.length === 0) return undefined;
    const changes = changesSomething(touches);
    const reserve = budgets.flatMap(({ session, limits }) =>
      wanted(limits, changes).map((each) => ({ ...each, session })),
    );
    return reserve.length > 0 ? { by: BUDGET, reserve } : undefined;
  },
};

function wanted(limits: Limits, changes: boolean): Reserve[] {
  const { maxCalls, maxChanges, maxActionsPerHour } = limits;
  const reserve: Reserve[] = [];
  if (isSet(maxCalls)) reserve.push({ key: "calls", limit: maxCalls, full: usedUp(maxCalls, "calls") });
  if (changes && isSet(maxChanges))
    reserve.push({ key: "changes", limit: maxChanges, full: usedUp(maxChanges, "changes") });
  if (changes && isSet(maxActionsPerHour))
    reserve.push({
      key: "actions",
      limit: maxActionsPerHour,
      window: HOUR_MS,
      full: `rate limit exceeded: the limit is ${maxActionsPerHour} per hour for calls that change something`,
    });
  return [...reserve, ...leftOf(limits)];
}

const usedUp = (limit: number, what: string): string =>
  limit === 0 ? `this session may make no ${what}` : `all ${limit} ${what} of this session are used up`;
