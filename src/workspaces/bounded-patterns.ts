import vm from "node:vm";

/** What was found in a text: the pattern that fits, or that trying them all took too long. */
export type Fit = { pattern: string } | "too long";

/** Far more than any honest pattern takes on the longest command line. */
const PATIENCE_MS = 100;
/** How often it is tried where the machine was too busy to give us much of that time. */
const TRIES = 5;

const TRY = new vm.Script("patterns.findIndex((each) => new RegExp(each, 'i').test(text))");

/** Less than half of the time was ours. */
const wasKeptWaiting = (before: NodeJS.CpuUsage): boolean => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 < PATIENCE_MS / 2;
};

/**
 * Tries regular expressions that a stranger may have written: without regard to case, and never for longer than a
 * moment, all of them together.
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
      // also one that is too large to be tried at all
      return isTimeout && left > 1 && wasKeptWaiting(before) ? attempt(text, left - 1) : "too long";
    }
  };
  return (text) => attempt(text, TRIES);
}
