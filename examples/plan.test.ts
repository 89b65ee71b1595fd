import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { planned } from "./plan.ts";

test("what was planned is made if it is wanted, and forgotten if not", async () => {
  const dir = folder({ "a.txt": "one\n" });
  const work = async (call: (name: string, args: object) => Promise<unknown>) => {
    await call("edit_file", { path: "a.txt", old_str: "one", new_str: "two" });
    await call("write_file", { path: "b.txt", content: "new\n" });
  };
  expect(await planned(dir, work, () => false)).toEqual([]);
  expect(readFileSync(`${dir}/a.txt`, "utf8")).toBe("one\n");
  let shown = "";
  const outcomes = await planned(dir, work, (diff) => {
    shown = diff;
    return true;
  });
  expect(outcomes).toEqual(["edit_file: done", "write_file: done"]);
  expect(shown).toContain("diff --git a/a.txt b/a.txt\n");
  expect(readFileSync(`${dir}/a.txt`, "utf8")).toBe("two\n");
  expect(existsSync(`${dir}/b.txt`)).toBe(true);
});
