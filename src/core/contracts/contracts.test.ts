import { expect, test } from "vitest";
import { ARGUMENT_TYPES } from "../words/skill.ts";
import { HOOK_EVENTS, MOMENTS } from "./hook.ts";
import { type ServerSetting, whereIs } from "./servers.ts";

// people write these words into their files: none of them may go
test("everything that a hook can be for", () => {
  expect([...HOOK_EVENTS].sort().join(" ")).toBe(
    "agent_complete budget_warning context_compress on_error post_llm_call post_tool_use pre_llm_call pre_tool_use session_end session_start",
  );
  expect(HOOK_EVENTS.filter((name) => !(MOMENTS as readonly string[]).includes(name))).toEqual([
    "pre_tool_use",
    "post_tool_use",
  ]);
});

test("the kinds of values that an argument of a skill's tool may have", () =>
  expect([...ARGUMENT_TYPES].sort()).toEqual(["array", "boolean", "integer", "number", "object", "string"]));

test.each<[Partial<ServerSetting>, string]>([
  [{ type: "stdio", command: "node", args: ["a.js", "-v"], url: "" }, "node a.js -v"],
  [{ type: "stdio", command: "node", args: [], url: "http://x.test/" }, "node"],
  [{ type: "http", command: "", args: [], url: "http://x.test/" }, "http://x.test/"],
  [{ type: "sse", command: "node", args: ["a.js"], url: "http://x.test/" }, "http://x.test/"],
])("where a server is: %j", (setting, where) => expect(whereIs(setting as ServerSetting)).toBe(where));
