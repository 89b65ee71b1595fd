import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineTouch, ruleProblems } from "../../rules/examples.ts";
import { type Rule, type RuleKind, readRule } from "../../rules/rule.ts";
import { RuleSet } from "../../rules/rule-set.ts";
import { fromClaude } from "./claude.ts";
import { fromCodexConfig, fromCodexRules } from "./codex.ts";
import { fromGemini, fromGeminiPolicies } from "./gemini.ts";
import type { Imported } from "./imported.ts";
import { fromOpencode } from "./opencode.ts";

const settingsLeft = ({ leftOver }: Imported) => leftOver.map(({ setting }) => setting);
const isSound = ({ allow, ask, deny }: Imported) => expect(ruleProblems({ allow, ask, deny })).toEqual([]);

test("Claude Code", () => {
  const imported = fromClaude({
    permissions: {
      allow: [
        ...["Bash(npm run test:*)", "Bash(git commit *)", "Bash(npm run build)", "Bash(cd x && ls)", "Bash", "Bash(*)"],
        ...["Edit(src/**)", "Edit", "Read(~/.zshrc)", "Read(//etc/hosts)", "WebFetch(domain:docs.example.com)"],
        ...["mcp__github", "mcp__github__create_issue", "WebSearch", "Task(Explore)", "not a rule"],
      ],
      ask: ["Bash(git push:*)"],
      deny: ["Read(./.env)", "Read(/secrets/**)", "Bash(curl:*)", "Bash(rm -rf *)", "Write(*.lock)"],
      defaultMode: "acceptEdits",
      additionalDirectories: ["../other"],
    },
  });
  isSound(imported);
  expect(imported.allow).toEqual([
    ...["run(npm run test *)", "run(git commit *)", "run(npm run build)", "write(src/**)", "read(~/.zshrc)"],
    ...["read(/etc/hosts)", "fetch(docs.example.com)", "mcp(github/*)", "mcp(github/create_issue)", "WebSearch"],
  ]);
  expect(imported.ask).toEqual(["run(git push *)"]);
  expect(imported.deny).toEqual([
    ...["read(./.env)", "read(./secrets/**)", "run(curl *)", "run(rm -rf *)", "write(*.lock)"],
  ]);
  expect(settingsLeft(imported)).toEqual([
    ...["allow: Bash(cd x && ls)", "allow: Bash", "allow: Bash(*)", "allow: Edit", "allow: Task(Explore)"],
    ...["allow: not a rule", "defaultMode: acceptEdits", "additionalDirectories: ../other"],
  ]);
});

test("Codex", () => {
  const imported = fromCodexRules(`
    # prefix_rule(pattern = ["commented"])
    prefix_rule(
        pattern = ["git", ["push", "fetch"]],
        decision = "prompt",  # (asks)
        justification = "Ask before talking to others, please (or say why).",
        match = [["git", "push", "origin"]],
    )
    prefix_rule(pattern=['ls'])
    prefix_rule(pattern=["rm", "-rf"], decision="forbidden",)
    prefix_rule(pattern=NAMES, decision="allow")
  `);
  isSound(imported);
  const reason = "Ask before talking to others, please (or say why).";
  expect(imported.ask).toEqual([
    { rule: "run(git push *)", reason },
    { rule: "run(git fetch *)", reason },
  ]);
  expect(imported.allow).toEqual(["run(ls *)"]);
  expect(imported.deny).toEqual(["run(rm -rf *)"]);
  expect(imported.leftOver).toHaveLength(1);
  const config = fromCodexConfig({
    approval_policy: "never",
    sandbox_mode: "workspace-write",
    sandbox_workspace_write: { network_access: true, writable_roots: ["/x"] },
  });
  expect(settingsLeft(config)).toEqual(["approval_policy: never", "network_access: true", "writable_roots: /x"]);
  for (const approval_policy of ["untrusted", "on-request", "on-failure"])
    expect(settingsLeft(fromCodexConfig({ approval_policy }))).toEqual([`approval_policy: ${approval_policy}`]);
});

test("Gemini CLI", () => {
  const imported = fromGemini({
    tools: {
      allowed: ["run_shell_command(git status)", "ReadFileTool"],
      exclude: ["run_shell_command(rm)", "run_shell_command"],
    },
    excludeTools: ["WebFetchTool"],
    coreTools: ["x"],
    mcpServers: { github: { trust: true }, jira: { trust: false }, "*": { trust: true }, other: "x" },
  });
  isSound(imported);
  expect(imported.allow).toEqual(["run(git status *)", "ReadFileTool", "mcp(github/*)"]);
  expect(imported.deny).toEqual(["run(rm *)", "run(*)", "WebFetchTool"]);
  expect(settingsLeft(imported)).toEqual(["mcpServers.*.trust", "tools.core"]);
  const policies = fromGeminiPolicies({
    rule: [
      { toolName: "run_shell_command", commandPrefix: ["git ", "npm test"], decision: "ask_user", priority: 1 },
      { toolName: ["write_file", "replace"], decision: "deny" },
      { mcpName: "github", decision: "allow" },
      { toolName: "run_shell_command", commandRegex: "x.*", decision: "allow" },
      { toolName: "run_shell_command", commandPrefix: "x", decision: "perhaps" },
      { toolName: "run_shell_command", commandPrefix: "x", decision: "allow", modes: ["yolo"] },
    ],
  });
  isSound(policies);
  expect(policies.ask).toEqual(["run(git *)", "run(npm test *)"]);
  expect(policies.deny).toEqual(["write(**)"]);
  expect(policies.allow).toEqual(["mcp(github/*)"]);
  expect(policies.leftOver).toHaveLength(3);
});

