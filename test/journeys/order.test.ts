import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Claim, Tool } from "../../src/index.ts";
import { z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, door, plain, settled } from "./harness.ts";

const read = (target: string): Claim => ({ action: "read", target });
const list = (target: string, scope?: string): Claim => ({ action: "list", target, ...(scope && { scope }) });
const write = (target: string, scope?: string): Claim => ({ action: "write", target, ...(scope && { scope }) });
const remove = (target: string): Claim => ({ action: "delete", target });
const run = (...inner: Claim[]): Claim => ({ action: "run", command: "look", class: "safe", inner });
const build: Claim = { action: "run", command: "make", class: "dev" };
const unknown = (...permissions: ("read" | "write" | "execute" | "network")[]): Claim => ({
  action: "unknown",
  permissions,
});

/** Two tools: the first waits until it is let go, whatever the second does; both note when they began and ended. */
function pair(first: Claim[], second: Claim[]) {
  const log: string[] = [];
  const go = door();
  const make = (name: string, touches: Claim[], work: () => Promise<void>): Tool =>
    plain(name, {
      permissions: { required: [] },
      touches: () => touches,
      execute: async () => {
        log.push(`${name} begins`);
        await work();
        log.push(`${name} ends`);
        return name;
      },
    });
  const tools = [make("first", first, () => go.opened), make("second", second, async () => go.open())];
  return { tools, log, go };
}

const FILES = { "a.txt": "", "b.txt": "", "d/x.txt": "", "d/e/y.txt": "", "dd/x.txt": "", "node.txt": "" };

describe("a later call of a batch", () => {
  const cases: [what: string, first: Claim[], second: Claim[], waits: boolean][] = [
    ["a write, after a read of the file", [read("a.txt")], [write("a.txt")], true],
    ["a write, after a read by another spelling", [read("d/../a.txt")], [write("./a.txt")], true],
    ["a write, after a read of another file", [read("b.txt")], [write("a.txt")], false],
    ["a removal, after a read", [read("a.txt")], [remove("a.txt")], true],
    ["a read, after a removal", [remove("a.txt")], [read("a.txt")], true],
    ["a read, after a write", [write("a.txt")], [read("a.txt")], true],
    ["a removal, after a write", [write("a.txt")], [remove("a.txt")], true],
    ["a write, after a listing of its folder", [list("d")], [write("d/x.txt")], true],
    ["a write deep below, after a listing", [list("d")], [write("d/e/y.txt")], true],
    ["a write, after a listing of all", [list(".")], [write("d/e/y.txt")], true],
    ["a write, after a listing of a folder with a longer name", [list("d")], [write("dd/x.txt")], false],
    ["a write of the folder's own name, after a listing of it", [list("d")], [write("d")], true],
    ["a write, after a search by a pattern", [list("d", "**/*.txt")], [write("d/e/y.txt")], true],
    ["a write, after a read of all below", [{ ...read("d"), scope: "**" } as Claim], [write("d/x.txt")], true],
    ["a write beside, after a read of a folder's name", [read("d")], [write("d/x.txt")], false],
    ["a write, after a safe command that reads it", [run(read("a.txt"))], [write("a.txt")], true],
    ["a write, after a safe command that lists its folder", [run(list("d"))], [write("d/x.txt")], true],
    ["a write, after a safe command inside one", [run(run(read("a.txt")))], [write("a.txt")], true],
    ["a write, after a safe command that reads another", [run(read("b.txt"))], [write("a.txt")], false],
    ["a write, after a command that may do anything", [build], [write("a.txt")], true],
    ["a read, after a command that may do anything", [build], [read("a.txt")], true],
    ["a command that may do anything, after a read", [read("a.txt")], [build], true],
    ["a command that may do anything, after a listing", [list("d")], [build], true],
    ["a command that may do anything, after another", [build], [build], true],
    ["a safe command, after a write of what it reads", [write("a.txt")], [run(read("a.txt"))], true],
    ["a write below, after a write of all below", [write("d", "**")], [write("d/e/y.txt")], true],
    ["a write of all below, after a write below", [write("d/e/y.txt")], [write("d", "*.txt")], true],
    ["a write of all below, after a write of the folder's name", [write("d")], [write("d", "**")], true],
    ["a write of all below, after one beside it", [write("dd/x.txt")], [write("d", "**")], false],
    ["an unknown write, after a read", [read("a.txt")], [unknown("write")], true],
    ["an unknown run, after a read", [read("a.txt")], [unknown("read", "execute")], true],
    ["an unknown fetch, after a read", [read("a.txt")], [unknown("network")], false],
    ["an unknown read, after a write", [write("a.txt")], [unknown("read")], false],
    ["two reads", [read("a.txt")], [read("a.txt")], false],
    ["two listings", [list("d")], [list("d")], false],
    ["two that touch nothing", [], [], false],
    ["one of several files that was read", [read("b.txt"), read("a.txt")], [write("d/x.txt"), write("a.txt")], true],
  ];
  test.each(cases)("%s", async (_, first, second, waits) => {
    const { tools, log, go } = pair(first, second);
    const config = { workspace: { allow_delete: true } };
    const { gate } = await bench(FILES, { tools, store: "memory", config });
    const running = gate.callAll([{ name: "first" }, { name: "second" }]);
    if (waits) {
      while (log.length === 0) await settled();
      await settled();
      expect(log, "the second has not begun").toEqual(["first begins"]);
      go.open();
    }
    expect((await running).map(({ output }) => output.split("\n", 1)[0])).toEqual(["first", "second"]);
    // a second that did not begin would never have let the first one go
    if (waits) expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    else expect(log.indexOf("second begins")).toBeLessThan(log.indexOf("first ends"));
  });

  test("what waits comes after everything that it disturbs, and nothing else waits for it", async () => {
    const log: string[] = [];
    const noting = plain("noting", {
      permissions: { required: [] },
      input: z.object({ name: z.string(), reads: z.array(z.string()), writes: z.array(z.string()) }),
      touches: (input) => {
        const { reads, writes } = input as { reads: string[]; writes: string[] };
        return [...reads.map(read), ...writes.map((target) => write(target))];
      },
      execute: async (input) => {
        await settled();
        log.push((input as { name: string }).name);
        return "noted";
      },
    });
    const { gate } = await bench(FILES, { tools: [noting], store: "memory" });
    const calls = [
      { name: "1", reads: ["a.txt"], writes: [] },
      { name: "2", reads: [], writes: ["a.txt"] },
      { name: "3", reads: ["a.txt"], writes: ["b.txt"] },
      { name: "4", reads: ["b.txt"], writes: [] },
      { name: "5", reads: [], writes: ["d/x.txt"] },
    ];
    await gate.callAll(calls.map((args) => ({ name: "noting", args })));
    expect(log.filter((name) => name !== "5")).toEqual(["1", "2", "3", "4"]);
    expect(log.indexOf("5")).toBeLessThan(2);
  });

  test("a call that cannot be read holds nobody up", async () => {
    const broken = plain("broken", { touches: () => Promise.reject(new Error("cannot tell")) });
    const { gate } = await bench(FILES, { tools: [broken], store: "memory" });
    const calls = ["broken", "nobody", "file_info"].map((name) => ({ name, args: { path: "a.txt" } }));
    expect((await gate.callAll(calls)).map(({ status }) => status)).toEqual(["failed", "unknown", "done"]);
  });

  test.each([
    [undefined, 8],
    [1, 1],
    [2, 2],
    [0, 1],
    [-3, 1],
    [100, 20],
  ])("with a concurrency of %s at most %s run at once", async (concurrency, most) => {
    let now = 0;
    let seen = 0;
    const busy = plain("busy", {
      execute: async () => {
        seen = Math.max(seen, ++now);
        await settled();
        now -= 1;
        return "";
      },
    });
    const { gate } = await bench({}, { tools: [busy], store: "memory" });
    const calls = Array.from({ length: 20 }, () => ({ name: "busy" }));
    const results = await gate.callAll(calls, concurrency === undefined ? {} : { concurrency });
    expect(results.every(({ success }) => success)).toBe(true);
    expect(seen).toBe(most);
  });

  test("the calls of a batch are one turn, and of a call below a turn they are that turn's", async () => {
    const turns: string[] = [];
    const telling = plain("telling", { execute: async (_, { messageID }) => String(turns.push(messageID)) });
    const outer = plain("outer", {
      execute: async (_, { gate }) => String((await gate.callAll([{ name: "telling" }, { name: "telling" }])).length),
    });
    const { gate } = await bench({}, { tools: [telling, outer], store: "memory" });
    await gate.callAll([{ name: "telling" }, { name: "telling" }]);
    await gate.callAll([{ name: "telling" }]);
    await gate.call({ name: "outer", messageID: "mine" });
    const [one, two, other] = turns;
    expect(one).toBe(two);
    expect(other).not.toBe(one);
    expect(turns.slice(3)).toEqual(["mine", "mine"]);
  });
});

