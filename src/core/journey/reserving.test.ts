import { describe, expect, test } from "vitest";
import type { Reservations, Take } from "../contracts/store/reservations.ts";
import type { Ending } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import { countAnyway, reserve, sessionsOf } from "./reserving.ts";
import type { Trip } from "./trip.ts";

type Wanted = NonNullable<Judgement["reserve"]>[number];
const wanted = (more: Partial<Wanted> = {}): Wanted => ({ by: "budget", key: "calls", limit: 2, ...more }) as Wanted;

function counting(answer: Awaited<ReturnType<Reservations["reserve"]>> = { token: "t" }) {
  const taken: Take[] = [];
  const given: string[] = [];
  const store = {
    async reserve(takes: Take[]) {
      taken.push(...takes);
      return answer;
    },
    async giveBack(token: string) {
      given.push(token);
    },
  } as unknown as Reservations;
  const trip = (sessionID: string) =>
    ({
      station: { parts: { store }, sessions: ["child", "parent"] },
      known: { call: { sessionID } },
    }) as unknown as Trip;
  return { store, taken, given, trip };
}

describe("what a call counts against", () => {
  test("its session, all above, and the one in whose name it is made, each once", () => {
    const { trip } = counting();
    expect(sessionsOf(trip("child"), wanted())).toEqual(["child", "parent"]);
    expect(sessionsOf(trip("other"), wanted())).toEqual(["child", "parent", "other"]);
    expect(sessionsOf(trip("other"), wanted({ session: "only" }))).toEqual(["only"]);
  });

  test("is taken by session, policy and key, and given back by its token", async () => {
    const { trip, taken, given } = counting();
    const verdict = {
      reserve: [wanted({ window: 60, once: "/ws/a" }), wanted({ by: "rate", amount: 3 })],
    } as unknown as Judgement;
    const back = await reserve(trip("child"), verdict);
    expect(taken).toEqual([
      { key: "child budget calls", limit: 2, amount: 1, window: 60, once: "/ws/a" },
      { key: "parent budget calls", limit: 2, amount: 1, window: 60, once: "/ws/a" },
      { key: "child rate calls", limit: 2, amount: 3 },
      { key: "parent rate calls", limit: 2, amount: 3 },
    ]);
    await back?.();
    expect(given).toEqual(["t"]);
    expect(await reserve(trip("child"), {} as unknown as Judgement)).toBeUndefined();
  });

  test("is told where it is used up, with the limit that is", async () => {
    const { trip } = counting({ full: { key: "parent rate calls" }, freeIn: 1_500 } as never);
    const verdict = { reserve: [wanted(), wanted({ by: "rate" })] } as unknown as Judgement;
    await expect(reserve(trip("child"), verdict)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "Refused by rate: all 2 of calls are used up.",
      hint: "Try again in 2 s, or have a person raise the rate in the configuration.",
      metadata: { by: "rate", retryAfterMs: 1_500 },
    });
    const ever = counting({ full: { key: "child budget calls" } } as never);
    const error = await reserve(ever.trip("child"), verdict).catch((each: unknown) => each);
    expect(error).toMatchObject({
      message: "Refused by budget: all 2 of calls are used up.",
      hint: "A person can raise the budget in the configuration.",
    });
    expect((error as Ending).metadata).toStrictEqual({ by: "budget" });
  });

  test("whatever has happened is counted, though no limit allows it", async () => {
    const { store, taken } = counting();
    await countAnyway(store, [wanted({ amount: 9 })], () => ["a", "b"]);
    expect(taken).toEqual([
      { key: "a budget calls", limit: Number.POSITIVE_INFINITY, amount: 9 },
      { key: "b budget calls", limit: Number.POSITIVE_INFINITY, amount: 9 },
    ]);
    await countAnyway(store, [], () => ["a"]);
    expect(taken).toHaveLength(2);
  });
});
