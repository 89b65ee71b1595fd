import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Gate, type OpenOptions, open, type Result } from "../../src/index.ts";
import { openForOthers } from "../../src/open-for-others.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { needs } from "../capabilities.ts";
import { bench, door, folder, plain, settled } from "./harness.ts";

const files = { "src/a.ts": "a", "src/lib/b.ts": "b", "docs/c.md": "c", "top.ts": "t" };
const toolset = ["all"];

type Call = (name: string, args?: object, more?: object) => Promise<Result>;
const lock = (call: Call, globs: string | string[], more: object = {}) => call("lock_paths", { globs, ...more });
const write = (call: Call, file: string) => call("write_file", { path: file, content: "new" });

/** Two gates of one workspace, each with a session of its own. */
async function pair(options: OpenOptions = {}, given: Record<string, string> = files) {
  const store = memoryStore();
  const one = await bench(given, { store, toolset, ...options });
  const two = await bench({}, { dir: one.dir, store, toolset, ...options });
  return { one, two, store };
}

describe("what another has locked", () => {
  const table: [glob: string, name: string, args: object, refused: boolean][] = [
    ["src/**", "write_file", { path: "src/a.ts", content: "x" }, true],
    ["src/**", "write_file", { path: "src/new/deep.ts", content: "x" }, true],
    ["src/**", "write_file", { path: "./docs/../src/a.ts", content: "x" }, true],
    ["src/**", "edit_file", { path: "src/a.ts", old_str: "a", new_str: "x" }, true],
    ["src/a.ts", "edit_file", { path: "src/a.ts", old_str: "a", new_str: "x" }, true],
    ["src", "write_file", { path: "src/lib/b.ts", content: "x" }, true],
    ["src/lib/b.ts", "write_file", { path: "src/a.ts", content: "x" }, false],
    ["*.ts", "write_file", { path: "src/lib/b.ts", content: "x" }, true],
    ["*.md", "write_file", { path: "src/a.ts", content: "x" }, false],
    ["src/*.{ts,js}", "write_file", { path: "src/a.ts", content: "x" }, true],
    ["src/*.{ts,js}", "write_file", { path: "src/lib/b.ts", content: "x" }, false],
    ["src/**", "read_file", { path: "src/a.ts" }, false],
    ["src/**", "grep", { pattern: "a", path: "src" }, false],
    ["src/**", "write_file", { path: "docs/c.md", content: "x" }, false],
    ["src/lib/**", "apply_patch", { patch: "--- a/src/lib/b.ts\n+++ b/src/lib/b.ts\n@@ -1 +1 @@\n-b\n+x\n" }, true],
    ["src/a.ts", "run_command", { command: "echo x > src/a.ts" }, true],
    ["src/a.ts", "run_command", { command: "rm -r src" }, true],
    ["src/a.ts", "run_command", { command: "mv src elsewhere" }, true],
    ["src/a.ts", "run_command", { command: "bash -c 'cp docs/c.md src/a.ts'" }, true],
    ["src/a.ts", "run_command", { command: "sed -i s/t/x/ top.ts" }, false],
    ["src/a.ts", "run_command", { command: "cat src/a.ts" }, false],
  ];
  test.each(table)("%s: %s %j", async (glob, name, args, refused) => {
    const { one, two } = await pair({ config: { workspace: { allow_delete: true } } });
    expect((await lock(one.call, glob)).success).toBe(true);
    const result = await two.call(name, args);
    expect(result.status).toBe(refused ? "refused" : "done");
    if (refused) {
      expect(result.error).toMatchObject({ code: "CONFLICT" });
      expect(result.error?.message).toContain(`is locked by agent main (session ${one.gate.sessionID})`);
      expect(result.error?.message).toMatch(/for another 5 min\.$/);
      expect([two.text("src/a.ts"), two.text("src/lib/b.ts")]).toEqual(["a", "b"]);
    }
    expect((await one.call(name, args)).status).toBe("done");
  });

  test("cannot be undone or redone by others", async () => {
    const { one, two } = await pair();
    await write(two.call, "src/a.ts");
    const { metadata } = await lock(one.call, "src/**");
    expect((await two.call("undo_file", { path: "src/a.ts" })).error?.message).toContain("is locked by agent main");
    expect((await two.call("undo_turn", { turn: "last" })).error?.message).toContain("is locked by agent main");
    expect(two.text("src/a.ts")).toBe("new");
    await one.call("unlock_paths", { tokens: metadata.tokens });
    expect((await two.call("undo_file", { path: "src/a.ts" })).status).toBe("done");
  });

  test("a batch goes on with what is free", async () => {
    const { one, two } = await pair();
    await lock(one.call, "src/**");
    const calls = ["src/a.ts", "docs/c.md"].map((file) => ({
      name: "write_file",
      args: { path: file, content: "new" },
    }));
    expect((await two.gate.callAll(calls)).map(({ status }) => status)).toEqual(["refused", "done"]);
  });

  test("links lead nowhere else", async () => {
    const { one, two } = await pair();
    symlinkSync(path.join(one.dir, "src"), path.join(one.dir, "link"));
    const { metadata } = await lock(one.call, "link/**");
    expect((await write(two.call, "src/a.ts")).status).toBe("refused");
    expect((await write(two.call, "link/a.ts")).status).toBe("refused");
    await one.call("unlock_paths", { tokens: metadata.tokens });
    await lock(one.call, "src/*.ts");
    expect((await write(two.call, "link/a.ts")).status).toBe("refused");
    expect((await write(two.call, "link/lib/b.ts")).status).toBe("done");
  });
});

