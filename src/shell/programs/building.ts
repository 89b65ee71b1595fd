import type { Field } from "../walk.ts";
import { develops, EVERYTHING, fromFile, interprets, listed, type Program, rewrites, tests } from "./program.ts";

const CARGO =
  "-p: -r -v -q -j: -F: --release --all --workspace --package= --exclude= --lib --bins --bin= --tests --test= --examples --example= --benches --bench= --all-targets --features= --all-features --no-default-features --target= --jobs= --verbose --quiet --locked --offline --frozen --message-format= --color= --no-run --no-fail-fast --keep-going --doc --profile= --open --no-deps --timings --future-incompat-report";
const cargo = tests(CARGO, {
  objection: ({ options }) =>
    options.some(({ name, value }) => name === "--target" && /[./]/.test(value?.text ?? ""))
      ? "it takes a target from a file"
      : undefined,
});
const fetching: Program = {
  class: "dangerous",
  risk: "medium",
  rule: "it installs or publishes packages",
  permissions: EVERYTHING,
};

const GO =
  "-v -x -race -cover -short -failfast -json -trimpath -a -n -i -work -run= -bench= -benchmem -benchtime= -count= -timeout= -cpu= -parallel= -coverprofile=write -covermode= -coverpkg= -tags= -p= -list= -skip= -shuffle= -o=write";
const go = develops(GO, { style: "word" });

const PHASES =
  /^(?:clean|validate|compile|test-compile|test|package|verify|integration-test|install|site|dependency:(?:tree|list|analyze)|help:effective-pom|spotless:check|checkstyle:check)$/;

/** These take the next word only where it is attached to them. */
const OWN_VALUE: ReadonlySet<string> = new Set(["-j", "-O"]);
const setsMore = ({ text }: Field): boolean => text.includes("=") && !/^(?:V|VERBOSE|DEBUG|Q|CI)=[\w-]*$/.test(text);

const make = tests(
  "-B -d -i -k -n -q -s -t -w -S -j? -l? -O? -C:list --always-make --ignore-errors --keep-going --just-print --dry-run --question --silent --quiet --touch --print-directory --no-print-directory --jobs=? --load-average=? --output-sync=? --warn-undefined-variables --directory=list --version --help",
  {
    objection: ({ operands, options }) => {
      const set =
        operands.find(setsMore) ??
        options.find(({ name, value }) => OWN_VALUE.has(name) && value && setsMore(value))?.value;
      return set && `${set.text.split("=")[0]} is set, which can change what make runs`;
    },
  },
);

const SBT_TASK =
  /^(?:[\w-]+\/)*(?:clean|compile|test|testQuick|update|package|doc|reload|scalafmt\w*|testOnly(?: [\w.* -]+)?)$/;

