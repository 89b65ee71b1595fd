import { expect, test } from "vitest";

test.each<[string, unknown]>([
  ["a text", { message: "other" }],
  ["nothing", { message: undefined }],
  ["a number", { message: 5 }],
  ["no such member", {}],
  ["an error", new Error("other")],
])("a pattern in toMatchObject is held against %s", (_, found) => {
  expect(found).not.toMatchObject({ message: /it/ });
  expect({ inner: [found] }).not.toMatchObject({ inner: [{ message: /it/ }] });
});

test("a pattern in toMatchObject fits what it fits", () => {
  expect(new Error("is it so?")).toMatchObject({ message: /it/ });
  expect({ inner: [{ message: "is it so?" }] }).toMatchObject({ inner: [{ message: /it/ }] });
});
