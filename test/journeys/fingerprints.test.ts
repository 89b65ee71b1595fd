import { expect, test } from "vitest";
import { type Store, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "./harness.ts";

const noting = (name: string, after = "new\n") =>
  plain(name, {
    permissions: { required: ["write"] },
    input: z.object({ note: z.record(z.string(), z.string()) }),
    touches: () => [{ action: "write", target: "a.txt" }],
    preview: async () => [{ path: "a.txt", after: new TextEncoder().encode(after) }],
  });

test("of very many changes each one counts", async () => {
  const prints: string[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    ask: (row) => {
      prints.push(row.fingerprint);
      return inner.ask(row);
    },
  };
  let odd = -1;
  const writing = plain("writing", {
    permissions: { required: ["write"] },
    input: z.object({}),
    touches: () => Array.from({ length: 1001 }, (_, index) => ({ action: "write", target: `${index}.txt` })),
    preview: async () =>
      Array.from({ length: 1001 }, (_, index) => ({
        path: `${index}.txt`,
        after: new TextEncoder().encode(index === odd ? "odd\n" : "same\n"),
      })),
  });
  const { call } = await bench({}, { mode: "confirm-sensitive", approve: () => "deny", store, tools: [writing] });
  for (odd of [-1, -1, 0, 499, 500, 1000]) await call("writing", {});
  const [first, again, ...others] = prints;
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(5);
});

test("a question is known by its tool, its arguments and its changes, in whatever order the arguments come", async () => {
  const prints: string[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    ask: (row) => {
      prints.push(row.fingerprint);
      return inner.ask(row);
    },
  };
  const tools = [noting("one"), noting("other"), noting("another", "else\n")];
  const { call } = await bench({}, { mode: "confirm-sensitive", approve: () => "deny", store, tools });
  const calls: [name: string, note: Record<string, string>][] = [
    ["one", { a: "1", b: "2" }],
    ["one", { b: "2", a: "1" }],
    ["one", { a: "2", b: "1" }],
    ["other", { a: "1", b: "2" }],
    ["another", { a: "1", b: "2" }],
  ];
  for (const [name, note] of calls) await call(name, { note });
  const [first, again, ...others] = prints;
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(4);
});
