import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/setup.ts"],
    setupFiles: ["test/matching.ts"],
    maxWorkers: 2,
    // a person's own configuration, trust and key are none of the tests' business
    env: { XDG_CONFIG_HOME: mkdtempSync(path.join(os.tmpdir(), "toolgate-user-")) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/summary.ts"],
    typecheck: { enabled: false },
  },
});
