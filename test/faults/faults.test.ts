import { describe, expect, test } from "vitest";
import { atEveryAwait, type Fault, type Mode } from "./attack.ts";
import { scenarioOf, scenarios } from "./scenarios.ts";
import { swaps } from "./world.ts";

const broken = (code: string): Error => Object.assign(new Error(`${code}: it broke`), { code });

const fail = (port: string, when: "before" | "after", code: string): Fault => ({
  name: `${port} fails ${when} it did its work (${code})`,
  fits: (moment) => moment.port === port && moment.when === when,
  act: () => {
    throw broken(code);
  },
});

const abort: Fault = { name: "abort", act: (_, stop) => stop.abort() };
const failures = [
  fail("store", "before", "EIO"),
  fail("store", "after", "EIO"),
  fail("files", "before", "ENOSPC"),
  fail("files", "after", "EIO"),
];
const swapped = swaps.map((swap): Fault => ({ name: swap.name, swap, act: (world) => swap.make(world) }));

const asked = ["write_file over a file", "a tool that writes while it runs", "callAll of several"].map(scenarioOf);

const cases: [string, Mode, Fault][] = [
  ...scenarios.map((scenario) => ({ scenario, mode: "yolo" as Mode })),
  ...asked.map((scenario) => ({ scenario, mode: "confirm-sensitive" as Mode })),
].flatMap(({ scenario, mode }) =>
  [abort, ...failures, ...swapped].map((fault): [string, Mode, Fault] => [scenario.name, mode, fault]),
);

describe("whatever goes wrong, at every await of the journey", () => {
  test.each(cases)("%s, %s, $2.name", async (name, mode, fault) => {
    const covered = await atEveryAwait(scenarioOf(name), mode, fault);
    expect(covered.length).toBeGreaterThan(2);
  });
});
