import { describe, expect, test } from "vitest";
import { callRecord } from "../../test/contracts/store-samples.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import type { Touch } from "../core/words/touch.ts";
import { cleanRecord } from "./clean-record.ts";

const TOKEN = `sk-ant-api03-${"a1B2".repeat(12)}`;
const NOTE = "[redacted Anthropic key]";

const place = (more: object = {}) => ({ shown: "a.txt", real: "/w/a.txt", root: "/w", exists: true, ...more });
const run = (more: object = {}): Touch =>
  ({ action: "run", command: "ls", class: "safe", inner: [], ...more }) as Touch;
const reading = { risk: "low", reason: "", parsed: true, uses: {}, segments: [{ text: `ls ${TOKEN}` }] };

const places: [string, Partial<CallRecord>][] = [
  ["the input", { input: { path: "a", deep: [{ content: `token ${TOKEN}` }] } }],
  ["the name of an argument", { input: { [TOKEN]: 1 } }],
  ["an input that is a text", { input: `{"path": "${TOKEN}` }],
  ["the tool's name", { tool: TOKEN }],
  ["the target", { target: `curl -H ${TOKEN}` }],
  ["the reason of the verdict", { verdict: { answer: "deny", by: "rules", reason: `it has ${TOKEN}` } }],
  ["the error", { error: { code: "IO_ERROR", message: `could not send ${TOKEN}` } }],
  ["a command", { touches: [run({ command: `echo ${TOKEN}` })] }],
  ["what a command is inside", { touches: [run({ inner: [run({ command: `echo ${TOKEN}` })] })] }],
  ["how a command was read", { touches: [run({ reading })] }],
  ["what was set for a command", { touches: [run({ setting: `KEY=${TOKEN}` })] }],
  ["an address", { touches: [{ action: "fetch", url: `https://x/?key=${TOKEN}`, method: "GET" } as Touch] }],
  ["a name that is remembered", { touches: [{ action: "remember", target: TOKEN } as Touch] }],
  ["a real path", { touches: [{ action: "read", place: place({ real: `/w/${TOKEN}` }), certain: true }] }],
  ["the path of a link", { touches: [{ action: "read", place: place({ shown: TOKEN }), certain: true }] }],
  ["a pattern", { touches: [{ action: "list", place: place(), scope: `**/${TOKEN}`, certain: true }] }],
  [
    "one path of several",
    {
      touches: [
        { action: "read", place: place(), certain: true },
        { action: "read", place: place({ real: `/w/${TOKEN}` }), certain: true },
      ],
    },
  ],
];

describe("a secret does not settle in the record", () => {
  test.each(places)("%s", (_, more) => {
    const dirty = callRecord("1", more);
    expect(JSON.stringify(dirty), "it was there").toContain(TOKEN);
    const text = JSON.stringify(cleanRecord(dirty));
    expect(text).not.toContain(TOKEN);
    if (!/how a command was read|was set for/.test(_)) expect(text, "and a note says so").toContain(NOTE);
  });
});

describe("what holds no secret", () => {
  test("stays as it is, touches of paths and short arguments are not even copied", () => {
    const touches: Touch[] = [{ action: "read", place: place(), certain: true }];
    const input = { path: "a.txt", line: 1 };
    const record = callRecord("1", {
      ...{ touches, input },
      verdict: { answer: "allow", by: "mode", reason: "reads" },
      error: { code: "IO_ERROR", message: "no" },
    });
    const before = structuredClone(record);
    const cleaned = cleanRecord(record);
    expect(cleaned).toEqual(before);
    expect(cleaned.touches).toBe(touches);
    expect(cleaned.input).toBe(input);
  });

  test("of a command the record keeps what was run, not how it was read", () => {
    const inner = [{ action: "read", place: place(), certain: true }] as Touch[];
    const { touches } = cleanRecord(callRecord("1", { touches: [run({ inner, reading, setting: "x" }), ...inner] }));
    expect(touches).toEqual([{ action: "run", command: "ls", class: "safe", inner }, ...inner]);
  });

  test("a record without verdict and error gets none", () => {
    const cleaned = cleanRecord(callRecord("1"));
    expect(cleaned).not.toHaveProperty("verdict");
    expect(cleaned).not.toHaveProperty("error");
  });
});

test("arguments that came as one long text stay whole, but for secrets", () => {
  const text = `{"content": "${"x".repeat(10_000)}`;
  expect(cleanRecord(callRecord("1", { input: text })).input).toBe(text);
  expect(cleanRecord(callRecord("1", { input: `${text} ${TOKEN}` })).input).toBe(`${text} ${NOTE}`);
});
