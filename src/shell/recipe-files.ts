import { EVERY_FILE, OBEYED } from "../core/words/code.ts";
import type { Field } from "./walk.ts";

/** A file that a program looks for by itself; of some, only one part of their JSON says what runs. Or a folder of them. */
export type Recipe = { file: string; part?: string };

const files = (names: string): Recipe[] => names.split(" ").map((file) => ({ file }));

const PACKAGE: Recipe[] = [
  { file: "package.json", part: "scripts" },
  ...files(".npmrc .yarnrc .yarnrc.yml bunfig.toml .pnpmfile.cjs pnpm-workspace.yaml"),
];
const MAKE = files("GNUmakefile makefile Makefile");
const PYTHON = files("conftest.py pytest.ini pyproject.toml setup.cfg setup.py tox.ini sitecustomize.py");
const GRADLE = files("build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties");
/** Where `core.hooksPath` usually points in projects that set it, perhaps only in a person's own configuration. */
const HOOKS = ".husky .husky/_ .githooks .git-hooks .hooks githooks git-hooks".split(" ");
const GIT = [
  { file: "", part: OBEYED },
  ...files(".git .pre-commit-config.yaml lefthook.yml lefthook.yaml .lintstagedrc .lintstagedrc.json"),
  ...HOOKS.map((file) => ({ file, part: EVERY_FILE })),
];
const COMPOSE = files("compose.yaml compose.yml docker-compose.yaml docker-compose.yml Dockerfile Containerfile");

const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  ...Object.fromEntries(
    "npm npx pnpm pnpx yarn bun bunx corepack turbo nx lerna".split(" ").map((name) => [name, PACKAGE]),
  ),
  ...Object.fromEntries("make gmake bmake".split(" ").map((name) => [name, MAKE])),
  ...Object.fromEntries(
    "pytest py.test python python3 pypy pip pip3 uv poetry pdm hatch tox nox".split(" ").map((name) => [name, PYTHON]),
  ),
  ...Object.fromEntries("gradle gradlew".split(" ").map((name) => [name, GRADLE])),
  ...Object.fromEntries(
    "docker docker-compose podman podman-compose nerdctl".split(" ").map((name) => [name, COMPOSE]),
  ),
  ...{ nox: [...PYTHON, ...files("noxfile.py")], invoke: files("tasks.py"), inv: files("tasks.py") },
  ...{ fab: files("fabfile.py"), scons: files("SConstruct sconstruct"), flask: files("app.py wsgi.py .flaskenv .env") },
  ...{ deno: files("deno.json deno.jsonc"), just: files("justfile Justfile .justfile") },
  task: files("Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml"),
  ...{ rake: files("Rakefile rakefile Rakefile.rb rakefile.rb"), bundle: files("Gemfile"), rspec: files(".rspec") },
  ...{ ant: files("build.xml"), mvn: files("pom.xml"), mvnw: files("pom.xml"), sbt: files("build.sbt") },
  cargo: files("build.rs Cargo.toml .cargo/config.toml .cargo/config rust-toolchain.toml"),
  ...{ composer: [{ file: "composer.json", part: "scripts" }], mix: files("mix.exs"), rebar3: files("rebar.config") },
  ...{ cmake: files("CMakeLists.txt CMakePresets.json"), ctest: files("CTestTestfile.cmake") },
  ...{
    ninja: files("build.ninja"),
    meson: files("meson.build"),
    zig: files("build.zig"),
    swift: files("Package.swift"),
  },
  bazel: files("BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc"),
  ...{ vagrant: files("Vagrantfile"), "pre-commit": files(".pre-commit-config.yaml"), direnv: files(".envrc") },
  ...{ gulp: files("gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts"), grunt: files("Gruntfile.js gruntfile.js") },
  ...{ eslint: files(".eslintrc.js .eslintrc.cjs"), mocha: files(".mocharc.js .mocharc.cjs .mocharc.json") },
  ...{ overmind: files("Procfile"), foreman: files("Procfile"), honcho: files("Procfile") },
  ...{ terraform: files("main.tf"), git: GIT },
};

