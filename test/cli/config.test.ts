import { describe, expect, test } from "vitest";
import { workspace } from "./cli.ts";

const PACKAGE = JSON.stringify({ scripts: { test: "vitest", build: "tsc", deploy: "x" } });

describe("config init", () => {
  test("writes a file that holds, from what the project says of itself, and never over another", async () => {
    const { run, read: text } = await workspace({ "package.json": PACKAGE, Makefile: "test:\n\ttrue\n" });
    const { status, out } = await run(["config", "init", "--json"]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      preset: "balanced",
      commands: [{ command: "npm test" }, { command: "npm run build" }, { command: "make test" }],
    });
    const written = await text("toolgate.yaml");
    expect(written).toContain('"run(npm run build *)"');
    expect(written).not.toContain("deploy");
    expect(written, "every key is there, in comments").toMatch(/^#commands:\n[\s\S]*^# {2}blocked_patterns: \[\]$/m);
    expect((await run(["config", "check"])).status).toBe(0);
    const again = await run(["config", "init"]);
    expect(again.status).toBe(3);
    expect(again.err).toContain("toolgate.yaml already exists.");
    expect(await text("toolgate.yaml")).toBe(written);
    await run(["config", "trust", "--yes"]);
    const verdict = JSON.parse((await run(["explain", "run_command", "npm test", "--json"])).out);
    expect(verdict).toMatchObject({ verdict: "allow", by: "rules" });
  });

  test.each(["careful", "balanced", "free"])("the preset %s is a configuration that holds", async (preset) => {
    const { run } = await workspace({ "Cargo.toml": "", "go.mod": "" });
    expect((await run(["config", "init", "--preset", preset])).status).toBe(0);
    const { status, out } = await run(["config", "rules", "test"]);
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringMatching(/all hold\.\n$/) });
  });

  test("an unknown preset is named", async () => {
    const { run } = await workspace();
    const { status, err } = await run(["config", "init", "--preset", "carefull"]);
    expect(status).toBe(3);
    expect(err).toContain("careful");
  });
});

describe("config rules", () => {
  const yaml = 'rules:\n  allow: ["run(npm test *)", "run(npm run build *)"]\n  deny: ["write(kept/**)"]\n';

  test("explain says what decides, and which rules speak of the call", async () => {
    const { run } = await workspace({ "own.yaml": yaml });
    const config = ["--config", "own.yaml", "--json"];
    const denied = await run(["config", "rules", "explain", "run_command", "rm -rf kept", ...config]);
    expect(denied.status).toBe(2);
    expect(JSON.parse(denied.out)).toMatchObject({
      verdict: "deny",
      by: "rules",
      rules: [{ kind: "deny", rule: "write(kept/**)" }],
    });
    const allowed = await run(["config", "rules", "explain", "run_command", "npm test", ...config]);
    expect(JSON.parse(allowed.out)).toMatchObject({ verdict: "allow", rules: [{ rule: "run(npm test *)" }] });
  });

  test("minimise lets go of what the record shows to be needless", async () => {
    const { run } = await workspace({ "own.yaml": yaml });
    const config = ["--config", "own.yaml"];
    await run(["call", "run_command", "npm test", "--dry-run", ...config]);
    const { out } = await run(["config", "rules", "minimise", "--json", ...config]);
    expect(JSON.parse(out)).toMatchObject({
      kept: [{ rule: "write(kept/**)" }, { rule: "run(npm test *)" }],
      dropped: [{ rule: "run(npm run build *)", why: "no recorded call needs it" }],
    });
  });

  test("rules that have expired, and rules for tools that nobody knows, are pointed out", async () => {
    const rules = ["reed_file", "deploy_site", "Read", "t*", "mcp(github/*)", "run(frobnicate *)"];
    const deny = [
      { rule: "write(kept/**)", expires: "2020-01-31" },
      { rule: "write(old/**)", expires: "2999-01-31" },
    ];
    const { run } = await workspace({ "toolgate.yaml": JSON.stringify({ rules: { ask: rules, deny } }) });
    const { notes } = JSON.parse((await run(["config", "check", "--json"])).out);
    expect(notes.filter((note: string) => note.startsWith("rules."))).toEqual([
      'rules.ask: "reed_file": there is no built-in tool reed_file; did you mean read_file?',
      'rules.ask: "deploy_site": there is no built-in tool deploy_site; it applies only if another server or your program provides one.',
    ]);
    const { out } = await run(["config", "rules"]);
    expect(out).toMatch(/write\(kept\/\*\*\) +expired 2020-01-31\n/);
    expect(out).toMatch(/write\(old\/\*\*\) +until 2999-01-31\n/);
  });

  test("a rule that cannot be read is told with its place", async () => {
    const { run } = await workspace({ "toolgate.yaml": "rules:\n  deny:\n    - wriet\n    - write(../x)\n" });
    const { status, err } = await run(["config", "rules"]);
    expect(status).toBe(3);
    expect(err).toMatch(/toolgate\.yaml:4:\d+: rules\.deny: "write\(\.\.\/x\)" has \.\. in it/);
  });
});

describe("config import", () => {
  test("prints rules and says what was left over", async () => {
    const settings = { permissions: { allow: ["Bash(npm run lint:*)", "Bash"], deny: ["Read(./.env)"] } };
    const { run } = await workspace({ ".claude/settings.json": JSON.stringify(settings) });
    const { status, out, err } = await run(["config", "import", "claude"]);
    expect({ status, out }).toEqual({
      status: 0,
      out: "rules:\n  allow:\n    - run(npm run lint *)\n  deny:\n    - read(./.env)\n",
    });
    expect(err).toContain("allow: Bash: it allows every command");
    const wrong = await run(["config", "import", "claud"]);
    expect(wrong.status).toBe(3);
    expect(wrong.err).toContain("Did you mean claude?");
  });

  test("a file that is no JSON is told, and stops nothing", async () => {
    const { run } = await workspace({
      ".gemini/settings.json": "{",
      "opencode.json": '// x\n{ "permission": { "bash": { "rm *": "deny", }, } }',
    });
    expect(JSON.parse((await run(["config", "import", "gemini", "--json"])).out).leftOver).toHaveLength(1);
    expect(JSON.parse((await run(["config", "import", "opencode", "--json"])).out).deny).toEqual(["run(rm *)"]);
  });
});

test("config trust is a word for what the hooks run, too, and is asked for again once that changed", async () => {
  const yaml = "hooks:\n  pre_tool_use:\n    - { name: guard, command: sh check.sh }\n";
  const { run, write } = await workspace({ "toolgate.yaml": yaml, "check.sh": "exit 2" });
  const status = async () => (await run(["call", "list_files"])).status;
  expect(await status()).toBe(0);
  const { out } = await run(["config", "trust", "--yes", "--json"]);
  expect(Object.keys(JSON.parse(out).scripts)).toEqual([expect.stringMatching(/\/check\.sh$/)]);
  expect(await status()).toBe(2);
  await write("check.sh", "exit 0");
  expect(await status()).toBe(2);
  const unasked = await run(["config", "trust", "--json"]);
  expect([unasked.status, unasked.out]).toEqual([3, expect.stringContaining("With --json nobody is asked.")]);
  await run(["config", "trust", "--yes"]);
  expect(await status()).toBe(0);
});
