import { beforeEach, expect, test } from "vitest";
import { done, HandClock } from "../../test/stepping.ts";
import type { Workspace } from "../core/contracts/workspace.ts";
import { Life } from "../core/journey/life.ts";
import type { Ready } from "../core/words/ready.ts";
import type { Result } from "../core/words/result.ts";
import { syntaxCheck } from "./syntax-check.ts";

type Change = { file?: string; before?: string | Uint8Array | null; after: string | Uint8Array | null };

let parsed: string[];
beforeEach(() => {
  parsed = [];
});

/** Every `!` is a problem, told with its line; `?` makes the parser itself fail. */
const marks = async (text: string) => {
  parsed.push(text);
  if (text.includes("?")) throw new Error("the parser broke");
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(/!(\w*)/g)].map(([, message = ""]) => ({ line: index + 1, column: 1, message })),
    );
};

const bytes = (text: string | Uint8Array | null) => (typeof text === "string" ? new TextEncoder().encode(text) : text);

function checker(step = syntaxCheck((file) => (file.endsWith(".txt") ? undefined : marks))) {
  return async (changes: Change[], result: Result = done) => {
    const ready = {
      changes: changes.map(({ file = "a.js", before = null, after }) => ({
        place: { shown: file, real: `/ws/${file}` },
        before: bytes(before),
        after: bytes(after),
      })),
    } as unknown as Ready;
    if (!step.applies(ready)) return undefined;
    const clock = new HandClock();
    return step.around({ ready, life: new Life(clock), clock, workspace: {} as Workspace }, async () => result);
  };
}

const told = (result: Result | undefined) =>
  ((result?.metadata.syntax ?? []) as { file: string; problems: { message: string }[] }[]).map(
    ({ file, problems }) => `${file}: ${problems.map(({ message }) => message).join()}`,
  );

test.each<[what: string, changes: Change[], told: string[]]>([
  ["a new file", [{ after: "!a" }], ["a.js: a"]],
  ["a sound change", [{ before: "x", after: "y" }], []],
  ["what was there before is not told", [{ before: "!a", after: "\n!a" }], []],
  ["the second of its kind is", [{ before: "!a", after: "!a !a" }], ["a.js: a"]],
  ["only what is new", [{ before: "!a", after: "!a !b" }], ["a.js: b"]],
  ["a removal", [{ before: "!a", after: null }], []],
  ["no parser for it", [{ file: "a.txt", after: "!a" }], []],
  ["no text", [{ after: new Uint8Array([0, 1, 2, 0, 255]) }], []],
  ["no text before", [{ before: new Uint8Array([0, 1, 2, 0, 255]), after: "!a" }], ["a.js: a"]],
  [
    "several files",
    [{ after: "!a" }, { file: "b.js", after: "x" }, { file: "c.js", after: "!c" }],
    ["a.js: a", "c.js: c"],
  ],
  ["an empty file before", [{ before: "", after: "!a" }], ["a.js: a"]],
  ["a parser that fails says nothing", [{ after: "!a" }, { file: "b.js", after: "?" }], []],
])("%s", async (_, changes, expected) => {
  const result = await checker()(changes);
  expect(told(result)).toEqual(expected);
  expect(result?.output.startsWith("ok")).toBe(true);
  expect(result?.output.includes("Syntax errors")).toBe(expected.length > 0);
  expect("syntax" in (result?.metadata ?? {})).toBe(expected.length > 0);
});

test("where nothing changes it does not apply", async () => {
  expect(await checker()([])).toBeUndefined();
});

test("a change that failed is told as it is, and not parsed", async () => {
  const failed: Result = { ...done, success: false, status: "failed" };
  expect(await checker()([{ after: "!a" }], failed)).toBe(failed);
  expect(parsed).toEqual([]);
});

test("the answer keeps what it told", async () => {
  const result = await checker()([{ after: "!a" }], { ...done, metadata: { path: "a.js" } });
  expect(result?.metadata).toMatchObject({ path: "a.js", syntax: [{ file: "a.js" }] });
  expect(result?.output).toBe("ok\n\nSyntax errors that this change introduced in a.js:\n  a.js:1:1 a");
});

test("every content of a file is parsed once, and none is taken for another", async () => {
  const check = checker();
  expect(told(await check([{ before: "one", after: "!a" }]))).toEqual(["a.js: a"]);
  expect(told(await check([{ before: "!a", after: "!a !b" }]))).toEqual(["a.js: b"]);
  expect(told(await check([{ before: "!a !b", after: "two" }]))).toEqual([]);
  expect(told(await check([{ before: "two", after: "!a" }]))).toEqual(["a.js: a"]);
  // changed by somebody else in between: what is known of the file no longer counts
  expect(told(await check([{ before: "three", after: "!a" }]))).toEqual(["a.js: a"]);
  expect(told(await check([{ file: "b.js", before: "x", after: "!a" }]))).toEqual(["b.js: a"]);
});

test("the same content again is not parsed again", async () => {
  const check = checker();
  await check([{ before: "x", after: "y" }]);
  await check([{ before: "x", after: "y" }]);
  expect(parsed).toEqual(["y"]);
});

test("what is known stays bounded, and what was parsed the longest ago goes first", async () => {
  const check = checker();
  for (let n = 0; n < 200; n++) await check([{ file: `${n}.js`, after: "y" }]);
  await check([{ file: "0.js", after: "z" }]);
  await check([{ file: "200.js", after: "y" }]);
  parsed = [];
  await check([{ file: "0.js", after: "z" }]);
  expect(parsed).toEqual([]);
  await check([{ file: "1.js", after: "y" }]);
  expect(parsed).toEqual(["y"]);
});
