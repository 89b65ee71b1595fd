import vm from "node:vm";

/** What was found in a text: the pattern that fits, or that trying them all took too long. */
export type Fit = { pattern: string } | "too long";

/** Far more than any honest pattern takes on the longest command line. */
const PATIENCE_MS = 100;

const TRY = new vm.Script("patterns.findIndex((each) => new RegExp(each, 'i').test(text))");

/**
 * Tries regular expressions that a stranger may have written: without regard to case, and never for longer than a
 * moment, all of them together.
 */
export function boundedPatterns(patterns: readonly string[]): (text: string) => Fit | undefined {
  if (patterns.length === 0) return () => undefined;
  const context = vm.createContext({ patterns: [...patterns], text: "" });
  return (text) => {
    context.text = text;
    try {
      const found = TRY.runInContext(context, { timeout: PATIENCE_MS }) as number;
      const pattern = patterns[found];
      return pattern === undefined ? undefined : { pattern };
    } catch {
      // also one that is too large to be tried at all
      return "too long";
    }
  };
}
