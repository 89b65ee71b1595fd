import { expect, test } from "vitest";
import { bench } from "./harness.ts";

test("a change that breaks the syntax is told with line and column", async () => {
  const { call } = await bench();
  const { output, success, metadata } = await call("write_file", { path: "x.json", content: '{"a": ' });
  expect(success).toBe(true);
  expect(output).toMatch(/x\.json:1:7 /);
  expect(metadata.syntax).toMatchObject([{ file: "x.json" }]);
});

test("only what the change brought is told", async () => {
  const { call } = await bench({ "x.ts": "const a = = 1;\nconst b = 2;\n" });
  const still = await call("edit_file", { path: "x.ts", old_str: "b = 2", new_str: "b = 3" });
  expect(still.output).not.toMatch(/Syntax/);
  const fixed = await call("write_file", { path: "x.ts", content: "const a = 1;\n" });
  expect(fixed.output).not.toMatch(/Syntax/);
});

test("sound code and other files bring nothing", async () => {
  const { call } = await bench();
  for (const [path, content] of [
    ["a.json", "{}"],
    ["a.yaml", "a: 1\n"],
    ["a.ts", "export const a: number = 1;\n"],
    ["a.txt", "{{{"],
  ])
    expect((await call("write_file", { path, content })).output).not.toMatch(/Syntax/);
});
