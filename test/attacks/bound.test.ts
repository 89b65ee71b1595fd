import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "../journeys/harness.ts";
import { stage } from "./bound-stage.ts";

/** A line, and the file that decides what it does. */
const LINES: [line: string, file: string][] = [
  ["bash x.sh", "x.sh"],
  ["sh ./x.sh a b", "x.sh"],
  ["bash -eu x.sh", "x.sh"],
  ["zsh x.sh", "x.sh"],
  ["./x.sh", "x.sh"],
  ["bin/tool --now", "bin/tool"],
  ["source x.sh", "x.sh"],
  [". ./x.sh", "x.sh"],
  ["sh < x.sh", "x.sh"],
  ["cat x.sh | sh", "x.sh"],
  ["cat x.sh | bash -s", "x.sh"],
  ["cd sub && ./x.sh", "sub/x.sh"],
  ["cd sub && bash ../x.sh", "x.sh"],
  ["(cd sub; sh x.sh)", "sub/x.sh"],
  ["timeout 5 bash x.sh", "x.sh"],
  ["env A=1 bash x.sh", "x.sh"],
  ["nohup nice bash x.sh", "x.sh"],
  ["bash -c 'bash x.sh'", "x.sh"],
  ["bash -c '. ./x.sh'", "x.sh"],
  ["f=x.sh; bash $f", "x.sh"],
  ["for f in x.sh; do bash $f; done", "x.sh"],
  ["true && bash x.sh || true", "x.sh"],
  ["bash x.sh &", "x.sh"],
  ["echo x.sh | xargs bash", "x.sh"],
  ["parallel bash ::: x.sh", "x.sh"],
  ["python x.py", "x.py"],
  ["python3.12 x.py --fast", "x.py"],
  ["python -m tool.main", "tool/main.py"],
  ["python3 -m tool", "tool/__main__.py"],
  ["python tool", "tool/__main__.py"],
  ["node x.js", "x.js"],
  ["node -r dotenv/config x.js", "x.js"],
  ["node x.mjs lib", "x.mjs"],
  ["node --require ./hook.cjs x.js", "hook.cjs"],
  ["node --import=./hook.mjs x.js", "hook.mjs"],
  ["deno run x.ts", "x.ts"],
  ["bun x.ts", "x.ts"],
  ["tsx x.ts", "x.ts"],
  ["npx tsx x.ts", "x.ts"],
  ["ruby x.rb", "x.rb"],
  ["ruby -r./hook x.rb", "hook.rb"],
  ["perl x.pl", "x.pl"],
  ["php x.php", "x.php"],
  ["lua x.lua", "x.lua"],
  ["Rscript x.R", "x.R"],
  ["osascript x.scpt", "x.scpt"],
  ["awk -f x.awk data", "x.awk"],
  ["sed -n -f x.sed data", "x.sed"],
  ["sed --file=x.sed data", "x.sed"],
  ["psql -f x.sql", "x.sql"],
  ["sqlite3 a.db < x.sql", "x.sql"],
  ["gdb -x x.gdb", "x.gdb"],
  ["make", "Makefile"],
  ["make all", "makefile"],
  ["make -f x.mk all", "x.mk"],
  ["make --file=x.mk", "x.mk"],
  ["make -C sub", "sub/Makefile"],
  ["cd sub && make", "sub/Makefile"],
  ["npm run build", "package.json"],
  ["npm test", "package.json"],
  ["npm --prefix sub run build", "sub/package.json"],
  ["cd sub && npm test", "package.json"],
  ["yarn build", "package.json"],
  ["pnpm -C sub test", "sub/package.json"],
  ["bun run build", "package.json"],
  ["npx tool", "node_modules/.bin/tool"],
  ["npm test", ".npmrc"],
  ["composer install", "composer.json"],
  ["just build", "justfile"],
  ["task build", "Taskfile.yml"],
  ["rake db:migrate", "Rakefile"],
  ["cargo build", "build.rs"],
  ["go run main.go", "main.go"],
  ["go run ./cmd/x.go", "cmd/x.go"],
  ["java -jar app.jar", "app.jar"],
  ["java -cp app.jar Main", "app.jar"],
  ["mvn package", "pom.xml"],
  ["./gradlew build", "gradlew"],
  ["./gradlew build", "build.gradle"],
  ["pytest tests/a_test.py::test_one", "tests/a_test.py"],
  ["pytest", "conftest.py"],
  ["vitest run", "vitest.config.ts"],
  ["npx vite build", "vite.config.js"],
  ["uvicorn app.main:app", "app/main.py"],
  ["docker build .", "Dockerfile"],
  ["docker compose up", "compose.yml"],
  ["ansible-playbook play.yml", "play.yml"],
  ["terraform apply -var-file=x.tfvars", "x.tfvars"],
  ["unheard-of x.code", "x.code"],
  ["unheard-of --config=x.code", "x.code"],
  ["unheard-of -cx.code", "x.code"],
  ["unheard-of @x.code", "x.code"],
  ["BASH_ENV=./x.sh bash -c true", "x.sh"],
  ["export BASH_ENV=x.sh; bash -c true", "x.sh"],
  ["export BASH_ENV=./x.sh; cd sub; bash -c true", "sub/x.sh"],
  ["env BASH_ENV=x.sh bash -c true", "x.sh"],
  ["bash --rcfile x.sh -i -c true", "x.sh"],
  ["bash --init-file=./x.sh -ic true", "x.sh"],
  ["ENV=./x.sh sh -i -c true", "x.sh"],
  ["LD_PRELOAD=./x.so ls", "x.so"],
  ["MAKEFILES=x.mk make", "x.mk"],
  ["PYTHONSTARTUP=x.py python3 -i", "x.py"],
  ["RUSTC_WRAPPER=./wrap cargo build", "wrap"],
  ["CC=./cc make", "cc"],
  ["node -e \"require('./x')\"", "x.js"],
  ["python3 -c 'import x; x.go()'", "x.py"],
  ["python3 -c 'exec(open(\"x.py\").read())'", "x.py"],
  ["bash < <(cat x.sh)", "x.sh"],
  ["git commit -m x", ".husky/pre-commit"],
  ["git push", ".githooks/pre-push"],
  ["git commit -m x", ".husky/_/pre-commit"],
  ["git commit -m x", ".husky/_/h"],
  ["git merge a", ".git-hooks/pre-merge-commit"],
  ["git am a.patch", ".hooks/applypatch-msg"],
  ["git commit -m x", ".git"],
  ["git commit -m x", ".git/config"],
  ["git push", ".git/config"],
  ["cd sub && git commit -m x", ".git/config"],
  ["cd sub && git commit -m x", ".git/hooks/pre-commit"],
  ["npm version patch", ".git/hooks/pre-commit"],
  ["npm version patch", ".husky/pre-commit"],
  ["npm version patch", ".git/config"],
  ["yarn version --minor", ".git/hooks/post-commit"],
  ["yarn publish --new-version 2.0.0", ".githooks/pre-push"],
  ["pnpm publish", ".git/config"],
  ["lerna version", ".git/hooks/pre-push"],
  ["npx lerna publish", ".git/hooks/pre-push"],
  ["npx @changesets/cli version", ".husky/commit-msg"],
  ["npx release-it@17", ".git/hooks/pre-push"],
  ["yarn lerna version", ".git/hooks/commit-msg"],
  ["gh pr create --fill", ".git/hooks/pre-push"],
  ["gh pr checkout 1", ".git/hooks/post-checkout"],
  ["git-lfs push origin main", ".git/hooks/pre-push"],
  ["git lfs push origin main", ".git/hooks/pre-push"],
  ["git-flow feature start x", ".git/hooks/post-checkout"],
  ["husky install", ".husky/pre-commit"],
  ["npx lint-staged", ".lintstagedrc"],
  ["pre-commit run", ".git/hooks/pre-commit"],
  ["cargo release", ".git/hooks/pre-push"],
  ["bumpversion minor", ".git/hooks/pre-commit"],
  ["python3 -m bumpversion minor", ".git/hooks/pre-commit"],
  ["cd sub && npm version patch", ".git/hooks/pre-commit"],
  ["bash -c 'npm version patch'", ".git/hooks/pre-commit"],
  ["bash --rcfile x.sh -i", "x.sh"],
  ["python3 -m pkg", "pkg/__init__.py"],
  ["python3 -m pkg.deep.mod", "pkg/deep/__init__.py"],
  ["perl -Mm -e 1", "m.pm"],
  ["perl -MDeep::Mod -e 1", "Deep/Mod.pm"],
  ["npm run build -w packages/a", "packages/a/package.json"],
  ["cp x.sh y.sh", "x.sh"],
  ["tee y.sh < x.sh", "x.sh"],
  ["git apply x.patch", "x.patch"],
];

