import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { workspaceTools } from "./langchain.ts";

test("the tools run as LangChain calls them", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  const { tools, lastResults, close } = await workspaceTools(folder({ "a.txt": "one\n" }), "s1");
  const [edit, grep, read] = [...tools].sort((a, b) => a.name.localeCompare(b.name));
  expect([edit?.name, grep?.name, read?.name]).toEqual(["edit_file", "grep", "read_file"]);
  const message = await read?.invoke({ type: "tool_call", id: "c1", name: "read_file", args: { path: "a.txt" } });
  expect(message.content).toBe("1\tone");
  expect(lastResults.get("c1")?.status).toBe("done");
  expect(told).toHaveBeenCalledWith(expect.stringMatching(/: done$/));
  await close();
});
