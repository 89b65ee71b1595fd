import { expect, test } from "vitest";
import { keeperName, timeLeft } from "./hold-view.ts";

test.each([
  [0, "1 s"],
  [-5000, "1 s"],
  [1, "1 s"],
  [1001, "2 s"],
  [119_000, "119 s"],
  [119_001, "2 min"],
  [120_000, "2 min"],
  [120_001, "3 min"],
  [119 * 60_000, "119 min"],
  [119 * 60_000 + 1, "2 h"],
  [120 * 60_000, "2 h"],
  [121 * 60_000, "3 h"],
])("%i ms are left: %s", (left, words) => expect(timeLeft({ until: 1000 + left }, 1000)).toBe(words));

test("who it is", () => expect(keeperName({ agent: "main", session: "s" })).toBe("agent main (session s)"));
