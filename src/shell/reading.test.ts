import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { FRICTION } from "./cases/friction.ts";
import { FRICTION_INSPECTING } from "./cases/friction-inspecting.ts";
import { FRICTION_PROGRAMS } from "./cases/friction-programs.ts";
import { FRICTION_WORDS } from "./cases/friction-words.ts";
import { READINGS } from "./cases/reading.ts";

const TABLES = { ...READINGS, ...FRICTION, ...FRICTION_WORDS, ...FRICTION_PROGRAMS, ...FRICTION_INSPECTING };

describe.each(Object.entries(TABLES))("%s", (_, { not, safe, blocked = [] }) => {
  test.each(safe)("proven: %s", (line) => expect(analyse(line)).toMatchObject({ class: "safe" }));
  if (not.length > 0) test.each(not)("not proven: %s", (line) => expect(analyse(line).class).not.toBe("safe"));
  if (blocked.length > 0) test.each(blocked)("blocked: %s", (line) => expect(analyse(line).class).toBe("blocked"));
});

describe("what is written is told, too", () => {
  test.each([
    ["env time -o x ls", "x"],
    ["flock lock ls", "lock"],
    ["strace -o trace ls", "trace"],
    ["git log -U --output=x", "x"],
    ["git log -S --output=x", "x"],
    ["parallel --joblog=x ls ::: a", "x"],
  ])("%s writes %s", (line, target) =>
    expect(analyse(line).touches).toContainEqual(expect.objectContaining({ action: "write", target })),
  );
});
