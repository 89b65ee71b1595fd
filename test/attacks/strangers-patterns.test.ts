import { describe, expect, test, vi } from "vitest";
import { open } from "../../src/index.ts";
import { folder } from "../journeys/harness.ts";

const quoted = (patterns: readonly string[]): string => `commands: { blocked_patterns: ${JSON.stringify(patterns)} }\n`;

/** A gate on a clone whose own file nobody trusted. */
async function clone(patterns: readonly string[]) {
  vi.stubEnv("XDG_CONFIG_HOME", folder());
  const workspace = folder({ "toolgate.yaml": quoted(patterns) });
  const gate = await open({ workspace, store: "memory", mode: "yolo" });
  const verdict = async (command: string) => {
    const { verdict, reason } = await gate.explain({ name: "run_command", args: { command } });
    return { verdict, reason };
  };
  return { gate, verdict };
}

describe("blocked_patterns of a file that nobody trusted", () => {
  test("count at once, without regard to case, and nothing is said to be ignored", async () => {
    const { gate, verdict } = await clone(["git\\s+push", "^deploy\\b"]);
    expect(gate.notes).toEqual([]);
    expect(await verdict("GIT  push origin")).toEqual({
      verdict: "deny",
      reason: "it matches commands.blocked_patterns (git\\s+push)",
    });
    expect((await verdict("deploy now")).verdict).toBe("deny");
    expect((await verdict("ls deploy")).verdict).toBe("allow");
    await gate.close();
  });

  const line = `echo ${"a".repeat(30_000)}`;
  test.each([
    ["(a+)+$!"],
    ["(a|aa)+b$"],
    ["(a*)*b"],
    ["a*a*a*a*a*a*a*b"],
    ["(?=(a+)+!)a"],
    ["(a+)\\1+\\1+b"],
    ["([a-z]+)*!"],
    ["(.*)*[^\\s\\S]"],
  ])(
    "%s cannot hang the gate: what cannot be tried in a moment is refused",
    async (pattern) => {
      const { gate, verdict } = await clone(Array.from({ length: 50 }, () => pattern));
      const { verdict: answer, reason } = await verdict(line);
      expect(answer).toBe("deny");
      expect(reason).toContain("commands.blocked_patterns");
      expect((await verdict("ls")).verdict, "a line that takes no time is tried").toBe("allow");
      await gate.close();
    },
    20_000,
  );

  test.each([["(?:(?:a{0,999}){0,999}){0,999}b"], ["[^\\0]".repeat(20_000)]])(
    "nor can one that is too large to be made",
    async (pattern) => {
      const { gate, verdict } = await clone([pattern]);
      expect(["allow", "deny"]).toContain((await verdict(line)).verdict);
      await gate.close();
    },
    20_000,
  );
});
