import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { TestCase, TestModule } from "vitest/node";
import { needs, when } from "./capabilities.ts";
import { onPath } from "./journeys/harness.ts";
import Summary from "./summary.ts";

describe("a part that tests need", () => {
  const version = "[ \"$1\" = --version ] && echo 'bubblewrap 0.8.0' && exit 0";
  test("runs them where it works", () => {
    onPath({ bwrap: `#!/bin/bash\n${version}\nexit 0\n` });
    expect(needs("bubblewrap")).toEqual({ meta: { needs: "bubblewrap" } });
  });

  test("skips them with a reason where it is missing, or is another program of that name", () => {
    onPath({});
    const skipped = { skip: true, meta: { needs: "bubblewrap", skipped: expect.stringContaining("apt-get install") } };
    expect(needs("bubblewrap")).toEqual(skipped);
    onPath({ bwrap: "#!/bin/bash\necho other\n" });
    expect(needs("bubblewrap")).toEqual(skipped);
  });

  test("fails the run where it is installed and does not work", () => {
    onPath({ bwrap: `#!/bin/bash\n${version}\necho 'No permissions' >&2; exit 1\n` });
    expect(() => needs("bubblewrap")).toThrow(/installed, but does not work \(No permissions\)/);
  });

  test("is asked for in this way alone, never by asking the code under test", () => {
    const files = ["src", "test", "examples"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
    );
    const skipping = files
      .filter((file) => file.endsWith(".ts") && file !== "test/capabilities.test.ts")
      .filter((file) =>
        /\b(?:test|it|describe)(?:\.\w+)*\.(?:skipIf|runIf|skip|todo)[.(]/.test(readFileSync(file, "utf8")),
      );
    expect(skipping).toEqual([]);
  });
});

type Told = { state: "passed" | "skipped" | "failed"; meta?: object; note?: string; flaky?: boolean };

/** What a run of these tests prints at its end, and whether it has failed by that. */
function endOf(told: Told[], { CI = "", ...config }: { CI?: string; testNamePattern?: RegExp } = {}) {
  const lines: string[] = [];
  const module = { state: () => "passed", relativeModuleId: "x.test.ts" } as TestModule;
  const tests = told.map(
    ({ state, meta = {}, note, flaky = false }) =>
      ({
        ...{ fullName: "works", module, meta: () => meta },
        ...{ result: () => ({ state, note }), diagnostic: () => ({ flaky }) },
      }) as TestCase,
  );
  Object.assign(module, { children: { size: tests.length, allTests: () => tests } });
  const [before, printed] = [process.exitCode, vi.spyOn(console, "log").mockImplementation((line) => lines.push(line))];
  vi.stubEnv("CI", CI);
  try {
    const summary = new Summary();
    summary.onInit({ config } as Parameters<Summary["onInit"]>[0]);
    summary.onTestRunEnd([module], []);
    return { lines, failed: process.exitCode === 1 };
  } finally {
    process.exitCode = before;
    printed.mockRestore();
    vi.unstubAllEnvs();
  }
}

describe("the summary of a run", () => {
  const run: Told = { state: "passed", meta: { needs: "bubblewrap" } };
  const left: Told = { state: "skipped", meta: { needs: "bubblewrap", skipped: "not installed here: get it" } };

  test("names what passed at the second try only", () =>
    expect(endOf([run, { state: "passed", flaky: true }]).lines).toEqual([
      "FLAKY: passed at the second try: x.test.ts > works",
      "tests: 2 passed, 0 failed",
    ]));

  test("is one line where all was tested", () =>
    expect(endOf([run, { state: "passed" }], { CI: "true" })).toEqual({
      lines: ["tests: 2 passed, 0 failed"],
      failed: false,
    }));

  test("has a line for each reason to skip", () => {
    const notes: Told[] = [
      { state: "skipped", note: "nothing to open" },
      { state: "skipped", ...when(false, "not root") },
    ];
    expect(endOf([left, run, left, ...notes])).toEqual({
      lines: [
        "skipped: 2 (bubblewrap is not installed here: get it)",
        "skipped: 1 (nothing to open)",
        "skipped: 1 (not root)",
        "tests: 1 passed, 0 failed, 4 skipped",
      ],
      failed: false,
    });
  });

  test("a skip without a reason fails the run, unless somebody asked for some names only", () => {
    expect(endOf([{ state: "skipped" }, { state: "passed" }])).toEqual({
      lines: [expect.stringContaining("FAILED: 1 tests of x.test.ts"), "tests: 1 passed, 1 failed, 1 skipped"],
      failed: true,
    });
    expect(endOf([{ state: "skipped" }, { state: "passed" }], { testNamePattern: /x/ }).failed).toBe(false);
  });

  test.each([
    ["CI", [left, left], { CI: "true" }, true],
    ["CI, where some of it was tested", [left, run], { CI: "true" }, false],
    ["a person's machine", [left, left], {}, false],
  ] as const)("all that needs a part was skipped: %s", (_, told, options, failed) => {
    const end = endOf([...told], options);
    expect(end.failed).toBe(failed);
    expect(end.lines.some((line) => line === "FAILED: every test that needs bubblewrap was skipped")).toBe(failed);
  });
});
