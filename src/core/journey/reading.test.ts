import { describe, expect, test } from "vitest";
import * as z from "zod";
import { stationWith } from "../../../test/hearing.ts";
import { placeOf } from "../../../test/tripping.ts";
import { argumentsWith } from "../../arguments/arguments.ts";
import { compileJsonSchema } from "../../sources/schema-compiler.ts";
import { type RegisterOptions, Registry } from "../registry.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Route } from "../words/route.ts";
import { type Definition, Tool } from "../words/tool.ts";
import type { Claim, RunTouch } from "../words/touch.ts";
import type { Parts } from "./journey-parts.ts";
import { read, withTouches } from "./reading.ts";
import { lookOnly } from "./trip.ts";

const tool = (name: string, more: Partial<Definition> = {}): Tool =>
  Tool.define(name, {
    description: `About ${name}.`,
    input: z.object({ path: z.string().optional() }),
    execute: () => name,
    ...more,
  } as Definition);

type Given = {
  tools?: (Tool | [Tool, RegisterOptions])[];
  parts?: Partial<Parts>;
  only?: string[];
  routes?: Record<string, Route>;
};

function reading({ tools = [], parts = {}, only, routes = {} }: Given = {}) {
  const registry = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    ...{ readDescription: () => "", fillIn: (text: string) => text, emit: () => {}, routes },
  });
  for (const each of tools) void (Array.isArray(each) ? registry.register(...each) : registry.register(each));
  const suggest = (word: string, names: readonly string[]) => names.filter((each) => each[0] === word[0]);
  const globs = { fits: () => false } as never;
  const station = stationWith({
    ceiling: only ? { tools: only } : {},
    parts: { registry, suggest, globs, ...parts },
  });
  const call = async (name: unknown, args: unknown = {}) => {
    const trip = lookOnly(station, { name: name as string, args });
    const ready = await (async () => read(trip, trip.known.call))().catch((error: Ending) => error);
    return { ready, trip };
  };
  const ended = async (name: unknown, args?: unknown) => {
    const { ready } = await call(name, args);
    expect(ready).toBeInstanceOf(Ending);
    return ready as Ending;
  };
  return { call, ended, registry, station };
}

test.each<[string, string[], string[]]>([
  ["one policy minds", ["k.env"], ["sub", "sub/k.env"]],
  ["no policy minds", ["k.txt"], ["sub"]],
])("a command that reads all below a folder, in which is what %s", async (_, names, wanted) => {
  const claim: Claim = {
    action: "run",
    command: "cat",
    class: "safe",
    inner: [{ action: "read", target: "sub", scope: "**" }],
  };
  const policies = [
    { name: "silent", judge: () => undefined },
    { name: "minds", judge: () => undefined, minds: (path: string) => path.endsWith(".env") },
  ];
  const { station, call } = reading({
    tools: [tool("runs", { touches: () => [claim] })],
    parts: { policies, globs: { fits: () => true } as never },
  });
  Object.assign(station.workspace, {
    trace: (name: string) => placeOf(name.replace("/ws/", "")),
    processes: { enforcement: async () => ({ sandbox: "none" }) },
  });
  Object.assign(station.workspace.files, { list: async () => names.map((name) => ({ name, kind: "file" })) });
  const { ready } = await call("runs");
  const [run] = (ready as Ready).touches as RunTouch[];
  expect(run?.inner.map((each) => "place" in each && each.place.shown)).toEqual(wanted);
});

