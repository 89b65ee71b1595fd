import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { workspace } from "./cli.ts";

const line = (turn: object): string => `${JSON.stringify(turn)}\n`;
const WRITE = { name: "write_file", args: { path: "n", content: "x" } };
const MODEL = ["--model", "script:s.jsonl"];

describe("a run that a person stops at a question", needs("a terminal"), () => {
  const SPAWN = { name: "spawn_agent", args: { agent: "build", task: "kid" } };
  test.each<[who: string, script: string]>([
    ["the agent", line({ calls: [WRITE] }) + line({ text: "Gone on." })],
    ["a subagent", line({ calls: [SPAWN] }) + line({ task: "kid", calls: [WRITE] }) + line({ text: "Gone on." })],
  ])("that %s asked ends with 130, and the next task does not begin", async (_, script) => {
    const it = await workspace({ "s.jsonl": script });
    const args = ["run", "go", ...MODEL, "--mode", "confirm-sensitive"];
    const { out, status } = await it.terminal(args, [["abort", "a"]]);
    expect([status, it.has("n")]).toEqual([130, false]);
    expect(out).toContain("Not finished: a person stopped it");
    expect(out).not.toContain("Gone on.");
  });
});

test("a hook that stops the agent ends the run, and the document says so", async () => {
  const hooks = { pre_tool_use: [{ name: "h", command: `echo '{"continue":false,"stopReason":"enough"}'` }] };
  const it = await workspace({ "c.json": JSON.stringify({ hooks }), "s.jsonl": line({ calls: [WRITE] }) });
  const { out, status } = await it.run(["run", "go", ...MODEL, "--mode", "yolo", "--config", "c.json", "--json"]);
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ finished: false, stopped: "enough", stoppedBy: "hook h", turns: 1 });
});

describe("whether commands run in a run is said by", () => {
  const touch = line({ calls: [{ name: "run_command", args: { command: "touch made" } }] }) + line({ text: "Done." });
  test.each<[options: string[], enabled: boolean, runs: boolean]>([
    [[], true, true],
    [["--no-commands"], true, false],
    [[], false, false],
    [["--allow-commands"], false, true],
    [["--allow-commands", "--no-commands"], true, false],
  ])("%j where the configuration says %s", async (options, enabled, runs) => {
    const it = await workspace({ "c.json": JSON.stringify({ commands: { enabled } }), "s.jsonl": touch });
    const { status } = await it.run(["run", "go", ...MODEL, "--mode", "yolo", "--config", "c.json", ...options]);
    expect([status, it.has("made")]).toEqual([0, runs]);
  });
});

describe("a run that only plans", () => {
  const RUN = { name: "run_command", args: { command: "touch q; export API_TOKEN=x9-k2-77aa" } };
  const SCRIPT = line({ calls: [WRITE] }) + line({ calls: [RUN] }) + line({ text: "Done." });
  const args = ["run", "go", ...MODEL, "--mode", "yolo"];

  test.each([
    ["--dry-run", "Dry run", "planned in a dry run"],
    ["--plan", "Planned", "planned"],
  ])("%s ends with what it would do, without secrets", async (option, what, how) => {
    const it = await workspace({ "s.jsonl": SCRIPT });
    const { out, status } = await it.run([...args, option]);
    const shown = "touch q; export API_TOKEN=[redacted token]";
    expect([status, it.has("n"), it.has("q")]).toEqual([0, false, false]);
    expect(out).toBe(
      [
        `· write_file ${what}: write_file(n)`,
        `· run_command ${what}: run_command(${shown})`,
        "Done.",
        "Planned, not run:",
        `   1  write_file  n  (${how})`,
        `   2  run_command  ${shown}  (${how})`,
        "To see the diff, approve, drop or run it: toolgate plan",
        "",
      ].join("\n"),
    );
    const { plan } = JSON.parse((await it.run([...args, option, "--json"])).out);
    expect(plan, "only what this run planned").toMatchObject([
      { tool: "write_file", target: "n", status: "planned", args: WRITE.args },
      { tool: "run_command", target: shown, status: "planned" },
    ]);
  });

  test("says that nothing was planned; a real run says nothing of plans", async () => {
    const it = await workspace({ "s.jsonl": line({ text: "Done." }) });
    expect((await it.run([...args, "--dry-run"])).out).toBe("Done.\nNothing was planned.\n");
    expect((await it.run(args)).out).toBe("Done.\n");
    expect(JSON.parse((await it.run([...args, "--json"])).out)).not.toHaveProperty("plan");
  });
});
