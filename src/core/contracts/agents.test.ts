import { describe, expect, test } from "vitest";
import { type AgentDefinition, isHeld, narrowingOf, underBuiltIn } from "./agents.ts";

const agent = (more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  ...{ name: "helper", description: "helps", prompt: "Help." },
  ...more,
});

describe("what an agent may do", () => {
  test.each<[what: string, definition: Partial<AgentDefinition>, narrowing: object]>([
    ["nothing is said", {}, {}],
    [
      "tools that are there, once each, and those that it always has",
      { tools: ["a", "b", "a", "gone"] },
      { tools: ["a", "b", "more"] },
    ],
    ["no tools", { tools: [] }, { tools: ["more"] }],
    ["all tools", { tools: ["a", "*"] }, {}],
    [
      "the rest",
      { gates: ["Patch"], autonomy: "readonly", commands: [] },
      { gates: ["Patch"], autonomy: "readonly", commands: [] },
    ],
  ])("%s", (_, definition, narrowing) => {
    expect(narrowingOf(agent(definition), (name) => name !== "gone", ["more"])).toStrictEqual(narrowing);
  });

  test.each<[definition: Partial<AgentDefinition>, held: boolean]>([
    [{}, false],
    [{ autonomy: "readonly" }, true],
    [{ autonomy: "supervised" }, false],
    [{ commands: [] }, true],
    [{ gates: ["Delegate"] }, true],
    [{ gates: ["Patch"] }, false],
  ])("%j is held: %s", (definition, held) => expect(isHeld(agent(definition))).toBe(held));

  test("one that takes the place of a built-in is never wider", () => {
    const built = agent({
      tools: ["read", "write"],
      gates: ["Patch"],
      autonomy: "supervised",
      commands: ["safe", "dev"],
    });
    expect(underBuiltIn(built, undefined, (name) => name)).toBe(built);
    const written = agent({
      name: "own",
      prompt: "Own.",
      tools: ["Read", "run"],
      gates: ["Patch", "Finalize"],
      autonomy: "full",
    });
    expect(underBuiltIn(built, written, (name) => name.toLowerCase())).toStrictEqual({
      ...{ name: "own", description: "helps", prompt: "Own." },
      ...{ tools: ["read"], gates: ["Patch"], autonomy: "supervised", commands: ["safe", "dev"] },
    });
    expect(underBuiltIn(agent(), agent({ name: "own" }), (name) => name)).toStrictEqual(agent({ name: "own" }));
  });
});
