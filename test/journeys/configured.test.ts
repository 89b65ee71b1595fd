import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { z } from "../../src/index.ts";
import { KEYS, written } from "../configured.ts";
import { type Bench, bench, folder, plain } from "./harness.ts";
import { skillText } from "./skills/shelf.ts";

type Probe = (it: Bench) => Promise<unknown>;

const verdict =
  (command: string): Probe =>
  async ({ gate }) =>
    (await gate.explain({ name: "run_command", args: { command } })).verdict;
const judged =
  (name: string, args: object = {}): Probe =>
  async ({ gate }) =>
    (await gate.explain({ name, args })).verdict;
const said =
  (command: string): Probe =>
  async ({ call }) =>
    (await call("run_command", { command })).output;
/** How the second of two changes ends. */
const second: Probe = async ({ call }) => {
  await call("write_file", { path: "one", content: "1" });
  return (await call("write_file", { path: "two", content: "2" })).status;
};
const shownNames = (gate: Bench["gate"]): string[] => gate.schemas({ format: "mcp" }).map(({ name }) => name);
/** Whether work can be handed to an agent named docs. */
const agentsNamed: Probe = async ({ dir }) => {
  const turn = async () => ({ text: "done", calls: [] });
  const { openAgent } = await import("../../src/open-agent.ts");
  const config = path.basename(dir) === "ws" ? { agents: { docs: { tools: ["read_file"] } } } : {};
  const { gate, crew } = await openAgent({ workspace: dir, store: "memory", config, model: { name: "none", turn } });
  await gate.close();
  return crew.definitions.some(({ name }) => name === "docs");
};
const skilled: Probe = async ({ call }) => (await call("skill")).metadata.skills;
const has =
  (tool: string): Probe =>
  async ({ gate }) =>
    gate.registry.has(tool);

/** How a call ends after so much was spent. */
const afterSpending: Probe = async ({ gate, call }) => {
  await gate.spend({ tokens: 10, cost: 0.25 });
  return (await call("read_file", { path: "f" })).status;
};
const again = async ({ call }: Bench, times: number): Promise<string> => {
  for (let n = 1; n < times; n++) await call("read_file", { path: "f" });
  return (await call("read_file", { path: "f" })).output;
};
const secondFetch: Probe = async ({ call }) => {
  await call("fetches");
  return (await call("fetches")).status;
};
/** Whether the work is finished after a change. */
const finished: Probe = async ({ gate, call }) => {
  await call("write_file", { path: "new", content: "1" });
  return (await gate.finish()).done;
};

const HOOK = [{ command: "echo hooked" }];
/** Whether a hook has spoken. */
const told =
  (said: (it: Bench) => Promise<string>): Probe =>
  async (it) =>
    (await said(it)).includes("hooked");
const hooked =
  (): Probe =>
  async ({ call }) =>
    (await call("read_file", { path: "f" })).status;

const fetches = plain("fetches", {
  input: z.object({ url: z.string().optional() }),
  permissions: { required: ["network"] },
  touches: ({ url = "https://example.com/" }: { url?: string }) => [{ action: "fetch", url }],
});
const remover = plain("remover", {
  permissions: { required: ["write"] },
  touches: () => [{ action: "delete", target: "f" }],
});
const lines = "seq 1 50 | sed s/^/line-/";

