import { expect, test, vi } from "vitest";
import * as z from "zod";
import { bench } from "../../../test/journeys/harness.ts";
import { Tool } from "./tool.ts";

test("a schema that is given by an accessor is made once, when it is first needed", async () => {
  const { registry } = (await bench({}, { store: "memory", toolset: "tasks" })).gate;
  const make = vi.fn(() => z.object({ path: z.string() }));
  const given = Object.freeze({
    description: "x",
    permissions: { required: ["read"] as const },
    get input() {
      return make();
    },
    execute: () => "x",
  });
  const registered = Tool.define("late_schema", given);
  await registry.register(registered);
  expect(registry.enabled(["read"]).map(({ name }) => name)).toContain("late_schema");
  expect(make).not.toHaveBeenCalled();
  expect(registry.get("late_schema")?.parse({ path: "a" }, "late_schema")).toMatchObject({
    ok: true,
    input: { path: "a" },
  });
  expect(registry.get("late_schema")?.parse({ path: 1n }, "late_schema")).toMatchObject({ ok: false });
  expect(JSON.stringify(registry.schemas(["late_schema"]))).toContain('"required":["path"]');
  expect(make).toHaveBeenCalledTimes(1);
});

test("an accessor that gives no schema fails the call, every time", async () => {
  const { gate } = await bench({}, { store: "memory" });
  const wrong = {
    description: "x",
    get input() {
      return "path" as never;
    },
    execute: () => "x",
  };
  await gate.registry.register(Tool.define("wrong_schema", wrong));
  for (let time = 0; time < 2; time++)
    expect((await gate.call({ name: "wrong_schema", args: { path: "a" } })).error?.message).toMatch(
      /the tool wrong_schema is a string, not a schema/,
    );
});
