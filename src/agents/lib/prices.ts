import type { Price } from "../../core/words/model-spending.ts";
import type { Model, Usage } from "./model.ts";

/** Adds a cost to the model's turns, if its price is known and it reports none itself. */
export function priced(model: Model, prices: readonly Price[]): Model {
  const price = priceOf(model.name, prices);
  if (!price) return model;
  return {
    name: model.name,
    async turn(request) {
      const turn = await model.turn(request);
      return turn.usage && turn.usage.cost === undefined
        ? { ...turn, usage: { ...turn.usage, cost: costOf(turn.usage, price) } }
        : turn;
    },
  };
}

const MILLION = 1_000_000;
const costOf = ({ input, output }: Usage, price: Price): number =>
  (input * price.input + output * price.output) / MILLION;

/** The longest matching name wins; of two equal ones, the more expensive. */
function priceOf(model: string, prices: readonly Price[]): Price | undefined {
  const names = [model, model.slice(model.indexOf("/") + 1)];
  const fitting = prices.filter((price) => names.some((name) => fits(name, price.model)));
  return fitting.sort((a, b) => b.model.length - a.model.length || b.input + b.output - (a.input + a.output))[0];
}

const fits = (name: string, pattern: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
