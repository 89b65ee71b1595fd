import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench, plain } from "../journeys/harness.ts";

const asking = { mode: "confirm-sensitive", store: "memory" } as const;

describe("a folder that looks like a repository", () => {
  test.each([
    { command: "cd evil && git status" },
    { command: "git status", cwd: "evil" },
    { command: "cd evil && git diff" },
  ])("%j runs nothing that the folder says", async (args) => {
    const { dir, call } = await bench({}, asking);
    const evil = path.join(dir, "evil");
    execFileSync("git", ["init", "-q", "--bare", evil]);
    mkdirSync(path.join(evil, "tree"));
    const made = path.join(dir, "made");
    appendFileSync(
      path.join(evil, "config"),
      `[core]\n\tbare = false\n\tworktree = tree\n\tfsmonitor = "touch ${made}; false"\n`,
    );
    await call("run_command", args);
    expect(existsSync(made)).toBe(false);
  });
});

describe("forbidden paths", () => {
  const config = { workspace: { forbidden_paths: ["secrets"] } };
  test.each([
    ["grep -r . .", "ask"],
    ["cat */key", "ask"],
    ["git grep TOP", "ask"],
    ["cat secrets/key", "deny"],
    ["cd secrets && cat key", "deny"],
    ["cat a.txt", "allow"],
    ["ls", "allow"],
  ])("%s: %s", async (command, verdict) => {
    const { gate } = await bench({ "secrets/key": "TOP", "a.txt": "" }, { ...asking, config });
    expect(await gate.explain({ name: "run_command", args: { command } })).toMatchObject({ verdict });
  });
});

describe("what governs calls, in yolo", () => {
  const files = [
    "toolgate.yaml",
    "Toolgate.YAML",
    "sub/toolgate.yml",
    ".mcp.json",
    ".toolgate/store.db",
    ".TOOLGATE/x",
    "sub/.toolgate/agents/a.md",
    "./sub/../toolgate.yaml",
    ".git/hooks/pre-commit",
    ".git/config",
    ".GIT/config",
    "sub/.git/config",
    ".git",
    "sub/.git",
    ".git/modules/x/config",
    ".git/config.worktree",
    ".git/commondir",
    "linked",
  ];
  test.each(files)("%s is changed by nobody without a person's word", async (file) => {
    const { gate, dir, call } = await bench(
      { "a.txt": "a\n" },
      { store: "memory", config: { workspace: { allow_delete: true } } },
    );
    execFileSync("ln", ["-s", "toolgate.yaml", path.join(dir, "linked")]);
    const before = file === "linked" ? [] : existsSync(path.join(dir, file));
    const calls: [string, object][] = [
      ["write_file", { path: file, content: "x" }],
      ["apply_patch", { patch: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` }],
      [
        "apply_patch",
        { patch: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${file}\n@@\n-a\n+b\n*** End Patch` },
      ],
      ["run_command", { command: `echo x > ${file}` }],
      ["run_command", { command: `tee ${file} < a.txt` }],
    ];
    // nothing is moved onto what is there already, a link included: the next test
    for (const [name, args] of calls.filter((_, index) => file !== "linked" || index !== 2)) {
      expect(await gate.explain({ name, args }), name).toMatchObject({ verdict: "ask", by: "protection" });
      expect((await call(name, args)).status, name).toBe("refused");
    }
    if (file !== "linked") expect(existsSync(path.join(dir, file))).toBe(before);
  });

  test("nothing is moved onto a link to the configuration", async () => {
    const { dir, call, text } = await bench({ "a.txt": "a\n" }, { store: "memory" });
    execFileSync("ln", ["-s", "toolgate.yaml", path.join(dir, "linked")]);
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: linked\n@@\n-a\n+mode: yolo\n*** End Patch";
    const result = await call("apply_patch", { patch });
    expect(result).toMatchObject({ success: false });
    expect([text("a.txt"), existsSync(path.join(dir, "toolgate.yaml"))]).toEqual(["a\n", false]);
  });

  test.each([
    ".gitignore",
    ".github/workflows/a.yml",
    "toolgate.yaml.md",
    "my-toolgate.yaml",
    "git/hooks/x",
    ".git/info/exclude",
  ])("%s is an ordinary file", async (file) => {
    const { gate } = await bench({}, { store: "memory" });
    expect(await gate.explain({ name: "write_file", args: { path: file, content: "x" } })).toMatchObject({
      verdict: "allow",
    });
  });
});

