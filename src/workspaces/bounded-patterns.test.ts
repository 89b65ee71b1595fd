import { afterEach, describe, expect, test, vi } from "vitest";
import { boundedPatterns } from "./bounded-patterns.ts";

afterEach(() => vi.restoreAllMocks());
const ENDLESS = "^(a+)+$";
const TEXT = `${"a".repeat(64)}!`;

describe("patterns of a stranger", () => {
  test.each<[patterns: string[], text: string, fit: unknown]>([
    [[], "git push", undefined],
    [["push"], "git push", { pattern: "push" }],
    [["fetch", "^GIT"], "git push", { pattern: "^GIT" }],
    [["fetch"], "git push", undefined],
    [["push", ENDLESS], "git push", { pattern: "push" }],
    [[ENDLESS], TEXT, "too long"],
    [["("], "git push", "too long"],
  ])("%j in %s", (patterns, text, fit) => expect(boundedPatterns(patterns)(text)).toEqual(fit));

  test("a busy machine is no reason to refuse, as long as it is busy for a moment only", () => {
    const usage = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 0, system: 0 }));
    expect(boundedPatterns([ENDLESS])(TEXT)).toBe("too long");
    // before each of five tries, and after each but the last
    expect(usage).toHaveBeenCalledTimes(9);
  });

  test("what is no pattern is not tried again, however busy the machine is", () => {
    const usage = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 0, system: 0 }));
    expect(boundedPatterns(["("])("git push")).toBe("too long");
    expect(usage).toHaveBeenCalledOnce();
  });

  test("what used its time is not tried again", () => {
    const usage = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 30_000, system: 20_000 }));
    expect(boundedPatterns([ENDLESS])(TEXT)).toBe("too long");
    expect(usage).toHaveBeenCalledTimes(2);
  });
});
