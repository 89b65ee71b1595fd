import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { blowUp, regexesIn, type Written } from "./regexes.ts";

const written = regexesIn(path.resolve(import.meta.dirname, "../src"));

/** Those that are put together when the modules are loaded. */
async function madeByLoading(): Promise<Written[]> {
  const made: Written[] = [];
  vi.stubGlobal(
    "RegExp",
    class extends RegExp {
      constructor(source: RegExp | string, flags?: string) {
        super(source, flags);
        made.push({ at: "put together", source: this.source, flags: this.flags });
      }
    },
  );
  try {
    await import("../src/index.ts");
    await import("../src/shell/analyse.ts");
  } finally {
    vi.unstubAllGlobals();
  }
  return made;
}
const known = [...new Map(written.map((each) => [`${each.source}/${each.flags}`, each])).values()];

describe("no text makes a regular expression of ours take long", () => {
  test("all of them are found", () => {
    expect(known.length).toBeGreaterThan(400);
  });

  test("whatever is repeated", { timeout: 300_000 }, () => {
    const slow = known.flatMap((each) => {
      const text = blowUp(each);
      return text === undefined ? [] : [`${each.at} /${each.source}/${each.flags} on ${JSON.stringify(text)}`];
    });
    expect(slow).toEqual([]);
  });

  test("also where they are put together from parts", { timeout: 300_000 }, async () => {
    const made = await madeByLoading();
    expect(made.length).toBeGreaterThan(10);
    expect(made.filter((each) => blowUp(each) !== undefined).map(({ source }) => source)).toEqual([]);
  });

  test.each([
    ["\\s+$", true],
    ["(a+)+$", true],
    ["(?:a|a)*b", true],
    ["x.*y.*z", true],
    ["^\\s+", false],
    ["^[^=]*=", false],
    ["foo|bar", false],
  ])("the check knows what it looks for: %s", (source, isSlow) => {
    expect(blowUp({ at: "here", source, flags: "" }) !== undefined).toBe(isSlow);
  });
});