describe("a call that is read", () => {
  test("has its tool, its arguments and what it would touch, and both are known", async () => {
    const writes = tool("writes", { touches: () => [{ action: "write", target: "a" }] });
    const { call } = reading({ tools: [writes] });
    const { ready, trip } = await call("writes", { path: "a" });
    expect(ready).toMatchObject({
      ...{ tool: { name: "writes" }, input: { path: "a" }, danger: "moderate", changes: [] },
      ...{ touches: [{ action: "write", place: { shown: "a" } }], claims: [{ action: "write", target: "a" }] },
    });
    expect(trip.known.ready).toBe(ready);
    expect(trip.trace).toMatchObject([{ stage: "touches" }]);
  });

  test("is read at once where nothing has to be waited for, and keeps the name that it was called by", () => {
    const { station } = reading({ tools: [tool("one", { touches: () => [], aliases: { names: ["uno"] } })] });
    const trip = lookOnly(station, { name: "functions.uno", args: { path: "x" } });
    const ready = read(trip, trip.known.call);
    expect(ready).not.toBeInstanceOf(Promise);
    expect(ready).toMatchObject({ tool: { name: "one" }, call: { name: "functions.uno" } });
  });

  test("is not asked again what it touches where it would say the same, and keeps what it replaces", async () => {
    let asked = 0;
    const touches = () => [{ action: "read" as const, target: `look ${++asked}` }];
    const { call } = reading({ tools: [tool("one", { touches })] });
    const { ready, trip } = await call("one");
    const again = await withTouches(trip, { ...(ready as Ready), replaces: ["x"] as never });
    expect([asked, again]).toMatchObject([1, { touches: [{ place: { shown: "look 1" } }], replaces: ["x"] }]);
    expect(await withTouches(trip, ready as Ready)).not.toHaveProperty("replaces");
    const { claims: _, ...uncertain } = ready as Ready;
    await withTouches(trip, uncertain as Ready);
    expect(asked).toBe(2);
  });

  test("and touches nothing is no less read", async () => {
    const { ready } = await reading({ tools: [tool("none", { touches: () => [] })] }).call("none");
    expect(ready).toMatchObject({ touches: [], claims: [], danger: "safe" });
  });

  test("says what it would touch again where its tool looked at more than its input", async () => {
    const looks = tool("looks", {
      touches: async (_, look) => {
        await look.realPath("a");
        return [{ action: "read", target: "a" }];
      },
    });
    const { ready } = await reading({ tools: [looks] }).call("looks");
    expect(ready).toMatchObject({ touches: [{ action: "read" }] });
    expect(ready).not.toHaveProperty("claims");
  });

  test.each<[string, Partial<Definition>, object]>([
    [
      "nothing at all: it may do anything",
      {},
      { touches: [{ action: "unknown", permissions: [] }], danger: "moderate" },
    ],
    [
      "that it reads",
      { permissions: { required: ["read"] } },
      { touches: [{ action: "unknown", permissions: ["read"] }], danger: "safe" },
    ],
    ["that it runs things", { permissions: { required: ["execute"] } }, { danger: "dangerous" }],
  ])("by a tool that says %s", async (_, more, wanted) => {
    const { ready } = await reading({ tools: [tool("thing", more)] }).call("thing");
    expect(ready).toMatchObject(wanted);
  });

  test("with arguments that do not fit ends with what is wrong", async () => {
    const { ended } = reading({ tools: [tool("thing", { input: z.object({ path: z.string() }) })] });
    const end = await ended("thing", { path: { a: 1 } });
    expect(end).toMatchObject({ status: "invalid", code: "VALIDATION_ERROR", metadata: { issues: expect.any(Array) } });
    expect(end.message).toContain("path");
  });

  test("is known as far as it was read when its tool cannot say what it touches", async () => {
    const throws = tool("throws", {
      touches: () => {
        throw new Error("boom");
      },
    });
    const { trip } = await reading({ tools: [throws] }).call("throws", { path: "a" });
    expect(trip.known.ready).toMatchObject({ tool: { name: "throws" }, danger: "dangerous", touches: [] });
    expect(trip.trace).toEqual([]);
  });
});

describe("a name that stands for several tools", () => {
  const means: Route["means"] = ({ kind }) =>
    kind === "a" ? { name: "one", args: { path: "x" } } : "kind has to be a";
  const routes = { either: { tool: "one", means } };

  test("is read as the one that is meant, and told so", async () => {
    const { ready } = await reading({ tools: [tool("one", { touches: () => [] })], routes }).call("either", {
      kind: "a",
    });
    expect(ready).toMatchObject({
      tool: { name: "one" },
      input: { path: "x" },
      call: { name: "one", args: { path: "x" } },
    });
  });

  test("is refused where it means none, with the reason", async () => {
    const end = await reading({ tools: [tool("one")], routes }).ended("either", { kind: "b" });
    expect(end).toMatchObject({
      status: "invalid",
      message: "Invalid arguments for either: kind has to be a.",
      hint: "Correct the call.",
    });
  });
});

