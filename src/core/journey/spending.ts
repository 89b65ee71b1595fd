import { amountsOf, BUDGET, leftOf, type Spending } from "../words/spending.ts";
import type { Station } from "./parts.ts";
import { countAnyway, takeOf } from "./reserving.ts";

/** Counts what calling the model took, on this session and all above it; says which budget is used up now, if one is. */
export async function spend({ parts, facts, sessions }: Station, spending: Spending): Promise<string | undefined> {
  for (const [what, amount] of Object.entries(spending))
    if (amount !== undefined && !(Number.isFinite(amount) && amount >= 0))
      throw new TypeError(`${what}: got ${amount}; accepted: a number from 0.`);
  const wanted = amountsOf(spending).map((each) => ({ ...each, by: BUDGET, limit: Number.POSITIVE_INFINITY }));
  await countAnyway(parts.store, wanted, () => sessions);
  const left = facts.budgets.flatMap(({ session, limits }) =>
    leftOf(limits).map((each) => ({ each, take: takeOf({ ...each, by: BUDGET }, session) })),
  );
  if (left.length === 0) return undefined;
  const answer = await parts.store.reserve(left.map(({ take }) => take));
  return "token" in answer ? undefined : left.find(({ take }) => take.key === answer.full.key)?.each.full;
}
