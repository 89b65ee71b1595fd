import fs from "node:fs";

/** Where the kernel tells what a descriptor really is; only Linux has it. */
export const descriptors = process.platform === "linux" && fs.existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/** O_PATH: holds on to a file without opening it, so that looking has no effect and never hangs. Node has no name for it. */
export const justLooking = 0o10000000;

/** Processes of other containers have numbers of their own: theirs are not ours to call dead. */
export const processSpace = ((): string => {
  try {
    return /\d+/.exec(fs.readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
})();
