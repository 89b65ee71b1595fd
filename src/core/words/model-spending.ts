import type { Limits } from "./ceiling.ts";
import type { Reserve } from "./verdict.ts";

/** What calling the model took, in tokens and in the currency of the limit. */
export type Spending = { readonly tokens?: number; readonly cost?: number };

/** Prices of a million tokens. A name that ends in a star means all models that begin like that. */
export type Price = { readonly model: string; readonly input: number; readonly output: number };

/** The name under which budgets are reserved. */
export const BUDGET = "budget";

/** The name under which a session's own spending is counted, without the sessions below it. */
export const SPENT = "spent";
/** Stands for all sessions together. */
export const EVERY_SESSION = "*";

/** The amounts counted so far, in the units of `spend`. With `by` BUDGET they include the sessions below. */
export async function spentBy(
  session: string,
  reserved: (key: string) => Promise<number>,
  by: typeof SPENT | typeof BUDGET = SPENT,
): Promise<Required<Spending>> {
  const of = async (key: Kind): Promise<number> => (await reserved(`${session} ${by} ${key}`)) / WHOLE[key];
  return { tokens: await of("tokens"), cost: await of("cost") };
}

/** Amounts are counted as integers, so that sums are exact: currencies in millionths. */
const WHOLE = { tokens: 1, cost: 1_000_000 } as const;
type Kind = keyof typeof WHOLE;

/** The amounts to count against a session. */
export const amountsOf = ({ tokens = 0, cost = 0 }: Spending): Pick<Reserve, "key" | "amount">[] =>
  ([["tokens", tokens] as const, ["cost", cost] as const] satisfies [Kind, number][])
    .filter(([, amount]) => amount > 0)
    .map(([key, amount]) => ({ key, amount: Math.ceil(amount * WHOLE[key]) }));

/** Takes nothing, but requires that something is left. */
export function leftOf({ maxTokens, maxCost }: Limits): Reserve[] {
  const left = (key: Kind, limit: number, full: string): Reserve => ({
    ...{ key, amount: 0, full },
    limit: Math.max(0, limit * WHOLE[key] - 0.5),
  });
  return [
    ...(isSet(maxTokens) ? [left("tokens", maxTokens, `all ${maxTokens} tokens of this session are used up`)] : []),
    ...(isSet(maxCost) ? [left("cost", maxCost, `the cost of this session has reached ${maxCost}`)] : []),
  ];
}

/** An absent or infinite limit is no limit. */
export const isSet = (limit: number | undefined): limit is number => Number.isFinite(limit);
