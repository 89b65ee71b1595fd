import { expect, test } from "vitest";
import type { Definition, OpenOptions } from "../../src/index.ts";
import { bench, plain } from "../journeys/harness.ts";

const trap = (): never => {
  throw new Error("do not look");
};
/** What cannot be shown, and what cannot even be looked at. */
const things: [what: string, thing: () => unknown][] = [
  ["an object without a name", () => Object.create(null)],
  ["a trap", () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })],
];

type Throwing = () => never;
const tool = (more: (boom: Throwing) => Partial<Definition>) => (boom: Throwing) => ({
  tools: [plain("t", more(boom))],
});
const writing = { permissions: { required: ["write"] }, touches: () => [{ action: "write", target: "a" }] } as const;
const asking = { mode: "confirm-all", approve: () => "session" } as const;

const places: [who: string, options: (boom: Throwing) => OpenOptions, status: string][] = [
  ["execute", tool((execute) => ({ execute })), "failed"],
  ["touches", tool((touches) => ({ touches })), "failed"],
  ["preview", tool((preview) => ({ ...writing, preview }) as unknown as Partial<Definition>), "failed"],
  ["a danger level", tool((getDangerLevel) => ({ getDangerLevel })), "failed"],
  ["a time limit", tool((timeLimit) => ({ timeLimit })), "failed"],
  ["a scope", (boom) => ({ ...asking, ...tool((scope) => ({ scope }))(boom) }), "failed"],
  ["the code it runs", (boom) => ({ ...asking, ...tool((code) => ({ code }))(boom) }), "failed"],
  ["a policy", (judge) => ({ tools: [plain("t")], policies: [{ name: "own", judge }] }), "failed"],
  ["a hook before", (before) => ({ tools: [plain("t")], hooks: [{ name: "own", before }] }), "refused"],
  ["a hook after", (after) => ({ tools: [plain("t")], hooks: [{ name: "own", after }] }), "done"],
  ["an approver", (approve) => ({ mode: "confirm-all", approve, tools: [plain("t")] }), "refused"],
];

test.each(things)("%s that others throw ends the call and nothing else", async (_, thing) => {
  const boom = () => {
    throw thing();
  };
  for (const [who, options, status] of places) {
    const { call } = await bench({}, { store: "memory", ...options(boom) });
    const result = await call("t");
    // a judgement that failed is never a milder one
    if (status === "done") expect(result.output, who).toContain("failed: it threw something that cannot be read");
    else expect(result.success, who).toBe(false);
  }
});

const circle: Record<string, unknown> = {};
circle.one = circle;
const unreadable: [what: string, thing: () => unknown][] = [
  ...things,
  ["a circle", () => circle],
  ["a large number", () => ({ a: 1n })],
  ["a field that throws", () => Object.defineProperty({}, "a", { get: trap, enumerable: true })],
];

test.each(unreadable)("%s that others hand over is left out, and the call ends", async (_, thing) => {
  const execute = () => ({ output: "o", metadata: { fine: 1, odd: thing() } });
  const { gate, call } = await bench({}, { store: "memory", tools: [plain("t", { execute } as Partial<Definition>)] });
  const result = await call("t");
  expect(result).toMatchObject({ success: true, output: "o", metadata: { fine: 1 } });
  expect(() => JSON.stringify(result)).not.toThrow();
  for (const args of [thing(), { path: thing() }, { path: "a", more: thing() }]) {
    const read = await gate.call({ name: "read_file", args });
    expect(read.success).toBe(false);
    expect(() => JSON.stringify(read)).not.toThrow();
  }
});
