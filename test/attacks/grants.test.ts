import { mkdirSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type OpenOptions, type Policy, Tool, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, sleep } from "../journeys/harness.ts";

const anything = Tool.define("anything", {
  description: "A tool of the tests which does not say what it touches.",
  permissions: { required: ["execute"] },
  input: z.object({ what: z.string() }),
  execute: async ({ what }) => what,
});

const scoped = Tool.define("scoped", {
  description: "A tool of the tests which changes what fits a pattern.",
  permissions: { required: ["write"] },
  input: z.object({ folder: z.string(), scope: z.string().optional() }),
  scope: () => null,
  touches: ({ folder, scope }) => [{ action: "write", target: folder, ...(scope && { scope }) }],
  execute: async () => "changed",
});

const acting = Tool.define("acting", {
  description: "A tool of the tests which writes or removes a file.",
  permissions: { required: ["write"] },
  input: z.object({ action: z.enum(["write", "delete"]), target: z.string() }),
  scope: () => null,
  touches: (touch) => [touch],
  execute: async () => "done",
});

/** Says yes for the session to the first question, then counts the others and says no. */
async function granted(first: object, files: Record<string, string> = {}) {
  let asked = 0;
  const approve = () => (asked++ === 0 ? "session" : "deny");
  const made = await bench(files, {
    ...{ mode: "confirm-sensitive", approve, store: "memory" },
    tools: [anything, scoped, acting],
    config: { workspace: { allow_delete: true } },
  });
  const { name, args } = first as { name: string; args: object };
  await made.call(name, args);
  return { ...made, asked: () => asked - 1 };
}

const run = (command: string, more: object = {}) => ({ name: "run_command", args: { command, ...more } });
const pattern = (folder: string, scope?: string) => ({ name: "scoped", args: { folder, scope } });
const act = (action: string, target: string) => ({ name: "acting", args: { action, target } });
const patch = (...files: string[]) => ({
  name: "apply_patch",
  args: { patch: files.map((file) => `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+new\n`).join("") },
});
const write = (file: string, content = "new") => ({ name: "write_file", args: { path: file, content } });

describe("a yes for the session", () => {
  test.each([
    ["the same command again", run("touch a"), run("touch a"), 0],
    ["by another name of the tool and of the argument", run("touch a"), { name: "Bash", args: { cmd: "touch a" } }, 0],
    ["another description", run("touch a"), run("touch a", { description: "harmless" }), 0],
    ["another command", run("touch a"), run("touch b"), 1],
    ["with more behind it", run("touch a"), run("touch a; touch b"), 1],
    ["with a variable", run("make"), run("make", { env: { MAKEFLAGS: "--eval=x" } }), 1],
    ["with another variable", run("make", { env: { A: "1" } }), run("make", { env: { A: "2" } }), 1],
    ["in another folder", run("touch a"), run("touch a", { cwd: "sub" }), 1],
    ["no longer in the folder", run("touch a", { cwd: "sub" }), run("touch a"), 1],
    [
      "other code",
      { name: "execute_code", args: { language: "python", code: "1" } },
      { name: "execute_code", args: { language: "python", code: "2" } },
      1,
    ],
    ["as another tool", run("touch a"), { name: "execute_code", args: { language: "bash", code: "touch a" } }, 1],
    [
      "the same unknown target",
      { name: "anything", args: { what: "a" } },
      { name: "anything", args: { what: "a" } },
      0,
    ],
    ["another unknown target", { name: "anything", args: { what: "a" } }, { name: "anything", args: { what: "b" } }, 1],
    ["another content of the file", write("a.txt"), write("a.txt", "other"), 0],
    ["the same file spelled otherwise", write("a.txt"), write("sub/../a.txt", "other"), 0],
    ["another file", write("a.txt"), write("b.txt"), 1],
    [
      "another tool on the file",
      write("a.txt"),
      { name: "edit_file", args: { path: "a.txt", old_str: "new", new_str: "x" } },
      0,
    ],
    [
      "removing the file, after a yes to writing it",
      write("a.txt"),
      { name: "run_command", args: { command: "rm a.txt" } },
      1,
    ],
    ["a patch of one file of two", patch("p", "q"), patch("p"), 0],
    ["a patch of the file and another", patch("p"), patch("p", "q"), 1],
    ["a patch of another file", patch("p"), patch("q"), 1],
    ["writing it again", act("write", "sub/keep"), act("write", "sub/keep"), 0],
    ["removing it, after a yes to writing it", act("write", "sub/keep"), act("delete", "sub/keep"), 1],
    ["writing it, after a yes to removing it", act("delete", "sub/keep"), act("write", "sub/keep"), 1],
    ["the same pattern", pattern("sub", "*.md"), pattern("./sub", "*.md"), 0],
    ["another pattern", pattern("sub", "*.md"), pattern("sub", "*.ts"), 1],
    ["everything below, after one pattern", pattern("sub", "*.md"), pattern("sub", "**"), 1],
    ["a pattern, after the folder's own name", pattern("sub"), pattern("sub", "**"), 1],
    ["the folder's own name, after a pattern", pattern("sub", "**"), pattern("sub"), 1],
    ["the same pattern of another folder", pattern("sub", "*.md"), pattern("other", "*.md"), 1],
    [
      "a protected file, after a yes for it",
      write("toolgate.yaml", "mode: yolo"),
      write("toolgate.yaml", "mode: confirm-all"),
      1,
    ],
  ])("%s", async (_, first, second, questions) => {
    const { call, asked } = await granted(first, { "sub/keep": "", "other/keep": "" });
    const { name, args } = second as { name: string; args: object };
    await call(name, args);
    expect(asked()).toBe(questions);
  });

  test("does not follow a file that became a link", async () => {
    const { call, dir, text, asked } = await granted(write("sub/a.txt"), { "sub/a.txt": "", "other/a.txt": "old" });
    unlinkSync(path.join(dir, "sub/a.txt"));
    symlinkSync("../other/a.txt", path.join(dir, "sub/a.txt"));
    expect((await call("write_file", write("sub/a.txt").args)).status).toBe("refused");
    expect([asked(), text("other/a.txt")]).toEqual([1, "old"]);
  });

  test("covers no more than the session of a child asked for", async () => {
    const { gate, asked } = await granted(write("a.txt"));
    expect((await gate.child({ agent: "below" }).call(write("a.txt", "other"))).status).toBe("refused");
    expect(asked()).toBe(1);
  });

  test("does not follow a link to another file", async () => {
    const { call, dir, asked } = await granted(write("sub/a.txt"), { "sub/a.txt": "", "other/a.txt": "" });
    renameSync(path.join(dir, "sub"), path.join(dir, "was"));
    symlinkSync("other", path.join(dir, "sub"));
    expect((await call("write_file", write("sub/a.txt").args)).status).toBe("refused");
    expect(asked()).toBe(1);
    unlinkSync(path.join(dir, "sub"));
    mkdirSync(path.join(dir, "sub"));
  });
});