/** A value, something that shows whether it is obeyed, and what that is with it and without. */
const rows: Record<string, [value: unknown, probe: Probe, with_: unknown, without: unknown]> = {
  mode: ["yolo", judged("write_file", { path: "x", content: "x" }), "allow", "ask"],
  autonomy: ["readonly", judged("write_file", { path: "x", content: "x" }), "deny", "ask"],
  toolset: [["read_file"], has("write_file"), false, true],
  dialect: ["claude", async ({ gate }) => JSON.stringify(await gate.schemas()).includes('"Read"'), true, false],
  store: ["memory", async ({ dir }) => existsSync(path.join(dir, ".toolgate/store.db")), false, true],
  "budget.max_calls": [1, second, "refused", "done"],
  "budget.max_changes": [1, second, "refused", "done"],
  "budget.max_tokens": [10, afterSpending, "refused", "done"],
  "budget.max_cost": [0.25, afterSpending, "refused", "done"],
  loops: ["warn", async (it) => (await again(it, 4)).includes("[This call was made 3 times"), true, false],
  "trust.outside_text": ["deny", secondFetch, "refused", "done"],
  "workspace.allow_delete": [true, judged("remover"), "ask", "deny"],
  "workspace.allowed_paths": [["../beside"], judged("read_file", { path: "../beside/g" }), "allow", "deny"],
  "workspace.forbidden_paths": [["f"], judged("read_file", { path: "f" }), "deny", "allow"],
  "workspace.write_safety": ["strict", judged("write_file", { path: "f", content: "y" }), "deny", "ask"],
  "model.name": ["qwen3", async ({ gate }) => shownNames(gate).includes("spawn_agent"), true, false],
  agents: [{ docs: { tools: ["read_file"] } }, agentsNamed, true, false],
  "skills.enabled": [false, skilled, [], ["s"]],
  "skills.folders": [["../more"], skilled, ["m", "s"], ["s"]],
  "skills.disabled": [["s"], skilled, [], ["s"]],
  "commands.enabled": [false, has("run_command"), false, true],
  "commands.max_output_lines": [10, async (it) => String(await said(lines)(it)).includes("line-25"), false, true],
  "commands.blocked_patterns": [["nonsense"], verdict("ls NONSENSE"), "deny", "allow"],
  "commands.safe_commands": [["make lint"], verdict("make lint"), "allow", "ask"],
  "commands.allowed_only": [true, verdict("rm f"), "deny", "ask"],
  "commands.allowlist": [["wc"], verdict("ls"), "deny", "allow"],
  "commands.env": [["SHOWN"], said("echo [$SHOWN]"), "[yes]", "[]"],
  "security.autonomy": ["readonly", judged("write_file", { path: "x", content: "x" }), "deny", "ask"],
  "security.workspace_only": [true, verdict("cat /etc/hostname"), "deny", "ask"],
  "security.forbidden_paths": [["f"], judged("read_file", { path: "f" }), "deny", "allow"],
  "security.allowed_commands": [["wc"], verdict("ls"), "deny", "allow"],
  "security.block_high_risk_commands": [true, verdict("rm f"), "deny", "ask"],
  "security.max_actions_per_hour": [1, second, "refused", "done"],
  "rules.allow": [["write(x)"], judged("write_file", { path: "x", content: "x" }), "allow", "ask"],
  "rules.ask": [["read(f)"], judged("read_file", { path: "f" }), "ask", "allow"],
  "rules.deny": [["read(f)"], judged("read_file", { path: "f" }), "deny", "allow"],
  "web.allow_private_hosts": [["127.0.0.1:8080"], judged("fetches", { url: "http://127.0.0.1:8080/" }), "ask", "deny"],
  "web.allow": [["docs.example.com"], judged("fetches", { url: "https://example.com/" }), "deny", "ask"],
  "web.deny": [["*.example.com"], judged("fetches", { url: "https://example.com/" }), "deny", "ask"],
  "web.rate": [1, secondFetch, "refused", "done"],
  "guardrails.protected_files": [["f"], judged("write_file", { path: "f", content: "y" }), "deny", "ask"],
  "guardrails.sensitive_files": [["f"], judged("read_file", { path: "f" }), "deny", "allow"],
  "guardrails.blocked_commands": [["nonsense"], verdict("ls NONSENSE"), "deny", "allow"],
  "guardrails.max_files_modified": [1, second, "refused", "done"],
  "guardrails.max_lines_changed": [1, second, "refused", "done"],
  "guardrails.max_commands_executed": [
    0,
    async ({ call }) => (await call("run_command", "ls")).status,
    "refused",
    "done",
  ],
  "guardrails.require_test_after_edit": [true, finished, false, true],
  "guardrails.code_rules": [
    [{ pattern: "eval\\(", severity: "block" }],
    judged("write_file", { path: "x", content: "eval(1)" }),
    "deny",
    "ask",
  ],
  "guardrails.quality_gates": [[{ name: "never", command: "false" }], finished, false, true],
  mcp_servers: [{ a: { command: "true" } }, has("tool_search"), true, false],
  "hooks.pre_tool_use": [[{ command: "exit 2" }], hooked(), "refused", "done"],
  "hooks.post_tool_use": [HOOK, told(async ({ call }) => (await call("read_file", { path: "f" })).output), true, false],
  "hooks.post_edit": [
    HOOK,
    told(async ({ call }) => (await call("write_file", { path: "x", content: "" })).output),
    true,
    false,
  ],
  "hooks.pre_llm_call": [
    HOOK,
    told(async ({ gate }) => String((await gate.fire("pre_llm_call")).context)),
    true,
    false,
  ],
  "hooks.post_llm_call": [
    HOOK,
    told(async ({ gate }) => String((await gate.fire("post_llm_call")).context)),
    true,
    false,
  ],
  "hooks.session_start": [HOOK, told(async ({ call }) => (await call("read_file", { path: "f" })).output), true, false],
  "hooks.on_error": [HOOK, told(async ({ call }) => (await call("read_file", { path: "none" })).output), true, false],
  "hooks.budget_warning": [
    HOOK,
    told(async ({ gate }) => String((await gate.child({ budget: { maxTokens: 10 } }).spend({ tokens: 8 })).context)),
    true,
    false,
  ],
  "hooks.context_compress": [
    HOOK,
    told(async ({ gate }) => String((await gate.fire("context_compress")).context)),
    true,
    false,
  ],
  "hooks.agent_complete": [HOOK, told(async ({ gate }) => (await gate.finish()).output), true, false],
};