describe("what is brought into the workspace may be what governs it", () => {
  const verdictOf = async (files: Record<string, string>, command: string, sandbox: "auto" | "off" = "off") => {
    const { gate } = await bench(files, { store: "memory", sandbox });
    return await gate.explain({ name: "run_command", args: { command } });
  };
  const GOVERNED = { "toolgate.yaml": "workspace: { forbidden_paths: [secrets] }\n" };

  const anything = [
    "tar xf a.tar",
    "tar -xzf a.tgz -C .",
    "tar --extract --file a.tar --directory=./sub/..",
    "unzip a.zip",
    "unzip a.zip -d .",
    "7z x a.7z",
    "cpio -id < a.cpio",
    "ar x a.a",
    "patch -p1 < a.diff",
    "patch -p1 -i a.diff",
    "rsync -a src/ .",
    "rsync -a host:x/ ./",
    "rsync host:toolgate.yaml .",
    "cp -r src/. .",
    "cp -rT src .",
    "cp sub/*.yaml .",
    "cp sub/* .",
    "cp -r sub/.* .",
    "mv sub/* .",
    "mv sub/toolgate.y* .",
    "cd sub && mv *.yaml ..",
    "wget -r -nH https://example.com/",
    "git clone https://example.com/a.git .",
    'for f in toolgate.yam*; do echo x > "$f"; done',
    'for f in *; do sed -i s/a/b/ "$f"; done',
    'files=(toolgate.y*); echo x > "${files[0]}"',
    "echo toolgate.yam* | xargs rm",
    "ls | xargs -I@ cp x @; printf '%s' .mcp.js* | xargs -I@ cp x @",
    "printf '%s\\n' toolgate.yam* | while read -r f; do echo x > \"$f\"; done",
    "echo x > toolgate.yam*",
    "tee toolgate.[y]aml < a",
    "sed -i s/a/b/ .mcp.jso?",
    "rm -rf .g*",
    "truncate -s 0 .git/h*/pre-commit",
  ];
  test.each(anything)("asks, with a configuration and without: %s", async (command) => {
    for (const files of [{}, GOVERNED])
      expect(await verdictOf(files, command)).toMatchObject({ verdict: "ask", by: "protection" });
  });

  const tracked = [
    "git stash",
    "git stash pop",
    "git stash apply",
    "git checkout main",
    "git checkout .",
    "git checkout main -- .",
    "git checkout main -- '*.yaml'",
    "git checkout -b topic origin/main",
    "git switch main",
    "git restore .",
    "git restore --source=HEAD~3 ':/'",
    "git restore ':(glob)**'",
    "git reset --hard HEAD~1",
    "git pull",
    "git merge topic",
    "git rebase main",
    "git cherry-pick abc",
    "git revert HEAD",
    "git am a.patch",
    "git apply a.patch",
    "cd sub && git -C .. stash pop",
  ];
  test.each(tracked)("asks where there is a configuration to replace: %s", async (command) => {
    expect(await verdictOf(GOVERNED, command)).toMatchObject({ verdict: "ask", by: "protection" });
    expect(await verdictOf({}, command)).toMatchObject({ verdict: "allow" });
  });

  const ordinary = [
    "tar czf a.tgz src",
    "tar tf a.tar",
    "tar xf a.tar -O",
    "tar xf a.tar -C vendor",
    "unzip -l a.zip",
    "unzip a.zip -d vendor",
    "patch src/a.ts a.diff",
    "rsync -a src/ out/",
    "cp -r src out",
    "cp -r src/lib .",
    "cp sub/*.txt .",
    "cp dist/* out/",
    "mv a.txt .",
    "mv sub/a.txt sub/b.txt .",
    "rm -f *.log",
    "rm -rf dist/*",
    'for f in src/*.ts; do sed -i s/a/b/ "$f"; done',
    "git clone https://example.com/a.git",
    "git checkout -b topic",
    "git switch -c topic",
    "git checkout -- src/a.ts",
    "git checkout main -- src",
    "git restore src/a.ts",
    "git restore --staged src",
    "git reset HEAD~1",
    "git apply --check a.patch",
    "git stash list",
    "git stash drop",
    "git add . && git commit -m 'toolgate.yaml' && git push",
    "git fetch",
    "npm install",
    "npm run build",
    "make",
  ];
  test.each(ordinary)("asks nothing: %s", async (command) => {
    for (const files of [{}, GOVERNED]) expect(await verdictOf(files, command)).toMatchObject({ verdict: "allow" });
  });

  test("the sandbox keeps it from all of them, so that only what is named asks", needs("bubblewrap"), async () => {
    for (const command of ["tar xf a.tar", "git stash pop", "cp sub/* ."])
      expect(await verdictOf(GOVERNED, command, "auto")).toMatchObject({ verdict: "allow" });
    expect(await verdictOf({}, "echo x > toolgate.yaml", "auto")).toMatchObject({ verdict: "ask" });
    const { call, dir } = await bench({ "sub/toolgate.yaml": "mode: yolo\n", "sub/a.txt": "a\n" }, { store: "memory" });
    const { output } = await call("run_command", { command: "tar cf a.tar -C sub . && tar xf a.tar; ls" });
    expect(output).toContain("a.txt");
    expect(existsSync(path.join(dir, "toolgate.yaml"))).toBe(false);
  });

  test("a tool cannot say of itself that it is contained", async () => {
    const claim = { action: "run", command: "x", class: "dev", inner: [{ action: "write", target: ".", scope: "*" }] };
    const tool = plain("liar", { touches: () => [{ ...claim, contained: true } as never] });
    const { gate } = await bench({}, { store: "memory", sandbox: "off", tools: [tool] });
    expect(await gate.explain({ name: "liar" })).toMatchObject({ verdict: "ask", by: "protection" });
  });
});

