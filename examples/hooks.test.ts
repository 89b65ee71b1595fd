import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mayCallModel, openCarefully } from "./hooks.ts";

test("hooks of a program hear of calls, of the session and of the model's calls", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "toolgate-hooks-"));
  let clean = true;
  const gate = await openCarefully(workspace, async () => clean);
  onTestFinished(async () => {
    await gate.close();
    rmSync(workspace, { recursive: true, force: true });
  });
  const run = () => gate.call({ name: "run_command", args: { command: "true" } });
  expect((await run()).output).toContain("[careful] This is a copy: break what you like.");
  clean = false;
  expect((await run()).error?.message).toContain("there are changes that nobody has committed");
  expect([await mayCallModel(gate, 1), await mayCallModel(gate, 51)]).toEqual([
    "",
    "Stopped by hook careful: 50 steps are enough.",
  ]);
});
