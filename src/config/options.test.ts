import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { type OpenOptions, open } from "../open.ts";
import { memoryStore } from "../stores/memory.ts";
import { checkOptions, fileOf } from "./options.ts";
import { ConfigError } from "./problem.ts";

// a new option does not compile here before it has a value, and does not pass before it has a check
const every: { [Name in keyof Required<OpenOptions>]: OpenOptions[Name] } = {
  workspace: ".",
  mode: "confirm-all",
  autonomy: "readonly",
  config: {},
  toolset: ["read_file"],
  tools: [],
  resolve: async () => undefined,
  approve: () => "once",
  ask: () => "yes",
  lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  model: { name: "none", turn: async () => ({ text: "", calls: [] }) },
  sessionID: "session_1",
  plan: false,
  dryRun: true,
  sandbox: "required",
  commands: false,
  store: memoryStore(),
  policies: [],
  steps: [],
  hooks: [],
};

describe("what is said to open()", () => {
  test("every option is known, and what is absent is no problem", () => {
    expect(() => checkOptions(every)).not.toThrow();
    expect(() => checkOptions({})).not.toThrow();
    expect(() => checkOptions({ mode: undefined, approve: null })).not.toThrow();
  });

  const AN = () => undefined;
  test.each<object>([
    ...[{ workspace: { roots: [] } }, { config: "a.yaml" }, { toolset: "all" }, { toolset: [] }, { approve: "queue" }],
    ...["sqlite", "memory", "memory:", "sqlite:/a.db", "file:a.db", {}].map((store) => ({ store })),
    { model: { doStream: AN } },
    { policies: [{ judge: AN }] },
    { steps: [{ around: AN }] },
    ...[{ before: AN }, { after: AN }, { on: { session_start: AN } }, { before: 1, after: AN }].map((hook) => ({
      hooks: [hook],
    })),
  ])("%j is accepted", (options) => expect(() => checkOptions(options)).not.toThrow());

  test.each<[object, string]>([
    ...[null, undefined, 1, "x", {}, { on: null }, { on: 1, before: AN }, { on: {} }, { on: { nonsense: AN } }].map(
      (hook): [object, string] => [{ hooks: [hook] }, "accepted: a list of hooks"],
    ),
    [{ hooks: [{ on: { session_start: 1 } }] }, "accepted: a list of hooks"],
    [{ hooks: [{ on: { session_start: AN, nonsense: AN } }] }, "accepted: a list of hooks"],
    [{ hooks: [{ before: AN, on: { nonsense: AN } }] }, "accepted: a list of hooks"],
    [{ hooks: { before: AN } }, "accepted: a list of hooks"],
    [{ policies: [{ judge: AN }, {}] }, "accepted: a list of policies"],
    [{ policies: [null] }, "accepted: a list of policies"],
    [{ config: 1 }, "accepted: a file or its content"],
    [{ toolset: ["a", 1] }, "accepted: a name or a list of names"],
    [{ toolset: { every: () => true } }, "accepted: a name or a list of names"],
    [{ tools: [{}, "a"] }, "accepted: a list of tools"],
    [{ model: {} }, "accepted: a model of the AI SDK"],
    [{ model: "gpt" }, "accepted: a model of the AI SDK"],
    [{ sessionID: "" }, "accepted: the id of a session"],
    [{ sessionID: 1 }, "accepted: the id of a session"],
    [{ store: 1 }, "store: got 1"],
    [{ store: ["sqlite"].at }, "store: got "],
    [{ store: "sqlite:" }, 'store: got "sqlite:"'],
    [{ zzzzzzzz: 1 }, 'unknown option "zzzzzzzz"; the options are workspace, mode, '],
    [{ sandbox: "requird" }, 'sandbox: got "requird"; accepted: one of required, auto, off'],
    [{ store: "sqllite" }, 'store: got "sqllite"'],
    [{ mode: "yollo" }, 'mode: got "yollo"; accepted: one of yolo, confirm-sensitive, confirm-all'],
    [{ autonomy: "read-only" }, "accepted: one of full, supervised, readonly"],
    [{ dryrun: true }, 'unknown option "dryrun"; did you mean dryRun?'],
    [{ constructor: 1 }, 'unknown option "constructor"'],
    [{ approve: "once" }, 'approve: got "once"; accepted: a function, or "queue"'],
    [{ lookup: [] }, "lookup: got []; accepted: a function"],
    [{ policies: [{ name: "x" }] }, "accepted: a list of policies (objects with a judge function)"],
    [{ steps: {} }, "accepted: a list of steps (objects with an around function)"],
    [{ hooks: [{ name: "x" }] }, "accepted: a list of hooks (objects with before, after or on)"],
    [{ plan: "yes" }, "accepted: true or false"],
    [{ tools: [undefined] }, "accepted: a list of tools"],
    [{ tools: {} }, "accepted: a list of tools"],
    [{ toolset: [1] }, "accepted: a name or a list of names"],
    [{ workspace: 1 }, "accepted: a folder or a workspace"],
    [{ workspace: {} }, "accepted: a folder or a workspace"],
  ])("%j is refused", async (options, says) => {
    const wrong = await open({ store: "memory", ...options } as OpenOptions).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(ConfigError);
    expect(wrong).toMatchObject({ code: "CONFIG_ERROR", hint: "Correct the option that was given." });
    expect((wrong as Error).message).toContain(says);
  });

  test.each<[store: string, file: string | undefined]>([
    ["memory", undefined],
    ["memory:", undefined],
    ["sqlite", "own.db"],
    ["sqlite:/a/b.db", "/a/b.db"],
    ["sqlite:///a/b.db", "/a/b.db"],
    ["file:b.db", "b.db"],
  ])("the store %s", (store, file) => expect(fileOf(store, "own.db")).toBe(file));

  test("a store that nobody can open is refused", () => {
    expect(() => fileOf("postgres://x", "own.db")).toThrow("store: got postgres://x; accepted: sqlite, memory");
  });

  test("a tool that cannot run is refused", async () => {
    const tools = [{ name: "no_run", description: "None.", parameters: {} }];
    await expect(bench({}, { store: "memory", tools: tools as never })).rejects.toThrow(
      "no_run has no execute function",
    );
  });
});
