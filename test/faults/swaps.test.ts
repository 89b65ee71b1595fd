import { describe, expect, test } from "vitest";
import { atEveryAwait, type Fault } from "./attack.ts";
import { asked, type Scenario, scenarios } from "./scenarios.ts";
import { swaps } from "./world.ts";

const faults = swaps.map((swap): Fault => ({ name: swap.name, swap, act: (world) => swap.make(world) }));

/** Those of very many awaits meet only the swaps that leave something in the way. */
const isLong = ({ name }: Scenario): boolean => /undo_turn|callAll/.test(name);
const scenariosOf = ({ swap }: Fault): Scenario[] =>
  scenarios.filter((scenario) => !isLong(scenario) || swap?.leaves !== null);

describe.each(faults)("the file becomes $name, at every await of the journey", (fault) => {
  test.each(scenariosOf(fault))("$name", async (scenario) => {
    expect((await atEveryAwait(scenario, "yolo", fault)).length).toBeGreaterThanOrEqual(10);
  });

  test.each(asked.slice(0, 2))("$name, with a person who is asked", async (scenario) => {
    const covered = await atEveryAwait(scenario, "confirm-sensitive", fault);
    expect(covered.length).toBeGreaterThanOrEqual(15);
    expect(covered).toContain("before person.approve");
  });
});