describe("what a call holds while it runs", () => {
  const cases: [what: string, touches: Claim[], held: string[]][] = [
    ["a read", [read("a.txt")], []],
    ["a listing", [list("d")], []],
    ["nothing", [], []],
    ["a write", [write("a.txt")], ["a.txt"]],
    ["a removal", [remove("a.txt")], ["a.txt"]],
    ["a write by a pattern", [write("d", "*.txt")], ["d/**"]],
    ["several, in one order, each once", [write("b.txt"), remove("a.txt"), write("b.txt")], ["a.txt", "b.txt"]],
    ["a safe command", [run(read("a.txt"))], []],
    ["a safe command that writes", [run(write("a.txt"))], ["**"]],
    ["a command", [build], ["**"]],
    ["an unknown write", [unknown("write")], ["**"]],
    ["an unknown run", [unknown("execute")], ["**"]],
    ["an unknown read and fetch", [unknown("read", "network")], []],
    ["a fetch", [{ action: "fetch", url: "http://example.com:8001/" }], []],
  ];
  test.each(cases)("%s", async (_, touches, held) => {
    const store = memoryStore();
    const asked: (readonly string[])[] = [];
    const noting = {
      ...store,
      lock: (...[paths, holder]: Parameters<typeof store.lock>) => {
        asked.push(paths);
        return store.lock(paths, holder);
      },
    };
    let during: string[] = [];
    const tool = plain("holding", {
      permissions: { required: [] },
      touches: () => touches,
      execute: async () => {
        during = (await store.locks()).map((lock) => lock.path);
        return "";
      },
    });
    const config = { workspace: { allow_delete: true } };
    const { dir, call } = await bench(FILES, { tools: [tool], store: noting, config });
    expect((await call("holding")).status).toBe("done");
    const paths = held.map((name) => path.join(dir, name));
    expect(during.sort()).toEqual(paths);
    expect(asked).toEqual(paths.length > 0 ? [paths] : []);
    expect(await store.locks()).toEqual([]);
  });
});
