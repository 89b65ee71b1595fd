import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/doctor.ts";
import { bench, folder, onPath } from "./harness.ts";

/** A program that says how it was called. */
const ECHO = '#!/bin/bash\necho "${0##*/} $*"\n';
const OLD_NODE = '#!/bin/bash\n[ "$1" = -p ] && echo undefined || echo "old node $*"\n';
const NEW_NODE = '#!/bin/bash\n[ "$1" = -p ] && echo strip || echo "new node $*"\n';

const shown = async (): Promise<unknown> => {
  const { gate } = await bench({}, { store: "memory", sandbox: "off" });
  const [schema] = gate.schemas({ format: "mcp", names: ["execute_code"] });
  return schema?.inputSchema.properties.language;
};

describe("typescript", () => {
  const table: [on: string, programs: Record<string, string>, said: string][] = [
    ["a node that takes it", { node: NEW_NODE, tsx: ECHO }, "new node --input-type=module-typescript -e let x: 1"],
    ["tsx beside an old node", { node: OLD_NODE, tsx: ECHO, bun: ECHO }, "tsx --input-type=module -e let x: 1"],
    ["deno", { deno: ECHO, bun: ECHO }, "deno eval --ext=ts let x: 1"],
    ["bun", { bun: ECHO }, "bun -e let x: 1"],
  ];
  test.each(table)("runs with %s", async (_, programs, said) => {
    onPath(programs);
    const { call, gate } = await bench({}, { sandbox: "off" });
    const args = { language: "typescript", code: "let x: 1" };
    expect((await call("execute_code", args)).output).toBe(said);
    expect((await gate.explain({ name: "execute_code", args })).class).toBe("dangerous");
    expect(await shown()).toMatchObject({ enum: expect.arrayContaining(["typescript"]) });
  });

  test("without any: not shown, and a call says how to get it", async () => {
    onPath({ node: OLD_NODE });
    expect(await shown()).toEqual({ type: "string", enum: ["javascript", "bash"] });
    const { call } = await bench();
    const { success, error } = await call("execute_code", { language: "typescript", code: "1" });
    expect([success, error?.code]).toEqual([false, "NOT_FOUND"]);
    expect(error?.hint).toContain("tsx");
  });

  test("a program that the sandbox would hide does not count", async () => {
    onPath({ tsx: ECHO });
    const { call } = await bench({}, { sandbox: "auto" });
    expect((await call("execute_code", { language: "ts", code: "1" })).error?.code).toBe("NOT_FOUND");
  });

  test("a program in the workspace does not count", async () => {
    const dir = onPath({ tsx: ECHO });
    const { call } = await bench({}, { dir, sandbox: "off" });
    expect((await call("execute_code", { language: "ts", code: "1" })).error?.code).toBe("NOT_FOUND");
  });
});

describe("other names", () => {
  test.each([
    ["py", "python3 -c 1"],
    ["Python", "python3 -c 1"],
    ["js", "node -e 1"],
    ["node", "node -e 1"],
    ["TS", "bun -e 1"],
  ])("%s", async (language, said) => {
    onPath({ python3: ECHO, node: ECHO, bun: ECHO });
    const { call } = await bench({}, { sandbox: "off" });
    expect((await call("execute_code", { language, code: "1" })).output).toBe(said);
  });

  test.each(["sh", "shell", "bash"])("%s", async (language) => {
    const { call } = await bench();
    expect((await call("execute_code", { language, code: "echo $BASH" })).output).toMatch(/bash$/);
  });

  test("what nobody knows is invalid, and the answer says what there is", async () => {
    onPath({ node: ECHO });
    const { call } = await bench({}, { sandbox: "off" });
    const { status, error } = await call("execute_code", { language: "cobol", code: "1" });
    expect(status).toBe("invalid");
    expect(error?.message).toContain("javascript");
    expect(error?.message).not.toContain("python");
  });
});

test("doctor tells which languages run, and how to get the others", async () => {
  const found = async () =>
    (await diagnose({ workspace: folder(), sandbox: "off" })).find(({ what }) => what === "code");
  onPath({ python3: ECHO, node: OLD_NODE });
  const partly = await found();
  expect(partly).toMatchObject({
    state: "partly",
    says: "runs python (python3), javascript (node), bash; not typescript",
  });
  expect(partly?.get).toContain("tsx");
  onPath({ python3: ECHO, node: OLD_NODE, tsx: ECHO });
  expect(await found()).toEqual({
    what: "code",
    state: "holds",
    says: "runs python (python3), javascript (node), typescript (tsx), bash",
  });
});
