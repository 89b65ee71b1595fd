import { expect, test } from "vitest";
import { ConfigError, OPTIONS, shown } from "./problem.ts";

const at = (source: string) => ({ source, message: "wrong" });

test.each<[what: string, problems: ConstructorParameters<typeof ConfigError>[0], heading: string, hint: string]>([
  ["one of a file", [at("a.yaml")], "The configuration has a problem:", "toolgate config check"],
  ["two", [at("a.yaml"), at("b.yaml")], "The configuration has 2 problems:", "toolgate config check"],
  ["too many to tell", Array(51).fill(at("a.yaml")), "has more than 50 problems:", "toolgate config check"],
  ["an option", [at(OPTIONS)], "The configuration has a problem:", "Correct the option that was given."],
  ["an option and a file", [at(OPTIONS), at("a.yaml")], "has 2 problems:", "toolgate config check"],
])("%s", (_, problems, heading, hint) => {
  const error = new ConfigError(problems);
  expect(error.message).toContain(heading);
  expect(error.hint).toContain(hint);
  expect(error.problems).toBe(problems);
});

test("a problem is told with its place, as far as it is known", () => {
  const message = (more: object) => new ConfigError([{ ...at("a.yaml"), ...more }]).message.split("\n")[1];
  expect(message({})).toBe("  a.yaml: wrong");
  expect(message({ line: 3 })).toBe("  a.yaml:3:1: wrong");
  expect(message({ line: 3, column: 7 })).toBe("  a.yaml:3:7: wrong");
});

test.each<[value: unknown, shown: string]>([
  [undefined, "nothing"],
  [null, "nothing"],
  ["a", '"a"'],
  [7, "7"],
  [() => 1, "() => 1"],
  ["x".repeat(78), `"${"x".repeat(78)}"`],
  ["x".repeat(79), `"${"x".repeat(79)}…`],
  ["\u001b[31mred", '"\\u001b[31mred"'],
  ["a\u202eb", '"a\\u{202e}b"'],
  ["\u2028", '"\\u{2028}"'],
  ["\u009b", '"\\u{9b}"'],
])("%j is shown on one line", (value, expected) => expect(shown(value)).toBe(expected));

test("what cannot be written is named", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(shown(circle)).toBe("something that is not plain data");
});
