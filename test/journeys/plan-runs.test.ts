import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type OpenOptions, open } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, folder } from "./harness.ts";

/** Everything below a folder but the record: names, bits to run and bytes. */
function tree(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(dir, file);
    if (name.startsWith(".toolgate")) continue;
    if (entry.isDirectory()) found[name] = "folder";
    else if (entry.isFile())
      found[name] = `${(statSync(file).mode & 0o777).toString(8)} ${readFileSync(file).toString("base64")}`;
  }
  return found;
}

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "alpha\r\nbeta\r\n", "sub/c.txt": "no newline" };

const SESSION = [
  { name: "write_file", args: { path: "new.txt", content: "first\nsecond\n" } },
  { name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } },
  { name: "edit_file", args: { path: "a.txt", old_str: "three", new_str: "3" } },
  {
    name: "apply_patch",
    args: { patch: "--- a/new.txt\n+++ b/new.txt\n@@ -1,2 +1,3 @@\n first\n+between\n second\n" },
  },
  { name: "Bash", args: { command: "mv b.txt moved.txt" } },
  { name: "grep", args: { pattern: "between" } },
];

const READY: OpenOptions = { mode: "yolo", config: { loops: "off", workspace: { allow_delete: true } } };

async function opened(dir: string, options: OpenOptions = {}) {
  const gate = await open({ ...READY, workspace: dir, ...options });
  onTestFinished(() => gate.close());
  return gate;
}

describe.each(["plan", "dryRun"] as const)("a %s of a whole session", (kind) => {
  test("can be run, and leaves the same files as if it had been run at once", async () => {
    const [direct, planned] = [folder(FILES), folder(FILES)];
    const gate = await opened(direct);
    for (const call of SESSION) expect((await gate.call(call)).status).toBe("done");
    const planning = await opened(planned, { [kind]: true });
    const results = [];
    for (const call of SESSION) results.push(await planning.call(call));
    expect(results.map(({ status }) => status)).toEqual([...Array.from({ length: 5 }, () => "planned"), "done"]);
    expect(results[5]?.output).toContain("new.txt\n2:between");
    expect(results[5]?.output).toContain("[Planned and not run: mv b.txt moved.txt.");
    expect(tree(planned)).toEqual(tree(folder(FILES)));
    await planning.close();
    const running = await opened(planned);
    const outcomes = await running.plans.run();
    expect(outcomes.map(({ call, result }) => [call.state, result.status])).toEqual(
      Array.from({ length: 5 }, () => ["done", "done"]),
    );
    expect(tree(planned)).toEqual(tree(direct));
    expect(await running.plans.list()).toEqual([]);
    expect((await running.plans.run()).length).toBe(0);
  });
});

test("the gate that plans sees what becomes of its plan", async () => {
  const store = memoryStore();
  const { gate, dir } = await bench(FILES, { store });
  const planning = gate.child({ plan: true });
  const write = (name: string) => planning.call({ name: "write_file", args: { path: name, content: `${name}\n` } });
  const read = async (name: string) => (await planning.call({ name: "read_file", args: { path: name } })).success;
  for (const name of ["x", "y", "z"]) await write(name);
  const [x, y] = await gate.plans.list();
  expect(await gate.plans.drop({ ids: [x!.id] })).toMatchObject([{ state: "dropped" }]);
  expect([await read("x"), await read("y"), await read("z")]).toEqual([false, true, true]);
  expect(await gate.plans.run({ ids: [y!.id] })).toMatchObject([{ call: { state: "done" } }]);
  expect([await read("x"), await read("y"), await read("z")]).toEqual([false, true, true]);
  expect(tree(dir)).toHaveProperty("y");
  expect(tree(dir)).not.toHaveProperty("z");
  expect(await gate.plans.list()).toMatchObject([{ changes: [{ shown: "z" }] }]);
});
