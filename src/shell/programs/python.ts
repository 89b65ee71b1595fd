import { develops, EVERYTHING, fromFile, looks, type Program, rewrites, tests } from "./program.ts";

const MODULES =
  "pytest unittest mypy ruff black isort flake8 pylint pyright coverage tox nox pycodestyle pydocstyle bandit doctest compileall py_compile".split(
    " ",
  );

const python: Program = {
  class: "dangerous",
  options: "",
  stops: true,
  permissions: EVERYTHING,
  version: ["--version", "-V", "-VV"],
  starts: { after: ["-m"], names: MODULES },
  rule: "python runs arbitrary code",
  risk: "medium",
};

const installing: Program = {
  class: "dangerous",
  risk: "medium",
  rule: "it installs packages, which can run their own code",
  permissions: EVERYTHING,
};
const pip: Program = {
  class: "safe",
  options: "-V --version --disable-pip-version-check --no-color -q",
  stops: true,
  version: ["--version", "-V"],
  verbs: {
    list: looks(
      "-o -u -e -l --outdated --uptodate --editable --local --user --format= --not-required --exclude=",
      "text*",
      {
        objection: ({ options }) =>
          options.some(({ name }) => /^-(?:-outdated|-uptodate|o|u)$/.test(name))
            ? "it contacts the registry"
            : undefined,
        permissions: ["read"],
      },
    ),
    show: looks("-f -v --files --verbose", "text*", { permissions: ["read"] }),
    freeze: looks("-l --local --user --all --exclude= --exclude-editable", "text*", { permissions: ["read"] }),
    check: looks("", "text*", { permissions: ["read"] }),
    install: installing,
    uninstall: installing,
    download: installing,
    wheel: installing,
  },
};

/** Python: the interpreter, its packages, its tests and checkers. */
export const PYTHON: Readonly<Record<string, Program>> = {
  python,
  python2: python,
  python3: python,
  "python3.10": python,
  "python3.11": python,
  "python3.12": python,
  "python3.13": python,
  pypy3: python,
  pip,
  pip3: pip,
  pytest: develops(
    "-x -v -q -s -l -h -k: -m: -r: -n: -W: --exitfirst --verbose --quiet --capture= --showlocals --tb= --maxfail= --lf --ff --nf --last-failed --failed-first --new-first --sw --stepwise --cov=? --cov-report= --cov-branch --cov-fail-under= --no-cov --durations= --durations-min= --collect-only --co --no-header --no-summary --disable-warnings --disable-pytest-warnings --color= --strict --strict-markers --strict-config --junitxml=write --junit-xml=write --timeout= --reruns= --ignore= --ignore-glob= --deselect= --markers --fixtures --version --help --runslow --numprocesses= --dist= --setup-show --pdb --full-trace --log-cli-level= --log-level= --asyncio-mode= --benchmark-only --benchmark-skip --snapshot-update",
    { objection: fromFile },
  ),
  "py.test": develops("-x -v -q -s -k: -m: --tb= --maxfail="),
  unittest: develops(
    "-v -q -f -b -c -k: -s: -p: -t: --verbose --quiet --failfast --buffer --catch --locals --durations=",
  ),
  doctest: develops("-v -f -o: --verbose --fail-fast"),
  compileall: develops("-q -f -l -b -j: -r:"),
  py_compile: develops("-q --quiet"),
  mypy: develops(
    "-v -h -p: -m: --strict --ignore-missing-imports --show-error-codes --show-column-numbers --pretty --no-color-output --no-error-summary --no-incremental --python-version= --platform= --follow-imports= --disallow-untyped-defs --check-untyped-defs --warn-unused-ignores --warn-return-any --no-implicit-optional --namespace-packages --explicit-package-bases --exclude= --disable-error-code= --enable-error-code= --cache-dir= --html-report=write --version --help --non-interactive",
    { objection: fromFile },
  ),
  ruff: {
    class: "dev",
    options: "-q -v --quiet --verbose --silent --version",
    stops: true,
    permissions: EVERYTHING,
    version: ["--version"],
    verbs: {
      check: rewrites(
        "-q -v -s -e -n -w --fix --unsafe-fixes --fix-only --diff --show-fixes --select= --ignore= --extend-select= --extend-ignore= --output-format= --watch --no-cache --exit-zero --exit-non-zero-on-fix --statistics --target-version= --preview --exclude= --quiet --line-length=",
      ),
      format: rewrites(
        "-q -v -n --check --diff --no-cache --target-version= --preview --exclude= --line-length= --quiet",
      ),
      rule: develops("--all --output-format="),
      version: looks("", "text*"),
    },
  },
  black: rewrites(
    "-l: -t: -q -v -S -C -h --check --diff --color --no-color --line-length= --target-version= --quiet --verbose --skip-string-normalization --fast --safe --exclude= --extend-exclude= --include= --preview --version --help --pyi --workers=",
  ),
  isort: rewrites(
    "-c -q -v -l: --check --check-only --diff --profile= --line-length= --quiet --recursive --atomic --skip= --version",
  ),
  flake8: develops(
    "-q -v -j: --max-line-length= --max-complexity= --select= --ignore= --extend-ignore= --exclude= --count --statistics --show-source --format= --exit-zero --version",
  ),
  pylint: develops(
    "-E -j: -f: --errors-only --disable= --enable= --output-format= --reports= --score= --jobs= --fail-under= --max-line-length= --ignore= --recursive= --version",
    {
      objection: ({ options }) =>
        options.some(({ name, value }) => /format|^-f$/.test(name) && /[./]/.test(value?.text ?? ""))
          ? "it loads a reporter"
          : undefined,
    },
  ),
  pyright: develops("-w -v --watch --verbose --outputjson --stats --level= --warnings --version --dependencies"),
  pycodestyle: develops("-v -q --max-line-length= --ignore= --select= --statistics --count"),
  pydocstyle: develops("-v -e --convention= --count"),
  bandit: develops("-r -q -l -i -ll -lll --recursive --quiet --severity-level= --confidence-level="),
  tox: tests("-e: -v -q -p: -r -l --parallel=? --recreate --version", {
    objection: ({ operands }) =>
      /^(?:e|exec|d|devenv)$/.test(operands[0]?.text ?? "") ? "it runs a command it is given" : undefined,
  }),
  nox: develops("-l -r -s: -e: -k: --list --reuse-existing-virtualenvs --sessions="),
  coverage: develops(
    "-m: -i --show-missing --skip-covered --fail-under= --include= --omit= --branch --parallel-mode --version",
    {
      objection: ({ operands, options }) => {
        if (operands[0]?.text !== "run") return undefined;
        const module = options.find(({ name }) => name === "-m")?.value?.text;
        return module === "pytest" || module === "unittest" ? undefined : "it runs arbitrary code";
      },
    },
  ),
  "pre-commit": develops("-a -v --all-files --verbose --show-diff-on-failure --files --hook-stage=", {
    objection: ({ operands }) => (operands[0]?.text === "run" ? undefined : "it changes the repository's hooks"),
  }),
};