const isJson = (file: string): boolean => file.endsWith(".json");
const first = (file: string): string => (isJson(file) ? '{"scripts": {"build": "true"}}' : "one\n");
const later = (file: string): string => (isJson(file) ? '{"scripts": {"build": "false"}}' : "two\n");

describe("a yes to a command is a yes to the code that it runs", () => {
  test.each(LINES)("%s: %s", async (line, file) => {
    const it = await stage({ [file]: first(file), "sub/kept": "", data: "" });
    it.next.meanwhile = () => it.put(file, later(file));
    expect(await it.run(line), "changed while the person thinks").toMatchObject({
      status: "refused",
      error: { code: "CONFLICT" },
    });
    expect(it.ran).toEqual([]);
    it.next.meanwhile = undefined;
    it.next.answer = line.length % 2 === 0 ? "session" : "always";
    expect((await it.run(line)).status, "unchanged it runs").toBe("done");
    await it.run(line);
    expect(it.asked, "and is not asked about again").toEqual([{ always: true }, { always: true }]);
    it.put(file, first(file));
    it.next.answer = "once";
    await it.run(line);
    expect(it.asked, "changed after a standing yes").toHaveLength(3);
    rmSync(path.join(it.dir, file));
    await it.run(line);
    expect(it.asked, "removed after a standing yes").toHaveLength(4);
    expect(it.ran).toHaveLength(4);
  });

  test("a script that was not there when the yes was given", async () => {
    const it = await stage({});
    it.next.meanwhile = () => it.put("x.sh", "one\n");
    expect((await it.run("bash x.sh")).error?.code).toBe("CONFLICT");
    expect(it.ran).toEqual([]);
  });

  test("a script that is a link is what it leads to", async () => {
    const it = await stage({ "one.sh": "one\n", "two.sh": "two\n" });
    symlinkSync("one.sh", path.join(it.dir, "x.sh"));
    it.next.answer = "always";
    await it.run("./x.sh");
    rmSync(path.join(it.dir, "x.sh"));
    symlinkSync("two.sh", path.join(it.dir, "x.sh"));
    await it.run("./x.sh");
    expect(it.asked).toHaveLength(2);
    it.put("two.sh", "three\n");
    await it.run("./x.sh");
    expect(it.asked).toHaveLength(3);
  });

  test("a script outside of the workspace", async () => {
    const outside = await mkdtemp(path.join(homedir(), ".toolgate-bound-"));
    onTestFinished(() => rm(outside, { recursive: true }));
    const script = path.join(outside, "x.sh");
    writeFileSync(script, "one\n");
    const it = await stage({});
    it.next.answer = "always";
    await it.run(`bash ${script}`);
    await it.run(`bash ${script}`);
    expect(it.asked).toHaveLength(1);
    writeFileSync(script, "two\n");
    await it.run(`bash ${script}`);
    expect(it.asked).toHaveLength(2);
  });

  test("a script in a folder that the sandbox has for itself is another one there", async () => {
    const script = path.join(folder({ "x.sh": "one\n" }), "x.sh");
    const shared = { dir: folder(), store: memoryStore() };
    const without = await stage({}, "none", shared);
    without.next.answer = "always";
    await without.run(`bash ${script}`);
    await without.run(`bash ${script}`);
    expect(without.asked).toEqual([{ always: true }]);
    const within = await stage({}, "bubblewrap", shared);
    await within.run(`bash ${script}`);
    expect(within.asked).toEqual([{ always: false }]);
  });

  test.each(["BASH_ENV", "MAKEFILES"])("a file that the env argument names in %s", async (name) => {
    const it = await stage({ x: "one\n" });
    it.next.answer = "always";
    const run = () => it.run("make", { env: { [name]: "./x" } });
    await run();
    await run();
    expect(it.asked).toEqual([{ always: true }]);
    it.put("x", "two\n");
    await run();
    expect(it.asked).toHaveLength(2);
  });

  test("from another folder it is another file", async () => {
    const it = await stage({ "x.sh": "one\n", "sub/x.sh": "one\n" });
    it.next.meanwhile = () => it.put("sub/x.sh", "two\n");
    expect((await it.run("bash x.sh", { cwd: "sub" })).error?.code).toBe("CONFLICT");
    expect((await it.run("bash x.sh")).status).toBe("done");
  });
});

