import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";

describe("a line that is longer than max_bytes is cut inside, never within a character", () => {
  test.each<[line: string, max_bytes: number, shown: string]>([
    ["abcdefghij", 4, "abcd… [6 more characters in this line]"],
    ["abcdefghij", 9, "abcdefghi… [1 more characters in this line]"],
    ["abcdefghij", 10, "abcdefghij"],
    ["éééé", 5, "éé… [2 more characters in this line]"],
    ["😀😀😀", 7, "😀… [4 more characters in this line]"],
    ["漢", 1, "… [1 more characters in this line]"],
    ["x".repeat(5_000), 100, `${"x".repeat(100)}… [4900 more characters in this line]`],
  ])("row %#", async (line, max_bytes, shown) => {
    for (const [file, rest] of [
      ["one", ""],
      ["more", "\nsecond\n"],
    ]) {
      const { call } = await bench({ [file as string]: line + rest }, { store: "memory" });
      const { output } = await call("read_file", { path: file, max_bytes });
      const [first, told = ""] = output.split("\n\n[");
      expect(first).toBe(`1\t${shown}`);
      expect(told).toBe(rest === "" ? "" : `Lines 1-1 of 2. Go on with {"path":"more","offset":2}.]`);
    }
  });

  test("in a file that is streamed too", async () => {
    const { call } = await bench({ f: "é".repeat(3_000_000) }, { store: "memory" });
    const { output } = await call("read_file", { path: "f", max_bytes: 7 });
    expect(output).toBe("1\tééé… [2999997 more characters in this line]");
  });
});
