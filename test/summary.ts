import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line that any script can read. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && module.children.size === 0) count.failed += 1;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    console.log(`tests: ${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}
