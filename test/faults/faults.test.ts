import { describe, expect, test } from "vitest";
import { atEveryAwait, type Fault } from "./attack.ts";
import type { Moment } from "./ports.ts";
import { asked, scenarios } from "./scenarios.ts";

/** Where a lost answer leaves something behind; anywhere else it is the same as no answer. */
const WRITING = ["lock", "unlock", "intend", "conclude", "ask", "answer", "commit"];

const fail = (port: Moment["port"], when: Moment["when"], code: string): Fault => ({
  name: `${port} fails ${when} it did its work (${code})`,
  fits: (moment) =>
    moment.port === port && moment.when === when && (when === "before" || WRITING.includes(moment.method)),
  act: () => {
    throw Object.assign(new Error(`${code}: it broke`), { code });
  },
});

const faults: readonly [Fault, fewest: number][] = [
  [{ name: "abort", act: (_, stop) => stop.abort() }, 10],
  [fail("store", "before", "EIO"), 3],
  [fail("store", "after", "EIO"), 3],
  [fail("files", "before", "ENOSPC"), 5],
  [fail("files", "after", "EIO"), 1],
];

describe.each(faults)("$0.name, at every await of the journey", (fault, fewest) => {
  test.each(scenarios)("$name", async (scenario) => {
    expect((await atEveryAwait(scenario, "yolo", fault)).length).toBeGreaterThanOrEqual(fewest);
  });

  test.each(asked)("$name, with a person who is asked", async (scenario) => {
    expect((await atEveryAwait(scenario, "confirm-sensitive", fault)).length).toBeGreaterThanOrEqual(fewest);
  });
});