describe("git's settings that hold a command", () => {
  test.each([
    ["git config core.fsmonitor ./x", "ask"],
    ["git config --local Core.HooksPath hooks", "ask"],
    ["git config alias.st '!x'", "ask"],
    ["git config --add filter.x.clean x", "ask"],
    ["git config diff.x.textconv x", "ask"],
    ["git config user.name me", "allow"],
    ["git config core.autocrlf false", "allow"],
    ["git config core.fsmonitor", "allow"],
    ["git config --get core.fsmonitor", "allow"],
  ])("%s: %s", async (command, verdict) => {
    const { gate } = await bench({}, { store: "memory", sandbox: "off" });
    expect(await gate.explain({ name: "run_command", args: { command } })).toMatchObject({ verdict });
  });
});

describe("a plan leaves nothing behind", () => {
  test.each([{ plan: true }, { dryRun: true }])("%j", async (switches) => {
    const { call, dir, text, gate } = await bench(
      { "a.txt": "a\n" },
      { ...switches, store: "memory", config: { workspace: { allow_delete: true } } },
    );
    const calls: [string, object][] = [
      ["write_file", { path: "b.txt", content: "x" }],
      ["edit_file", { path: "a.txt", old_str: "a", new_str: "b" }],
      ["delete_file", { path: "a.txt" }],
      ["undo_turn", { turn: "last" }],
      ["run_command", { command: "touch c" }],
      ["run_command", { command: "ls" }],
      ["execute_code", { language: "python", code: "open('d','w')" }],
      ["process", { action: "input", id: "p1", text: "x" }],
    ];
    for (const [name, args] of calls) {
      await call(name, args);
      await gate.child({ plan: false, dryRun: false, mode: "yolo" }).call({ name, args });
    }
    expect(text("a.txt")).toBe("a\n");
    expect(["b.txt", "c", "d"].filter((name) => existsSync(path.join(dir, name)))).toEqual([]);
  });
});
