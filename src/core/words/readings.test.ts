import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { peopleBehind } from "../contracts/people.ts";
import { type ServerSetting, whereIs } from "../contracts/servers.ts";
import { OPEN_PLANS } from "../contracts/store/plans.ts";
import { readable } from "./call.ts";
import { nextTryOf } from "./dead-letter.ts";
import { GOVERNING_FILES, namesThat, OBEYED_BY_GIT, outputFolderOf, SHOWN_OF_STATE } from "./governing.ts";
import { timeLeft } from "./hold-view.ts";
import { checkInputSchema } from "./input-schema.ts";
import { amountsOf, isSet, leftOf, spentBy } from "./model-spending.ts";
import { type Result, render } from "./result.ts";
import { bareName, isRecord, meantBy, spellingsOf, withoutNamespace } from "./route.ts";
import { mayNeed, Tool } from "./tool.ts";

describe("a call that anybody sent", () => {
  test.each<[sent: unknown, name: string]>([
    ["read_file", "read_file"],
    [undefined, ""],
    [null, ""],
    [3, ""],
    [{}, ""],
    [{ name: 3 }, ""],
    [{ name: "a" }, "a"],
  ])("%o is named %j", (sent, name) => expect(readable(sent).name).toBe(name));
  test("one that cannot be looked at has no name", () => {
    const trap = new Proxy({}, { ownKeys: () => [].at(1) as never });
    expect(readable(trap)).toEqual({ name: "" });
  });
  test("keeps what else it says, and is no longer the sender's own object", () => {
    const sent = { name: "a", args: { b: 1 }, sessionID: "s" };
    expect(readable(sent)).toEqual(sent);
    expect(readable(sent)).not.toBe(sent);
    expect(readable({ name: 1, args: 2 })).toEqual({ name: "", args: 2 });
  });
});

describe("names", () => {
  const route = { tool: "thing", means: (args: object) => ({ name: "other", args }) };
  test.each<[args: unknown, name: string]>([
    [{ a: 1 }, "other"],
    ['{"a":1}', "other"],
    ["not JSON", "thing"],
    ["[1]", "thing"],
    [['{"a":1}'], "thing"],
    [[1], "thing"],
    [null, "thing"],
    ["null", "thing"],
    [3, "thing"],
  ])("%j means %s", (args, name) => expect(meantBy(route, args)).toMatchObject({ name }));

  test("what is a record", () => {
    expect([{}, [], null, "a", 1, undefined].map(isRecord)).toEqual([true, false, false, false, false, false]);
  });

  test("whatever a client puts in front, and however it is spelled", () => {
    const names = ["functions.read", " tool__read ", "default_api:read", "mcp__toolgate__read", "tools/read", "read"];
    expect(new Set(names.map(withoutNamespace))).toEqual(new Set(["read"]));
    expect(bareName("Read-File_ .x")).toBe("readfilex");
    expect([...spellingsOf(["Read_File", "readfile", "x"])]).toEqual([
      ["readfile", ["Read_File", "readfile"]],
      ["x", ["x"]],
    ]);
  });
});

describe("what governs calls", () => {
  test("by what is done when it is missing", () => {
    expect(namesThat(OBEYED_BY_GIT, "held")).toEqual(["hooks", "config"]);
    expect(namesThat(OBEYED_BY_GIT, "removed", "shared").sort()).toEqual([
      ...["commondir", "config.worktree", "gitdir", "worktrees"],
    ]);
    expect(Object.keys(GOVERNING_FILES)).toEqual(["toolgate.yaml", "toolgate.yml", ".mcp.json"]);
    expect(SHOWN_OF_STATE).toEqual(["agents", "skills"]);
  });
  test("the folder of a session leads nowhere else", () => {
    const names = ["a-b_1", "../x", "", "a/b", "ä", "x".repeat(100)].map(outputFolderOf);
    expect(names).toEqual(["a-b_1", "~2e~~2e~~2f~x", "~", "a~2f~b", "~e4~", "x".repeat(100)]);
    for (const name of ["..", ".", "a\0b", "😀".repeat(300), "x".repeat(1000)].map(outputFolderOf))
      expect(name).toMatch(/^[\w~-]{1,200}$/);
  });
  test("no two sessions share a folder", () => {
    const long = "y".repeat(300);
    const named = [
      "team.alpha",
      "team_alpha",
      "team-alpha",
      "team~2e~alpha",
      "team/alpha",
      "",
      "_",
      "~",
      "~~",
      "a.",
      "a_",
    ];
    const cut = [
      "x".repeat(100),
      "x".repeat(101),
      "x".repeat(201),
      "x".repeat(202),
      `${long}1`,
      `${long}2`,
      `1${long}`,
    ];
    const made = Array.from({ length: 5000 }, (_, index) => `${long}.${index}`);
    const ids = [...named, ...cut, ...made];
    expect(new Set(ids.map(outputFolderOf)).size).toBe(ids.length);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (one, other) => {
        expect(outputFolderOf(one) === outputFolderOf(other)).toBe(one === other);
        expect(outputFolderOf(one)).not.toBe(outputFolderOf(`${one}.`));
        expect(outputFolderOf(outputFolderOf(one)) === outputFolderOf(one)).toBe(/^[\w-]{1,100}$/.test(one));
      }),
    );
  });
});

