// What the tests need of a machine beyond npm, installed where that is possible without asking anybody.
import { spawnSync } from "node:child_process";

const PARTS = [
  { program: "bwrap", name: "bubblewrap", untested: "the sandbox" },
  { program: "chromium", name: "chromium", untested: "the browser" },
];

const works = (program, ...args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;

const missing = process.platform === "linux" ? PARTS.filter(({ program }) => !works(program, "--version")) : [];
const mayInstall = missing.length > 0 && process.getuid() === 0 && works("apt-get", "--version");
if (mayInstall) works("apt-get", "update", "-qq");
for (const { name, untested } of missing)
  console.log(
    mayInstall && works("apt-get", "install", "-y", "-qq", "--no-install-recommends", name)
      ? `${name} was installed`
      : `${name} is missing: ${untested} is not tested (apt-get install ${name})`,
  );
