import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { HARMLESS, NEVER, THROUGH } from "./cases/through.ts";

const lineOf = (way: string, command: string): string =>
  way.replaceAll("#", `'${command}'`).replaceAll("@", command).replaceAll("%", command);

describe("what never runs does not run through anything either", () => {
  test("there are enough ways", () => expect(new Set(THROUGH).size).toBeGreaterThanOrEqual(180));
  test.each(THROUGH)("%s", (way) => {
    for (const command of NEVER) {
      const line = lineOf(way, command);
      expect([line, analyse(line).class]).toEqual([line, "blocked"]);
    }
    for (const command of HARMLESS) {
      const line = lineOf(way, command);
      expect([line, analyse(line).class]).not.toEqual([line, "blocked"]);
    }
  });
});
