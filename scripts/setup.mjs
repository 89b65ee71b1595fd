// What the tests need of a machine beyond npm: bubblewrap, installed where that is possible without asking anybody.
import { spawnSync } from "node:child_process";

const works = (program, ...args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;

if (process.platform === "linux" && !works("bwrap", "--version")) {
  const mayInstall = process.getuid() === 0 && works("apt-get", "--version");
  const installed =
    mayInstall && works("apt-get", "update", "-qq") && works("apt-get", "install", "-y", "-qq", "bubblewrap");
  console.log(
    installed
      ? "bubblewrap was installed"
      : "bubblewrap is missing: the sandbox is not tested (apt-get install bubblewrap)",
  );
}
