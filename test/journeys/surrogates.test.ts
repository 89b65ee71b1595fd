import { expect, test } from "vitest";
import { Tool, z } from "../../src/index.ts";
import { bench } from "./harness.ts";

const half = "\ud83d";
const other = "\ude00";
const isWhole = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed();

const speak = Tool.define("speak", {
  description: "Says what it is told to say, in every part of its result.",
  input: z.object({ text: z.string(), fails: z.boolean().optional() }),
  touches: () => [],
  execute: ({ text, fails }) =>
    fails
      ? { title: text, output: text, success: false, error: { code: "UNKNOWN", message: text, hint: text } }
      : { title: text, output: text },
});

test.each<[what: string, name: string, args: Record<string, unknown>]>([
  ["an output", "speak", { text: `a${half}` }],
  ["an error", "speak", { text: `${other}a`, fails: true }],
  ["a glob", "find_files", { pattern: `${half}*` }],
  ["a long glob, cut in a pair", "find_files", { pattern: `${"x".repeat(79)}😀${"y".repeat(2_000)}` }],
  ["a pattern", "grep", { pattern: `a${half}b`, literal: true }],
  ["a long pattern, cut in a pair", "grep", { pattern: `${"x".repeat(79)}😀yyy` }],
  ["a path", "read_file", { path: `none${half}` }],
  ["a folder", "list_files", { path: `none${other}` }],
  ["a pattern of a listing", "list_files", { pattern: `${half}` }],
  ["a text to replace", "edit_file", { path: "f", old_str: `a${half}`, new_str: "b" }],
  [
    "a patch",
    "apply_patch",
    { patch: `*** Begin Patch\n*** Update File: f\n@@\n-${"x".repeat(58)}😀${half}\n+b\n*** End Patch` },
  ],
  ["a file to write", "write_file", { path: "g", content: half }],
  ["an unknown tool", `nothing${half}`, {}],
  ["an unknown argument", "read_file", { path: "f", [`x${half}`]: 1 }],
  ["a long line of pairs", "read_file", { path: "long" }],
  ["a long line of pairs, in few bytes", "read_file", { path: "long", max_bytes: 7 }],
  ["a hit in a long line of pairs", "grep", { pattern: "end", path: "long" }],
])("half of a surrogate pair is in no result: %s", async (_, name, args) => {
  const { call } = await bench({ f: "ab\n", long: `a${"😀".repeat(3_000)}end` }, { store: "memory", tools: [speak] });
  const { title, output, error } = await call(name, args);
  for (const text of [title, output, error?.message ?? "", error?.hint ?? ""]) expect(isWhole(text), text).toBe(true);
});

test("what is whole stays as it is", async () => {
  const { call } = await bench({}, { store: "memory", tools: [speak] });
  expect((await call("speak", { text: "a😀b" })).output).toBe("a😀b");
  expect((await call("speak", { text: `a${half}b` })).output).toBe("a\uFFFDb");
});