describe("a name that is not known", () => {
  const late = tool("late", { touches: () => [] });

  test.each<[string, Partial<Parts>, boolean]>([
    ["nobody brings it", {}, false],
    ["it is brought when it is called", { resolve: async (name) => (name === "late" ? late : undefined) }, true],
    ["another is brought instead", { resolve: async () => tool("other", { touches: () => [] }) }, true],
    ["nothing is brought", { resolve: async () => null }, false],
  ])("%s", async (_, parts, found) => {
    const { call, registry } = reading({ parts });
    const { ready } = await call("late");
    expect(ready instanceof Ending).toBe(!found);
    expect(registry.count()).toBe(found ? 1 : 0);
  });

  test("one that is known and not loaded yet is brought by nobody else", async () => {
    const others: string[] = [];
    const parts: Partial<Parts> = {
      resolve: async (name) => void others.push(name),
      servers: { load: async (name: string) => void others.push(name) } as never,
    };
    const later = Tool.define("later", async () => late.definition as Definition);
    const { ready } = await reading({ tools: [later], parts }).call("later");
    expect([ready, others]).toMatchObject([{ tool: { name: "later" } }, []]);
  });

  test("a server is asked for it, and only if nobody else knows it", async () => {
    const asked: string[] = [];
    const given = reading({ tools: [tool("here", { touches: () => [] })], parts: { resolve: async () => undefined } });
    const load = async (name: string) => {
      asked.push(name);
      if (name === "late") await given.registry.register(late);
    };
    const servers = { load } as unknown as Parts["servers"];
    const { registry } = given;
    const again = reading({ parts: { registry, resolve: async () => undefined, ...(servers && { servers }) } });
    expect((await again.call("here")).ready).toMatchObject({ tool: { name: "here" } });
    expect((await again.call("late")).ready).toMatchObject({ tool: { name: "late" } });
    expect((await again.call("nowhere")).ready).toMatchObject({ status: "unknown" });
    expect(asked).toEqual(["late", "nowhere"]);
  });

  const tools: Given["tools"] = [tool("read_file"), tool("run"), tool("write_file"), [tool("ring"), { hidden: true }]];
  test.each<[string, unknown, string[] | undefined, message: string, hint: string]>([
    ["one like it", "rread", undefined, "There is no tool named rread.", "Did you mean read_file or run?"],
    [
      "only what this gate may call is suggested",
      "rread",
      ["run"],
      "There is no tool named rread.",
      "Did you mean run?",
    ],
    [
      "one that is left out",
      "absent",
      undefined,
      "There is no tool named absent here: it is off.",
      "The tools are read_file, run, write_file.",
    ],
    ["none like it", "x", undefined, "There is no tool named x.", "The tools are read_file, run, write_file."],
    ["only what this gate may call is told", "x", ["run"], "There is no tool named x.", "The tools are run."],
    ["nothing may be called", "x", [], "There is no tool named x.", "There are no tools here."],
    ["no name at all", "", undefined, "The call names no tool.", "The tools are read_file, run, write_file."],
    [
      "a whole page",
      "x".repeat(200),
      undefined,
      `There is no tool named ${"x".repeat(80)}….`,
      "The tools are read_file, run, write_file.",
    ],
    [
      "eighty letters",
      "x".repeat(80),
      undefined,
      `There is no tool named ${"x".repeat(80)}.`,
      "The tools are read_file, run, write_file.",
    ],
  ])("%s", async (_, name, only, message, hint) => {
    const leftOut = (asked: string) => (asked === "absent" ? "it is off" : undefined);
    const end = await reading({ tools, parts: { leftOut }, ...(only && { only }) }).ended(name);
    expect(end).toMatchObject({ status: "unknown", code: "UNKNOWN_TOOL", message, hint });
  });
});
