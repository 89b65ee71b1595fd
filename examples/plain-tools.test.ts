import { expect, test } from "vitest";
import { open } from "../src/index.ts";
import { folder } from "../test/journeys/harness.ts";
import { plainTools } from "./plain-tools.ts";

test("plain objects with a schema and a function that returns text and never throws", async () => {
  const gate = await open({ workspace: folder({ "a.txt": "one\n" }), mode: "yolo", store: "memory" });
  const tools = plainTools(gate);
  expect(tools.length).toBeGreaterThan(10);
  for (const { parameters } of tools) expect(parameters.type).toBe("object");
  const read = tools.find(({ name }) => name === "read_file");
  expect(await read?.execute({ path: "a.txt" })).toBe("1\tone");
  expect(await read?.execute({ path: "none.txt" })).toMatch(/^Error/);
  expect(await read?.execute(undefined)).toMatch(/path is required/);
  await gate.close();
});
