import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { afterModelCall } from "./budget.ts";

test("calls are made while something is left, and refused when it is used up", async () => {
  const dir = folder();
  const usage = { inputTokens: 60_000, outputTokens: 39_999, cost: 2.4999 };
  expect(await afterModelCall(dir, usage)).toEqual({ usedUp: undefined, status: "done" });
  expect(await afterModelCall(dir, { ...usage, outputTokens: 40_000 })).toEqual({
    usedUp: "all 100000 tokens of this session are used up",
    status: "refused",
  });
  expect(await afterModelCall(dir, { ...usage, cost: 2.5 })).toMatchObject({ status: "refused" });
});