test("opencode: the last pattern decides there, so a stricter rule has exceptions here", () => {
  const imported = fromOpencode({
    permission: {
      bash: { "*": "ask", "git *": "allow", "rm *": "deny", "rm build/*": "allow", "git push *": "deny" },
      edit: { "*": "deny", "docs/*": "allow" },
      webfetch: "allow",
      read: "allow",
      external_directory: "ask",
      "*": "ask",
      odd: { a: "maybe" },
    },
  });
  isSound(imported);
  expect(imported.allow).toEqual(["run(git *)", "run(rm build/*)", "write(docs/**)", "webfetch"]);
  expect(imported.deny).toEqual([
    { rule: "run(rm *)", except: ["rm build/*"] },
    "run(git push *)",
    { rule: "write(**)", except: ["docs/**"] },
  ]);
  expect(settingsLeft(imported)).toEqual([
    ...["bash: *: ask", "external_directory: ask", "permission.*: ask", "odd: a"],
  ]);
  expect(settingsLeft(fromOpencode({ permission: "allow" }))).toEqual(["permission: allow"]);
});

const KINDS = ["allow", "ask", "deny"] as const;
type Answer = RuleKind | "open";

/** What the imported rules say about a touch; open: none of them speaks of it. */
function decided(imported: Imported, touch: Parameters<RuleSet["decide"]>[0]["touches"][number]): Answer {
  const rules = KINDS.flatMap((kind) => imported[kind].map((written) => readRule(kind, written) as Rule));
  const { deny, ask, covers } = new RuleSet(rules).decide({ tool: { name: "x" }, touches: [touch] }, 0, false);
  return deny ? "deny" : ask ? "ask" : covers.size > 0 ? "allow" : "open";
}
const bash = (patterns: object, line: string): Answer =>
  decided(fromOpencode({ permission: { bash: patterns } }), lineTouch(line));
const file = (name: string, patterns: object, path: string): Answer =>
  decided(fromOpencode({ permission: { [name]: patterns } }), {
    action: name === "read" ? "read" : "write",
    place: { shown: path, real: `/w/${path}`, root: "/w", exists: true },
    certain: true,
  });

describe("opencode: which pattern decides a command", () => {
  test.each<[patterns: Record<string, RuleKind>, line: string, answer: Answer]>([
    [{ "git push": "deny", "git push *": "ask" }, "git push", "deny"],
    [{ "git push": "deny", "git push *": "ask" }, "git push origin", "ask"],
    [{ "git push *": "ask", "git push": "deny" }, "git push", "deny"],
    [{ "git push *": "ask", "git push": "deny" }, "git push origin", "ask"],
    [{ "git push *": "deny", "git push": "ask" }, "git push", "ask"],
    [{ "git push *": "deny", "git push": "ask" }, "git push origin", "deny"],
    [{ "git push *": "deny", "git *": "allow" }, "git push origin", "deny"],
    [{ "git push *": "deny", "*": "allow" }, "git push", "deny"],
    [{ "git *": "deny", "git status *": "allow" }, "git status", "allow"],
    [{ "git *": "deny", "git status *": "allow" }, "git push", "deny"],
    [{ "git *": "ask", "git push *": "deny", "git push origin *": "allow" }, "git push origin dev", "allow"],
    [{ "git * main": "deny", "git push *": "allow" }, "git push origin main", "deny"],
    [{ "git push": "deny", "git push origin dev": "ask" }, "git push origin dev", "ask"],
    [{ "git push": "deny", "git push origin dev": "ask" }, "git push", "deny"],
    [{ "*--force*": "deny" }, "git push origin --force-with-lease", "deny"],
    [{ "*--force*": "deny" }, "git push origin", "open"],
    [{ "npm * --registry*": "deny" }, "npm install left-pad --registry=http://x", "deny"],
    [{ "npm*publish": "deny" }, "npm publish", "deny"],
    [{ "npm*publish": "deny" }, "npm run publish", "deny"],
  ])("%j: %s", (patterns, line, answer) => expect(bash(patterns, line)).toBe(answer));

  test.each<[name: string, patterns: Record<string, RuleKind>, path: string, answer: Answer]>([
    ["read", { "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" }, "a/.env.example", "allow"],
    ["read", { "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" }, "a/.env.local", "deny"],
    ["edit", { "src/*.key": "deny" }, "src/deep/a.key", "deny"],
    ["edit", { "src/*.key": "deny" }, "src/a.key", "deny"],
    ["edit", { "src/*/kept.ts": "deny" }, "src/a/b/kept.ts", "deny"],
    ["edit", { "src/gen*.ts": "deny" }, "src/gen/a/b.ts", "deny"],
    ["edit", { "src/*.key": "deny" }, "docs/a.key", "open"],
    ["edit", { "src/*": "deny", "src/**": "allow" }, "src/a.ts", "deny"],
    ["write", { "docs/*": "deny" }, "docs/a/b.md", "deny"],
  ])("%s %j: %s", (name, patterns, path, answer) => expect(file(name, patterns, path)).toBe(answer));

  test("nothing comes out milder than it is there", () => {
    const pattern = fc.constantFrom(
      ...["git push", "git push *", "git *", "*", "git push origin", "git push origin *", "git * main", "git p*"],
    );
    const line = fc.constantFrom("git push", "git push origin", "git push origin main", "git pull main", "git");
    const entries = fc.uniqueArray(fc.tuple(pattern, fc.constantFrom(...KINDS)), { selector: ([text]) => text });
    fc.assert(
      fc.property(entries, line, (list, text) => {
        const imported = bash(Object.fromEntries(list), text);
        expect(STRICTNESS[imported]).toBeGreaterThanOrEqual(strictnessThere(list, text));
      }),
      { numRuns: 300 },
    );
  });
});

