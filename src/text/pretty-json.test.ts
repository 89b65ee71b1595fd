import { expect, test } from "vitest";
import { prettyJson } from "./pretty-json.ts";

test("is indented, with numbers as they were written", () => {
  expect(prettyJson('{"a":[1.0,{}],"b":{"c":[]}}')).toBe(
    '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": {\n    "c": []\n  }\n}',
  );
});

test.each([
  ["no JSON", "{"],
  ["too deep", "[".repeat(201) + "]".repeat(201)],
  ["deep and long", `${"[".repeat(199)}${"0,".repeat(400_000)}0${"]".repeat(199)}`],
])("%s is not", (_, text) => expect(prettyJson(text)).toBeUndefined());
