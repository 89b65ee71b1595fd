import {
  develops,
  EVERYTHING,
  fromFile,
  interprets,
  listed,
  looks,
  type Parsed,
  type Program,
  rewrites,
  tests,
} from "./program.ts";

const NODE_TOOLS =
  "tsc eslint prettier jest vitest mocha ava biome knip stylelint tap c8 nyc webpack vite next turbo nx playwright cypress tsd xo standard oxlint publint".split(
    " ",
  );

const RUN =
  "-s -w: --silent --if-present --workspace= --workspaces --ws --include-workspace-root --loglevel= -d --quiet -q";
const script = tests(RUN);

const installs = (rule: string): Program => ({
  class: "dangerous",
  risk: "medium",
  rule,
  permissions: EVERYTHING,
});
const installing = installs("it installs packages, which can run their own code");
const publishing: Program = { ...installs("it talks to the registry"), risk: "medium" };

const shown = looks("-l -g --long --json --global --location=", "text*");
const configuring: Program = {
  class: "dangerous",
  risk: "medium",
  permissions: EVERYTHING,
  rule: "it sets the configuration",
  options: "",
  stops: true,
  verbs: { get: shown, list: shown, ls: shown },
};

const INSTALLING =
  "install i in add ci clean-install install-test it update up upgrade uninstall remove rm un unlink link dedupe rebuild audit fund create init exec dlx x set config pack import patch";
const list = looks(
  "-a -g -l -p --all --depth= --json --long --parseable --prod --production --dev --global --omit= --include= --package-lock-only",
  "text*",
  {
    always: ["list", "."],
  },
);

/** Files of the project decide which program runs, and may include it. */
const listedByProject: Program = { ...list, permissions: EVERYTHING };

const named = ({ options }: Parsed, names: readonly string[]): string | undefined =>
  options.find(({ name, value }) => names.includes(name) && /[./\\]/.test(value?.text ?? ""))?.name;
const onlyNamed =
  (...names: readonly string[]) =>
  (parsed: Parsed): string | undefined => {
    const option = named(parsed, names);
    return option && `${option} loads code from a file`;
  };

/** A verb that is not listed is a script, a program or a file that it runs. */
const manager = (more: Record<string, Program>, also: Partial<Program> = {}): Program => ({
  class: "dangerous",
  risk: "medium",
  permissions: EVERYTHING,
  options: "-s --silent -v --version -h --help",
  stops: true,
  // `run` alone lists the scripts
  version: ["--version", "-v", "--help", "-h", "help", "run"],
  verbs: {
    ...listed(INSTALLING, installing),
    ...listed(
      "publish login logout adduser owner token unpublish deprecate dist-tag view info show search outdated",
      publishing,
    ),
    run: script,
    "run-script": script,
    test: script,
    t: script,
    tst: script,
    start: script,
    list,
    ls: list,
    ...more,
  },
  rule: "it is not known to be harmless",
  ...also,
});

/** `vite build` and its kind; other verbs serve or publish. */
const builder = (options: string, ...verbs: readonly string[]): Program => ({
  class: "dangerous",
  options: "",
  stops: true,
  permissions: EVERYTHING,
  version: ["--version"],
  verbs: listed(["build", ...verbs].join(" "), develops(options)),
});

const fetched: Partial<Program> = {
  objection: ({ operands }) =>
    operands.some(({ text }) => /^(?:https?|npm|jsr|data):/.test(text)) ? "it fetches the code it checks" : undefined,
};

/** Accepts code only by package name, not by file or URL. */
const PACKAGE = /^@?[\w-]+(?:\/[\w-]+)*$/;
const LOADING: readonly string[] = ["-r", "--require", "--import", "--loader", "--test-reporter"];

const NODE_OPTIONS =
  "-c -r: --test --check --run= --require= --import= --loader= --watch --no-warnings --trace-warnings --enable-source-maps --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage --experimental-test-snapshots --experimental-test-module-mocks --experimental-test-isolation= --test-only --test-force-exit --test-update-snapshots --test-concurrency= --test-isolation= --test-name-pattern= --test-skip-pattern= --test-shard= --test-timeout= --test-coverage-include= --test-coverage-exclude= --test-coverage-lines= --test-coverage-branches= --test-coverage-functions= --test-reporter= --test-reporter-destination=write";

const node = (name: string): Program =>
  interprets(name, ["--test", "--check", "-c", "--run"], NODE_OPTIONS, {
    version: ["--version", "-v", "--help", "-h"],
    objection: ({ options }) => {
      const loads = options.find(({ name, value }) => LOADING.includes(name) && !PACKAGE.test(value?.text ?? ""));
      return loads && `${loads.name} loads code from a file`;
    },
  });