describe("the input of a tool", () => {
  const standard = (vendor: unknown) => ({ "~standard": { vendor } });
  test.each<[what: string, input: unknown, message: string | undefined]>([
    ["nothing", undefined, undefined],
    ["null", null, undefined],
    ["zod", z.object({}), undefined],
    ["a JSON Schema", { type: "object", properties: { a: { type: "string" } } }, undefined],
    ["a text", "string", "a string, not a schema"],
    ["a number", 3, "a number, not a schema"],
    ["a function", () => true, "no schema"],
    ["a list", [], "no schema"],
    ["zod's parts", { a: z.string() }, "an object of zod schemas: wrap it in z.object()"],
    ["zod's parts among others", { a: 1, b: z.string() }, "an object of zod schemas: wrap it in z.object()"],
    ["zod 3", { safeParse: 1 }, "a schema of zod 3"],
    ["joi", { $_root: 1 }, "a schema of joi, which has to be turned into JSON Schema"],
    ["yup", { __isYupSchema__: 1 }, "a schema of yup, which has to be turned into JSON Schema"],
    ["superstruct", { refiner: 1 }, "a schema of superstruct, which has to be turned into JSON Schema"],
    ["io-ts", { decode: 1 }, "a schema of io-ts, which has to be turned into JSON Schema"],
    [
      "Effect",
      Object.assign(() => {}, { ast: 1 }),
      "a schema of Effect Schema, which has to be turned into JSON Schema",
    ],
    [
      "arktype",
      Object.assign(() => {}, standard("arktype")),
      "a schema of arktype, which has to be turned into JSON Schema",
    ],
    ["no vendor", { "~standard": {} }, undefined],
    ["no standard", { "~standard": null }, undefined],
  ])("%s", (_, input, message) => {
    const check = () => checkInputSchema("mine", input);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(`The input of the tool mine is ${message}. It must be`);
  });

  test("a tool has a name that every model takes, and something to do", () => {
    const definition = { description: "Does nothing.", execute: () => "" };
    for (const name of ["a", "a.b-c_1", "x".repeat(64)]) expect(Tool.define(name, definition).name).toBe(name);
    for (const name of ["", "a b", "x".repeat(65), "a/b"])
      expect(() => Tool.define(name, definition)).toThrow("1 to 64");
    for (const wrong of [{ description: "" }, null])
      expect(() => Tool.define("a", wrong as never)).toThrow("no execute");
    expect(() => Tool.define("a", { ...definition, input: "x" } as never)).toThrow("not a schema");
    expect(() => Tool.define("a", { ...definition, parameters: "x" } as never)).toThrow("not a schema");
    expect(() => Tool.define("a", async () => definition)).not.toThrow();
  });

  test.each<[what: string, definition: object, may: boolean]>([
    ["requires it", { permissions: { required: ["write"] } }, true],
    ["may use it", { permissions: { required: [], optional: ["write"] } }, true],
    ["does not", { permissions: { required: ["read"] } }, false],
    ["does not say", {}, true],
  ])("whether it may need a permission: it %s", (_, definition, may) => {
    const whole = { description: "", execute: () => "", ...definition } as never;
    expect(mayNeed(Tool.define("a", whole), "write")).toBe(may);
    expect(mayNeed({ name: "a", ...(definition as object) } as never, "write")).toBe(may);
    expect(
      mayNeed(
        Tool.define("a", async () => whole),
        "write",
      ),
    ).toBe(true);
  });
});

