import { existsSync } from "node:fs";
import { join } from "node:path";
import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { run } from "./ai-sdk.ts";

test("reading runs, and writing comes back as a request for approval", async () => {
  const dir = folder({ "a.txt": "one\n" });
  const script = [
    { toolName: "read_file", input: '{"path":"a.txt"}' },
    { toolName: "write_file", input: '{"path":"b.txt","content":"x"}' },
  ];
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: script.splice(0, 1).map((call, index) => ({ type: "tool-call", toolCallId: `c${index}`, ...call })),
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    }),
  });
  const { content, steps } = await run(dir, "Copy the file.", model);
  expect(JSON.stringify(steps[0]?.toolResults)).toContain("one");
  expect(content.map(({ type }) => type)).toEqual(["tool-call", "tool-approval-request"]);
  expect(existsSync(join(dir, "b.txt"))).toBe(false);
});
