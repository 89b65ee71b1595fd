import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { expect, test } from "vitest";
import { agentFiles, instructionsOf } from "../../src/sources/agent-files.ts";
import { bench, folder } from "../journeys/harness.ts";

const agent = (head: string): string => `---\ndescription: An agent.\n${head}\n---\nDo it.\n`;

const FILES = {
  "a.txt": "one\n",
  ".toolgate/agents/reader.md": agent("name: reader\ntools: [Read, grep]"),
  ".toolgate/agents/careful.md": agent("policy: [Finalize]"),
  ".claude/agents/free.md": agent("tools: '*'"),
  ".toolgate/agents/broken.md": agent("policy: [Everything]"),
};

test.each([
  ["reader", "Read", { path: "a.txt" }, "done"],
  ["reader", "grep", { pattern: "one" }, "done"],
  ["reader", "Write", { path: "b.txt", content: "x" }, /write_file is not among the tools of this agent/],
  ["reader", "run_command", { command: "true" }, /run_command is not among the tools of this agent/],
  ["careful", "write_file", { path: "b.txt", content: "x" }, /Patch is not among its gates/],
  ["careful", "read_file", { path: "a.txt" }, "done"],
  ["free", "write_file", { path: "b.txt", content: "x" }, "done"],
  ["broken", "read_file", { path: "a.txt" }, /read_file is not among the tools of this agent/],
  ["somebody", "write_file", { path: "b.txt", content: "x" }, "done"],
] as const)("a call in the name of %s: %s %o", async (name, tool, args, wanted) => {
  const it = await bench(FILES, { mode: "yolo" });
  const calls = [
    it.gate.call({ name: tool, args, agent: name }),
    it.gate.child({ agent: name }).call({ name: tool, args }),
  ];
  for (const result of await Promise.all(calls))
    if (wanted === "done") expect(result).toMatchObject({ status: "done" });
    else expect(result).toMatchObject({ status: "refused", error: { message: expect.stringMatching(wanted) } });
  const { verdict } = await it.gate.explain({ name: tool, args, agent: name });
  expect(verdict).toBe(wanted === "done" ? "allow" : "deny");
});

test("a file that nobody can understand is named when the gate opens", async () => {
  const { gate } = await bench(FILES, {});
  expect(gate.notes.join("\n")).toContain(".toolgate/agents/broken.md was left out: policy has Everything");
});

test("what leads out of the workspace, or never ends, makes no agent and no instructions", async () => {
  const dir = folder({ "own/AGENTS.md": "inside", "secret.txt": "outside", "ws/.claude/agents/a.md": agent("") });
  fs.symlinkSync("../secret.txt", `${dir}/ws/AGENTS.md`);
  fs.symlinkSync("/dev/zero", `${dir}/ws/.claude/agents/endless.md`);
  execFileSync("mkfifo", [`${dir}/ws/.claude/agents/fifo.md`]);
  expect(await instructionsOf(`${dir}/ws`)).toBeUndefined();
  expect(await instructionsOf(`${dir}/own`)).toBe("inside");
  const { definitions, broken } = await agentFiles(`${dir}/ws`);
  expect([definitions.map(({ name }) => name), broken.sort()]).toEqual([["a"], ["endless", "fifo"]]);
});