describe("what a session spends", () => {
  test("whole units, and only what there is", () => {
    expect(amountsOf({})).toEqual([]);
    expect(amountsOf({ tokens: 0, cost: -1 })).toEqual([]);
    expect(amountsOf({ tokens: 1.2, cost: 0.5 })).toEqual([
      { key: "tokens", amount: 2 },
      { key: "cost", amount: 500_000 },
    ]);
  });
  test("what is left of it", () => {
    expect(leftOf({})).toEqual([]);
    expect(leftOf({ maxTokens: Number.POSITIVE_INFINITY, maxCost: Number.NaN })).toEqual([]);
    expect(leftOf({ maxTokens: 0, maxCost: 2 })).toMatchObject([
      { key: "tokens", amount: 0, limit: 0, full: "all 0 tokens of this session are used up" },
      { key: "cost", amount: 0, limit: 1_999_999.5, full: "the cost of this session has reached 2" },
    ]);
    expect([undefined, 0, 1, Number.POSITIVE_INFINITY].map(isSet)).toEqual([false, true, true, false]);
  });
  test("as it was counted", async () => {
    const kept: Record<string, number> = { "s spent tokens": 7, "s spent cost": 2_500_000, "s budget tokens": 1 };
    const reserved = async (key: string) => kept[key] ?? 0;
    expect(await spentBy("s", reserved)).toEqual({ tokens: 7, cost: 2.5 });
    expect(await spentBy("s", reserved, "budget")).toEqual({ tokens: 1, cost: 0 });
  });
});

describe("the one text a model reads", () => {
  const result = (more: Partial<Result>): Result => ({
    ...{ success: true, status: "done", title: "Title", output: "", metadata: {} },
    ...more,
  });
  const error = { code: "IO_ERROR", message: "no", hint: "go on" } as const;
  test.each<[what: string, result: Partial<Result>, text: string]>([
    ["nothing but a title", {}, "Title"],
    ["an output", { output: "out" }, "out"],
    ["exit code 0", { output: "out", metadata: { exitCode: 0 } }, "out"],
    ["another exit code", { output: "out", metadata: { exitCode: 2 } }, "out\n\nexit code: 2"],
    ["a code that is no number", { output: "out", metadata: { exitCode: "2" } }, "out"],
    ["an error", { error }, "Error (IO_ERROR): no\ngo on"],
    ["without a hint", { error: { ...error, hint: "" } }, "Error (IO_ERROR): no"],
    [
      "all of them",
      { output: "out", error, metadata: { exitCode: 1 } },
      "out\n\nError (IO_ERROR): no\ngo on\n\nexit code: 1",
    ],
  ])("%s", (_, given, text) => expect(render(result(given))).toBe(text));
});

test("how long a hold lasts, in words", () => {
  const rows: [ms: number, words: string][] = [
    [-5, "1 s"],
    [1, "1 s"],
    [119_000, "119 s"],
    [120_000, "2 min"],
    [119 * 60_000, "119 min"],
    [120 * 60_000, "2 h"],
    [121 * 60_000, "3 h"],
  ];
  for (const [until, words] of rows) expect(timeLeft({ until }, 0)).toBe(words);
});

test("when a call that failed is tried again: later and later, and in the end never", () => {
  const pauses = [1, 2, 3, 4, 5, 6].map((rounds) => nextTryOf("TRANSIENT", rounds, 0));
  expect(pauses).toEqual([60_000, 300_000, 900_000, 1_800_000, 3_600_000, null]);
  expect(nextTryOf("INTERNAL", 1, 0)).toBeNull();
});

test("a person who says nothing has not answered", async () => {
  const answering = (answer: unknown) =>
    peopleBehind(() => answer as string).ask({ question: "?" }, new AbortController().signal);
  expect(await answering(" yes ")).toBe(" yes ");
  for (const nothing of ["", " ", undefined, 3, null])
    await expect(answering(nothing)).rejects.toThrow("did not answer");
});

test("where a server is", () => {
  const server = { command: "run", args: ["a", "b"], url: "http://x" };
  expect(whereIs({ ...server, type: "stdio" } as unknown as ServerSetting)).toBe("run a b");
  expect(whereIs({ ...server, type: "http" } as unknown as ServerSetting)).toBe("http://x");
});

test("planned calls that are still to be dealt with", () => {
  expect(OPEN_PLANS).toEqual(["planned", "approved", "running", "interrupted"]);
});
