import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";

/** A workspace with one inside of it, which has a record of its own. */
async function nested() {
  const dir = folder({ "sub/deep/a.txt": "one\n" });
  const inner = await open({ workspace: path.join(dir, "sub/deep"), mode: "yolo", config: {} });
  await inner.call({ name: "read_file", args: { path: "a.txt" } });
  await inner.close();
  expect(existsSync(path.join(dir, "sub/deep/.toolgate/store.db"))).toBe(true);
  return dir;
}

/** A record that is kept in the workspace, and not where it usually is. */
const elsewhere = (dir: string, sandbox: "auto" | "off") =>
  bench({}, { dir, store: `sqlite:${dir}/data/store.db`, sandbox });

describe("in a sandbox", needs("bubblewrap"), () => {
  test("a command sees nothing of the record of a workspace further down", async () => {
    const { call, dir } = await bench({}, { dir: await nested() });
    const seen = await call("run_command", { command: "ls sub/deep/.toolgate; cat sub/deep/.to*/store.db | wc -c" });
    expect(seen.output).toMatch(/^0$|No such file/m);
    expect(seen.output).not.toContain("store.db-");
    await call("run_command", { command: "d=.tool; rm -rf sub/deep/${d}gate; sh -c 'rm -f sub/deep/.tool*/store.db'" });
    expect(existsSync(path.join(dir, "sub/deep/.toolgate/store.db"))).toBe(true);
  });

  test("a command sees nothing of a record that is kept elsewhere in the workspace, and cannot change it", async () => {
    const { call, dir } = await elsewhere(folder({ "data/x": "x" }), "auto");
    const read = await call("run_command", { command: "cat data/store.db | wc -c" });
    expect(read.output).toMatch(/^0$/m);
    await call("run_command", { command: "sh -c 'f=store; echo x > data/$f.db'" });
    expect((await call("run_command", { command: "true" })).status).toBe("done");
    expect(existsSync(path.join(dir, "data/store.db"))).toBe(true);
  });
});

describe("with or without one", () => {
  test.each([
    ["write_file", { path: "data/store.db", content: "x", overwrite: true }],
    ["run_command", { command: "rm -f data/store.db" }],
    ["run_command", { command: "echo x > data/store.db-wal" }],
    ["run_command", { command: "rm -rf data" }],
  ])("%s %j asks, in yolo too", async (name, args) => {
    const { call } = await elsewhere(folder({ "data/x": "x" }), "off");
    expect(await call(name, args)).toMatchObject({ status: "refused", error: { code: "PERMISSION_DENIED" } });
  });

  test("a child does not read the record of a workspace further down, or one that is kept elsewhere", async () => {
    const { gate } = await elsewhere(await nested(), "off");
    const child = gate.child({ autonomy: "readonly" });
    for (const file of ["sub/deep/.toolgate/store.db", "data/store.db"])
      expect((await child.call({ name: "file_info", args: { path: file } })).error?.message).toContain("the record");
  });
});