/** Programs that call git, which then runs the hooks of the repository. */
const CALLS_GIT: ReadonlySet<string> = new Set(
  [
    ...["git gh hub glab tea git-lfs git-flow git-town git-cliff git-absorb gt spr jj tig lazygit gitui gitu"],
    ...["husky lefthook overcommit pre-commit lint-staged commitlint cz git-cz commitizen cz-cli koji gitmoji"],
    ...["lerna changeset changesets release-it standard-version commit-and-tag-version semantic-release auto np"],
    ...["bumpp changelogen release-please bumpversion bump2version bump-my-version bumpver tbump towncrier"],
    ...["cargo-release release-plz goreleaser svu aider gclient gitlint opencommit oco"],
  ].flatMap((names) => names.split(" ")),
);
/** Of programs that do much else, the words with which they commit, tag or push. */
const CALLS_GIT_FOR: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:version|verison|publish|release|--(?:major|minor|patch|prerelease|new-version))$/],
  [/^cargo$/, /^(?:release|smart-release|workspaces|publish)$/],
  [
    /^(?:nx|rush|moon|rake|gem|bundle|mix|sbt|mvnw?|gradlew?|poetry|hatch|pdm|uv|flit|twine)$/,
    /release|publish|version/,
  ],
];
const STARTS_PROGRAMS =
  /^(?:npx|pnpx|bunx|uvx|pipx|npm|pnpm|yarn|bun|corepack|python[\d.]*|uv|poetry|bundle|cargo|node)$/;

/** Whether a command calls git on its way, by itself or by a program that it starts: `npm version`, `npx lerna publish`. */
export function callsGit(name: string, fields: readonly Field[]): boolean {
  if (CALLS_GIT.has(name) || name.startsWith("git-")) return true;
  const words = fields.slice(1, 1 + MOST_WORDS).map(({ text }) => text);
  if (STARTS_PROGRAMS.test(name) && words.some((text) => CALLS_GIT.has(programIn(text)))) return true;
  return CALLS_GIT_FOR.some(([program, word]) => program.test(name) && words.some((text) => word.test(text)));
}

/** `@changesets/cli@2`, `node_modules/.bin/lerna`: the package, or the program in it. */
const programIn = (text: string): string =>
  text
    .replace(/(?<=.)@[^/]*$/, "")
    .replace(/^@([\w.-]+)\/cli$/, "$1")
    .replace(/^.*\//, "")
    .replace(/\.[cm]?js$/, "");

const ENDINGS = "js cjs mjs ts cts mts".split(" ");
/** Programs that run a package's program by name. */
const STARTS_PACKAGES: ReadonlySet<string> = new Set("npm npx pnpm pnpx yarn bun bunx corepack".split(" "));
const PLAIN = /^@?[\w.-]+$/;
const MOST_WORDS = 8;

/** Files that a program looks for where it runs. A configuration named after a program counts as code, too. */
export function recipesOf(name: string, fields: readonly Field[]): readonly Recipe[] {
  const words = fields.slice(1, 1 + MOST_WORDS).map(({ text }) => text);
  const starts = STARTS_PACKAGES.has(name) ? words.filter((text) => PLAIN.test(text) && !text.startsWith("-")) : [];
  const runsScript = name === "node" && words.some((text) => text.startsWith("--run"));
  const own = runsScript ? PACKAGE : Object.hasOwn(RECIPES, name) ? (RECIPES[name] ?? []) : [];
  return [
    ...own,
    ...starts.map((text) => ({ file: `node_modules/.bin/${text}` })),
    ...[name, ...starts].flatMap((each) => ENDINGS.map((ending) => ({ file: `${each}.config.${ending}` }))),
  ];
}
