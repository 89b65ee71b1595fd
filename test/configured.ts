import { type RuleKind, readRule, type WrittenRule } from "../src/rules/rule.ts";

/** What a key does: `at` is where it is found in the settings, `start` what the person's own file says, if anything. */
export type KeyRow = {
  at: string;
  start?: unknown;
  /** What holds with `start` alone. */
  holds: unknown;
  /** Written in a workspace's file that nobody accepted, and what holds then. */
  stricter: readonly (readonly [written: unknown, holds: unknown])[];
  /** Written there and left out; what holds once the file was accepted. */
  looser: readonly (readonly [written: unknown, accepted: unknown])[];
  /** What still restricts of a value that is left out. */
  narrowed?(written: unknown): unknown;
  odd: readonly unknown[];
  /** Nothing may be written for it, too. */
  orNull?: boolean;
};

const NO_BOOLEANS = ["yes", "true", "", 1, 0, [], [true], {}];
const NO_WHOLE_NUMBERS = [0, -1, 1.5, "10", "", Infinity, NaN, 2 ** 53, true, [], {}, [1]];
const NO_LISTS = ["x", "", 1, true, {}, [1], [""], [null], [["a"]], [{}], { 0: "a" }];
const NO_DURATIONS = ["30", "d", "0d", "-1d", "1D", "1 day", "1e3d", "1d ", " 1d", 0, -1, 1.5, NaN, true, ["1d"], {}];
const NO_SIZES = ["30", "MB", "0MB", "-1MB", "5M", "1EB", "1 MB ", "0x1B", 0, -1, 1.5, NaN, true, ["1MB"], {}];
const oneOfCase = (value: string) => [value.toUpperCase(), ` ${value}`, `${value}\n`, "", [value], { [value]: true }];

