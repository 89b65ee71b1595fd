import { amountsOf, BUDGET, EVERY_SESSION, leftOf, SPENT, type Spending } from "../words/model-spending.ts";
import { fire, wants } from "./firing.ts";
import type { Station } from "./journey-parts.ts";
import { countAnyway, takeOf } from "./reserving.ts";

/** `usedUp`: the budget that is used up now. `context`: what hooks tell the model about one that is nearly so. */
export type Spent = { usedUp?: string; context?: readonly string[] };

/** Hooks are warned when this part of a budget is used. */
const WARNED_AT = 0.8;

/** Counts what calling the model took, on this session and all above it. Returns the budget that is used up, if any. */
export async function spend(station: Station, spending: Spending): Promise<Spent> {
  for (const [what, amount] of Object.entries(spending))
    if (amount !== undefined && !(Number.isFinite(amount) && amount >= 0))
      throw new TypeError(`${what}: got ${amount}; accepted: a number from 0.`);
  const wanted = amountsOf(spending).map((each) => ({ ...each, by: BUDGET, limit: Number.POSITIVE_INFINITY }));
  const watched = wants(station, "budget_warning");
  const before = watched ? await nearlyUsed(station) : [];
  await countAnyway(station.parts.store, wanted, () => station.sessions);
  // counted a second time, because totals that include the sessions below cannot be added up
  await countAnyway(
    station.parts.store,
    wanted.map((each) => ({ ...each, by: SPENT })),
    () => [...station.sessions.slice(0, 1), EVERY_SESSION],
  );
  const usedUp = await usedUpNow(station);
  const warned = watched
    ? (await nearlyUsed(station)).filter(({ key }) => !before.some((each) => each.key === key))
    : [];
  const context: string[] = [];
  for (const { key: _, ...details } of warned)
    context.push(...(await fire(station, "budget_warning", details)).context);
  return { ...(usedUp !== undefined && { usedUp }), ...(context.length > 0 && { context }) };
}

async function usedUpNow({ parts, facts }: Station): Promise<string | undefined> {
  const left = facts.budgets.flatMap(({ session, limits }) =>
    leftOf(limits).map((each) => ({ each, take: takeOf({ ...each, by: BUDGET }, session) })),
  );
  if (left.length === 0) return undefined;
  const answer = await parts.store.reserve(left.map(({ take }) => take));
  return "token" in answer ? undefined : left.find(({ take }) => take.key === answer.full.key)?.each.full;
}

/** Budgets that are past the warning. */
async function nearlyUsed({ parts, facts }: Station) {
  const found: { key: string; budget: string; limit: number; part: number }[] = [];
  for (const { session, limits } of facts.budgets)
    for (const budget of ["maxTokens", "maxCost"] as const) {
      const limit = Number(limits[budget]);
      const [most] = leftOf({ [budget]: limit * WARNED_AT });
      if (!most) continue;
      const take = takeOf({ ...most, by: BUDGET }, session);
      const answer = await parts.store.reserve([take]);
      if ("full" in answer) found.push({ key: take.key, budget: most.key, limit, part: WARNED_AT });
    }
  return found;
}
