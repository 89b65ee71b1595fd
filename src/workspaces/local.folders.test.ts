import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type Disk, disk, failure } from "../../test/contracts/disk.ts";

describe("a folder that is replaced between the look and the change", () => {
  const swap: Record<string, (on: Disk["on"]) => void> = {
    moved: (on) => fs.renameSync(on("d"), on("moved")),
    removed: (on) => fs.rmSync(on("d"), { recursive: true }),
  };
  test.each([
    ["moved", "one", "new"],
    ["moved", "one", null],
    ["moved", null, "new"],
    ["removed", "one", "new"],
    ["removed", null, "new"],
  ] as const)("is %s, and the one in its place is used: %s to %s", async (how, before, after) => {
    const { put, change, commit, text, on, staged, leaks } = disk();
    put("d/other", "");
    if (before !== null) put("d/f", before);
    await commit([change("d/f", before, after)], () => {
      swap[how]?.(on);
      put("d/other", "");
      if (before !== null) put("d/f", before);
    });
    expect([text("d/f") ?? null, staged(), leaks()]).toEqual([after, [], []]);
    if (how === "moved") expect(text("moved/f") ?? null).toBe(before);
  });

  test("by a link, and is not followed", async () => {
    const { put, change, commit, text, on, staged, leaks } = disk();
    put("d/f", "one");
    const attempt = commit([change("d/f", "one", "new")], () => {
      fs.renameSync(on("d"), on("moved"));
      fs.symlinkSync("moved", on("d"));
    });
    await expect(attempt).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect([text("moved/f"), staged(), leaks()]).toEqual(["one", [], []]);
  });
});
