import { expect, test } from "vitest";
import { callRecord } from "../../../test/contracts/store-samples.ts";
import { Ledger } from "./economics.ts";

test("calls, failures, time and tokens are added up for each tool, the dearest first", () => {
  const ledger = new Ledger();
  const of = (tool: string, more: object) =>
    ledger.add(callRecord("1", { tool, microseconds: 1500, input: {}, told: 0, ...more }));
  of("read_file", { input: { path: "a" }, told: 400 });
  of("read_file", { input: { path: "a" }, told: 4 });
  of("run_command", { status: "failed", told: 10 });
  of("run_command", { status: "timed-out", session: "other" });
  of("run_command", { status: "refused" });
  of("run_command", { status: "planned" });
  of("old", { told: undefined });
  const { tools, ...all } = ledger.total({ tokens: 5, cost: 0.5 });
  expect(tools).toEqual([
    { tool: "read_file", calls: 2, failed: 0, refused: 0, milliseconds: 3, tokensIn: 6, tokensOut: 101 },
    { tool: "run_command", calls: 4, failed: 2, refused: 1, milliseconds: 6, tokensIn: 4, tokensOut: 3 },
    { tool: "old", calls: 1, failed: 0, refused: 0, milliseconds: 1.5, tokensIn: 1, tokensOut: 0 },
  ]);
  expect(all).toEqual({
    ...{ calls: 7, failed: 2, refused: 1, milliseconds: 10.5, tokensIn: 11, tokensOut: 104 },
    ...{ sessions: 2, model: { tokens: 5, cost: 0.5 } },
  });
});

test("of tools that are equally dear, the one that was called more often, then by name", () => {
  const ledger = new Ledger();
  const add = (tool: string, told: number) => ledger.add(callRecord("1", { tool, input: undefined, told }));
  for (const tool of ["b", "c", "a"]) add(tool, 8);
  for (const _ of [1, 2]) add("often", 4);
  add("dear", 80);
  expect(ledger.total({ tokens: 0, cost: 0 }).tools.map(({ tool }) => tool)).toEqual(["dear", "often", "a", "b", "c"]);
});

test("what cannot be counted counts as nothing", () => {
  const circle: Record<string, unknown> = {};
  circle.own = circle;
  const ledger = new Ledger();
  ledger.add(callRecord("1", { input: circle }));
  ledger.add(callRecord("2", { input: undefined }));
  expect(ledger.total({ tokens: 0, cost: 0 })).toMatchObject({ calls: 2, tokensIn: 0, tokensOut: 0 });
});
