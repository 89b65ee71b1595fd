import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { BRACKETS_THAT_LOOK, PLAIN_SUBSCRIPTS, SUBSCRIPTS } from "./cases/subscripts.ts";

const inside = (way: string, command: string): string => way.replaceAll("@", () => command);

const programs = (line: string): (string | undefined)[] => analyse(line).segments.map(({ program }) => program);

describe("what a subscript runs is judged as a command of the line", () => {
  test.each(SUBSCRIPTS)("%s", (way) => {
    expect(analyse(inside(way, "rm -rf /")).class).toBe("blocked");
    const line = inside(way, "touch m");
    expect(["dangerous", programs(line)]).toEqual([analyse(line).class, expect.arrayContaining(["touch"])]);
  });
});

describe("brackets of everyday lines", () => {
  test.each(BRACKETS_THAT_LOOK)("only look: %s", (line) => expect(analyse(line).class).toBe("safe"));

  test.each(PLAIN_SUBSCRIPTS)("run nothing else: %s", (line) => {
    expect(analyse(line).class).toBe("dangerous");
    const own = [undefined, "declare", "unset", "echo", "let", "read", ":"];
    expect(programs(line).filter((program) => !own.includes(program))).toEqual([]);
  });
});
