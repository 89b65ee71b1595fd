import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { lockedPaths } from "./locked-paths.ts";

test("what one agent has locked, another does not change", async () => {
  const [refused, written] = await lockedPaths(folder());
  expect(refused).toMatch(/^src\/a\.ts is locked by agent builder \(session \S+\) \(src\/\*\*\) for another 60 s\.$/);
  expect(written).toBe("done");
});
