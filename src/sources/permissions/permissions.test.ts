import { describe, expect, test } from "vitest";
import { ruleProblems } from "../../rules/examples.ts";
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
});

test("Gemini CLI", () => {
  const imported = fromGemini({
    tools: {
      allowed: ["run_shell_command(git status)", "ReadFileTool"],
      exclude: ["run_shell_command(rm)", "run_shell_command"],
    },
    excludeTools: ["WebFetchTool"],
    coreTools: ["x"],
  });
  isSound(imported);
  expect(imported.allow).toEqual(["run(git status *)", "ReadFileTool"]);
  expect(imported.deny).toEqual(["run(rm *)", "run(*)", "WebFetchTool"]);
  expect(settingsLeft(imported)).toEqual(["tools.core"]);
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