const restriction = (at: string): KeyRow => ({
  ...{ at, start: true, holds: true, odd: NO_BOOLEANS },
  ...{ stricter: [[true, true]], looser: [[false, false]] },
});
const permission = (at: string): KeyRow => ({
  ...{ at, start: false, holds: false, odd: NO_BOOLEANS },
  ...{ stricter: [[false, false]], looser: [[true, true]] },
});
const ruleOf = (kind: RuleKind, written: WrittenRule) => readRule(kind, written);
const restrictingRules = (kind: RuleKind): KeyRow => ({
  ...{ at: `rules.${kind}`, start: ["write(a/**)"], holds: [ruleOf(kind, "write(a/**)")], odd: NO_LISTS },
  stricter: [
    [["run(npm test)"], [ruleOf(kind, "write(a/**)"), ruleOf(kind, "run(npm test)")]],
    [[{ rule: "read(b/**)" }], [ruleOf(kind, "write(a/**)"), ruleOf(kind, { rule: "read(b/**)" })]],
  ],
  looser: [],
});
const NO_HOSTS = [
  ...NO_LISTS,
  ...["http://a.example", "a b", "10.0.0.0/33", "a.*", "127.*", "*.1", "a.example:0", "a/b", "u@a"].map((host) => [
    host,
  ]),
];
const HOOK_KEYS = {
  ...{ pre_tool_use: "preToolUse", post_tool_use: "postToolUse", post_edit: "postToolUse" },
  ...{ pre_llm_call: "preLlmCall", post_llm_call: "postLlmCall" },
  ...{ session_start: "sessionStart", session_end: "sessionEnd", on_error: "onError" },
  ...{ budget_warning: "budgetWarning", context_compress: "contextCompress", agent_complete: "agentComplete" },
};
const EMBEDS = { name: "e5", base_url: "http://localhost:1/v1" };
const A_PRICE = { model: "gpt-5*", input: 1.25, output: 10 };
const A_HOOK = { name: "a", command: "true" };
const NO_HOOKS = [
  ...["a", 1, {}, ["a"], [{}], [{ name: "a" }], [{ ...A_HOOK, command: "" }], [{ ...A_HOOK, name: "" }]],
  ...[[{ ...A_HOOK, timeout: 0 }], [{ ...A_HOOK, timeout: 601 }], [{ ...A_HOOK, timeout: "5" }]],
  ...[[{ ...A_HOOK, matcher: "(" }], [{ ...A_HOOK, matcher: 1 }], [{ ...A_HOOK, file_patterns: "*.py" }]],
  ...[[{ ...A_HOOK, async: "no" }], [{ ...A_HOOK, enabled: 1 }], [{ ...A_HOOK, on_failure: "block" }]],
  [{ ...A_HOOK, command: "a\0b" }],
];
/** It runs something, so that every entry counts only once the file was accepted. */
const hookRow = (at: string, edits: boolean): KeyRow => {
  const usual = { filePatterns: [], timeout: 10, async: false, enabled: true };
  const held = (more: object = {}) => ({
    ...{ ...A_HOOK, ...(edits && { matcher: "edit_file|write_file|apply_patch" }), ...usual, ...more },
  });
  const own = { name: "b", matcher: "Edit|Write", timeout: 5, async: true, enabled: false };
  return {
    ...{ at, start: [A_HOOK], holds: [held()], odd: NO_HOOKS },
    stricter: [[[], [held()]]],
    looser: [
      [
        [{ ...A_HOOK, ...own, file_patterns: ["*.py"], on_failure: "deny" }],
        [held(), held({ ...own, filePatterns: ["*.py"], onFailure: "deny" })],
      ],
      [[{ command: "echo hi" }], [held(), held({ name: "echo hi", command: "echo hi" })]],
    ],
  };
};
/** What is not said of a server. */
const A_SERVER = {
  ...{ type: "stdio", command: "", args: [], url: "", headers: {}, env: {} },
  ...{ enabled: true, timeout: 120_000, startupTimeout: 30_000 },
};
const NO_SERVERS = [
  ...[
    "a",
    1,
    true,
    [],
    ["a"],
    { a: 1 },
    { a: {} },
    { a: { command: "" } },
    { a: { command: "x\0" } },
    { a: { url: "" } },
  ],
  ...[{ a: { url: "ftp://x" } }, { a: { url: "x" } }, { a: { command: "x", url: "http://x" } }, { a: { command: 1 } }],
  ...[
    { a: { type: "sse", command: "x" } },
    { a: { type: "stdio", url: "http://x" } },
    { a: { type: "x", command: "x" } },
  ],
  ...[
    { a: { command: "x", args: "y" } },
    { a: { command: "x", args: [1] } },
    { a: { command: "x", env: { "A=B": "" } } },
  ],
  ...[
    { a: { command: "x", env: { A: [] } } },
    { a: { command: "x", timeout: 0 } },
    { a: { command: "x", timeout: "5" } },
  ],
  ...[{ a: { url: "http://x", headers: { a: 1 } } }, { a: { url: "http://x", token_env: "A B" } }],
  ...[
    { a: { url: "http://x", oauth: { grant: "password" } } },
    { a: { url: "http://x", oauth: { client_secret_env: "S" } } },
    { a: { url: "http://x", oauth: { issuer: "nowhere" } } },
    { a: { url: "http://x", oauth: {}, token_env: "T" } },
    { a: { command: "x", enabled: "yes" } },
    { a: { command: "x", tools: "y" } },
  ],
  ...[{ "a/b": { command: "x" } }, { "a(b": { command: "x" } }, { "": { command: "x" } }, { "a*": { command: "x" } }],
];
/** The smaller of the two holds, also in a file that was accepted; it may be said that there is no limit. */
const most = (at: string, more: Partial<KeyRow> = {}): KeyRow => ({
  ...{ at, start: 5, holds: 5, orNull: true },
  odd: NO_WHOLE_NUMBERS.filter((value) => value !== 0),
  stricter: [
    [4, 4],
    [0, 0],
    [5, 5],
  ],
  looser: [
    [6, 5],
    ["unlimited", 5],
  ],
  ...more,
});
const allowList = (at: string): KeyRow => ({
  ...{ at, start: ["ls", "wc"], holds: ["ls", "wc"], odd: NO_LISTS },
  stricter: [
    [["ls"], ["ls"]],
    [[], []],
    [
      ["wc", "ls"],
      ["wc", "ls"],
    ],
  ],
  looser: [
    [
      ["ls", "rm"],
      ["ls", "rm"],
    ],
    [["*"], ["*"]],
    [["LS"], ["LS"]],
  ],
  narrowed: (list) => {
    const written = list as string[];
    return written.includes("*") ? ["ls", "wc"] : ["ls", "wc"].filter((name) => written.includes(name));
  },
});
/** More of it allows more. */
const opening = (at: string, a: string, b: string, odd = NO_LISTS): KeyRow => ({
  ...{ at, start: [a], holds: [a], odd },
  stricter: [
    [[a], [a]],
    [[], [a]],
  ],
  looser: [
    [[b], [a, b]],
    [
      [a, b],
      [a, b],
    ],
  ],
});
/** More of it forbids more. */
const closing = (at: string): KeyRow => ({
  ...{
    at,
    start: ["a"],
    holds: ["a"],
    looser: [],
    odd: [...NO_LISTS, ["a\0b"], ["{a,b}/*x*y*z*"], ["a".repeat(4097)]],
  },
  stricter: [
    [["b"], ["a", "b"]],
    [["a"], ["a"]],
    [[], ["a"]],
  ],
});
/** It says where data goes. */
const leading = (at: string, start: string, other: string, odd: readonly unknown[]): KeyRow => ({
  ...{ at, start, holds: start, odd, stricter: [[start, start]], looser: [[other, other]] },
});
const agentOf = (name: string, tools?: readonly string[]) => ({
  ...{ name, description: "", prompt: "" },
  ...(tools && { tools }),
});
/** It neither opens nor closes anything. */
const taste = (at: string, holds: unknown, other: unknown, odd: readonly unknown[]): KeyRow => ({
  ...{ at, holds, stricter: [[other, other]], looser: [], odd },
});

