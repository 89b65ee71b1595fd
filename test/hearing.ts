import type { Hook, HookAnswer, Moment } from "../src/core/contracts/hook.ts";
import { GateFacts, Session } from "../src/core/journey/facts.ts";
import type { Parts, Station } from "../src/core/journey/journey-parts.ts";
import type { Ceiling, Limits } from "../src/core/words/ceiling.ts";
import { tripIn } from "./tripping.ts";

export type Given = {
  hooks?: Hook[];
  ceiling?: Partial<Ceiling>;
  budgets?: { session: string; limits: Limits }[];
  parts?: Partial<Parts>;
  station?: Partial<Station>;
};

/** A gate with these hooks, in memory. */
export function stationWith({ hooks = [], ceiling = {}, budgets = [], parts = {}, station = {} }: Given = {}): Station {
  const facts = new GateFacts({ mode: "yolo", ...ceiling }, new Session("session"), budgets);
  return tripIn({ parts: { hooks, ...parts }, station: { facts, ...station } }).station;
}

/** A hook for one moment, and what it heard. */
export function ear(
  event: keyof NonNullable<Hook["on"]>,
  answer: HookAnswer | undefined = undefined,
  more: Partial<Hook> = {},
) {
  const heard: Moment[] = [];
  const on = {
    [event]: (moment: Moment) => {
      heard.push(moment);
      return answer;
    },
  };
  return { heard, hook: { name: "ear", on, ...more } satisfies Hook };
}
