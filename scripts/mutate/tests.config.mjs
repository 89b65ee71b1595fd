// The tests as always, with the mutants in the source.
import { readFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
import tests from "../../vitest.config.ts";
import { switchPlugin } from "./switches.mjs";

const task = JSON.parse(readFileSync(process.env.TOOLGATE_MUTANTS, "utf8"));

export default mergeConfig(tests, {
  root: process.cwd(),
  plugins: [switchPlugin(process.cwd(), task)],
  test: { runner: "scripts/mutate/runner.mjs" },
});
