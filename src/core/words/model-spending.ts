import type { Limits } from "./ceiling.ts";
import type { Reserve } from "./verdict.ts";

/** What calling the model took, in tokens and in whatever currency the limit is meant in. */
export type Spending = { readonly tokens?: number; readonly cost?: number };

/** What a million tokens cost; a name that ends with a star is for all models that begin so. */
export type Price = { readonly model: string; readonly input: number; readonly output: number };

/** Whose limits these are. */
export const BUDGET = "budget";

/** What the model of one session took, without those below it. */
export const SPENT = "spent";
/** The account of all sessions together. */
export const EVERY_SESSION = "*";

/** What has been counted of it, as it was given to `spend`; `by` BUDGET: together with the sessions below it. */
export async function spentBy(
  session: string,
  reserved: (key: string) => Promise<number>,
  by: typeof SPENT | typeof BUDGET = SPENT,
): Promise<Required<Spending>> {
  const of = async (key: Kind): Promise<number> => (await reserved(`${session} ${by} ${key}`)) / WHOLE[key];
  return { tokens: await of("tokens"), cost: await of("cost") };
}

/** Amounts are counted in whole numbers, so that sums are exact: of a currency, in millionths. */
const WHOLE = { tokens: 1, cost: 1_000_000 } as const;
type Kind = keyof typeof WHOLE;

/** What counts against a session. */
export const amountsOf = ({ tokens = 0, cost = 0 }: Spending): Pick<Reserve, "key" | "amount">[] =>
  ([["tokens", tokens] as const, ["cost", cost] as const] satisfies [Kind, number][])
    .filter(([, amount]) => amount > 0)
    .map(([key, amount]) => ({ key, amount: Math.ceil(amount * WHOLE[key]) }));

/** Takes nothing, but there must be some left. */
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

/** A limit that is absent or infinite is none. */
export const isSet = (limit: number | undefined): limit is number => Number.isFinite(limit);
