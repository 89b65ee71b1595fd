import vm from "node:vm";

/** The pattern that matches a text, or "too long" if trying all patterns took too long. */
export type Fit = { pattern: string } | "too long";

/** Far more time than any reasonable pattern needs on the longest command line. */
const PATIENCE_MS = 100;
/** How often a timed-out match is retried if the machine was too busy to give this process enough CPU time. */
const TRIES = 5;

const TRY = new vm.Script("patterns.findIndex((each) => new RegExp(each, 'i').test(text))");

/** True if this process got less than half of the time limit as CPU time. */
const wasKeptWaiting = (before: NodeJS.CpuUsage): boolean => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 < PATIENCE_MS / 2;
};

/**
 * Matches regular expressions that a stranger may have written: case-insensitively, and with one short time limit for
 * all of them together.
 */
export function boundedPatterns(patterns: readonly string[]): (text: string) => Fit | undefined {
  if (patterns.length === 0) return () => undefined;
  const context = vm.createContext({ patterns: [...patterns], text: "" });
  const attempt = (text: string, left: number): Fit | undefined => {
    const before = process.cpuUsage();
    context.text = text;
    try {
      const found = TRY.runInContext(context, { timeout: PATIENCE_MS }) as number;
      const pattern = patterns[found];
      return pattern === undefined ? undefined : { pattern };
    } catch (error) {
      const isTimeout = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
      // also reached for a pattern that is too large to compile or run
      return isTimeout && left > 1 && wasKeptWaiting(before) ? attempt(text, left - 1) : "too long";
    }
  };
  return (text) => attempt(text, TRIES);
}