describe("where it is not known which code runs, no standing yes is offered", () => {
  test.each([
    ["bash $SCRIPT"],
    ['eval "$(cat x.sh)"'],
    ['cd "$SOMEWHERE" && ./x.sh'],
    ["bash *.sh"],
    ["ls | xargs -n1 bash"],
    ["./$NAME"],
    ['bash "$(ls | head -1)"'],
    ["sh ./x.sh\r"],
    ["sh ./x.sh\r\necho a"],
    ["./x.sh\r\n"],
    ["PATH=.:$PATH tool"],
    ["PATH=./bin:$PATH tool"],
    ["PATH=bin tool"],
    ["PATH=bin ls"],
    ["PATH= tool"],
    ["PATH+=:bin tool"],
    ["env PATH=bin tool"],
    ["export PATH=$PWD/bin:$PATH; tool"],
    ["PATH=bin; tool"],
    ["bash -c 'PATH=bin tool'"],
    ["for PATH in bin; do tool; done"],
    ["NODE_OPTIONS='--require ./x.js' node -e 1"],
    ["NODE_OPTIONS=--require=./x.js npm test"],
    ["PYTHONPATH=lib python3 -m m"],
    ["LD_LIBRARY_PATH=lib ls"],
    ["BASH_ENV='$X' bash -c true"],
    ["LD_PRELOAD='./a.so ./b.so' ls"],
    ["HOME=here bash -l -c true"],
    ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=hooks git commit -m x"],
    ["CC='gcc -fplugin=./x.so' make"],
    ["find . -name 'x*' -exec {} \\;"],
    ["find . -type f -execdir {} \\;"],
    ["find . -name x.sh -execdir ./x.sh \\;"],
    ["run-parts parts"],
    ["node ."],
    ["node lib/"],
    ["node lib"],
    ["node lib/tool"],
    ["node lib --test"],
    ["node -r ./x.js lib"],
    ["node --enable-source-maps lib"],
    ["perl -I. -Mm -e 1"],
    ["ruby -Ilib x.rb"],
    ["npm run build -w a"],
    ["npm run build --workspace=@a/b"],
    ["npm run build --workspaces"],
    ["pnpm -r build"],
    ["pnpm --filter a build"],
    ["yarn workspace a build"],
    ["tool", { env: { PATH: "bin" } }],
    ["node -e 1", { env: { NODE_OPTIONS: "--require ./x.js" } }],
    ["make", { env: { MAKEFILES: "a.mk b.mk" } }],
  ] as [string, object?][])("%s", async (line, more) => {
    const it = await stage({ "x.sh": "one\n" });
    it.next.answer = "always";
    await it.run(line, more);
    await it.run(line, more);
    expect(it.asked).toEqual([{ always: false }, { always: false }]);
  });

  test("a folder of hooks with very many files", async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`.githooks/${index}`, "x\n"]));
    for (const [count, always] of [
      [200, true],
      [201, false],
    ] as const) {
      const it = await stage(many(count));
      await it.run("git commit -m x");
      expect(it.asked).toEqual([{ always }]);
    }
  });

  test("the sandbox has a /tmp of its own, in which we see nothing", async () => {
    const it = await stage({}, "bubblewrap");
    it.next.answer = "always";
    await it.run("bash /tmp/x.sh");
    await it.run("bash /tmp/x.sh");
    expect(it.asked).toEqual([{ always: false }, { always: false }]);
  });
});

