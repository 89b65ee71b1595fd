// The tests as always, with every function of the source telling when it runs.
import { mergeConfig } from "vitest/config";
import tests from "../../vitest.config.ts";
import { reachPlugin } from "./reach.mjs";

export default mergeConfig(tests, {
  root: process.cwd(),
  plugins: [reachPlugin(process.cwd())],
  test: { setupFiles: ["scripts/mutate/reach-setup.mjs"] },
});
