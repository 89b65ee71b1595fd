import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mutantsOf } from "../scripts/mutate/mutants.mjs";

const LISTED: Record<string, Record<string, string>> = JSON.parse(readFileSync("test/equivalent-mutants.json", "utf8"));

describe("mutants that nobody could notice", () => {
  test.each(Object.entries(LISTED))("all that are listed for %s still exist, each with a reason", (file, reasons) => {
    const keys = new Set(mutantsOf(file).map(({ key }) => key));
    expect(Object.keys(reasons).filter((key) => !keys.has(key))).toEqual([]);
    expect(Object.values(reasons).filter((reason) => reason.trim().length < 10)).toEqual([]);
  });
});
