import type { Hook, HookAnswer, Moment } from "../src/core/contracts/hook.ts";
import { GateFacts, Session } from "../src/core/journey/facts.ts";
import type { Parts, Station } from "../src/core/journey/journey-parts.ts";
import type { Prepared } from "../src/core/journey/stages.ts";
import { lookOnly, type Trip } from "../src/core/journey/trip.ts";
import type { Call } from "../src/core/words/call.ts";
import type { Ceiling, Limits } from "../src/core/words/ceiling.ts";
import type { Ready } from "../src/core/words/ready.ts";
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

const call: Call = {
  ...{ id: "c1", name: "alias", args: { a: 1 }, sessionID: "s", messageID: "m", agent: "main" },
} as Call;
/** A call that was read, of a tool with another name than it was called by. */
export const readyOf = (more: object = {}): Ready =>
  ({
    call,
    tool: { name: "thing", definition: {} },
    input: { a: 1, b: 2 },
    touches: [],
    changes: [],
    notes: [],
    danger: "safe",
    ...more,
  }) as unknown as Ready;
const verdict = { answer: "allow", by: "test", reason: "why not", grantable: ["x"] };
export const preparedOf = (ready = readyOf()): Prepared => ({ ready, verdict }) as unknown as Prepared;
export const tripWith = (hooks: Hook[], ceiling: Partial<Ceiling> = {}): Trip =>
  lookOnly(stationWith({ hooks, ceiling }), { name: "alias", args: { a: 1 } });