describe("locks of two agents", () => {
  test("are denied one by one, with their holder", async () => {
    const { one, two } = await pair();
    const first = await lock(one.call, ["src/**", "top.ts"]);
    expect(first.metadata).toMatchObject({ tokens: [expect.any(String), expect.any(String)], denied: [] });
    const second = await lock(two.call, ["src/lib/*.ts", "docs/**", "*.ts"]);
    expect(second.success).toBe(true);
    expect(second.metadata.tokens).toHaveLength(1);
    expect(second.metadata.denied).toMatchObject([
      { glob: "src/lib/*.ts", agent: "main", session: one.gate.sessionID, locked: "src/**", left: "5 min" },
      { glob: "*.ts", locked: expect.stringMatching(/src|top/) },
    ]);
    expect(second.output).toContain("Denied src/lib/*.ts: agent main");
    const third = await lock(two.call, "top.ts");
    expect(third).toMatchObject({ success: false, error: { code: "CONFLICT" }, metadata: { tokens: [] } });
    expect(third.metadata.denied).toHaveLength(1);
    expect(third.error?.message).toContain(`agent main (session ${one.gate.sessionID}) has locked top.ts`);
  });

  test("are released by their holder alone", async () => {
    const { one, two } = await pair();
    const { tokens } = (await lock(one.call, "src/**")).metadata;
    const tried = await two.call("unlock_paths", { tokens });
    expect(tried.metadata).toMatchObject({ released: [], unknown: tokens });
    expect((await write(two.call, "src/a.ts")).status).toBe("refused");
    expect((await one.call("unlock_paths", { tokens })).metadata).toMatchObject({ released: tokens, unknown: [] });
    expect((await write(two.call, "src/a.ts")).status).toBe("done");
  });

  test("are over at their time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { one, two } = await pair();
      await lock(one.call, "src/**", { ttl_ms: 1500 });
      expect((await write(two.call, "src/a.ts")).error?.message).toContain("for another 2 s.");
      vi.advanceTimersByTime(1500);
      expect((await write(two.call, "src/a.ts")).status).toBe("done");
      expect(await two.gate.locks.list()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("end with their gate", async () => {
    const dir = folder(files);
    const [one, two] = [await bench({}, { dir, toolset }), await bench({}, { dir, toolset })];
    await lock(one.call, "src/**");
    expect((await write(two.call, "src/a.ts")).status).toBe("refused");
    expect(await two.gate.locks.list()).toMatchObject([{ shown: "src/**", session: one.gate.sessionID }]);
    await one.gate.close();
    expect((await write(two.call, "src/a.ts")).status).toBe("done");
  });

  test("can be listed and released by a person, whoever holds them", async () => {
    const { one, two } = await pair();
    const { tokens } = (await lock(one.call, "src/**")).metadata as { tokens: string[] };
    expect(await two.gate.locks.release(tokens[0]!)).toBe(true);
    expect(await two.gate.locks.release(tokens[0]!)).toBe(false);
    expect((await write(two.call, "src/a.ts")).status).toBe("done");
  });

  test.each([
    [{ globs: [] }, "invalid"],
    [{ globs: ["../x"] }, "failed"],
    [{ globs: ["/etc/**"] }, "failed"],
    [{ globs: ["!src/**"] }, "failed"],
    [{ globs: ["  "] }, "failed"],
    [{ globs: ["src/*/../../../x"] }, "failed"],
    [{ globs: ["src/**"], ttl_ms: 0 }, "invalid"],
    [{ globs: ["src/**"], ttl_ms: 1e12 }, "invalid"],
    [{ paths: "src/**" }, "done"],
  ])("%j is %s", async (args, status) => {
    const { one, store } = await pair();
    const result = await one.call("lock_paths", args);
    expect(result.status, result.error?.message).toBe(status);
    expect(await store.holds()).toHaveLength(status === "done" ? 1 : 0);
  });
});

describe("whose locks are passed", () => {
  const by = (gate: Gate, more: object = {}) => (async (name, args = {}) => gate.call({ name, args, ...more })) as Call;

  test("children pass their ancestors' locks, siblings do not pass each other's", async () => {
    const { gate } = await bench(files, { store: "memory", toolset });
    await lock(by(gate), "src/**");
    const [one, two] = [gate.child({ agent: "one" }), gate.child({ agent: "two" })];
    expect((await write(by(one), "src/a.ts")).status).toBe("done");
    expect((await write(by(one.child()), "src/a.ts")).status).toBe("done");
    await lock(by(one), "src/lib/**");
    expect((await write(by(two), "src/lib/b.ts")).error?.message).toContain("agent one");
    expect((await write(by(gate), "src/lib/b.ts")).status).toBe("refused");
    expect((await write(by(one.child()), "src/lib/b.ts")).status).toBe("done");
    await one.close();
    expect((await write(by(two), "src/lib/b.ts")).status).toBe("done");
  });

  test("two agents of one session are two holders", async () => {
    const { gate } = await bench(files, { store: "memory", toolset });
    const [one, two] = [by(gate, { agent: "one" }), by(gate, { agent: "two" })];
    await lock(one, "src/**");
    expect((await write(two, "src/a.ts")).status).toBe("refused");
    expect((await write(one, "src/a.ts")).status).toBe("done");
  });

  test("a call below another's passes the locks of whoever made that one", async () => {
    const outer = plain("outer", {
      execute: async (_, { gate }) => {
        const inside = await gate.call({ name: "write_file", args: { path: "src/a.ts", content: "in" } });
        const child = await gate.child({}).call({ name: "write_file", args: { path: "top.ts", content: "in" } });
        return `${inside.status} ${child.status}`;
      },
    });
    const { gate } = await bench(files, { store: "memory", toolset, tools: [outer] });
    const mine = { sessionID: "mine", agent: "me" };
    await lock(by(gate, mine), ["src/**", "top.ts"]);
    expect((await gate.call({ name: "outer", ...mine })).output).toBe("done done");
    expect((await gate.call({ name: "outer" })).output).toBe("refused refused");
  });
});

describe("no change slips in between", () => {
  test("a lock that is taken while a person thinks holds for the change", async () => {
    const store = memoryStore();
    const asked = door();
    const answer = door();
    const one = await bench(files, { store, toolset });
    const two = await bench(
      {},
      {
        ...{ dir: one.dir, store, toolset, mode: "confirm-sensitive" as const },
        approve: async () => {
          asked.open();
          await answer.opened;
          return "once";
        },
      },
    );
    const changing = write(two.call, "src/a.ts");
    await asked.opened;
    await lock(one.call, "src/**");
    answer.open();
    expect((await changing).error?.message).toContain("is locked by agent main");
    expect(two.text("src/a.ts")).toBe("a");
  });

  test("a lock waits for changes that are being made", async () => {
    const [begun, finish] = [door(), door()];
    const slow = plain("slow", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "src/a.ts" }],
      execute: async () => {
        begun.open();
        await finish.opened;
        return "ended";
      },
    });
    const { one, two } = await pair({ tools: [slow] });
    const order: string[] = [];
    const changing = two.call("slow").then(() => order.push("changed"));
    await begun.opened;
    const locking = lock(one.call, "**/*.ts").then(() => order.push("locked"));
    await lock(one.call, "docs/**");
    await settled();
    expect(order).toEqual([]);
    finish.open();
    await Promise.all([changing, locking]);
    expect(order).toEqual(["changed", "locked"]);
  });

  test.each(["holds", "holdOver"])("a store that cannot tell the locks ends the call: %s", async (method) => {
    const store = memoryStore();
    const other = { session: "other", agent: "main" };
    await store.hold("paths", [{ resources: ["/elsewhere"], shown: "x", mode: "exclusive" }], other, 60_000);
    Object.assign(store, { [method]: () => Promise.reject(new Error("the disk is gone")) });
    const { call, text } = await bench(files, { store });
    expect((await write(call, "src/a.ts")).error?.message).toContain("the disk is gone");
    expect(text("src/a.ts")).toBe("a");
  });

  test("planned calls take no locks", async () => {
    const store = memoryStore();
    const { call } = await bench(files, { store, toolset, plan: true });
    expect((await lock(call, "src/**")).status).toBe("planned");
    expect(await store.holds()).toEqual([]);
  });
});