describe("a yes for always answers what the mode asks, and nothing else", () => {
  const asks = { answer: "ask", by: "strict", reason: "somebody should look" } as const;
  const odd = { name: "odd", judge: () => ({ answer: "yes" }) as never };
  const askers: [who: string, options: OpenOptions, questions: number, status: string][] = [
    ["the mode again", {}, 0, "done"],
    ["a stricter mode", { mode: "confirm-all" }, 0, "done"],
    ["a policy of one's own", { policies: [{ name: "strict", judge: () => asks }] }, 1, "refused"],
    ["a hook", { hooks: [{ name: "strict", before: () => ({ decision: "ask" }) }] }, 1, "refused"],
    ["a policy that nobody understands", { policies: [odd] }, 0, "refused"],
  ];
  test.each(askers)("%s", async (_, options, questions, status) => {
    const store = memoryStore();
    const first = await bench({}, { mode: "confirm-sensitive", approve: () => "always", store });
    expect((await first.call("write_file", write("a.txt").args)).status).toBe("done");
    let asked = 0;
    const approve = () => {
      asked += 1;
      return "deny";
    };
    const again = await bench({}, { dir: first.dir, mode: "confirm-sensitive", approve, store, ...options });
    const result = await again.call("write_file", write("a.txt", "other").args);
    expect([asked, result.status]).toEqual([questions, status]);
  });
});

describe("a policy of one's own that allows", () => {
  const allows: Policy = { name: "own", judge: () => ({ answer: "allow", by: "own", reason: "it is fine" }) };
  const covering: Policy = {
    name: "own",
    judge: ({ touches }) => ({ answer: "allow", by: "own", reason: "it is fine", covers: new Set(touches) }),
  };
  test.each([
    ["the call", allows],
    ["everything that it touches", covering],
  ])("%s answers no question of another", async (_, policy) => {
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", policies: [policy], store: "memory" });
    expect(await gate.explain(write("a.txt"))).toMatchObject({ verdict: "ask", by: "mode" });
    expect((await gate.call(write("a.txt"))).status).toBe("refused");
    expect(text("a.txt")).toBeUndefined();
  });
});

describe("an answer from another process", () => {
  const two = [write("a.txt"), write("b.txt")];

  test("to one call of a wave is no answer to the others", async () => {
    const store = memoryStore();
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve: () => new Promise(() => {}), store });
    const running = gate.callAll(two);
    await sleep(50);
    const [first, second] = await store.pending();
    await store.answer(first?.id ?? "", "once");
    await sleep(600);
    expect(text("b.txt")).toBeUndefined();
    await store.answer(second?.id ?? "", "deny");
    expect((await running).map(({ status }) => status)).toEqual(["done", "refused"]);
    expect([text("a.txt"), text("b.txt")]).toEqual(["new", undefined]);
  });

  test("that stops one stops all", async () => {
    const store = memoryStore();
    const { gate } = await bench({}, { mode: "confirm-sensitive", approve: () => new Promise(() => {}), store });
    const running = gate.callAll(two);
    await sleep(50);
    await store.answer((await store.pending())[1]?.id ?? "", "abort");
    expect((await running).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("a child gate", () => {
  const odd = [
    { mode: "nonsense" },
    { mode: null },
    { autonomy: "read-only" },
    { tools: ["*"] },
    { tools: [] },
    { permissions: ["reed"] },
    { plan: false, dryRun: false },
    { mode: "yolo", tools: undefined, permissions: undefined, autonomy: undefined },
    { __proto__: { mode: "yolo" } },
    { budget: { maxCalls: -1 } },
  ];
  test.each(odd.map((each) => [JSON.stringify(each), each]))(
    "with %s may no more than its parent",
    async (_, options) => {
      const { gate, text } = await bench({}, { mode: "confirm-sensitive", store: "memory" });
      const child = gate.child(options as never);
      expect((await child.call(write("a.txt"))).status).not.toBe("done");
      expect((await child.child({ mode: "yolo", autonomy: "full" }).call(write("a.txt"))).status).not.toBe("done");
      expect(text("a.txt")).toBeUndefined();
    },
  );

  test.each([{ mode: "confirm-al" }, { autonomy: "read-only" }])("of %j is as strict as can be", async (options) => {
    const { gate, text } = await bench({}, { store: "memory" });
    expect((await gate.child(options as never).call(write("a.txt"))).status).toBe("refused");
    expect(text("a.txt")).toBeUndefined();
  });
});
