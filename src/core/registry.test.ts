import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { bench, folder } from "../../test/journeys/harness.ts";
import { argumentsWith } from "../arguments/arguments.ts";
import { fillIn, readDescription } from "../sources/descriptions.ts";
import { compileJsonSchema } from "../sources/schema-compiler.ts";
import { DuplicateToolError, Registry } from "./registry.ts";
import type { RegisterEvent } from "./words/event.ts";
import { type Definition, type PlainTool, Tool } from "./words/tool.ts";
import { PERMISSIONS, type Permission } from "./words/touch.ts";

function makeRegistry(workspace = ".") {
  const events: RegisterEvent[] = [];
  const registry = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    readDescription,
    fillIn: fillIn(workspace),
    emit: (event) => events.push(event),
  });
  return { registry, events };
}

const tool = (name: string, more: Partial<Definition> = {}): Tool =>
  Tool.define(name, { description: `About ${name}.`, input: z.object({}), execute: () => name, ...more } as Definition);
const aliased = (name: string, ...names: string[]): Tool => tool(name, { aliases: { names } });
const namesOf = (entries: readonly { name: string }[]) => entries.map((entry) => entry.name);

const placeholder = (name: string) => `\${${name}}`;

afterEach(() => vi.unstubAllEnvs());

describe("registering", () => {
  test("finds by name and alias, lists sorted, counts, filters, clears", async () => {
    const { registry, events } = makeRegistry();
    for (const each of [aliased("zeta", "z"), aliased("alpha", "a", "first"), tool("mid")])
      await registry.register(each);
    expect(namesOf(registry.list())).toEqual(["alpha", "mid", "zeta"]);
    expect(registry.count()).toBe(3);
    expect(registry.get("first")).toBe(registry.get("alpha"));
    expect([registry.has("z"), registry.has("mid"), registry.has("nobody")]).toEqual([true, true, false]);
    expect(registry.get("nobody")).toBeUndefined();
    expect(registry.get("constructor")).toBeUndefined();
    expect(namesOf(registry.filter(["z", "nobody", "alpha", "a"]))).toEqual(["alpha", "zeta"]);
    expect(registry.filter([])).toEqual([]);
    expect(registry.names().sort()).toEqual(["a", "alpha", "first", "mid", "z", "zeta"]);
    registry.clear();
    expect([registry.count(), registry.list(), registry.has("a")]).toEqual([0, [], false]);
    expect(events.map(({ type, tool: name }) => `${type} ${name}`)).toEqual([
      "register zeta",
      "register alpha",
      "register mid",
      "unregister zeta",
      "unregister alpha",
      "unregister mid",
    ]);
  });

  test("a duplicate throws at once and leaves the first; override and allowOverride replace", async () => {
    const { registry } = makeRegistry();
    await registry.register(aliased("one", "uno"));
    expect(() => registry.register(aliased("one", "eins"))).toThrow(DuplicateToolError);
    expect([registry.has("uno"), registry.has("eins")]).toEqual([true, false]);
    await registry.register(aliased("one", "eins"), { override: true });
    expect([registry.has("uno"), registry.has("eins"), registry.count()]).toEqual([false, true, 1]);
    await registry.register(aliased("one", "ichi"), { allowOverride: true });
    expect([registry.has("eins"), registry.has("ichi"), registry.count()]).toEqual([false, true, 1]);
  });

  test("unregistering takes the aliases along, and tells whether there was something", async () => {
    const { registry, events } = makeRegistry();
    await registry.register(aliased("one", "uno"));
    expect([registry.unregister("nobody"), registry.unregister("one"), registry.unregister("one")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(registry.has("uno")).toBe(false);
    expect(events.filter(({ type }) => type === "unregister")).toHaveLength(1);
  });

  test("a name comes before an alias, and an alias of two goes to the first, then to the other", async () => {
    const { registry } = makeRegistry();
    await registry.register(aliased("one", "shared", "two"));
    await registry.register(aliased("three", "shared"));
    expect(registry.get("two")?.name).toBe("one");
    await registry.register(tool("two"));
    expect(registry.get("two")?.name).toBe("two");
    expect(registry.get("shared")?.name).toBe("one");
    registry.unregister("one");
    expect(registry.get("shared")?.name).toBe("three");
    registry.unregister("two");
    expect(registry.get("two")).toBeUndefined();
  });

  test("an overriding tool keeps the aliases that it also has", async () => {
    const { registry } = makeRegistry();
    await registry.register(aliased("one", "shared"));
    await registry.register(aliased("two", "shared"));
    await registry.register(aliased("one", "shared"), { override: true });
    expect(registry.get("shared")?.name).toBe("one");
  });

  test("an alias may carry arguments", async () => {
    const input = z.object({ text: z.string(), literal: z.boolean().optional(), limit: z.int().optional() });
    const names = ["find", { name: "find_text", preset: { literal: true, limit: 5 } }];
    const { registry } = makeRegistry();
    await registry.register(tool("grep", { input, aliases: { names } }));
    const entry = registry.get("find_text")!;
    expect(entry.name).toBe("grep");
    expect(entry.parse({ text: "x" }, "find_text")).toMatchObject({ input: { text: "x", literal: true, limit: 5 } });
    expect(entry.parse({ text: "x", limit: 9 }, "find_text")).toMatchObject({ input: { literal: true, limit: 9 } });
    expect(entry.parse({ text: "x" }, "find")).toMatchObject({ ok: true, input: { text: "x" } });
  });

  test("a name that no service would take is refused", () => {
    const { registry } = makeRegistry();
    for (const name of ["", "a b", "a/b", "ü", "x".repeat(65)]) {
      expect(() => tool(name)).toThrow(TypeError);
      expect(() => registry.register({ name, description: "", parameters: {}, execute: () => "" })).toThrow(TypeError);
    }
  });

  test("a tool that cannot run is refused, and takes nothing's place", async () => {
    const { registry } = makeRegistry();
    await registry.register(aliased("one", "uno"));
    const broken = { name: "one", description: "", parameters: {} } as never;
    expect(() => registry.register(broken, { override: true })).toThrow(/no execute function/);
    expect(() => Tool.define("none", null as never)).toThrow(/no execute function/);
    expect(registry.has("uno")).toBe(true);
  });
});

describe("definitions that are made later", () => {
  const made = { description: "Late.", input: z.object({}), aliases: { names: ["later"] }, execute: () => "ran" };

  test("are made once, however many ask at once", async () => {
    const make = vi.fn(async () => made as unknown as Definition);
    const { gate } = await bench({}, { store: "memory" });
    const registered = gate.registry.register(Tool.define("late", make), { permissions: { required: ["read"] } });
    const early = await Promise.all([gate.call({ name: "late" }), gate.call({ name: "late" }), registered]);
    expect(early.map((result) => result?.status)).toEqual(["done", "done", undefined]);
    expect((await gate.call({ name: "later" })).output).toBe("ran");
    expect(make).toHaveBeenCalledTimes(1);
    expect(gate.schemas({ names: ["later"] })).toHaveLength(1);
  });

  test("that cannot be made disturb nobody; the call says so", async () => {
    const { gate } = await bench({}, { store: "memory" });
    const broken: Tool[] = [
      Tool.define("rejects", () => Promise.reject(new Error("no parts left"))),
      Tool.define("throws", (() => {
        throw new Error("no parts left");
      }) as unknown as () => Promise<Definition>),
    ];
    for (const each of broken) {
      await gate.registry.register(each);
      expect(await gate.call({ name: each.name })).toMatchObject({
        status: "failed",
        error: { message: "no parts left" },
      });
      expect(gate.registry.schemas([each.name])).toEqual([]);
    }
  });

  test("may come without a promise", async () => {
    const { registry } = makeRegistry();
    await registry.register(Tool.define("hasty", (() => made) as unknown as () => Promise<Definition>));
    expect(registry.get("later")?.name).toBe("hasty");
  });

  test("of a tool that was replaced meanwhile name nothing any more", async () => {
    let finish: (definition: Definition) => void = () => {};
    const { registry } = makeRegistry();
    const first = registry.register(
      Tool.define("late", () => new Promise<Definition>((resolve) => (finish = resolve))),
    );
    await registry.register(tool("late"), { override: true });
    finish(made as unknown as Definition);
    await first;
    expect(registry.has("later")).toBe(false);
  });
});

describe("descriptions from a file", () => {
  test.each([
    [{}, "ws"],
    [{ AGENT_WORKSPACE_ROOT: "/agent" }, "/agent"],
    [{ TOOLGATE_WORKSPACE: "/gate", AGENT_WORKSPACE_ROOT: "/agent" }, "/gate"],
  ])("with %j", async (env, due) => {
    const dir = folder({
      "about.txt": `In ${placeholder("workspace")}, ${placeholder("directory")} and ${placeholder("cwd")}; not ${placeholder("other")}.\n`,
    });
    vi.stubEnv("TOOLGATE_WORKSPACE", undefined);
    vi.stubEnv("AGENT_WORKSPACE_ROOT", undefined);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { registry } = makeRegistry(dir);
    await registry.register(tool("told"), { descriptionPath: path.join(dir, "about.txt") });
    const workspace = due === "ws" ? dir : due;
    const text = `In ${workspace}, ${process.cwd()} and ${process.cwd()}; not ${placeholder("other")}.`;
    expect(registry.get("told")?.description).toBe(text);
    expect(JSON.stringify(registry.schemas(["told"]))).toContain(JSON.stringify(text).slice(1, -1));
  });

  test("a definition's own description is filled in too, and a missing file is an error at once", async () => {
    const dir = folder();
    const { registry } = makeRegistry(dir);
    await registry.register(tool("own", { description: `Works in ${placeholder("workspace")}.` }));
    expect(registry.get("own")?.description).toBe(`Works in ${dir}.`);
    expect(() => registry.register(tool("none"), { descriptionPath: path.join(dir, "missing.txt") })).toThrow(/ENOENT/);
    expect(registry.has("none")).toBe(false);
  });
});

describe("permissions", () => {
  test("a tool is enabled when all that it requires is there; one that does not say needs everything", async () => {
    const { registry } = makeRegistry();
    const required = (...list: Permission[]) => ({ required: list });
    await registry.register(tool("silent"));
    await registry.register(tool("reads", { permissions: required("read") }));
    await registry.register(tool("helped", { permissions: { ...required("read"), optional: ["network"] } }));
    await registry.register(tool("both", { permissions: required("read", "write") }));
    await registry.register(tool("free", { permissions: required() }));
    await registry.register(tool("told", { permissions: required("read") }), { permissions: required("execute") });
    const enabled = (...list: Permission[]) => namesOf(registry.enabled(list)).join(" ");
    expect(enabled()).toBe("free");
    expect(enabled("read")).toBe("free helped reads");
    expect(enabled("read", "write")).toBe("both free helped reads");
    expect(enabled("execute")).toBe("free told");
    expect(enabled(...PERMISSIONS)).toBe("both free helped reads silent told");
  });
});

describe("schemas", () => {
  const input = z.object({ path: z.string(), limit: z.int().default(5), deep: z.boolean().optional() });

  test.each([
    ["openai", { type: "function", function: { name: "t", description: "About t." } }],
    ["anthropic", { name: "t", description: "About t.", input_schema: { type: "object" } }],
    ["mcp", { name: "t", description: "About t.", inputSchema: { type: "object" } }],
    ["gemini", { name: "t", description: "About t.", parameters: { properties: {} } }],
  ] as const)("for %s", async (format, shape) => {
    const { registry } = makeRegistry();
    await registry.register(tool("t", { input, rare: ["deep"] }));
    await registry.register(tool("u"));
    const [schema, ...others] = registry.schemas(["nobody", "t"], { format });
    expect(others).toEqual([]);
    expect(schema).toMatchObject(shape);
    const text = JSON.stringify(schema);
    expect(text).toContain('"required":["path"]');
    expect(text).toContain('"limit"');
    expect(text).not.toContain("deep");
    expect(registry.schemas(undefined, { format })).toHaveLength(2);
    expect(registry.schemas([], { format })).toEqual([]);
  });

  test("plain tools with a JSON Schema are shown and checked like others", async () => {
    const { registry } = makeRegistry();
    const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const plain: PlainTool = { name: "plain", description: "Plain.", parameters, execute: () => "x" };
    await registry.register(plain);
    expect(registry.schemas()).toMatchObject([{ function: { name: "plain", parameters } }]);
    expect(registry.get("plain")?.parse({ n: "3" }, "plain")).toMatchObject({ ok: true, input: { n: 3 } });
    expect(registry.get("plain")?.parse({ n: "x" }, "plain")).toMatchObject({ ok: false });
  });
});
