import path from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, folder, plain } from "./harness.ts";

/** A gate whose workspace is the whole machine; whatever it is asked for lies in a folder of the test. */
async function onTheRoot(files: Record<string, string>, options: object = {}) {
  const dir = folder(files);
  const store = memoryStore();
  const it = await bench({}, { dir: "/", commands: false, store, ...options });
  return {
    ...it,
    store,
    at: (name: string) => path.join(dir, name),
    below: (name: string) => path.join(dir, name).slice(1),
  };
}

describe("a workspace that is the root of the machine", () => {
  test("reads, and plans what it would write, edit and delete, by absolute and by relative names", async () => {
    const config = { workspace: { allow_delete: true } };
    const { call, at, below, text } = await onTheRoot({ a: "one", c: "three" }, { plan: true, config });
    expect((await call("read_file", { path: at("a") })).output).toBe("1\tone");
    expect((await call("write_file", { path: below("deep/b"), content: "two" })).status).toBe("planned");
    expect((await call("edit_file", { path: at("a"), old_str: "one", new_str: "1" })).status).toBe("planned");
    expect((await call("delete_file", { path: at("c") })).status).toBe("planned");
    expect((await call("read_file", { path: below("a") })).output).toBe("1\t1");
    expect((await call("read_file", { path: at("deep/b") })).output).toBe("1\ttwo");
    expect((await call("read_file", { path: below("c") })).error?.code).toBe("NOT_FOUND");
    expect([text(below("a")), text(below("c"))], "nothing of it is on the disk").toEqual(["one", "three"]);
  });

  test("lists, finds and searches, and names what it found so that it can be given back", async () => {
    const { call, at, below } = await onTheRoot({ "sub/a.txt": "needle", "sub/b.txt": "hay" });
    expect((await call("list_files", { path: at("sub") })).output).toContain("a.txt");
    expect((await call("find_files", { pattern: "*.txt", path: at("sub") })).output).toContain("b.txt");
    const absolute = { pattern: `${path.dirname(at("sub"))}/*/a.txt`, path: at("sub") };
    expect((await call("find_files", absolute)).output).toContain("a.txt");
    const found = (await call("grep", { pattern: "needle", path: at("sub") })).output;
    expect(found).toContain(below("sub/a.txt"));
    expect(found).not.toContain("//");
  });

  test("records where calls were, without a second slash", async () => {
    const { gate, call, store, at } = await onTheRoot({ a: "one" });
    await call("read_file", { path: at("a") });
    await gate.close();
    const [record] = await store.records({});
    expect(record).toMatchObject({ workspace: "/", target: at("a").slice(1) });
    expect(record?.touches).toMatchObject([{ place: { real: at("a"), root: "/", shown: at("a").slice(1) } }]);
  });

  test.each([
    ["by its name", (at: string) => path.basename(at)],
    ["by where it is in the workspace", (at: string) => at.slice(1)],
    ["by its absolute path", (at: string) => at],
    ["by the folder that it lies in", (at: string) => path.dirname(at)],
  ])("forbids %s", async (_, patternFor) => {
    const dir = folder({ kept: "one", free: "two" });
    const forbidden = patternFor(path.join(dir, "kept"));
    const config = { workspace: { forbidden_paths: [forbidden] } };
    const { call } = await bench({}, { dir: "/", commands: false, store: "memory", config });
    expect((await call("read_file", { path: path.join(dir, "kept") })).status).toBe("refused");
    expect((await call("grep", { pattern: "o", path: dir })).output).not.toContain("kept");
  });

  test("a child that is held to some paths stays there", async () => {
    const { gate, at, below } = await onTheRoot({ "in/a": "one", "out/a": "two" });
    const child = gate.child({ paths: [`${below("in")}/**`] });
    expect((await child.call({ name: "read_file", args: { path: at("in/a") } })).success).toBe(true);
    expect((await child.call({ name: "read_file", args: { path: at("out/a") } })).status).toBe("refused");
  });

  test("the state folder of the root is guarded as everywhere", async () => {
    const { gate } = await onTheRoot({});
    for (const target of ["/.toolgate/store.db", ".toolgate/store.db"])
      expect(await gate.explain({ name: "write_file", args: { path: target, content: "" } })).toMatchObject({
        verdict: "ask",
        by: "protection",
      });
  });

  test("in a batch, what may change anything waits for what is written anywhere", async () => {
    const order: string[] = [];
    const anything = plain("anything", {
      permissions: { required: ["write"] },
      touches: undefined as never,
      execute: async () => `${order.push("anything")}`,
    });
    const slow = plain("slow", {
      touches: () => [{ action: "write", target: "tmp/toolgate-never-written" }],
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push("slow");
        return "";
      },
    });
    const { gate } = await onTheRoot({}, { tools: [anything, slow] });
    await gate.callAll([
      { name: "slow", args: {} },
      { name: "anything", args: {} },
    ]);
    expect(order).toEqual(["slow", "anything"]);
  });
});