/** Shown where a sandbox, a clock, a model or the end of a gate is needed. */
const ELSEWHERE = [
  "budget.prices",
  "hooks.session_end",
  "hooks.in_dry_run",
  "approval.timeout",
  "clients.unknown_tools",
  "clients.ask",
  "journal.max_age",
  "journal.max_size",
  "commands.default_timeout",
  "commands.sandbox",
  "commands.network",
  "commands.max_memory",
  "security.require_approval_for_medium_risk",
  "model.provider",
  "model.base_url",
  "model.api_key_env",
  "memory.embeddings",
  "web.secrets",
  "web.search",
  "web.proxy",
];

test("every key is shown to be obeyed, here or elsewhere", () => {
  expect([...Object.keys(rows), ...ELSEWHERE].sort()).toEqual(Object.keys(KEYS).sort());
});

describe("a key reaches what obeys it", () => {
  test.each(Object.entries(rows))("%s", async (key, [value, probe, obeyed, without]) => {
    vi.stubEnv("SHOWN", "yes");
    try {
      const base = folder({
        ...{ "ws/f": "x", "beside/g": "x", "alone/f": "x", "more/m/SKILL.md": skillText("m") },
        ...{ "ws/.agents/skills/s/SKILL.md": skillText("s"), "alone/.agents/skills/s/SKILL.md": skillText("s") },
      });
      // what is asked about by the mode that holds by default cannot be tried, and what is tried must not be asked about
      const tries = /^budget|per_hour|env|lines|loops|trust|max_|after_edit|quality|hooks|rate/.test(key);
      const open = (name: string, config: object) =>
        bench(
          {},
          {
            dir: path.join(base, name),
            config: { ...(tries && { mode: "yolo" }), ...config },
            mode: undefined as never,
            tools: [remover, fetches],
            ...(key !== "store" && { store: "memory" }),
          },
        );
      expect(await probe(await open("ws", written(key, value)))).toEqual(obeyed);
      expect(await probe(await open("alone", {}))).toEqual(without);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
