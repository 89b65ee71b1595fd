import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { trustedProgram } from "./trusted-program.ts";

test("programs are taken from the system's own folders, whatever the PATH says", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-programs-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    fs.rmSync(folder, { recursive: true });
  });
  for (const name of ["bash", "only-here"]) fs.writeFileSync(path.join(folder, name), "", { mode: 0o755 });
  vi.stubEnv("PATH", folder);
  expect(trustedProgram("bash")).toMatch(/^(\/usr(\/local)?)?\/bin\/bash$/);
  expect(trustedProgram("only-here")).toBeUndefined();
  const asked: unknown[] = [];
  vi.spyOn(fs, "accessSync").mockImplementation((file, mode) => {
    asked.push(path.dirname(String(file)));
    if (mode !== fs.constants.X_OK || path.dirname(String(file)) !== "/opt/homebrew/bin") throw new Error("ENOENT");
  });
  expect(trustedProgram("bwrap")).toBe("/opt/homebrew/bin/bwrap");
  expect(asked).toEqual([
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/run/current-system/sw/bin",
    "/opt/homebrew/bin",
  ]);
});