test("the tools of many agents are there where they are asked for", async () => {
  const usual = await bench({}, { store: "memory" });
  expect(usual.gate.registry.has("lock_paths")).toBe(false);
  const gate = await open({ workspace: folder(), store: "memory", toolset: "together", config: {} });
  expect(gate.registry.list().map(({ name }) => name)).toEqual(expect.arrayContaining(["lock_paths", "unlock_paths"]));
  await gate.close();
});

test("a call that somebody else performs is refused under another's lock", async () => {
  const { call, dir } = await bench(files, { toolset });
  await lock(call, "src/**");
  const others = { session: "theirs", agent: "claude", asks: true };
  const gate = await openForOthers({ workspace: dir, mode: "yolo", config: {} }, others, () => ({}));
  onTestFinished(() => gate.close(false));
  const change = (path: string) =>
    gate.handOver({ name: "write_file", args: { path, content: "x" } }, { key: path, asks: true });
  expect(await change("src/a.ts")).toMatchObject({
    answer: "deny",
    reason: expect.stringContaining("src/a.ts is locked by agent main"),
  });
  expect(await change("docs/c.md")).toMatchObject({ answer: "allow" });
});

describe("a command of which nobody knows what it writes", () => {
  const opaque = (target: string) => `node -e 'require("fs").writeFileSync("${target}", "x")'`;
  const run = (call: Call, target: string) => call("run_command", { command: opaque(target) });

  test("cannot change what another has locked, and goes on elsewhere", needs("bubblewrap"), async () => {
    const { one, two } = await pair();
    await lock(one.call, ["src/**", "top.ts"]);
    for (const target of ["src/a.ts", "src/new.ts", "top.ts"])
      expect((await run(two.call, target)).output).toContain("EROFS");
    expect((await run(two.call, "docs/c.md")).status).toBe("done");
    expect(["src/a.ts", "src/new.ts", "top.ts", "docs/c.md"].map(one.text)).toEqual(["a", undefined, "t", "x"]);
    expect((await run(one.call, "src/a.ts")).status).toBe("done");
    await one.gate.close();
    expect((await run(two.call, "top.ts")).status).toBe("done");
  });

  test("cannot add to a workspace that another has locked as a whole", needs("bubblewrap"), async () => {
    const { one, two } = await pair();
    await lock(one.call, "**");
    expect((await run(two.call, "new.ts")).output).toContain("EROFS");
    expect(one.text("new.ts")).toBeUndefined();
  });

  test("waits until nothing is locked where no sandbox holds it", async () => {
    const { one, two } = await pair({ sandbox: "off" });
    const { metadata } = await lock(one.call, "src/**");
    const { status, error } = await run(two.call, "docs/c.md");
    expect([status, error?.code]).toEqual(["refused", "CONFLICT"]);
    expect(error?.message).toMatch(/^It is not known what the command would change, and src\/\*\* is locked by /);
    expect(one.text("docs/c.md")).toBe("c");
    expect((await two.call("run_command", { command: "cat src/a.ts" })).status).toBe("done");
    expect((await two.call("run_command", { command: "echo x > docs/c.md" })).status).toBe("done");
    expect((await run(one.call, "docs/c.md")).status).toBe("done");
    expect((await run((name, args) => one.gate.child().call({ name, args }), "docs/c.md")).status).toBe("done");
    await one.call("unlock_paths", { tokens: metadata.tokens });
    expect((await run(two.call, "docs/c.md")).status).toBe("done");
  });
});
