import fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => void vi.restoreAllMocks());

test.each<[platform: string, isThere: boolean, descriptors: string | undefined]>([
  ["linux", true, "/proc/self/fd"],
  ["linux", false, undefined],
  ["darwin", true, undefined],
])("on %s, where the kernel shows descriptors (%j): %s", async (platform, isThere, descriptors) => {
  vi.resetModules();
  vi.spyOn(process, "platform", "get").mockReturnValue(platform as NodeJS.Platform);
  vi.spyOn(fs, "existsSync").mockReturnValue(isThere);
  expect((await import("./platform.ts")).descriptors).toBe(descriptors);
});
