import { describe, expect, test } from "vitest";
import * as z from "zod";
import { argumentsWith } from "../arguments/arguments.ts";
import { compileJsonSchema } from "../sources/schema-compiler.ts";
import { Registry, translated } from "./registry.ts";
import type { Route } from "./words/route.ts";
import { type Aliases, type Definition, Tool } from "./words/tool.ts";

const tool = (name: string, aliases?: Aliases): Tool =>
  Tool.define(name, {
    ...{ description: `About ${name}.`, input: z.object({}), execute: () => name, ...(aliases && { aliases }) },
  } as Definition);

function registry(tools: readonly Tool[], routes: Record<string, Route> = {}): Registry {
  const made = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    ...{ readDescription: () => "", fillIn: (text: string) => text, emit: () => {}, routes },
  });
  for (const each of tools) void made.register(each);
  return made;
}

describe("a name is found in any spelling", () => {
  const names = ["read_file", "ReadFile", "functions__x", "x", "write_file"];
  test.each<[string, string | undefined]>([
    ["read_file", "read_file"],
    ["ReadFile", "ReadFile"],
    ["functions.ReadFile", "ReadFile"],
    ["read-file", undefined],
    ["functions__x", "functions__x"],
    ["functions.x", "x"],
    ["X", "x"],
    ["WriteFile", "write_file"],
    ["write-file", "write_file"],
    ["tools:write.file", "write_file"],
    [" write_file ", "write_file"],
    ["writefiles", undefined],
    ["", undefined],
  ])("%j: %s", (given, wanted) => {
    const made = registry(names.map((name) => tool(name)));
    expect([made.get(given)?.name, made.has(given), made.loaded(given)?.name]).toEqual([
      wanted,
      wanted !== undefined,
      wanted,
    ]);
  });

  test("two names of one tool are no doubt", () => {
    expect(registry([tool("read_file", { names: ["readFile"] })]).get("READ-FILE")?.name).toBe("read_file");
  });

  test("a tool that comes or goes changes how names are read", () => {
    const made = registry([tool("read_file")]);
    expect(made.get("READFILE")?.name).toBe("read_file");
    void made.register(tool("readFile"));
    expect(made.get("READFILE")).toBeUndefined();
    made.unregister("readFile");
    expect(made.get("READFILE")?.name).toBe("read_file");
  });
});

describe("a name that stands for several tools", () => {
  const means: Route["means"] = ({ kind }) => (kind === "a" ? { name: "one", args: { a: 1 } } : "kind has to be a");
  const either = { either: { tool: "one", means } };
  const meant = { name: "one", args: { a: 1 } };
  test.each<[string, Tool[], unknown, found: string | undefined, means: unknown]>([
    ["by its arguments", [tool("one")], { kind: "a" }, "one", meant],
    ["by arguments in a text", [tool("one")], '{"kind":"a"}', "one", meant],
    ["by none", [tool("one")], { kind: "b" }, "one", "kind has to be a"],
    ["without arguments", [tool("one")], [], "one", { name: "one", args: [] }],
    [
      "a tool of that name comes first",
      [tool("one"), tool("either")],
      { kind: "a" },
      "either",
      { name: "either", args: { kind: "a" } },
    ],
    [
      "so does an alias of another",
      [tool("one"), tool("two", { names: ["either"] })],
      { kind: "a" },
      "two",
      { name: "either", args: { kind: "a" } },
    ],
    ["not an alias of the very tool", [tool("one", { names: ["either"] })], { kind: "a" }, "one", meant],
    ["its tool is not there", [tool("two")], { kind: "a" }, undefined, { name: "either", args: { kind: "a" } }],
  ])("%s", (_, tools, args, found, wanted) => {
    const made = registry(tools, either);
    expect(made.get("either")?.name).toBe(found);
    expect(made.meaning("either", args)).toEqual(wanted);
    expect(made.names().includes("either")).toBe(found !== undefined);
    expect(made.spelled("EITHER")).toBe(found === undefined ? "EITHER" : "either");
  });

  test("names of objects are no routes", () => {
    expect(registry([tool("one")], either).get("constructor")).toBeUndefined();
  });
});

test.each<[string, Tool[], unknown, object]>([
  ["for another tool", [tool("other")], { x: 1 }, { name: "other", args: { y: 1 } }],
  ["for one that is not there", [], { x: 1 }, { name: "one", args: { x: 1 } }],
  ["for this one", [tool("other")], {}, { name: "one", args: {} }],
  ["with no arguments to say so", [tool("other")], "x", { name: "one", args: "x" }],
])("a call that was meant %s", (_, others, args, wanted) => {
  const instead: Aliases["instead"] = (given) => ("x" in given ? { name: "other", args: { y: given.x } } : undefined);
  expect(registry([tool("one", { instead }), ...others]).meaning("one", args)).toEqual(wanted);
});

describe("a definition that is made later", () => {
  test("is loaded once it is there, and gives itself where it was there from the start", async () => {
    const late = Tool.define("late", async () => tool("late").definition as Definition);
    const made = registry([tool("here")]);
    const registered = made.register(late);
    expect([made.loaded("late"), made.get("late")?.loaded]).toEqual([undefined, false]);
    await registered;
    expect(made.loaded("late")?.name).toBe("late");
    const entry = made.get("here")!;
    expect(await entry.load()).toBe(entry);
  });

  test("with something else than a schema is refused when it is made", async () => {
    const late = Tool.define("late", async () => ({ description: "", input: 5, execute: () => "" }) as never);
    const made = registry([late]);
    await expect(made.get("late")!.load()).rejects.toThrow("The input of the tool late is a number, not a schema");
    expect(made.loaded("late")).toBeUndefined();
  });
});

test("an alias that a replaced tool no longer has goes to another that has it", () => {
  const made = registry([tool("one", { names: ["shared"] }), tool("two", { names: ["shared"] })]);
  void made.register(tool("one"), { override: true });
  expect(made.get("shared")?.name).toBe("two");
});

test("no model is told of what is hidden, unless it is asked for by name", () => {
  const made = registry([tool("shown")]);
  void made.register(tool("secret"), { hidden: true });
  const names = (asked?: string[]) =>
    made.schemas(asked).map((each) => (each as { function: { name: string } }).function.name);
  expect([names(), names(["secret"])]).toEqual([["shown"], ["secret"]]);
});

test.each<[string, string]>([
  ["Use read_file first.", "Use Read first."],
  ["Pass `path` and old_str.", "Pass `file_path` and old_string."],
  ["A path in plain words stays.", "A path in plain words stays."],
  ["unknown_name stays", "unknown_name stays"],
])("%j is told as %j", (text, wanted) => {
  const dialect = { read_file: { name: "Read" } };
  expect(translated(text, dialect, { path: "file_path", old_str: "old_string" })).toBe(wanted);
});
