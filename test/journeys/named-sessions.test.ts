import { describe, expect, test } from "vitest";
import type { Result } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench, folder, plain } from "./harness.ts";

type Call = [name: string, args: object];
const write = (path: string): Call => ["write_file", { path, content: "x\n" }];
const web = plain("web", {
  permissions: { required: ["network"] },
  touches: () => [{ action: "fetch", url: "https://example.com/" }],
});

/** Makes the first calls through one gate and the last one through another, both in the name of a session. */
async function goingOn(config: object, before: readonly Call[], last: Call, session = "s"): Promise<Result> {
  const [dir, store] = [folder({ "a.txt": "a\n" }), memoryStore()];
  const through = async (calls: readonly Call[], sessionID: string): Promise<Result | undefined> => {
    const it: Bench = await bench({}, { dir, store, config, tools: [web], sandbox: "off" });
    let result: Result | undefined;
    for (const [name, args] of calls) result = await it.call(name, args, { sessionID });
    await it.gate.close();
    return result;
  };
  await through(before, "s");
  return (await through([last], session)) as Result;
}

describe("what a session did counts when it goes on through another gate", () => {
  const edits = Array.from({ length: 20 }, (_, index) => write(`n${index}`));
  const testing = { guardrails: { require_test_after_edit: true } };
  test.each<[what: string, config: object, before: Call[], last: Call, by: string | undefined]>([
    ["untested changes", testing, edits, write("b"), "guardrails"],
    ["too few untested changes", testing, edits.slice(1), write("b"), undefined],
    ["text from outside", { trust: { outside_text: "deny" } }, [["web", {}]], ["web", {}], "trust"],
    ["no text from outside", { trust: { outside_text: "deny" } }, [write("b")], ["web", {}], undefined],
    ["nothing was read", { workspace: { write_safety: "strict" } }, [], write("a.txt"), "write-safety"],
    [
      "what was read",
      { workspace: { write_safety: "strict" } },
      [["read_file", { path: "a.txt" }]],
      write("a.txt"),
      undefined,
    ],
    ["the budget", { budget: { max_calls: 2 } }, [write("b"), write("c")], write("d"), "budget"],
  ])("%s", async (_, config, before, last, by) => {
    expect((await goingOn(config, before, last)).metadata.by).toBe(by);
    if (by && by !== "write-safety") expect((await goingOn(config, before, last, "other")).metadata.by).toBe(undefined);
  });
});

describe("circles are found from process to process", () => {
  const read: Call = ["read_file", { path: "a.txt" }];
  const edit = (from: string, to: string): Call => ["edit_file", { path: "a.txt", old_str: from, new_str: to }];
  const [there, back] = [edit("a", "b"), edit("b", "a")];
  const list: Call = ["list_files", {}];
  const look = (pattern: string): Call => ["grep", { pattern }];
  const times = (count: number, ...calls: Call[]): Call[] => Array.from({ length: count }, () => calls).flat();
  const refused = ["refused", "loops"];

  test.each<[what: string, calls: Call[], last: unknown[]]>([
    ["the same call, a fourth time", times(4, read), ["done", undefined]],
    ["the same call, a fifth time", times(5, read), refused],
    ["with looks at something else in between", [...times(2, read), list, ...times(3, read)], refused],
    ["with a change in between", [...times(3, read), there, ...times(2, read)], ["done", undefined]],
    ["edits that undo each other", times(5, there, back).slice(0, 9), refused],
    ["a call that fails the same way", times(5, ["read_file", { path: "none.txt" }]), refused],
    ["searches that find nothing", ["p", "q", "r", "s", "t", "u", "v"].map(look), refused],
    ["a few searches that find nothing", ["p", "q", "r", "s", "t"].map(look), ["done", undefined]],
    ["arguments of every kind", times(5, ["grep", { pattern: "a", literal: true, context_lines: 1 }]), refused],
  ])("%s", async (_, calls, last) => {
    const dir = folder({ "a.txt": "a\n" });
    const open = { dir, config: { loops: "refuse", mode: "yolo" }, sandbox: "off" } as const;
    let result: Result | undefined;
    for (const [name, args] of calls) {
      const it = await bench({}, { ...open, store: "sqlite" });
      result = await it.call(name, args, { sessionID: "s" });
      await it.gate.close();
    }
    expect([result?.status, result?.metadata.by]).toEqual(last);
  });

  test("another session is not held back by them, and the record keeps no answer", async () => {
    const [dir, store] = [folder({ "a.txt": "the text of a\n" }), memoryStore()];
    for (const sessionID of [...Array(5).fill("s"), "other"]) {
      const it = await bench({}, { dir, store, config: { loops: "refuse" } });
      await it.call(...read, { sessionID });
      await it.gate.close();
    }
    const records = await store.records({ order: "oldest-first" });
    expect(records.map(({ session, status }) => `${session} ${status}`)).toEqual([
      ...Array(4).fill("s done"),
      "s refused",
      "other done",
    ]);
    expect(JSON.stringify(records)).not.toContain("the text of a");
  });
});

test("text from outside counts for whoever works for the session, also when it goes on", async () => {
  const config = { trust: { outside_text: "deny" } };
  const [dir, store] = [folder(), memoryStore()];
  const first = await bench({}, { dir, store, config, tools: [web] });
  const resumed = first.gate.child({ sessionID: "s" });
  await resumed.call({ name: "web", args: {} });
  const { status } = await resumed.child().call({ name: "web", args: {} });
  expect(status).toBe("refused");
  await first.gate.close();
  const second = await bench({}, { dir, store, config, tools: [web] });
  expect((await second.gate.child({ sessionID: "s" }).child().call({ name: "web", args: {} })).status).toBe("refused");
});
