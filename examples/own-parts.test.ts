import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { openWithOwnParts } from "./own-parts.ts";

test("a policy, a step, a hook and a tool of one's own work together", async () => {
  const said: string[] = [];
  await using gate = await openWithOwnParts(folder({ "a.txt": "one\n" }), (line) => said.push(line));
  const write = (path: string, content: string) => gate.call({ name: "write_file", args: { path, content } });

  expect((await gate.call({ name: "note", args: { name: "n", text: "t" } })).output).toContain("Kept n, version 1.");
  expect((await write("b.txt", "// @generated\n")).error?.message).toContain("generated files are not edited");
  expect((await write("b.txt", "two\n")).output).toContain("Run the generator before you commit.");
  expect((await write("c.txt", "three\n")).status).toBe("done");

  const child = gate.child({ agent: "helper" });
  const full = await child.call({ name: "write_file", args: { path: "d.txt", content: "four\n" } });
  expect(full).toMatchObject({ success: false, error: { code: "RATE_LIMITED" } });
  expect((await gate.call({ name: "read_file", args: { path: "a.txt" } })).status).toBe("done");
  expect(said.map((line) => line.split(" ")[0])).toEqual(["note", "write_file", "write_file", "read_file"]);
});
