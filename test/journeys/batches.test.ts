import { describe, expect, test } from "vitest";
import type { AskedVerdict, Claim, Question, Tool } from "../../src/index.ts";
import { z } from "../../src/index.ts";
import { bench, plain, sleep } from "./harness.ts";

/** A tool that takes its time and notes who ran beside whom. */
function slow(name: string, touches: (path: string) => Claim[]): { tool: Tool; log: string[]; most: () => number } {
  const log: string[] = [];
  let now = 0;
  let most = 0;
  const tool = plain(name, {
    permissions: { required: ["read", "write"] },
    input: z.object({ path: z.string() }),
    touches: (input) => touches((input as { path: string }).path),
    execute: async (input) => {
      const { path } = input as { path: string };
      most = Math.max(most, ++now);
      log.push(`+${path}`);
      await sleep(30);
      log.push(`-${path}`);
      now -= 1;
      return path;
    },
  });
  return { tool, log, most: () => most };
}

const calls = (name: string, paths: readonly string[]) => paths.map((path) => ({ name, args: { path } }));

describe("callAll", () => {
  const read = (target: string): Claim[] => [{ action: "read", target }];
  const write = (target: string): Claim[] => [{ action: "write", target }];
  const cases: [what: string, touches: (path: string) => Claim[], paths: string[], together: number][] = [
    ["reads together", read, ["a", "b", "a", "c"], 4],
    ["writes of different files together", write, ["a", "b", "c"], 3],
    ["writes of one file one after the other", write, ["a", "a", "a"], 1],
    ["one file by two spellings is one file", write, ["a", "./a", "x/../a"], 1],
    [
      "a known folder conflicts with what is in it",
      (path) => [path === "d" ? { action: "write", target: "d", scope: "**" } : { action: "write", target: path }],
      ["d", "d/x"],
      1,
    ],
    ["what cannot be known goes alone", () => [{ action: "unknown", permissions: ["execute"] }], ["a", "b"], 1],
    ["network alone disturbs nobody", () => [{ action: "unknown", permissions: ["network"] }], ["a", "b"], 2],
    ["commands that are not safe go alone", (command) => [{ action: "run", command, class: "dev" }], ["a", "b"], 1],
    ["safe commands go together", (command) => [{ action: "run", command, class: "safe" }], ["a", "b"], 2],
  ];
  test.each(cases)("%s", async (_, touches, paths, together) => {
    const { tool, most } = slow("slow", touches);
    const { gate } = await bench({ a: "", b: "", c: "", "d/x": "", "x/y": "" }, { tools: [tool] });
    const results = await gate.callAll(calls("slow", paths));
    expect(results.map(({ output }) => output)).toEqual(paths);
    expect(most()).toBe(together);
  });

  test("a read after a write of the same file waits and sees it; another read does not wait", async () => {
    const { gate } = await bench({ "a.txt": "old", "b.txt": "other" });
    const [, readA, readB] = await gate.callAll([
      { name: "write_file", args: { path: "a.txt", content: "fresh" } },
      { name: "read_file", args: { path: "./a.txt" } },
      { name: "read_file", args: { path: "b.txt" } },
    ]);
    expect(readA?.output).toBe("1\tfresh");
    expect(readB?.output).toBe("1\tother");
  });

  test("a write waits for a read before it", async () => {
    const { gate } = await bench({ "a.txt": "old" });
    const [before] = await gate.callAll([
      { name: "read_file", args: { path: "a.txt" } },
      { name: "write_file", args: { path: "a.txt", content: "new" } },
    ]);
    expect(before?.output).toBe("1\told");
  });

  test("one failure does not stop the others", async () => {
    const { gate, text } = await bench({ "a.txt": "one" });
    const results = await gate.callAll([
      { name: "read_file", args: { path: "missing" } },
      { name: "nope", args: {} },
      { name: "write_file", args: { path: "../x", content: "" } },
      { name: "write_file", args: {} },
      { name: "edit_file", args: { path: "a.txt", old_str: "one", new_str: "two" } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["failed", "unknown", "refused", "invalid", "done"]);
    expect(text("a.txt")).toBe("two");
  });

  test("at most so many at once", async () => {
    const { tool, most } = slow("slow", () => []);
    const { gate } = await bench({}, { tools: [tool], store: "memory" });
    await gate.callAll(
      calls(
        "slow",
        Array.from({ length: 12 }, (_, n) => `f${n}`),
      ),
      { concurrency: 3 },
    );
    expect(most()).toBe(3);
  });

  test("cancelling stops all of it", async () => {
    const { tool, log } = slow("slow", write);
    const { gate } = await bench({}, { tools: [tool] });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 45);
    const results = await gate.callAll(calls("slow", ["a", "a", "a", "a", "a", "a"]), { signal: stop.signal });
    expect(results.at(-1)?.status).toBe("cancelled");
    expect(log.length).toBeLessThan(8);
  });

  test("one question for one call, and each answer is for that call alone", async () => {
    const asked: string[] = [];
    const approve = ({ diff }: Question, { others }: AskedVerdict) => {
      expect(others).toBeUndefined();
      asked.push(diff.includes("b/a") ? "a" : diff.includes("b/b") ? "b" : "c");
      return asked.length === 2 ? "deny" : "once";
    };
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve });
    const results = await gate.callAll(
      ["a", "b", "c"].map((path) => ({ name: "write_file", args: { path, content: path } })),
    );
    expect(asked).toEqual(["a", "b", "c"]);
    expect(results.map(({ status }) => status)).toEqual(["done", "refused", "done"]);
    expect([text("a"), text("b"), text("c")]).toEqual(["a", undefined, "c"]);
  });

  test("whoever stops one call is not asked about the rest of the wave", async () => {
    let asked = 0;
    const approve = () => (++asked === 2 ? "abort" : "once");
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve });
    const calls = ["a", "b", "c"].map((path) => ({ name: "write_file", args: { path, content: path } }));
    expect((await gate.callAll(calls)).map(({ status }) => status)).not.toContain("done");
    expect(asked).toBe(2);
    expect([text("a"), text("b"), text("c")]).toEqual([undefined, undefined, undefined]);
  });

  test("a standing yes to one call answers the same question about the next", async () => {
    let asked = 0;
    const approve = () => (asked++ === 0 ? "session" : "deny");
    const tools = [
      plain("ring", { permissions: { required: ["execute"] }, touches: () => [{ action: "schedule", target: "x" }] }),
    ];
    const { gate } = await bench({}, { mode: "confirm-sensitive", approve, tools });
    const results = await gate.callAll([{ name: "ring" }, { name: "ring" }]);
    expect([asked, ...results.map(({ status }) => status)]).toEqual([1, "done", "done"]);
  });

  test("one request for a wave by who can show several, and it decides for all of it", async () => {
    const asked: { call: Question; verdict: AskedVerdict }[] = [];
    const show = (call: Question, verdict: AskedVerdict) => {
      asked.push({ call, verdict });
      return "once";
    };
    const approve = Object.assign(show, { several: true });
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve });
    await gate.callAll(["a", "b", "c"].map((path) => ({ name: "write_file", args: { path, content: path } })));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.verdict.others?.map(({ call }) => call.diff.includes("+++ b/"))).toEqual([true, true]);
    expect([text("a"), text("b"), text("c")]).toEqual(["a", "b", "c"]);
  });

  test("a no to the wave is a no to each of its calls, and an abort ends the batch", async () => {
    for (const [answer, statuses] of [
      ["deny", ["refused", "refused", "done"]],
      ["abort", ["cancelled", "cancelled", "cancelled"]],
    ] as const) {
      const { gate, text } = await bench({ "r.txt": "x" }, { mode: "confirm-sensitive", approve: () => answer });
      const results = await gate.callAll([
        { name: "write_file", args: { path: "a", content: "x" } },
        { name: "write_file", args: { path: "b", content: "x" } },
        { name: "read_file", args: { path: "r.txt" } },
      ]);
      expect(results.map(({ status }) => status)).toEqual(statuses);
      expect(text("a")).toBeUndefined();
    }
  });

  test("many edits of one file all arrive", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n};`);
    const { gate, text } = await bench({ "a.txt": lines.join("\n") });
    const results = await gate.callAll(
      lines.map((line, n) => ({ name: "edit_file", args: { path: "a.txt", old_str: line, new_str: `edited ${n};` } })),
    );
    expect(results.every(({ success }) => success)).toBe(true);
    expect(text("a.txt")).toBe(lines.map((_, n) => `edited ${n};`).join("\n"));
  });
});