describe("what does not decide what runs may change", () => {
  test.each<[line: string, file: string, before: string, after: string]>([
    [
      "npm test",
      "package.json",
      '{"scripts": {"test": "x"}, "version": "1"}',
      '{"scripts": {"test": "x"}, "version": "2"}',
    ],
    ["bash x.sh", "other.sh", "one", "two"],
    ["rm -f data", "data", "one", "two"],
    ["sed -i s/a/b/ data", "data", "one", "two"],
    ["chmod +x data", "data", "one", "two"],
    ["git add data", "data", "one", "two"],
    ["git commit -m x.sh", "x.sh", "one", "two"],
    ["mkdir -p data.d", "data", "one", "two"],
    ["npm test", ".git/config", "one", "two"],
    ["npm run build", ".git/hooks/pre-commit", "one", "two"],
    ["npx eslint --fix src", ".git/hooks/pre-commit", "one", "two"],
    ["yarn install", ".git/config", "one", "two"],
    ["make", "main.c", "one", "two"],
    ["PORT=3000 npm start", "data", "one", "two"],
    ["NODE_ENV=test npm test", "data", "one", "two"],
    ["DATABASE_URL=postgres://localhost/x npm test", "data", "one", "two"],
    ["RUST_LOG=debug cargo test", "data", "one", "two"],
    ["OUT=data.d; mkdir -p $OUT", "data", "one", "two"],
  ])("%s: %s", async (line, file, before, after) => {
    const it = await stage({ [file]: before });
    it.next.answer = "always";
    await it.run(line);
    it.put(file, after);
    await it.run(line);
    expect(it.asked).toEqual([{ always: true }]);
    expect(it.ran).toHaveLength(2);
  });
});