/** JavaScript: package managers, runners and checkers. */
export const NODE: Readonly<Record<string, Program>> = {
  npm: manager({
    root: looks("-g --global", "text*"),
    prefix: looks("-g --global", "text*"),
    config: configuring,
    ...listed("explain why", looks("--json -w: --workspace=", "text*", { always: ["list", "."] })),
    pkg: {
      ...installing,
      rule: "it changes package.json",
      verbs: { get: looks("--json -w: --workspace=", "text*", { always: ["read", "."] }) },
    },
  }),
  pnpm: manager(
    { lint: script, build: script, why: listedByProject, list: listedByProject, ls: listedByProject },
    {
      chosen: true,
      options: "-s -v -r -w -F: --silent --version --recursive --workspace-root --filter= --stream --parallel",
    },
  ),
  yarn: manager(
    { lint: script, build: script, typecheck: script, format: script, why: listedByProject, list: listedByProject },
    { chosen: true },
  ),
  bun: manager({ build: script }, { rule: "bun runs arbitrary code" }),
  npx: {
    class: "dangerous",
    options: "",
    starts: { after: [], names: NODE_TOOLS },
    permissions: EVERYTHING,
    version: ["--version", "-v"],
    rule: "npx may fetch and run any package",
  },
  pnpx: { class: "dangerous", options: "", permissions: EVERYTHING, rule: "it may fetch and run any package" },
  bunx: { class: "dangerous", options: "", permissions: EVERYTHING, rule: "it may fetch and run any package" },
  node: node("node"),
  nodejs: node("node"),
  tsx: node("tsx"),
  deno: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version", "-V"],
    rule: "deno runs arbitrary code",
    verbs: {
      test: develops("--coverage=? --filter= --fail-fast=? --watch", fetched),
      lint: rewrites("--json --fix", fetched),
      check: develops("--all", fetched),
      fmt: rewrites("--check", fetched),
    },
  },
  tsc: develops(
    "-b -w -v -h -p: --noEmit --project= --watch --build --pretty --strict --skipLibCheck --incremental --listFiles --noEmitOnError --emitDeclarationOnly --declaration --target= --module= --moduleResolution= --lib= --jsx= --outDir=write-tree --outFile=write --rootDir= --force --dry --clean --verbose --version --help --all --showConfig --traceResolution --extendedDiagnostics --diagnostics --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules",
    { objection: fromFile },
  ),
  eslint: develops(
    "-f: -h -v --fix --fix-dry-run --fix-type= --ext= --max-warnings= --quiet --cache --no-cache --format= --ignore-pattern= --no-ignore --no-error-on-unmatched-pattern --report-unused-disable-directives --color --no-color --stats --debug --version --help --rule= --env= --global=",
    {
      objection: onlyNamed("-f", "--format"),
    },
  ),
  prettier: rewrites(
    "-c -w -l -u --check --write --list-different --ignore-unknown --ignore-path=read --log-level= --cache --single-quote --no-semi --tab-width= --print-width= --parser= --trailing-comma= --end-of-line= --no-color --version --help --stdin-filepath=",
  ),
  jest: tests(
    "-i -b -o -t: -u -w: --bail=? --ci --coverage --no-coverage --collectCoverage --detectOpenHandles --forceExit --findRelatedTests --json --listTests --maxWorkers= --no-cache --onlyChanged --passWithNoTests --runInBand --showConfig --silent --testNamePattern= --testPathPattern= --testPathPatterns= --testTimeout= --updateSnapshot --verbose --watch --watchAll=? --shard= --logHeapUsage --randomize --version --help --selectProjects=",
  ),
  vitest: tests(
    "-t: -u -w --run --watch --coverage --coverage.enabled --reporter= --testNamePattern= --update --silent=? --bail= --changed=? --shard= --retry= --passWithNoTests --no-coverage --no-watch --no-color --pool= --maxWorkers= --testTimeout= --hookTimeout= --typecheck --dir= --project= --logHeapUsage --version --help",
    {
      objection: onlyNamed("--reporter", "--pool"),
    },
  ),
  mocha: develops(
    "-b -g: -i -f: -t: -s: -R: -w -p -j: --bail --grep= --invert --fgrep= --timeout= --slow= --reporter= --watch --parallel --jobs= --recursive --exit --forbid-only --forbid-pending --retries= --no-colors --color --version",
    {
      objection: onlyNamed("-R", "--reporter"),
    },
  ),
  ava: develops("-v -w -m: -u -s -T: --verbose --watch --match= --update-snapshots --serial --timeout= --fail-fast"),
  biome: rewrites(
    "--write --fix --unsafe --changed --staged --colors= --max-diagnostics= --diagnostic-level= --error-on-warnings --no-errors-on-unmatched --reporter= --verbose --version",
  ),
  stylelint: rewrites("--fix --cache --quiet --formatter= -f: --max-warnings= --color --no-color", {
    objection: onlyNamed("-f", "--formatter"),
  }),
  knip: develops(
    "-p -n --production --strict --no-exit-code --include= --exclude= --workspace= --reporter= --no-progress",
    { objection: onlyNamed("--reporter") },
  ),
  oxlint: rewrites("-D: -A: -W: --fix --quiet --deny-warnings --max-warnings="),
  tsd: develops(""),
  webpack: develops("--mode= --watch --progress --no-color --version"),
  vite: builder("--mode= --outDir=write-tree --watch --debug"),
  next: builder("--debug --profile --lint --no-lint --turbopack", "lint"),
  turbo: builder("--filter= --force --dry-run --no-cache --concurrency= --continue", "run", "test", "lint"),
  nx: builder("--skip-nx-cache --parallel= --configuration= --verbose", "run", "test", "lint"),
  nyc: { class: "dangerous", permissions: EVERYTHING },
};
