import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What the tests need beyond npm: the built command line, and bubblewrap where it can be had. */
export default function setup(): void {
  if (!existsSync("dist/cli/toolgate.js"))
    throw new Error("dist/ is missing: run `npm run build` first (`npm test` does).");
  if (process.platform === "linux" && !works("bwrap", ["--version"])) installBubblewrap();
}

const works = (program: string, args: string[]): boolean => spawnSync(program, args, { stdio: "ignore" }).status === 0;

function installBubblewrap(): void {
  const mayInstall = process.getuid?.() === 0 && works("apt-get", ["--version"]);
  if (mayInstall && works("apt-get", ["update", "-qq"]) && works("apt-get", ["install", "-y", "-qq", "bubblewrap"]))
    return;
  console.warn(
    "\nSKIPPED: bubblewrap is missing and could not be installed, so the tests of the sandbox do not run.\n",
  );
}