/** Compilers, builders and test runners of other languages. */
export const BUILDING: Readonly<Record<string, Program>> = {
  make,
  gmake: make,
  ninja: develops("-v -n -k: -j: -l: -C:list --version --verbose --quiet"),
  cmake: {
    ...develops("-j? --build= --target= -t: --parallel=? --config= --clean-first --verbose -v --version"),
    objection: ({ options }) =>
      options.some(({ name }) => name === "--build" || name === "--version") ? undefined : "it configures a build",
    version: ["--version"],
  },
  ctest: develops(
    "-V -VV -N -R: -E: -L: -j: -C: --output-on-failure --rerun-failed --verbose --parallel= --test-dir= --timeout=",
  ),
  bazel: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version", "version"],
    chosen: true,
    verbs: {
      build: develops("-c: -k --config= --keep_going --test_output= --jobs= --verbose_failures"),
      test: develops("-c: -k --config= --test_output= --test_filter= --cache_test_results= --jobs="),
      query: develops("--output="),
    },
  },
  cargo: {
    class: "dangerous",
    options: "-v -q -h --verbose --quiet --color= --locked --offline --frozen --help",
    stops: true,
    permissions: EVERYTHING,
    risk: "low",
    version: ["--version", "-V", "version", "--help", "-h"],
    chosen: true,
    verbs: {
      check: { ...cargo, class: "safe" },
      c: { ...cargo, class: "safe" },
      ...listed("build b test t bench run r doc d clippy nextest", cargo),
      fmt: develops("--all --check -v -q --verbose --quiet -p: --package="),
      tree: develops(
        "-p: -e: -i: -d --depth= --invert= --edges= --duplicates --workspace --all-features --no-default-features --prefix= --format= --locked --offline",
      ),
      metadata: develops("--format-version= --no-deps --offline --locked --filter-platform="),
      ...listed(
        "install uninstall add remove update publish login yank owner init new clean fix vendor generate-lockfile fetch",
        fetching,
      ),
    },
  },
  rustc: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-V"], chosen: true, risk: "low" },
  rustdoc: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-V"], chosen: true, risk: "low" },
  rustfmt: rewrites("-l -v -q --check --edition= --emit= --color= --version", { chosen: true }),
  rustup: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-V"], chosen: true },
  go: {
    class: "dangerous",
    style: "word",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    risk: "low",
    version: ["version"],
    chosen: true,
    verbs: {
      ...listed("build test vet list", go),
      fmt: develops("-n -x", { style: "word" }),
      doc: develops("-all -short -src -u -c", { style: "word" }),
      version: develops("-m -v", { style: "word" }),
      env: develops("-json -changed", { style: "word" }),
      ...listed("install get mod generate run work tool clean", {
        class: "dangerous",
        risk: "medium",
        rule: "go fetches or runs other code",
        permissions: EVERYTHING,
      }),
    },
  },
  gofmt: rewrites("-d -e -l -s -w -r:"),
  "golangci-lint": develops("-v -E: -D: --fix --timeout= --enable= --disable= --fast --version"),
  mvn: tests(
    "-q -B -o -e -X -U -N -am -amd -pl= -P= -T= -DskipTests -DskipITs -Dmaven.test.skip=? -Dtest= -Dit.test= -DfailIfNoTests= -V -v --quiet --batch-mode --offline --errors --debug --update-snapshots --also-make --version --no-transfer-progress -ntp -fae -ff -fn",
    {
      style: "word",
      version: ["--version", "-v"],
      chosen: true,
      objection: ({ operands, unknown }) => {
        const other = operands.find(({ text }) => !PHASES.test(text));
        return unknown === undefined && other ? `${other.text} is not a phase that is known to be harmless` : undefined;
      },
    },
  ),
  gradle: tests(
    "-q -i -d -s -S -m -w -t -v -x: -P: --quiet --info --debug --stacktrace --full-stacktrace --dry-run --warn --continuous --offline --no-daemon --daemon --parallel --no-parallel --build-cache --no-build-cache --configure-on-demand --continue --rerun-tasks --refresh-dependencies --console= --tests= --max-workers= --profile  --exclude-task= --warning-mode= --version",
    {
      chosen: true,
      objection: ({ operands }) =>
        operands.some(({ text }) => /publish|upload|deploy|release/i.test(text)) ? "it publishes" : undefined,
    },
  ),
  sbt: tests("-v --version", {
    chosen: true,
    objection: ({ operands }) => {
      const other = operands.find(({ text }) => !SBT_TASK.test(text));
      return other && `${other.text} is not a task that is known to be harmless`;
    },
  }),
  javac: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-version"], risk: "low" },
  java: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-version"], risk: "medium" },
  gcc: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-v"], risk: "low" },
  "g++": { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-v"], risk: "low" },
  clang: { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-v"], risk: "low" },
  ruby: interprets("ruby", ["-c"], "-c -w", { version: ["--version", "-v"] }),
  perl: interprets("perl", ["-c"], "-c -w -T -t -I:tree", { version: ["--version", "-v"] }),
  php: interprets("php", ["-l"], "-l -n", { version: ["--version", "-v"] }),
  rspec: develops(
    "-f: -b -t: -e: -c --format= --color --no-color --fail-fast=? --tag= --example= --order= --seed= --only-failures --version",
  ),
  rubocop: rewrites(
    "-a -A -f: -l -D --autocorrect --autocorrect-all --format= --only= --except= --parallel --lint --version",
  ),
  rake: tests("-T -n -q -v -t --tasks --dry-run --trace --version", {
    objection: ({ operands }) =>
      operands.some(({ text }) => /release|deploy|drop|purge/.test(text)) ? "it is not a build or a test" : undefined,
  }),
  phpunit: develops(
    "-v --filter= --testsuite= --group= --exclude-group= --stop-on-failure --testdox --colors=? --coverage-text --version",
  ),
  phpstan: develops("-l: -v -q --level= --no-progress --memory-limit= --error-format="),
  dotnet: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version", "--info"],
    chosen: true,
    verbs: listed(
      "build test format",
      develops(
        "-c: -f: -v: -r: --configuration= --framework= --verbosity= --no-restore --no-build --nologo --filter= --runtime= --verify-no-changes",
        {
          objection: (parsed) =>
            parsed.operands.some(({ text }) => /^\/\w+[:=]/.test(text))
              ? "it sets a property of the build"
              : fromFile(parsed),
        },
      ),
    ),
  },
  swift: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version"],
    verbs: listed("build test", develops("-c: -v --configuration= --filter= --parallel --verbose")),
  },
  flutter: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version"],
    verbs: listed("test analyze build", develops("--coverage --debug --release --profile --no-pub --name=")),
  },
  terraform: {
    class: "dangerous",
    style: "word",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["version", "-version"],
    verbs: listed("validate fmt", rewrites("-check -diff -recursive -json -no-color", { style: "word" })),
  },
  helm: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["version"],
    verbs: { lint: develops("--strict --quiet --set=") },
  },
  mix: {
    class: "dangerous",
    options: "",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version"],
    verbs: listed(
      "test compile format credo dialyzer",
      develops("--trace --cover --failed --stale --only= --exclude= --check-formatted --warnings-as-errors --strict"),
    ),
  },
};
