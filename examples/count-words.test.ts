import { expect, test } from "vitest";
import { bench } from "../test/journeys/harness.ts";
import { countWords } from "./count-words.ts";

test("count_words counts, and reaches nothing but its file", async () => {
  const { call, gate } = await bench({ "a.txt": "one two\nthree\n" }, { tools: [countWords] });
  expect((await call("count_words", { path: "a.txt" })).output).toBe("a.txt has 3 words.");
  expect((await call("count_words", { path: "b.txt" })).error?.code).toBe("NOT_FOUND");
  expect((await call("count_words", { path: "../a.txt" })).status).toBe("refused");
  expect((await gate.explain({ name: "count_words", args: { path: "a.txt" } })).verdict).toBe("allow");
});
