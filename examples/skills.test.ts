import { cpSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../src/index.ts";
import { folder } from "../test/journeys/harness.ts";

test("the example skill lists the longest texts, and its instructions say what to do with them", async () => {
  const dir = folder({ "a.md": "one two three\n", "docs/b.md": "one\n", "c.ts": "one two three four\n" });
  cpSync("examples/skills", path.join(dir, ".agents/skills"), { recursive: true });
  const gate = await open({ workspace: dir, mode: "yolo", store: "memory", sandbox: "off" });
  onTestFinished(() => gate.close());
  expect(gate.notes).toEqual([]);
  const { output } = await gate.call({ name: "longest_texts", args: { count: 2 } });
  expect(output).toBe("3 ./a.md\n1 ./docs/b.md");
  const read = await gate.call({ name: "skill", args: { name: "word-count" } });
  expect(read.output).toContain("Call `longest_texts`");
  expect(read.metadata.files).toEqual(["references/lengths.md", "scripts/longest.sh"]);
});
