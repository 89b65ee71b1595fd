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
