import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import "./capabilities.ts";

/** Ends the run with one plain line that any script can read, and one before it for each reason to skip tests. */
export default class Summary implements Reporter {
  #isPartOnly = false;

  onInit({ config }: Pick<Vitest, "config">): void {
    // whoever asks for some names has left the others out
    this.#isPartOnly = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const module of modules) if (module.state() === "failed" && module.children.size === 0) count.failed += 1;
    for (const test of tests) count[test.result().state] += 1;
    const wrongs = this.#isPartOnly ? [] : [...unexplained(tests), ...(process.env.CI ? untested(tests) : [])];
    if (!this.#isPartOnly) for (const line of explained(tests)) console.log(line);
    for (const line of flaky(tests)) console.log(line);
    for (const line of wrongs) console.log(line);
    if (wrongs.length > 0) process.exitCode = 1;
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    console.log(`tests: ${count.passed} passed, ${count.failed + wrongs.length} failed${skipped}`);
  }
}

function reasonOf(test: TestCase): string | undefined {
  const { needs, skipped } = test.meta();
  const result = test.result();
  if (skipped === undefined) return result.state === "skipped" ? result.note : undefined;
  return needs === undefined ? skipped : `${needs} is ${skipped}`;
}

const isSkipped = (test: TestCase): boolean => test.result().state === "skipped";

const counted = <Key>(keys: readonly Key[]): Map<Key, number> => {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const explained = (tests: readonly TestCase[]): string[] =>
  [...counted(tests.filter(isSkipped).flatMap((test) => reasonOf(test) ?? []))].map(
    ([reason, count]) => `skipped: ${count} (${reason})`,
  );

const flaky = (tests: readonly TestCase[]): string[] =>
  tests
    .filter((test) => test.diagnostic()?.flaky)
    .map(({ fullName, module }) => `FLAKY: passed at the second try: ${module.relativeModuleId} > ${fullName}`);

const unexplained = (tests: readonly TestCase[]): string[] =>
  [
    ...counted(tests.filter((test) => isSkipped(test) && !reasonOf(test)).map(({ module }) => module.relativeModuleId)),
  ].map(
    ([file, count]) =>
      `FAILED: ${count} tests of ${file} were skipped without a reason (needs() in test/capabilities.ts gives one)`,
  );

/** Where every change must pass, nothing may go untested for want of a part that can be installed. */
function untested(tests: readonly TestCase[]): string[] {
  const names = new Set(tests.flatMap((test) => test.meta().needs ?? []));
  return [...names]
    .filter((name) => tests.every((test) => test.meta().needs !== name || isSkipped(test)))
    .map((name) => `FAILED: every test that needs ${name} was skipped`);
}
