import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench } from "./harness.ts";

describe("what a command's result tells", () => {
  test.each([
    ["grep absent a.txt", "nothing matches"],
    ["cat a.txt | grep absent", "nothing matches"],
    ["test -f missing", "it is false"],
    ["diff a.txt b.txt", "they differ"],
  ])("%s: exit code 1 is an answer", async (command, says) => {
    const { call } = await bench({ "a.txt": "one\n", "b.txt": "two\n" });
    const result = await call("run_command", { command });
    expect(result).toMatchObject({ success: true, status: "done", metadata: { exitCode: 1 } });
    expect(result.output).toContain(`[Exit code 1: ${says}.]`);
  });

  test.each(["grep absent missing.txt", "grep absent a.txt; exit 1", "false", "diff a.txt missing.txt"])(
    "%s: is a failure all the same",
    async (command) => {
      const { call } = await bench({ "a.txt": "one\n" });
      expect(await call("run_command", { command })).toMatchObject({
        success: false,
        error: { code: "COMMAND_FAILED" },
      });
    },
  );

  test("an editor is not started, and the hint says what to use", async () => {
    const { call } = await bench({ "a.txt": "one\n" });
    const result = await call("run_command", { command: "vim a.txt" });
    expect(result).toMatchObject({ success: false, error: { code: "VALIDATION_ERROR" } });
    expect(result.error?.message).toBe("vim needs a terminal, and commands have none, so it was not run.");
  });

  const UNRESOLVED = "node -e 'console.error(\"curl: (6) Could not resolve host: x\"); process.exit(6)'";

  test("no network: the setting is named", needs("bubblewrap"), async () => {
    const { call } = await bench();
    const { output } = await call("run_command", { command: UNRESOLVED });
    expect(output).toContain("A person can allow it with commands.network: true in toolgate.yaml.");
    expect((await call("run_command", { command: "node -e 'process.exit(6)'" })).output).not.toContain("network");
  });

  test("where there is a network, that is not the cause", async () => {
    const { call } = await bench({}, { config: { commands: { network: true } } });
    expect((await call("run_command", { command: UNRESOLVED })).output).not.toContain("commands.network");
  });

  const WANTING: [command: string, hint: "outside" | "loopback"][] = [
    ["git clone -q https://example.com/x.git made || true", "outside"],
    ["git clone https://example.com/x.git made 2>&1 | tail -1", "outside"],
    ["npm install left-pad", "outside"],
    ["npm install left-pad > /dev/null 2>&1 || npm install left-pad 2>&1 | tail -20", "outside"],
    ["python3 -c 'import socket; socket.create_connection((\"example.com\", 80))' 2>&1 | tail -1; touch a", "outside"],
    ['node -e \'require("net").connect(9, "127.0.0.1")\'', "loopback"],
  ];
  test("no network: real programs, also where their end is hidden", {
    ...needs("bubblewrap"),
    ...needs("git"),
  }, async () => {
    const { call } = await bench({ "package.json": '{"name":"x","version":"1.0.0"}' });
    for (const [command, hint] of WANTING) {
      const { output, status } = await call("run_command", { command, timeout: 20 });
      const says = hint === "outside" ? "[Commands have no network here." : "[Commands reach only servers";
      expect([command, status === "timed-out", output]).toEqual([command, false, expect.stringContaining(says)]);
      expect(output).toContain("commands.network: true");
    }
  });

  test("what holds a command is told before it runs", needs("bubblewrap"), async () => {
    const { gate } = await bench({ "a.sh": "true\n" });
    const held = async (command: string) =>
      (await gate.explain({ name: "run_command", args: { command } })).enforcement;
    expect(await held("bash a.sh")).toMatchObject({ sandbox: "bubblewrap", network: "none" });
    expect(await held("bash a.sh")).not.toHaveProperty("workspace");
    expect(await held("ls")).toMatchObject({ sandbox: "bubblewrap", network: "none", workspace: "read-only" });
    const { gate: loose } = await bench({}, { sandbox: "off" });
    expect((await loose.explain({ name: "run_command", args: { command: "bash a.sh" } })).enforcement).toMatchObject({
      sandbox: "none",
    });
  });
});
