import fs from "node:fs";

/** Where the kernel shows what a descriptor really refers to. Only Linux has it. */
export const descriptors = process.platform === "linux" && fs.existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/** O_PATH, which Node does not name: refers to a file without opening it, so looking has no effect and never blocks. */
export const justLooking = 0o10000000;

/** The pid namespace. Other containers have their own pids, so a pid from there must not be called dead. */
export const processSpace = ((): string => {
  try {
    return /\d+/.exec(fs.readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
})();
