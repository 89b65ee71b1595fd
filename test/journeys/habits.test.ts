import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench, plain } from "./harness.ts";

describe("write safety", () => {
  const strict = (files: Record<string, string>, more: object = {}) =>
    bench(files, { config: { workspace: { write_safety: "strict" } }, store: "memory", sandbox: "off", ...more });
  const edit = (old_str: string, new_str: string) => ({ path: "a", old_str, new_str });

  test("a file is read before it is changed; what the session wrote it knows", async () => {
    const { call, text } = await strict({ a: "1\n" });
    const refused = await call("edit_file", edit("1", "2"));
    expect(refused.error).toMatchObject({
      message: "Refused by write-safety: a was not read in this session.",
      hint: "Read a first, then edit it.",
    });
    await call("read_file", { path: "a" });
    expect((await call("edit_file", edit("1", "2"))).status).toBe("done");
    expect((await call("edit_file", edit("2", "3"))).status).toBe("done");
    expect((await call("write_file", { path: "new", content: "x" })).status).toBe("done");
    expect((await call("write_file", { path: "new", content: "y" })).status).toBe("done");
    expect([text("a"), text("new")]).toEqual(["3\n", "y"]);
  });

  test("what somebody else changed meanwhile has to be read again", async () => {
    const { call, dir } = await strict({ a: "1\n" });
    await call("read_file", { path: "a" });
    writeFileSync(path.join(dir, "a"), "10\n");
    expect((await call("edit_file", edit("1", "2"))).error?.message).toContain("has changed since it was read");
    await call("read_file", { path: "a" });
    expect((await call("edit_file", edit("1", "2"))).status).toBe("done");
  });

  test("commands that write a file for certain count, and so do tools that show nothing beforehand", async () => {
    const rewrite = plain("rewrite", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "a" }],
      execute: async (_, { files }) => {
        await files.write("a", new Uint8Array([50]));
        return "";
      },
    });
    const { call, text } = await strict({ a: "1\n" }, { tools: [rewrite] });
    expect((await call("run_command", { command: "sed -i s/1/2/ a" })).metadata.by).toBe("write-safety");
    expect((await call("rewrite")).metadata.by).toBe("write-safety");
    expect((await call("run_command", { command: "mkdir -p b; echo x > c" })).status).toBe("done");
    await call("read_file", { path: "a" });
    expect((await call("run_command", { command: "sed -i s/1/2/ a" })).status).toBe("done");
    expect(text("a")).toBe("2\n");
  });

  test("a child has to read for itself, a session goes on in another gate", async () => {
    const store = memoryStore();
    const { gate, call, dir } = await strict({ a: "1\n" }, { store });
    await call("read_file", { path: "a" });
    expect((await gate.child().call({ name: "edit_file", args: edit("1", "2") })).status).toBe("refused");
    const named = gate.child({ sessionID: "s" });
    await named.call({ name: "write_file", args: { path: "b", content: "1" } });
    await named.close();
    const other = (await strict({}, { store, dir })).gate.child({ sessionID: "s" });
    expect((await other.call({ name: "write_file", args: { path: "b", content: "2" } })).status).toBe("done");
  });

  test("warn tells it once for each file and refuses nothing", async () => {
    const { call } = await bench({ a: "1\n" }, { config: { workspace: { write_safety: "warn" } }, store: "memory" });
    const told = await call("edit_file", edit("1", "2"));
    expect(told.metadata.notes).toEqual(["[a was not read in this session before this call changed it.]"]);
    expect((await call("edit_file", edit("2", "3"))).metadata.notes).toBeUndefined();
  });
});

describe("loops", () => {
  const looping = (loops: string, more: object = {}) =>
    bench({ a: "1\n", b: "2\n" }, { config: { loops }, store: "memory", ...more });
  const read = async ({ call }: Bench, times: number, args: object = { path: "a" }) => {
    const results = [];
    for (let n = 0; n < times; n++) results.push(await call("read_file", args));
    return results;
  };

  test("the same call again and again is told, refused, then to be stopped; another one is free", async () => {
    const it = await looping("refuse");
    const results = await read(it, 6);
    expect(results.map(({ status }) => status)).toEqual(["done", "done", "done", "done", "refused", "refused"]);
    expect(results[3]?.output).toContain("[This call was made 3 times with the same answer. Do something else:");
    expect(results.map(({ metadata }) => metadata.stop)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      true,
    ]);
    expect(results[4]?.error?.hint).toMatch(/^Do something else: /);
    expect((await it.call("read_file", { path: "b" })).status).toBe("done");
  });

  test("a change in between begins anew, and an answer is never an old one", async () => {
    const it = await looping("refuse");
    await read(it, 3);
    await it.call("write_file", { path: "a", content: "new\n" });
    const results = await read(it, 3);
    expect(results.map(({ output }) => output)).toEqual(Array(3).fill("1\tnew"));
    await it.call("run_command", { command: "echo newer > a" });
    expect((await read(it, 1))[0]?.output).toBe("1\tnewer");
  });

  test("many different files are no circle, not even when they are alike", async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, "same\n"]));
    const it = await bench(files, { config: { loops: "refuse" }, store: "memory" });
    for (const name of Object.keys(files))
      expect((await it.call("read_file", { path: name })).metadata.notes).toBeUndefined();
  });

  test("edits that undo each other are a circle", async () => {
    const it = await looping("refuse");
    const turn = (old_str: string, new_str: string) => it.call("edit_file", { path: "a", old_str, new_str });
    const ends = [];
    for (let n = 0; n < 5; n++) ends.push((await turn("1", "2")).status, (await turn("2", "1")).status);
    expect(ends).toContain("refused");
    expect(ends.slice(0, 6)).toEqual(Array(6).fill("done"));
  });

  test("whoever waits for a command may look often", async () => {
    const polled = plain("polled", { polls: true, execute: async () => "(nothing new)" });
    const it = await looping("refuse", { tools: [polled] });
    for (let n = 0; n < 20; n++) expect((await it.call("polled")).metadata.notes).toBeUndefined();
    expect((await it.call("polled")).metadata.notes).toHaveLength(1);
  });
});
