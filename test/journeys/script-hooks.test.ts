import { describe, expect, test } from "vitest";
import type { OpenOptions } from "../../src/index.ts";
import { bench } from "./harness.ts";

type Written = Record<string, unknown>;

const write = { name: "write_file", args: { path: "a.py", content: "x = 1\n" } };

/** A gate with these files, of which those in `bin` can be run, and hooks. */
async function hooked(
  hooks: Written,
  files: Record<string, string> = {},
  options: OpenOptions & { config?: object } = {},
) {
  const asked: string[] = [];
  const { config, ...rest } = options;
  const it = await bench(files, {
    store: "memory",
    approve: (_call, { by, reason }) => {
      asked.push(`${by}: ${reason}`);
      return "once";
    },
    ...rest,
    config: { ...config, hooks },
  });
  return { ...it, asked };
}
const pre = (command: string, more: Written = {}): Written => ({ pre_tool_use: [{ name: "guard", command, ...more }] });
const post = (command: string, more: Written = {}): Written => ({
  post_tool_use: [{ name: "lint", command, ...more }],
});
const print = (value: unknown): string => `cat <<'END'\n${JSON.stringify(value)}\nEND`;

describe("a script before a call", () => {
  const cases: [
    what: string,
    command: string,
    more: Written,
    status: string,
    asked: string | undefined,
    told: string,
  ][] = [
    ["says nothing", "true", {}, "done", undefined, ""],
    ["prints text", "echo mind the gap", {}, "done", undefined, "[guard] mind the gap"],
    ["blocks", "echo not here >&2; exit 2", {}, "refused", undefined, "Refused by the hook guard: not here"],
    ["blocks without a word", "exit 2", {}, "refused", undefined, "Refused by the hook guard: it gave no reason"],
    ["blocks in stdout", "echo nope; exit 2", {}, "refused", undefined, "Refused by the hook guard: nope"],
    ["fails", "echo oops >&2; exit 1", {}, "done", undefined, "[Hook guard: FAILED (exit 1)]\noops"],
    ["fails, and that asks", "exit 3", { on_failure: "ask" }, "done", "it failed (exit 3)", ""],
    ["fails, and that denies", "exit 3", { on_failure: "deny" }, "refused", undefined, "it failed (exit 3)"],
    ["is not there", "./missing", {}, "done", "it failed (exit 127)", ""],
    ["is not there, and that is fine", "./missing", { on_failure: "allow" }, "done", undefined, "FAILED (exit 127)"],
    ["hangs", "sleep 60", { timeout: 1 }, "done", "it failed (timed out after 1 s)", ""],
    [
      "hangs, and that denies",
      "sleep 60",
      { timeout: 1, on_failure: "deny" },
      "refused",
      undefined,
      "timed out after 1 s",
    ],
    ["floods", "yes", { timeout: 60 }, "done", "it failed (it printed more than 4 MB)", ""],
    [
      "prints half an object",
      `printf '{"decision":'`,
      {},
      "done",
      "it failed (it printed JSON that cannot be read)",
      "",
    ],
    ["is switched off", "exit 2", { enabled: false }, "done", undefined, ""],
    ["is for another tool", "exit 2", { matcher: "Bash" }, "done", undefined, ""],
    ["is for this tool by another name", "exit 2", { matcher: "Edit|Write" }, "refused", undefined, ""],
    ["is for every tool", "exit 2", { matcher: "*" }, "refused", undefined, ""],
    ["is for tools by a pattern", "exit 2", { matcher: "write_.*" }, "refused", undefined, ""],
    ["is for tools by another agent's pattern", "exit 2", { matcher: "^Wri.*$" }, "refused", undefined, ""],
    ["is for other files", "exit 2", { file_patterns: ["*.ts"] }, "done", undefined, ""],
    ["is for these files", "exit 2", { file_patterns: ["*.py"] }, "refused", undefined, ""],
    ["nobody waits for", "exit 2", { async: true }, "done", undefined, ""],
  ];
  test.each(cases)("%s", async (_, command, more, status, question, told) => {
    const { gate, asked, text } = await hooked(pre(command, more));
    const result = await gate.call(write);
    expect([result.status, text("a.py")]).toEqual([status, status === "done" ? "x = 1\n" : undefined]);
    expect(asked).toEqual(question === undefined ? [] : [expect.stringContaining(question)]);
    expect(`${result.output}${result.error?.message ?? ""}`).toContain(told);
  });
});

describe("a script after a call", () => {
  const cases: [what: string, command: string, more: Written, told: string][] = [
    ["says nothing", "true", {}, "Created a.py (1 line, 6 bytes)."],
    ["prints text", "echo clean", {}, "\n\n[lint] clean"],
    [
      "finds something",
      "echo a.py:1: unused; echo warned >&2; exit 1",
      {},
      "\n\n[Hook lint: FAILED (exit 1)]\na.py:1: unused\nwarned",
    ],
    ["blocks, which is too late", "echo late >&2; exit 2", {}, "\n\n[Hook lint: FAILED (exit 2)]\nlate"],
    ["hangs", "sleep 60", { timeout: 1 }, "\n\n[Hook lint: FAILED (timed out after 1 s)]"],
    ["answers in JSON", print({ decision: "block", reason: "fix it" }), {}, "\n\n[lint] fix it"],
    ["is given the file", 'basename {file}; [ "$TOOLGATE_FILE_PATH" = {file} ]', {}, "\n\n[lint] a.py"],
  ];
  test.each(cases)("%s", async (_, command, more, told) => {
    const { gate, text } = await hooked(post(command, more));
    const { status, output } = await gate.call(write);
    expect([status, text("a.py")]).toEqual(["done", "x = 1\n"]);
    expect(output.trimEnd().endsWith(told)).toBe(true);
  });
});