const autonomy: KeyRow = {
  ...{ at: "autonomy", start: "supervised", holds: "supervised" },
  stricter: [
    ["readonly", "readonly"],
    ["supervised", "supervised"],
  ],
  looser: [["full", "full"]],
  odd: [...oneOfCase("full"), "read-only", "none"],
};

const A_RULE = { pattern: "a", message: "no a", severity: "warn" };
const B_RULE = { pattern: "b", message: "this should not be written here", severity: "block" };
const A_GATE = { name: "a", command: "make" };

/** Every key of the configuration; a test sees to it that none is missing. */
export const KEYS: Readonly<Record<string, KeyRow>> = {
  mode: {
    ...{ at: "mode", start: "confirm-sensitive", holds: "confirm-sensitive" },
    stricter: [
      ["confirm-all", "confirm-all"],
      ["confirm-sensitive", "confirm-sensitive"],
    ],
    looser: [["yolo", "yolo"]],
    odd: [...oneOfCase("yolo"), "confirm_all", "confirm"],
  },
  autonomy,
  toolset: {
    ...{ at: "toolset", start: "files", holds: "files", stricter: [["files", "files"]] },
    looser: [
      ["default", "default"],
      ["all", "all"],
      ["commands", "commands"],
      [["run_command"], ["run_command"]],
      [
        ["files", "run_command"],
        ["files", "run_command"],
      ],
    ],
    odd: ["", [], [""], [1], 1, true, {}, [["files"]]],
  },
  dialect: taste("dialect", "auto", "claude", ["", 1, true, [], ["claude"], {}]),
  store: {
    ...{
      at: "store",
      start: "sqlite",
      holds: "sqlite",
      stricter: [["sqlite", "sqlite"]],
      looser: [["memory", "memory"]],
    },
    odd: [...oneOfCase("memory"), "sqllite", "none"],
  },
  "budget.max_calls": most("budget.maxCalls"),
  "budget.max_changes": most("budget.maxChanges"),
  "budget.max_tokens": most("budget.maxTokens"),
  "budget.max_cost": most("budget.maxCost", {
    stricter: [
      [4.5, 4.5],
      [0, 0],
    ],
    odd: NO_WHOLE_NUMBERS.filter((value) => value !== 0 && value !== 1.5 && value !== 2 ** 53),
  }),
  "budget.prices": {
    ...{ at: "prices", start: [A_PRICE], holds: [A_PRICE], stricter: [[[A_PRICE], [A_PRICE]]] },
    looser: [[[{ ...A_PRICE, input: 0 }], [A_PRICE, { ...A_PRICE, input: 0 }]]],
    odd: [
      ...["a", 1, {}, ["a"], [{}], [{ model: "a" }], [{ ...A_PRICE, model: "" }], [{ ...A_PRICE, input: -1 }]],
      ...[[{ ...A_PRICE, output: "1" }], [{ ...A_PRICE, input: Infinity }]],
    ],
  },
  loops: {
    ...{ at: "loops", start: "warn", holds: "warn", odd: [...oneOfCase("warn"), "strict", true, false] },
    stricter: [
      ["refuse", "refuse"],
      ["warn", "warn"],
    ],
    looser: [["off", "off"]],
  },
  "trust.outside_text": {
    ...{ at: "trust.outsideText", start: "ask", holds: "ask", odd: [...oneOfCase("ask"), "allow", true, false] },
    stricter: [
      ["deny", "deny"],
      ["ask", "ask"],
    ],
    looser: [["off", "off"]],
  },
  "approval.timeout": {
    ...{ at: "approval.timeout", start: "2h", holds: 7_200_000, looser: [] },
    odd: NO_DURATIONS,
    stricter: [
      ["3h", 10_800_000],
      [90, 90_000],
      ["250ms", 250],
    ],
  },
  "clients.unknown_tools": {
    ...{ at: "clients.unknownTools", start: "ask", holds: "ask", odd: [...oneOfCase("ask"), "deny", true, false] },
    stricter: [["ask", "ask"]],
    looser: [["allow", "allow"]],
  },
  "clients.ask": {
    ...{ at: "clients.ask", start: "refuse", holds: "refuse", looser: [] },
    odd: [...oneOfCase("refuse"), "ask", true, false],
    stricter: [["queue", "queue"]],
  },
  "journal.max_age": {
    ...{ at: "journal.maxAge", start: "2h", holds: 7_200_000, odd: NO_DURATIONS },
    stricter: [
      ["3h", 10_800_000],
      [7_200_000, 7_200_000],
      ["1.5 d", 129_600_000],
    ],
    looser: [
      ["119m", 7_140_000],
      [1, 1],
    ],
  },
  "journal.max_size": {
    ...{ at: "journal.maxSize", start: "2MB", holds: 2_000_000, odd: NO_SIZES },
    stricter: [
      ["2MiB", 2_097_152],
      [2_000_000, 2_000_000],
      ["1 gb", 1_000_000_000],
    ],
    looser: [
      ["1999kB", 1_999_000],
      [1, 1],
    ],
  },
  "workspace.allow_delete": permission("workspace.allowDelete"),
  "workspace.allowed_paths": opening("workspace.allowedPaths", "/srv/a", "/srv/b", [...NO_LISTS, ["a\0b"]]),
  "workspace.forbidden_paths": closing("workspace.forbiddenPaths"),
  "workspace.write_safety": {
    ...{ at: "workspace.writeSafety", start: "warn", holds: "warn", odd: [...oneOfCase("warn"), "on", true, false] },
    stricter: [
      ["strict", "strict"],
      ["warn", "warn"],
    ],
    looser: [["off", "off"]],
  },
  "model.provider": leading("model.provider", "openai", "anthropic", [...oneOfCase("openai"), "mistral", 1]),
  "model.name": leading("model.name", "qwen3", "other/model", ["", 1, true, [], {}]),
  "model.base_url": leading("model.baseUrl", "http://localhost:11434/v1", "https://models.example/v1", [
    ...["", "localhost:11434", "ftp://models.example", "file:///etc/passwd", "//models.example", 1, [], {}],
  ]),
  "model.api_key_env": leading("model.keyVariable", "MY_KEY", "OTHER_KEY", ["", "sk-live", "A B", "1A", "$KEY", 1, []]),
  "memory.embeddings": {
    ...{ at: "memory.embeddings", start: EMBEDS, holds: { name: "e5", baseUrl: "http://localhost:1/v1" } },
    stricter: [[EMBEDS, { name: "e5", baseUrl: "http://localhost:1/v1" }]],
    looser: [
      [
        { ...EMBEDS, base_url: "https://else.example/v1", api_key_env: "KEY" },
        { name: "e5", baseUrl: "https://else.example/v1", keyVariable: "KEY" },
      ],
    ],
    odd: [
      ...["e5", 1, true, [], {}, { name: "e5" }, { base_url: "http://localhost:1/v1" }, { ...EMBEDS, name: "" }],
      ...[
        { ...EMBEDS, base_url: "localhost" },
        { ...EMBEDS, api_key_env: "sk-live" },
      ],
    ],
  },
  agents: {
    ...{ at: "agents", start: { docs: { tools: ["read_file"] } }, holds: { docs: agentOf("docs", ["read_file"]) } },
    stricter: [
      [{}, { docs: agentOf("docs", ["read_file"]) }],
      [{ docs: { tools: ["read_file"] } }, { docs: agentOf("docs", ["read_file"]) }],
      [
        { other: { tools: ["*"], policy: ["Patch"] } },
        { docs: agentOf("docs", ["read_file"]), other: { ...agentOf("other"), gates: ["Patch"] } },
      ],
    ],
    looser: [[{ docs: { tools: ["grep"] } }, { docs: agentOf("docs", ["grep"]) }]],
    narrowed: () => ({ docs: agentOf("docs", ["read_file"]) }),
    odd: [
      ...["docs", 1, ["docs"], { docs: "x" }, { docs: { tools: "read_file" } }, { docs: { tools: [1] } }],
      ...[{ docs: { policy: ["Paint"] } }, { docs: { prompt: 1 } }, { "a b": {} }],
    ],
  },
  "skills.enabled": permission("skills.enabled"),
  "skills.folders": opening("skills.folders", "/srv/a", "/srv/b", [...NO_LISTS, ["a\0b"]]),
  "skills.disabled": { ...closing("skills.disabled"), odd: NO_LISTS },
  "commands.enabled": permission("commands.enabled"),
  "commands.default_timeout": taste("commands.defaultTimeout", 30, 7, NO_WHOLE_NUMBERS),
  "commands.max_output_lines": taste("commands.maxOutputLines", 200, 7, NO_WHOLE_NUMBERS),
  "commands.blocked_patterns": {
    ...closing("commands.blockedPatterns"),
    odd: [...NO_LISTS.filter((value) => JSON.stringify(value) !== '[""]'), ["("], ["a", "[z-a]"], ["*"]],
  },
  "commands.safe_commands": opening("commands.safeCommands", "make lint", "rm"),
  "commands.allowed_only": restriction("commands.allowedOnly"),
  "commands.allowlist": allowList("commands.allowlist"),
  "commands.sandbox": {
    ...{ at: "commands.sandbox", start: "auto", holds: "auto" },
    stricter: [
      ["required", "required"],
      ["auto", "auto"],
    ],
    looser: [["off", "off"]],
    odd: [...oneOfCase("off"), "no", "bubblewrap", false, true],
  },
  "commands.network": permission("commands.network"),
  "commands.max_memory": {
    ...{ at: "commands.maxMemory", start: "2MB", holds: 2_000_000, odd: NO_SIZES },
    stricter: [
      ["1MB", 1_000_000],
      [2_000_000, 2_000_000],
    ],
    looser: [["1GB", 2_000_000]],
  },
  "commands.env": opening("commands.passEnv", "CI", "AWS_SECRET_ACCESS_KEY"),
  "security.autonomy": autonomy,
  "security.workspace_only": restriction("commands.workspaceOnly"),
  "security.forbidden_paths": closing("workspace.forbiddenPaths"),
  "security.allowed_commands": allowList("commands.allowedCommands"),
  "security.block_high_risk_commands": restriction("commands.blockHighRisk"),
  "security.require_approval_for_medium_risk": restriction("commands.approveMediumRisk"),
  "security.max_actions_per_hour": most("budget.maxActionsPerHour", {
    stricter: [
      [4, 4],
      [5, 5],
    ],
    looser: [
      [6, 5],
      [0, 5],
      ["unlimited", 5],
    ],
  }),
  "web.allow_private_hosts": opening("web.allowPrivateHosts", "127.0.0.1:8080", "10.0.0.0/8", NO_HOSTS),
  "web.allow": {
    ...{ at: "web.allow", start: ["a.example", "b.example"], holds: ["a.example", "b.example"], odd: NO_HOSTS },
    stricter: [
      [["a.example"], ["a.example"]],
      [[], []],
    ],
    looser: [
      [["c.example"], ["c.example"]],
      [["*"], ["*"]],
    ],
    narrowed: (list) => ((list as string[]).includes("*") ? ["a.example", "b.example"] : []),
  },
  "web.deny": {
    ...{ at: "web.deny", start: ["a.example"], holds: ["a.example"], looser: [], odd: NO_HOSTS },
    stricter: [
      [
        ["10.0.0.0/8", "[::1]:80"],
        ["a.example", "10.0.0.0/8", "[::1]:80"],
      ],
      [[], ["a.example"]],
    ],
  },
  "web.rate": {
    ...{ at: "web.rate", start: 5, holds: 5, odd: NO_WHOLE_NUMBERS, stricter: [[4, 4]], looser: [[6, 6]] },
  },
  "web.secrets": {
    ...{ at: "web.secrets", start: { KEY: ["a.example"] }, holds: { KEY: ["a.example"] } },
    stricter: [[{}, { KEY: ["a.example"] }]],
    looser: [
      [{ KEY: ["b.example"] }, { KEY: ["a.example", "b.example"] }],
      [{ OTHER: ["a.example"] }, { KEY: ["a.example"], OTHER: ["a.example"] }],
    ],
    odd: ["KEY", ["KEY"], { KEY: "a.example" }, { KEY: ["http://a.example"] }, { "A-B": ["a.example"] }, 1, true],
  },
  "web.search": {
    ...{ at: "web.search", start: "brave", holds: { provider: "brave" }, stricter: [["brave", { provider: "brave" }]] },
    looser: [
      ["duckduckgo", { provider: "duckduckgo" }],
      [
        { provider: "searxng", base_url: "https://search.example" },
        { provider: "searxng", url: "https://search.example" },
      ],
      [
        { provider: "brave", api_key_env: "OTHER" },
        { provider: "brave", keyFrom: "OTHER" },
      ],
    ],
    odd: [...oneOfCase("brave"), "google", { provider: "google" }, { base_url: "x" }],
  },
  "web.proxy": {
    ...{ at: "web.proxy", start: "http://a.example:3128", holds: "http://a.example:3128" },
    stricter: [["http://a.example:3128", "http://a.example:3128"]],
    looser: [["http://b.example", "http://b.example"]],
    odd: ["a.example", "a.example:3128", "socks5://a.example", "", 1, true, ["http://a.example"]],
  },
  "guardrails.protected_files": closing("guardrails.protectedFiles"),
  "guardrails.sensitive_files": closing("guardrails.sensitiveFiles"),
  "guardrails.blocked_commands": {
    ...{ at: "guardrails.blockedCommands", start: ["push"], holds: ["push"], looser: [] },
    stricter: [
      [["(?!a)b"], ["push", "(?!a)b"]],
      [["push"], ["push"]],
    ],
    odd: ["push", 1, [1], ["("], ["a", "[z-a]"], ["*"]],
  },
  "guardrails.max_files_modified": most("guardrails.maxFilesModified"),
  "guardrails.max_lines_changed": most("guardrails.maxLinesChanged"),
  "guardrails.max_commands_executed": most("guardrails.maxCommandsExecuted"),
  "guardrails.require_test_after_edit": restriction("guardrails.requireTestAfterEdit"),
  "guardrails.code_rules": {
    ...{ at: "guardrails.codeRules", looser: [] },
    ...{ start: [{ pattern: "a", message: "no a" }], holds: [A_RULE] },
    stricter: [
      [[{ pattern: "b", message: "no b", severity: "block" }], [A_RULE, { ...B_RULE, message: "no b" }]],
      [[{ pattern: "b", severity: "block" }], [A_RULE, B_RULE]],
      [[{ pattern: "a", message: "no a", severity: "warn" }], [A_RULE]],
      [[], [A_RULE]],
    ],
    odd: [
      ...["a", 1, {}, ["a"], [{}], [{ message: "x" }], [{ pattern: "(" }], [{ pattern: "(a)\\1" }]],
      ...[[{ pattern: "a", message: "" }], [{ pattern: "a", severity: "error" }], [{ pattern: 1 }]],
    ],
  },
  "guardrails.quality_gates": {
    ...{ at: "guardrails.qualityGates", start: [A_GATE], holds: [{ ...A_GATE, required: true, timeout: 60 }] },
    stricter: [[[], [{ ...A_GATE, required: true, timeout: 60 }]]],
    // it runs something
    looser: [
      [
        [{ ...A_GATE, name: "b", required: false, timeout: 600 }],
        [
          { ...A_GATE, required: true, timeout: 60 },
          { ...A_GATE, name: "b", required: false, timeout: 600 },
        ],
      ],
    ],
    odd: [
      ...["a", 1, {}, ["a"], [{}], [{ name: "a" }], [{ command: "a" }], [{ ...A_GATE, name: "" }]],
      ...[[{ ...A_GATE, timeout: 0 }], [{ ...A_GATE, timeout: 601 }], [{ ...A_GATE, required: "no" }]],
    ],
  },
  ...Object.fromEntries(
    Object.entries(HOOK_KEYS).map(([key, at]) => [`hooks.${key}`, hookRow(`hooks.${at}`, key === "post_edit")]),
  ),
  "hooks.in_dry_run": permission("hooks.inDryRun"),
  mcp_servers: {
    ...{ at: "servers", start: { a: { command: "x" } }, holds: { a: { ...A_SERVER, command: "x" } }, odd: NO_SERVERS },
    stricter: [
      [{}, { a: { ...A_SERVER, command: "x" } }],
      [{ a: { command: "x" } }, { a: { ...A_SERVER, command: "x" } }],
    ],
    looser: [
      [{ a: { command: "y" } }, { a: { ...A_SERVER, command: "y" } }],
      [
        { b: { url: "https://x.example/mcp", headers: { X: "${Y}" }, token_env: "Z", timeout: 5, tools: ["z*"] } },
        {
          a: { ...A_SERVER, command: "x" },
          b: {
            ...{ ...A_SERVER, type: "http", url: "https://x.example/mcp", headers: { X: "${Y}" } },
            ...{ tokenEnv: "Z", timeout: 5_000, tools: ["z*"] },
          },
        },
      ],
      [
        { b: { type: "sse", url: "${BASE}/sse", oauth: { client_id: "c", client_secret_env: "S", scope: "s" } } },
        {
          a: { ...A_SERVER, command: "x" },
          b: {
            ...{ ...A_SERVER, type: "sse", url: "${BASE}/sse" },
            oauth: { grant: "client_credentials", clientId: "c", secretEnv: "S", scope: "s" },
          },
        },
      ],
    ],
  },
  "rules.allow": {
    ...{ at: "rules.allow", start: ["write(a/**)"], holds: [ruleOf("allow", "write(a/**)")], odd: NO_LISTS },
    stricter: [[[], [ruleOf("allow", "write(a/**)")]]],
    looser: [[["run(npm test)"], [ruleOf("allow", "write(a/**)"), ruleOf("allow", "run(npm test)")]]],
  },
  "rules.ask": restrictingRules("ask"),
  "rules.deny": restrictingRules("deny"),
};

/** `{ commands: { network: true } }` of `commands.network` and true. */
export const written = (key: string, value: unknown): object =>
  key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

export const settingAt = (settings: unknown, at: string): unknown =>
  at.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], settings);
