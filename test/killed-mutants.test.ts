import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Killed } from "../scripts/mutate/killed.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "toolgate-killed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what was killed is known to a later run, until its file changes", () => {
  const file = path.join(folder, "source.ts");
  writeFileSync(file, "if (a) b();");
  const killed = { file, start: 4, end: 5, text: "false" };
  const other = { ...killed, text: "true" };
  const kept = path.join(folder, "kept");

  const first = new Killed(kept);
  expect(first.killer(killed)).toBeUndefined();
  first.add(killed, "source.test.ts");
  first.save();

  const later = new Killed(kept);
  expect([later.killer(killed), later.killer(other)]).toEqual(["source.test.ts", undefined]);

  writeFileSync(file, "if (a) c();");
  expect(new Killed(kept).killer(killed)).toBeUndefined();
});
