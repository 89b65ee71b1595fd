import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { agent } from "./openai-messages.ts";

test("a scripted model reads a file, edits it and says so", async () => {
  const dir = folder({ "a.txt": "one\ntwo\n" });
  const turn = (name: string, args: object) => ({
    role: "assistant",
    tool_calls: [{ id: `call_${name}`, function: { name, arguments: JSON.stringify(args) } }],
  });
  const script = [
    turn("read_file", { path: "a.txt" }),
    turn("edit_file", { path: "a.txt", old_str: "two", new_str: "2" }),
    { role: "assistant", content: "Done." },
  ];
  const sent: number[] = [];
  const messages = await agent(dir, "Write the number as a digit.", async ({ messages: so_far, tools }) => {
    expect(tools.length).toBeGreaterThan(10);
    sent.push(so_far.length);
    return script[sent.length - 1] as never;
  });
  expect(sent).toEqual([1, 3, 5]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
  expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("one\n2\n");
});