const STRICTNESS: Readonly<Record<Answer, number>> = { allow: 0, open: 1, ask: 1, deny: 2 };

/** How strict opencode is: the last pattern that matches decides, and ` *` may stand for no words. */
function strictnessThere(list: readonly (readonly [string, RuleKind])[], text: string): number {
  const regex = (pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".*").replace(/ \.\*$/, "( .*)?")}$`);
  const found = list.findLast(([pattern]) => regex(pattern).test(text));
  return found ? STRICTNESS[found[1]] : 0;
}

test("opencode: tools that are switched off, agents and servers", () => {
  const imported = fromOpencode({
    permission: { "github_*": "deny", "*_delete": "deny", bash: "no" },
    tools: { write: false, bash: true, "jira*": false },
    agent: { plan: { permission: { edit: "deny" } }, other: { model: "x" } },
  });
  isSound(imported);
  expect(imported.deny).toEqual(["mcp(github/*)", "write(**)", "mcp(jira/*)"]);
  expect(settingsLeft(imported)).toEqual(["*_delete: deny", "bash", "agent plan"]);
});

test("Codex: words are meant as they are, and what is about hosts is told", () => {
  const imported = fromCodexRules(`
    prefix_rule(pattern=["npm", "run", "*"], decision="allow")
    prefix_rule(pattern=["echo", "a;b"], decision="forbidden")
    prefix_rule(pattern=["grep", '"x"'], decision="forbidden")
    network_rule(host="evil.com", decision="deny")
  `);
  isSound(imported);
  expect(imported.allow).toEqual([]);
  expect(imported.deny).toEqual(['run(echo "a;b" *)', "run(grep '\"x\"' *)"]);
  expect(decided(imported, lineTouch("echo 'a;b' c"))).toBe("deny");
  expect(decided(imported, lineTouch("echo a; b"))).toBe("open");
  expect(imported.leftOver).toHaveLength(2);
});

test("Gemini CLI: tools of servers", () => {
  const imported = fromGemini({ tools: { exclude: ["github__create_issue", "mcp_jira_*", "mcp_a_b_c", "x*", "*"] } });
  isSound(imported);
  expect(imported.deny).toEqual(["mcp(github/create_issue)", "mcp(jira/*)", "*"]);
  expect(settingsLeft(imported)).toEqual(["deny: mcp_a_b_c", "deny: x*"]);
});

test("Claude Code: a star stands for any words where something is forbidden", () => {
  const deny = (pattern: string, line: string) =>
    decided(fromClaude({ permissions: { deny: [`Bash(${pattern})`] } }), lineTouch(line));
  expect(deny("git * main", "git push origin main")).toBe("deny");
  expect(deny("* --no-verify", "git commit -m x --no-verify")).toBe("deny");
  expect(deny("git * main", "git push origin dev")).toBe("open");
  expect(fromClaude({ permissions: { deny: ["mcp__a__b__c", "mcp__a"] } }).deny).toEqual(["mcp(a/b__c)", "mcp(a/*)"]);
});

describe("what is no settings at all imports nothing", () => {
  test.each([undefined, null, 1, "x", [], {}, { permissions: 1 }, { permissions: { allow: "x", deny: [1, null] } }])(
    "%j",
    (value) => {
      for (const imported of [
        fromClaude(value),
        fromCodexConfig(value),
        fromGemini(value),
        fromGeminiPolicies(value),
        fromOpencode(value),
      ])
        expect([imported.ask, imported.deny]).toEqual([[], []]);
    },
  );
});
