import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { accessOf } from "./access.ts";

test("an agent below reads, and does nothing else", async () => {
  const dir = folder({ "a.txt": "a\n" });
  const told = await accessOf(dir, [
    { name: "read_file", args: { path: "a.txt" } },
    { name: "write_file", args: { path: "a.txt", content: "b" } },
    { name: "run_command", args: { command: "ls" } },
  ]);
  expect(told).toEqual([
    "done",
    "Refused by access: write_file needs the permission to write.",
    "Refused by access: run_command is not among the tools of this agent.",
  ]);
});
