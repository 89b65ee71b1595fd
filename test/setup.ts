import { existsSync, rmSync } from "node:fs";

/** The command line is tested as it is built. */
export default function setup(): () => void {
  if (!existsSync("dist/cli/toolgate.js"))
    throw new Error("dist/ is missing: run `npm run build` first (`npm test` does).");
  return () => rmSync(process.env.TOOLGATE_TESTS_USER ?? "", { recursive: true, force: true });
}
