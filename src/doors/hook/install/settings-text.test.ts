import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonc, plainOf } from "./jsonc.ts";
import { itemsAt, memberAt, withItem, withMember, withoutItems, withoutMember } from "./settings-text.ts";

const WAY = ["hooks", "Before"];
const ITEM = { matcher: "*", hooks: [{ command: "ours" }] };
const isOurs = (item: unknown) => JSON.stringify(item) === JSON.stringify(ITEM);
const added = (text: string) => withItem(text, WAY, ITEM);

describe("what was there comes back to the letter", () => {
  test.each<[string, string]>([
    ["nothing", "{}\n"],
    ["one line", '{ "a": 1 }'],
    ["other settings", '{\n  "a": [1, 2],\n  "b": {}\n}\n'],
    ["other hooks", '{\n\t"hooks": {\n\t\t"After": [{ "command": "x" }]\n\t}\n}\n'],
    ["hooks of the same event", '{\n  "hooks": {\n    "Before": [\n      { "command": "x" }\n    ]\n  }\n}\n'],
    ["comments", '{\n  // why\n  "a": 1, /* and */ "hooks": { "Before": [{ "c": "//no" }] }\n}\n// end\n'],
    ["a text that looks like an end", '{\n  "a": "}]\\"",\n  "b": 1\n}\n'],
    ["CRLF", '{\r\n  "a": 1\r\n}\r\n'],
    ["a comma at the end", '{ "a": 1, }\n'],
    ["commas at the end", '{\n  "hooks": {\n    "Before": [\n      { "command": "x" }, // keep\n    ],\n  },\n}\n'],
    ["a comma at the end, with a comment", '{\n  "a": 1, // mine\n}\n'],
  ])("%s", (_, text) => {
    const more = added(text);
    expect(itemsAt(more, WAY)).toContainEqual(ITEM);
    const back = withoutItems(more, WAY, isOurs);
    if (text === "{}\n") expect(plainOf(parseJsonc(back))).toEqual({});
    else expect(back).toBe(text);
  });
});

test("what people wrote stays where it was", () => {
  const text = '{\n  // mine\n  "hooks": {\n    "Before": [\n      { "command": "first" }, // keep\n    ],\n  },\n}\n';
  const more = added(text);
  for (const kept of ["// mine", "// keep", '{ "command": "first" }']) expect(more).toContain(kept);
  expect(itemsAt(more, WAY)).toEqual([{ command: "first" }, ITEM]);
});

test.each<[string, string]>([
  ["hooks that are a list", '{ "hooks": [] }'],
  ["an event that is a text", '{ "hooks": { "Before": "x" } }'],
  ["no JSON", "{ a: 1 }"],
  ["half of it", '{ "a": 1'],
  ["more than one value", "{} {}"],
  ["a list", "[]"],
])("%s is left alone, and said", (_, text) => {
  expect(() => added(text)).toThrow(SyntaxError);
});

test("deep nesting and comments that never close come to an end", () => {
  expect(() => parseJsonc("[".repeat(100_000))).toThrow(SyntaxError);
  expect(() => parseJsonc(`{ ${"/*".repeat(50_000)}`)).toThrow(SyntaxError);
});

test("whatever is valid JSON is read as JSON.parse reads it, and keeps everything else", () => {
  const objects = fc.dictionary(
    fc.string().filter((name) => name !== "hooks" && name !== "__proto__"),
    fc.jsonValue(),
    { maxKeys: 4 },
  );
  fc.assert(
    fc.property(objects, fc.constantFrom(0, 1, 2, "\t"), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      expect(plainOf(parseJsonc(text))).toEqual(JSON.parse(text));
      const more = added(text);
      expect(plainOf(parseJsonc(more))).toEqual({ ...JSON.parse(text), hooks: { Before: [ITEM] } });
      expect(JSON.parse(withoutItems(more, WAY, isOurs))).toEqual(JSON.parse(text));
    }),
  );
});

describe("a member of an object", () => {
  const SERVER = { command: "toolgate", args: ["mcp"] };
  const IN = ["servers", "toolgate"];

  test.each<[string, string]>([
    ["other settings", '{\n  "a": [1, 2]\n}\n'],
    ["other servers", '{\n\t"servers": {\n\t\t"x": { "command": "x" }\n\t}\n}\n'],
    ["comments", '{\n  // why\n  "servers": { "x": {} } /* and */\n}\n// end\n'],
  ])("is set, set anew and taken out: %s", (_, text) => {
    const more = withMember(text, IN, SERVER);
    expect(memberAt(more, IN)).toEqual(SERVER);
    const anew = withMember(more, IN, { command: "other" });
    expect(memberAt(anew, IN)).toEqual({ command: "other" });
    expect(withoutMember(more, IN)).toBe(text);
    expect(withoutMember(text, IN)).toBe(text);
  });

  test("where something else stands, nothing is changed", () => {
    expect(() => withMember('{ "servers": [] }', IN, SERVER)).toThrow(SyntaxError);
    expect(() => withMember("{", IN, SERVER)).toThrow(SyntaxError);
  });
});
