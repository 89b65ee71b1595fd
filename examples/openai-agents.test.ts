import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { work } from "./openai-agents.ts";

test("reading runs, writing is asked about, and a no reaches the model", async () => {
  const dir = folder({ "a.txt": "one\n" });
  const call = (callId: string, name: string, args: Record<string, string>) => functionCall(name, args, { callId });
  const model = new ScriptedModel([
    [call("c1", "read_file", { path: "a.txt" })],
    [call("c2", "write_file", { path: "b.txt", content: "two\n" })],
    [call("c3", "write_file", { path: "c.txt", content: "three\n" })],
    [assistantMessage("done")],
  ]);
  const asked: string[] = [];
  const answer = await work(dir, "Copy the file.", model, (what) => {
    asked.push(what);
    return what.includes("b.txt");
  });
  expect(answer).toBe("done");
  expect(asked).toHaveLength(2);
  expect(readFileSync(join(dir, "b.txt"), "utf8")).toBe("two\n");
  expect(existsSync(join(dir, "c.txt"))).toBe(false);
  expect(JSON.stringify(model.calls[1]?.request.input)).toContain("one");
});
