import { existsSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Change, type OpenOptions, open, type Workspace } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder } from "./harness.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Where `touch made` can be tried out, and nothing else; `above` is what it was shown of the plan. */
function rehearsing(dir: string, above: (readonly Change[])[], whole: boolean): Workspace {
  const local = localWorkspace({ root: dir });
  return {
    ...local,
    rehearse: async ({ command }, shown = []) => {
      above.push(shown);
      if (!command.startsWith("touch made")) return undefined;
      return { changes: [{ place: await local.locate("made"), before: null, after: bytes("") }], whole };
    },
  };
}

async function planned(dir: string, workspace: Workspace, options: OpenOptions = {}) {
  const config = { loops: "off", rules: { deny: ["write(forbidden)"] } };
  const gate = await open({ workspace, mode: "yolo", dryRun: true, config, store: memoryStore(), ...options });
  onTestFinished(() => gate.close());
  const run = (command: string) => gate.call({ name: "run_command", args: { command } });
  return { gate, run, dir };
}

test("a command that was tried out is planned with what it changed, and later calls see that", async () => {
  const dir = folder();
  const above: (readonly Change[])[] = [];
  const store = memoryStore();
  const { gate, run } = await planned(dir, rehearsing(dir, above, true), { store });
  await gate.call({ name: "write_file", args: { path: "first", content: "1" } });
  const result = await run("touch made");
  expect(result).toMatchObject({ status: "planned", output: expect.stringContaining("New empty file made") });
  expect(above).toMatchObject([[{ place: { shown: "first" }, before: null }]]);
  const look = await gate.call({ name: "find_files", args: { pattern: "m*" } });
  expect(look.output).toContain("made");
  expect(look.output).not.toContain("Planned and not run");
  expect(existsSync(path.join(dir, "made"))).toBe(false);
  const { gate: running } = await bench({}, { dir, store });
  expect((await running.plans.show()).diff).toContain("b/made");
  expect((await running.plans.run()).map(({ call }) => call.state)).toEqual(["done", "done"]);
  expect(existsSync(path.join(dir, "made"))).toBe(true);
});

test("what was tried out only in part, or not at all, is not known", async () => {
  const dir = folder();
  const { gate, run } = await planned(dir, rehearsing(dir, [], false));
  await run("touch made");
  await run("touch other");
  const look = await gate.call({ name: "list_files", args: {} });
  expect(look.output).toContain("made");
  expect(look.output).toContain("[Planned and not run: touch made; touch other.");
});

test("what a command changed there is judged", async () => {
  const dir = folder();
  const local = localWorkspace({ root: dir });
  const workspace: Workspace = {
    ...local,
    rehearse: async () => ({
      changes: [{ place: await local.locate("x.ts"), before: null, after: bytes("eval(1)") }],
      whole: true,
    }),
  };
  const config = { guardrails: { code_rules: [{ pattern: "eval\\(", message: "no eval", severity: "block" }] } };
  const { run } = await planned(dir, workspace, { config });
  expect(await run("make x")).toMatchObject({
    status: "refused",
    error: { message: expect.stringContaining("no eval") },
  });
});

test("the code that an approved command runs may be planned before it", async () => {
  const store = memoryStore();
  const it = await bench({}, { plan: true, store });
  await it.call("write_file", { path: "s.sh", content: "touch made\n" });
  await it.call("run_command", { command: "bash s.sh" });
  const { gate } = await bench({}, { dir: it.dir, store, mode: "confirm-sensitive" });
  await gate.plans.approve();
  expect((await gate.plans.run()).map(({ result }) => result.error?.message ?? result.status)).toEqual([
    "done",
    "done",
  ]);
  expect(existsSync(path.join(it.dir, "made"))).toBe(true);
});

test("a yes to a command does not hold for other code", async () => {
  const store = memoryStore();
  const it = await bench({ "s.sh": "touch made\n" }, { plan: true, store });
  await it.call("run_command", { command: "bash s.sh" });
  const { gate } = await bench({}, { dir: it.dir, store, mode: "confirm-sensitive" });
  await gate.plans.approve();
  it.put("s.sh", "touch other\n");
  expect(await gate.plans.run()).toMatchObject([{ call: { state: "approved" }, result: { status: "refused" } }]);
  expect(existsSync(path.join(it.dir, "other"))).toBe(false);
});
