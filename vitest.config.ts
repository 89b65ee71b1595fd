import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ["default", "./test/summary.ts"],
    typecheck: { enabled: false },
  },
});
