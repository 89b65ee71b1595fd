import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const FOLDERS = ["src", "test", "examples"];

/**
 * Test files that replace modules, which must not reach the files that the same process runs after them, or that count
 * what their process holds open, where others may have left something.
 */
const alone = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file)),
).filter(
  (file) =>
    file.endsWith(".test.ts") &&
    /\bvi\.(mock|doMock|resetModules)\(|\blistenerCount\(|stubGlobal\(|\/proc\/self\/fd/.test(
      readFileSync(file, "utf8"),
    ),
);

/** One for all that reads this file in a run; test/setup.ts removes it at the end. */
process.env.TOOLGATE_TESTS_USER ??= mkdtempSync(path.join(os.tmpdir(), "toolgate-user-"));

export default defineConfig({
  test: {
    globalSetup: ["test/setup.ts"],
    setupFiles: ["test/matching.ts"],
    maxWorkers: 2,
    // a person's own configuration, trust and key are none of the tests' business
    env: { XDG_CONFIG_HOME: process.env.TOOLGATE_TESTS_USER },
    // one bad moment of a busy machine is no reason to refuse a change; the summary names every test that needed it
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    reporters: ["default", "./test/summary.ts"],
    typecheck: { enabled: false },
    // importing the gate anew for every file would cost a third of all time
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: alone,
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: alone, isolate: true } },
    ],
  },
});
