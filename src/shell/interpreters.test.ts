import { expect, test } from "vitest";
import { isInterpreter } from "./shells.ts";

test.each<[name: string, is: boolean]>([
  ["python", true],
  ["python3", true],
  ["python3.12", true],
  ["perl5.36.0", true],
  ["node20", true],
  ["awk9", true],
  ["python3.", false],
  ["python-3", false],
  ["python/3", false],
  ["python:0", false],
  ["mypython3", false],
  ["3.12", false],
  ["", false],
])("%j is an interpreter: %s", (name, is) => expect(isInterpreter(name)).toBe(is));
