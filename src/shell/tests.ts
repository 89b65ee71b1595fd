import type { CommandReading } from "../core/words/touch.ts";
import { nameOf } from "./paths.ts";

/** Programs that run tests whatever follows. */
const RUNNERS = new Set(
  "pytest py.test tox nox jest vitest mocha ava tap karma rspec phpunit pest ctest nose2 behave cucumber busted bats gotestsum cargo-nextest playwright cypress nextest".split(
    " ",
  ),
);

/** Programs that run tests by one of their words. */
const BY_WORD: Readonly<Record<string, RegExp>> = {
  npm: /^(?:t|tst|test|test[:_-].+)$/,
  pnpm: /^(?:t|test|test[:_-].+)$/,
  yarn: /^(?:test|test[:_-].+)$/,
  bun: /^(?:test|test[:_-].+)$/,
  deno: /^test$/,
  node: /^--test$/,
  cargo: /^(?:t|test|nextest)$/,
  go: /^test$/,
  make: /^(?:test|tests|check|test[-_:].+)$/,
  just: /^(?:test|tests|check|test[-_:].+)$/,
  task: /^(?:test|tests|check|test[-_:].+)$/,
  rake: /^(?:test|spec)/,
  mvn: /^(?:test|verify|install|package)$/,
  mvnw: /^(?:test|verify|install|package)$/,
  gradle: /(?:^|:)(?:test|check|build)$/i,
  gradlew: /(?:^|:)(?:test|check|build)$/i,
  dotnet: /^test$/,
  swift: /^test$/,
  mix: /^test$/,
  sbt: /^test/,
  lein: /^test$/,
  bazel: /^test$/,
  stack: /^test$/,
  cabal: /^test$/,
  composer: /^(?:test|run-script)$/,
  artisan: /^test$/,
  rails: /^(?:test|spec)/,
  flutter: /^test$/,
  dart: /^test$/,
  zig: /^test$/,
  meson: /^test$/,
  ninja: /^(?:test|check)$/,
  python: /^(?:pytest|unittest|nose2|tox)$/,
  python3: /^(?:pytest|unittest|nose2|tox)$/,
};

/** Wrappers: they run the program named after them. */
const LAUNCHERS = new Set("npx pnpx bunx yarn pnpm bundle poetry uv uvx pipenv hatch rye pdm dlx exec run".split(" "));
const SCRIPT = /(?:^|[-_.])(?:tests?|specs?)(?:[-_.]|$)/i;

/** Whether one of these commands runs tests, judged by its parsed words and never by the text alone. */
export const runsTests = ({ segments }: Pick<CommandReading, "segments">): boolean =>
  segments.some(({ program, words = [] }) => isTest([program ?? "", ...words.slice(1).map((word) => word ?? "")]));

/** The plain commands and words of a line from a record, which has not been analysed. */
export const lineRunsTests = (line: string): boolean =>
  line.split(/&&|\|\||[;|&\n]/).some((command) =>
    isTest(
      command
        .trim()
        .split(/\s+/)
        .filter((word) => !/^\w+=/.test(word)),
    ),
  );

function isTest([first = "", ...rest]: readonly string[]): boolean {
  const program = nameOf(first);
  if (RUNNERS.has(program)) return true;
  const words = rest.filter((word) => word !== "" && (!word.startsWith("-") || word === "--test"));
  const byWord = Object.hasOwn(BY_WORD, program) ? BY_WORD[program] : undefined;
  if (byWord && words.some((word) => byWord.test(word))) return true;
  if (LAUNCHERS.has(program)) return isTest(words);
  const runsScript = first.includes("/") || program === "bash" || program === "sh";
  const script = first.includes("/") ? program : (words[0] ?? "").replace(/^.*\//, "");
  return runsScript && SCRIPT.test(script);
}
