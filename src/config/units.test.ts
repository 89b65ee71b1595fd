import { expect, test } from "vitest";
import { bytes, DURATION, milliseconds, SIZE } from "./units.ts";

test.each<[string | number, number]>([
  ["250ms", 250],
  ["5s", 5000],
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["30d", 2_592_000_000],
  ["1.5 h", 5_400_000],
  ["2w", 1_209_600_000],
  [77, 77],
])("%s is %d milliseconds", (written, expected) => {
  expect(milliseconds(written)).toBe(expected);
  if (typeof written === "string") expect(written).toMatch(DURATION);
});

test.each<[string | number, number]>([
  ["12B", 12],
  ["500MB", 500_000_000],
  ["2 gb", 2_000_000_000],
  ["1MiB", 1_048_576],
  ["1.5kB", 1500],
  [77, 77],
])("%s is %d bytes", (written, expected) => {
  expect(bytes(written)).toBe(expected);
  if (typeof written === "string") expect(written).toMatch(SIZE);
});

test.each(["", "30", "d", "-1d", "1D", "1 day", "1d2h", "1e3d", "NaNd", "99999999999d"])(
  "%j is no duration",
  (written) => {
    expect(written).not.toMatch(DURATION);
  },
);

test.each(["", "5", "5M", "MB", "-1MB", "1EB", "1 MB ", "0x1B0B"])("%j is no size", (written) => {
  expect(written).not.toMatch(SIZE);
});
