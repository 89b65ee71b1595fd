import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { lineRunsTests, runsTests } from "./tests.ts";

const readsAsTest = (line: string): boolean => {
  const { segments } = analyse(line);
  return runsTests({
    segments: segments.map(({ words, ...rest }) => ({ ...rest, words: words.map((word) => word ?? null) })) as never,
  });
};

describe("a run of tests is known by its words", () => {
  test.each([
    ...[
      "npm test",
      "npm t",
      "npm run test",
      "npm run test:unit -- --watch=false",
      "pnpm test",
      "yarn test",
      "bun test",
    ],
    ...["npx vitest run a.test.ts", "npx jest", "vitest", "node --test", "deno test", "yarn vitest", "pnpm exec mocha"],
    ...["npx -y jest", "npx --yes vitest", "sh run-tests.sh"],
    ...["pytest -q", "python -m pytest tests", "python3 -m unittest", "tox", "poetry run pytest", "uv run pytest"],
    ...["cargo test", "cargo nextest run", "go test ./...", "make test", "make check", "just test", "ctest"],
    ...[
      "mvn -q test",
      "./gradlew test",
      "gradle :app:check",
      "dotnet test",
      "mix test",
      "swift test",
      "bundle exec rspec",
    ],
    ...["rake spec", "vendor/bin/phpunit", "./run-tests.sh", "bash scripts/test.sh", "bats test"],
    ...[
      "cd app && npm test",
      "npm run build && npm test | tail -5",
      "CI=1 npm test",
      "env CI=1 pytest",
      "timeout 60 go test ./...",
    ],
  ])("%s", (line) => {
    expect(readsAsTest(line)).toBe(true);
    if (!/^(?:env|timeout)/.test(line)) expect(lineRunsTests(line)).toBe(true);
  });

  test("a word that only the running shell knows is passed over", () => {
    expect(readsAsTest("npx $x jest")).toBe(true);
    expect(readsAsTest("npx $x")).toBe(false);
  });

  test.each([
    ...[
      "npm run build",
      "npm install",
      "npm ci",
      "echo npm test",
      "cat test.sh",
      "ls tests",
      "git commit -m 'npm test'",
    ],
    ...[
      "python app.py",
      "cargo build",
      "go build ./...",
      "make",
      "make install",
      "npx",
      "grep -r test .",
      "rm -rf tests",
      "",
    ],
    ...["constructor test", "toString test", "__proto__ test"],
    ...["vim test.py", "node app.js", "./deploy.sh", "bash deploy.sh"],
  ])("not %s", (line) => {
    expect(readsAsTest(line)).toBe(false);
    expect(lineRunsTests(line)).toBe(false);
  });
});
