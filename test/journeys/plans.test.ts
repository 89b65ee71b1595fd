import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench, plain } from "./harness.ts";

/** Everything below a folder, by name and content. */
const disk = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), readFileSync(file, "utf8")]),
  );

const shown = async ({ call }: Bench, file: string): Promise<string | undefined> => {
  const { output, error } = await call("read_file", { path: file });
  return error?.code ?? output.replaceAll(/^\d+\t/gm, "");
};

describe.each(["plan", "dryRun"] as const)("%s", (kind) => {
  const files = { "a.txt": "one\ntwo\n", "b/c.txt": "x\n" };

  test("nothing reaches the disk or the journal, and each call tells what it would change", async () => {
    const store = memoryStore();
    const { call, dir } = await bench(files, { [kind]: true, store });
    const edit = await call("edit_file", { path: "a.txt", old_str: "two", new_str: "three" });
    expect(edit).toMatchObject({ success: true, status: "planned" });
    expect(edit.title).toBe(`${kind === "plan" ? "Planned" : "Dry run"}: edit_file(a.txt)`);
    expect(edit.output).toContain("-two\n+three");
    const write = await call("write_file", { path: "new/deep.txt", content: "n\n" });
    expect(write.output).toContain("+n");
    expect(write.metadata.touches).toMatchObject([{ action: "write", place: { shown: "new/deep.txt" } }]);
    expect(disk(dir)).toEqual(files);
    expect(await store.changes({})).toEqual([]);
    expect(await store.locks()).toEqual([]);
  });

  test("later calls see what was planned before", async () => {
    const it = await bench(files, { [kind]: true, store: "memory" });
    await it.call("write_file", { path: "n.txt", content: "alpha\n" });
    expect(await shown(it, "n.txt")).toBe("alpha");
    expect((await it.call("edit_file", { path: "n.txt", old_str: "alpha", new_str: "beta" })).status).toBe("planned");
    await it.call("write_file", { path: "n.txt", content: "gamma\n", mode: "append" });
    expect(await shown(it, "n.txt")).toBe("beta\ngamma");
    const miss = await it.call("edit_file", { path: "n.txt", old_str: "alpha", new_str: "x" });
    expect(miss.error?.code).toBe("NOT_FOUND");
    await it.call("edit_file", { path: "a.txt", old_str: "one", new_str: "uno" });
    expect(await shown(it, "a.txt")).toBe("uno\ntwo");
    expect(disk(it.dir)).toEqual(files);
  });

  test("nobody is asked about a change, in any mode, and what is denied stays denied", async () => {
    const asked: string[] = [];
    const approve = ({ tool }: { tool: string }) => {
      asked.push(tool);
      return "once";
    };
    const config = { workspace: { forbidden_paths: ["secret*"] } };
    const { call, dir } = await bench(files, { [kind]: true, mode: "confirm-all", approve, config, store: "memory" });
    expect((await call("write_file", { path: "n.txt", content: "x" })).status).toBe("planned");
    expect((await call("write_file", { path: "toolgate.yaml", content: "x" })).status).toBe("planned");
    expect((await call("write_file", { path: "secret.txt", content: "x" })).status).toBe("refused");
    expect((await call("write_file", { path: "../n.txt", content: "x" })).status).toBe("refused");
    expect(asked).toEqual([]);
    expect(disk(dir)).toEqual(files);
  });

  test("a tool that would change something does not run; one that only reads does", async () => {
    const ran: string[] = [];
    const running = (name: string, more: object) =>
      plain(name, { ...more, execute: async () => String(ran.push(name)) });
    const tools = [
      running("reads", { touches: () => [{ action: "read", target: "a.txt" }] }),
      running("writes", { touches: () => [{ action: "write", target: "a.txt" }] }),
      running("removes", { touches: () => [{ action: "delete", target: "a.txt" }] }),
      running("fetches", { touches: () => [{ action: "fetch", url: "http://example.com:8001/" }] }),
      running("runs", { touches: () => [{ action: "run", command: "make", class: "dev" }] }),
      running("schedules", { touches: () => [{ action: "schedule", target: "x" }] }),
      running("unsaid", { touches: undefined, permissions: undefined }),
      running("permitted", { touches: undefined, permissions: { required: ["execute"] } }),
      running("looks", { touches: undefined, permissions: { required: ["read"] } }),
    ];
    const config = { workspace: { allow_delete: true } };
    const { gate } = await bench(files, { [kind]: true, tools, config, store: "memory" });
    const ends = await gate.callAll(tools.map(({ name }) => ({ name })));
    expect(ends.map(({ status }) => status)).toEqual(["done", ...Array.from({ length: 7 }, () => "planned"), "done"]);
    expect(ran.sort()).toEqual(["looks", "reads"]);
  });

  test("what a reading tool calls is planned too", async () => {
    const delegating = plain("delegating", {
      execute: async (_, { gate }) => {
        const inner = await gate.call({ name: "write_file", args: { path: "a.txt", content: "changed" } });
        const below = gate.child({ mode: "yolo", plan: false, dryRun: false });
        const deeper = await below.call({ name: "write_file", args: { path: "d.txt", content: "changed" } });
        return `${inner.status} ${deeper.status}`;
      },
    });
    const { call, dir } = await bench(files, { [kind]: true, tools: [delegating], store: "memory" });
    expect((await call("delegating")).output).toBe("planned planned");
    expect(disk(dir)).toEqual(files);
  });

  test("explain changes nothing, not even in the plan", async () => {
    const it = await bench(files, { [kind]: true, store: "memory" });
    const told = await it.gate.explain({ name: "write_file", args: { path: "n.txt", content: "x\n" } });
    expect(told).toMatchObject({ verdict: "allow", diff: expect.stringContaining("+x") });
    expect(await shown(it, "n.txt")).toBe("NOT_FOUND");
  });

  test("undo takes back what was planned, as far as the plan goes, and the plan can bring it back", async () => {
    const it = await bench(files, { [kind]: true, store: "memory" });
    await it.call("write_file", { path: "a.txt", content: "x\n" });
    await it.call("write_file", { path: "a.txt", content: "y\n" });
    expect((await it.call("undo_file", { path: "a.txt" })).status).toBe("planned");
    expect(await shown(it, "a.txt")).toBe("x");
    expect((await it.call("undo_file", { path: "a.txt" })).status).toBe("planned");
    expect(await shown(it, "a.txt")).toBe("one\ntwo");
    expect((await it.call("undo_file", { path: "a.txt" })).error?.code).toBe("NOT_FOUND");
    expect((await it.call("undo_file", { path: "a.txt", redo: true })).status).toBe("planned");
    expect(await shown(it, "a.txt")).toBe("x");
    expect(disk(it.dir)).toEqual(files);
  });

  test("a batch is planned in order", async () => {
    const it = await bench(files, { [kind]: true, store: "memory" });
    const results = await it.gate.callAll([
      { name: "write_file", args: { path: "n.txt", content: "one\n" } },
      { name: "edit_file", args: { path: "n.txt", old_str: "one", new_str: "two" } },
      { name: "read_file", args: { path: "n.txt" } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["planned", "planned", "done"]);
    expect(results[2]?.output).toBe("1\ttwo");
    expect(disk(it.dir)).toEqual(files);
  });
});
