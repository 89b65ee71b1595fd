import { afterEach, expect, test } from "vitest";
import { lineWidth, widthOf } from "./terminal.ts";

const { isTTY, columns } = process.stdout;
afterEach(() => void Object.assign(process.stdout, { isTTY, columns }));

test.each<[columns: number | undefined, width: number]>([
  [120, 120],
  [0, 80],
  [undefined, 80],
])("a terminal that says it has %s columns is taken to have %i", (told, width) => {
  expect(widthOf(told === undefined ? {} : { columns: told })).toBe(width);
  Object.assign(process.stdout, { isTTY: true, columns: told });
  expect(lineWidth()).toBe(width);
});

test("text for programs is not wrapped", () => {
  Object.assign(process.stdout, { isTTY: false, columns: 20 });
  expect(lineWidth()).toBe(Number.POSITIVE_INFINITY);
});
