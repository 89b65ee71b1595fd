import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { written } from "../../test/configured.ts";
import { check } from "./check.ts";
import { loadConfig } from "./load.ts";
import { configJsonSchema, defaultOf } from "./schema.ts";
import { holdingsOf } from "./settings.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-written-")));
  mkdirSync(join(workspace, "real"));
  symlinkSync("real", join(workspace, "link"));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const loaded = async (key: string, value: unknown) => {
  const config = written(key, value) as object;
  const { settings } = await loadConfig({ workspace, userFolder: join(workspace, "nobody"), config });
  return { settings, told: holdingsOf(settings).find((each) => each.key === key) };
};
const at = (settings: object, path: string): unknown =>
  path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], settings);

describe("a value as it is written, as it holds, and as it is told again", () => {
  const hook = { name: "x", command: "x", filePatterns: [], timeout: 10, async: false, enabled: true };
  const rule = (text: string) => ({ rule: text });
  test.each<[key: string, written: unknown, path: string, holds: unknown, told: unknown]>([
    [
      "agents",
      { a: {} },
      "agents.a",
      { name: "a", description: "", prompt: "" },
      { a: { description: "", prompt: "" } },
    ],
    [
      "agents",
      { a: { description: "d", prompt: "p", tools: ["read_file"], policy: ["Patch"] } },
      "agents.a",
      { name: "a", description: "d", prompt: "p", tools: ["read_file"], gates: ["Patch"] },
      { a: { description: "d", prompt: "p", tools: ["read_file"], policy: ["Patch"] } },
    ],
    [
      "agents",
      { a: { tools: ["read_file", "*"], policy: [] } },
      "agents.a",
      { name: "a", description: "", prompt: "", gates: [] },
      { a: { description: "", prompt: "", policy: [] } },
    ],
    [
      "hooks.pre_tool_use",
      [{ command: "x" }],
      "hooks.preToolUse",
      [hook],
      [{ name: "x", command: "x", timeout: 10, async: false, enabled: true }],
    ],
    [
      "hooks.pre_tool_use",
      [{ command: "x", matcher: "*", file_patterns: ["*.ts"], on_failure: "deny", timeout: 600, async: true }],
      "hooks.preToolUse",
      [{ ...hook, matcher: "*", filePatterns: ["*.ts"], onFailure: "deny", timeout: 600, async: true }],
      [
        {
          ...{ name: "x", command: "x", timeout: 600, async: true, enabled: true, matcher: "*" },
          ...{ file_patterns: ["*.ts"], on_failure: "deny" },
        },
      ],
    ],
    [
      "memory.embeddings",
      { name: "m", base_url: "http://x.test/v1" },
      "memory.embeddings",
      { name: "m", baseUrl: "http://x.test/v1" },
      { name: "m", base_url: "http://x.test/v1" },
    ],
    [
      "memory.embeddings",
      { name: "m", base_url: "http://x.test/v1", api_key_env: "KEY" },
      "memory.embeddings",
      { name: "m", baseUrl: "http://x.test/v1", keyVariable: "KEY" },
      { name: "m", base_url: "http://x.test/v1", api_key_env: "KEY" },
    ],
    ["web.search", "brave", "web.search", { provider: "brave" }, "brave"],
    ["web.search", { provider: "brave" }, "web.search", { provider: "brave" }, "brave"],
    [
      "web.search",
      { provider: "searxng", base_url: "https://s.test" },
      "web.search",
      { provider: "searxng", url: "https://s.test" },
      { provider: "searxng", base_url: "https://s.test" },
    ],
    [
      "web.search",
      { provider: "brave", api_key_env: "KEY" },
      "web.search",
      { provider: "brave", keyFrom: "KEY" },
      { provider: "brave", api_key_env: "KEY" },
    ],
    ["approval.timeout", "90s", "approval.timeout", 90_000, 90],
    ["approval.timeout", 5, "approval.timeout", 5000, 5],
    ["approval.timeout", "1500ms", "approval.timeout", 1500, "1500ms"],
    ["budget.max_calls", 0, "budget.maxCalls", 0, 0],
    ["budget.max_cost", 0.5, "budget.maxCost", 0.5, 0.5],
    ["budget.max_calls", "unlimited", "budget.maxCalls", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["mode", "yolo", "mode", "yolo", "yolo"],
    ["rules.allow", [rule("write(src/**)"), "write(src/**)"], "rules.allow.length", 2, ["write(src/**)"]],
  ])("%s: %j", async (key, value, path, holds, told) => {
    const found = await loaded(key, value);
    expect(at(found.settings, path)).toStrictEqual(holds);
    expect(found.told).toStrictEqual({ key, value: told, isDefault: false });
  });

  test("what nobody set is told as the default, each setting once, and what holds nothing is not told", async () => {
    const { settings } = await loaded("mode", "yolo");
    const all = holdingsOf(settings);
    expect(all.find(({ key }) => key === "loops")).toEqual({ key: "loops", value: "warn", isDefault: true });
    expect(all.find(({ key }) => key === "journal.max_age")).toMatchObject({ value: "30d", isDefault: true });
    const keys = all.map(({ key }) => key);
    expect(keys).toContain("hooks.post_tool_use");
    for (const second of ["hooks.post_edit", "security.forbidden_paths", "autonomy", "model.name"])
      expect(keys, second).not.toContain(second);
  });

  test("a guardrail where 0 means no limit", async () => {
    const { settings } = await loaded("security.max_actions_per_hour", 0);
    expect(JSON.stringify(settings)).not.toContain('maxActionsPerHour":0');
  });

  test("folders start at the workspace, or at home", async () => {
    const { settings } = await loaded("workspace.allowed_paths", ["~", "~/notes", "sub", "/abs", "~x"]);
    expect(settings.workspace.allowedPaths).toEqual([
      ...[homedir(), join(homedir(), "notes"), join(workspace, "sub"), "/abs"],
      join(workspace, "~x"),
    ]);
  });

  const patterns = (rules: unknown) =>
    (rules as { statement: { pattern?: string } }[]).map(({ statement }) => statement.pattern);
  test.each<[text: string, behind: boolean]>([
    ["read(link/**)", true],
    ["list(link)", true],
    ["write(link/*.ts)", true],
    ["delete(link/a)", true],
    ["read(real/**)", false],
    ["run(link/x *)", false],
    ["fetch(link)", false],
    ["read_file(link/**)", false],
    ["read_file", false],
  ])("what %s forbids is forbidden behind its links, too: %s", async (text, behind) => {
    for (const kind of ["deny", "ask"] as const) {
      const { settings } = await loaded(`rules.${kind}`, [text]);
      expect(patterns(settings.rules[kind])).toHaveLength(behind ? 2 : 1);
      if (behind) expect(patterns(settings.rules[kind])[1]).toContain(join(workspace, "real"));
    }
    const { settings } = await loaded("rules.allow", [text]);
    expect(patterns(settings.rules.allow), "an allow says what it says").toHaveLength(1);
  });

  test("a rule that names its place in full has one name", async () => {
    for (const text of [`read(${join(workspace, "link")}/**)`, "read(~/x)"]) {
      const { settings } = await loaded("rules.deny", [text]);
      expect(settings.rules.deny).toHaveLength(1);
    }
  });
});

test.each<[key: string, words: readonly string[], wrap?: (word: string) => unknown]>([
  ["mode", ["confirm-all", "confirm-sensitive", "yolo"]],
  ["autonomy", ["readonly", "supervised", "full"]],
  ["store", ["sqlite", "memory"]],
  ["loops", ["refuse", "warn", "off"]],
  ["trust.outside_text", ["deny", "ask", "off"]],
  ["clients.unknown_tools", ["ask", "allow"]],
  ["clients.ask", ["refuse", "queue"]],
  ["workspace.write_safety", ["strict", "warn", "off"]],
  ["commands.sandbox", ["required", "auto", "off"]],
  ["web.search", ["duckduckgo", "searxng", "brave", "tavily"]],
  ["model.provider", ["openai-compatible", "openai", "anthropic", "google"]],
  ["hooks.on_error", ["allow", "ask", "deny"], (word) => [{ command: "x", on_failure: word }]],
  ["guardrails.code_rules", ["warn", "block"], (word) => [{ pattern: "x", severity: word }]],
  ["agents", ["Patch", "Finalize", "Delegate"], (word) => ({ a: { policy: [word] } })],
])("%s takes %j and no other word", (key, words, wrap = (word) => word) => {
  for (const word of words) expect(check(written(key, wrap(word)), "file"), word).toHaveProperty("config");
  for (const word of ["nonsense", words[0]?.toUpperCase() as string])
    if (!words.includes(word)) expect(check(written(key, wrap(word)), "file"), word).toHaveProperty("problems");
});

test.each<[written: unknown, told: string | undefined]>([
  [undefined, undefined],
  [[], undefined],
  [{}, undefined],
  [["a", "b"], "a,b"],
  [null, "null"],
  [0, "0"],
  [false, "false"],
  ["30d", "30d"],
])("the default %j is told as %j", (value, told) => expect(defaultOf({ default: value })).toBe(told));

test("editors are told what holds without a key, and nothing where nothing does", () => {
  type Described = { description?: string; properties?: Record<string, Described> };
  const { properties = {} } = configJsonSchema() as Described;
  expect(properties.mode?.description).toBe("Which calls ask a person. Default: confirm-sensitive.");
  expect(properties.autonomy?.description).not.toContain("Default:");
  expect(properties.journal?.properties?.max_age?.description).toContain("Default: 30d.");
  expect(properties.journal?.properties?.max_size?.description).toContain("Default: 500MB.");
  expect(Object.keys(properties.web?.properties ?? {})).toEqual(
    expect.arrayContaining(["allow_private_hosts", "allow", "deny", "rate", "secrets", "search", "proxy"]),
  );
});

describe("refused, with what is accepted", () => {
  const many = `${"*a".repeat(40)}{b,c}`;
  test.each<[key: string, written: unknown, says: string]>([
    ["agents", { "a b": {} }, 'agents.a b: got "a b"; accepted: a name of letters, digits, _ and -'],
    ["agents", { a: { tool: [] } }, 'unknown key "agents.a.tool"'],
    ["agents", { a: 1 }, "accepted: agents by name, each with description, prompt, tools and policy"],
    ["agents", { a: { policy: ["Push"] } }, "accepted: one of Patch, Finalize, Delegate"],
    ["hooks.pre_tool_use", [{ command: "x", matcher: "(" }], "accepted: names of tools, such as Edit|Write"],
    ["hooks.pre_tool_use", [{ command: "x", file_patterns: [many] }], "accepted: a glob with fewer stars"],
    ["hooks.pre_tool_use", [{ command: "a\0b" }], "accepted: a command without NUL"],
    ["hooks.pre_tool_use", [{ command: "x", on_failure: "stop" }], "accepted: one of allow, ask, deny"],
    ["hooks.pre_tool_use", ["x"], "accepted: a list of hooks with name, command"],
    ["model.base_url", "http://", "accepted: a URL that starts with http:// or https://"],
    ["model.base_url", "ftp://x.test", "accepted: a URL that starts with http:// or https://"],
    ["model.provider", "nobody", "accepted: one of openai-compatible, openai, anthropic, google"],
    ["web.search", { provider: "brave", base_url: "ftp://x.test" }, "a URL that starts with http"],
    ["web.search", { provider: "brave", base_url: "http://" }, "a URL that starts with http"],
    ["web.search", "nobody", "duckduckgo, searxng, brave, tavily"],
    ["web.proxy", "https://x.test", "accepted: the URL of a proxy"],
    ["workspace.forbidden_paths", ["a\0b"], "accepted: a path without NUL"],
    ["workspace.forbidden_paths", [many], "accepted: a glob with fewer stars, or without braces"],
    ["workspace.forbidden_paths", ["a".repeat(4097)], "accepted: a path of at most 4096 characters"],
    ["workspace.allowed_paths", ["a\0b"], "accepted: a path without NUL"],
    ["guardrails.code_rules", [{ pattern: "a", mesage: "b" }], 'unknown key "guardrails.code_rules.0.mesage"'],
    ["guardrails.code_rules", ["a"], "accepted: a list of rules with pattern, message and severity"],
    ["guardrails.quality_gates", ["a"], "accepted: a list of checks with name, command, required and timeout"],
    ["rules.deny", [{ rule: "write(a)", reasn: "b" }], "rules.deny.0"],
    ["rules.deny", [1], "accepted: a list of rules such as write(src/**)"],
    ["budget.max_calls", 1.5, "accepted: a whole number from 0, or unlimited"],
    ["mode", true, "mode: got true; accepted: one of confirm-all, confirm-sensitive, yolo"],
  ])("%s: %j", (key, value, says) => {
    const checked = check(written(key, value), "file");
    const messages = "problems" in checked ? checked.problems.map(({ message }) => message).join("\n") : "accepted";
    expect(messages).toContain(says);
  });

  test("what is no mapping at all is told without a key", () => {
    const checked = check([], "file");
    const [problem] = "problems" in checked ? checked.problems : [];
    expect(problem?.message).toMatch(/^got \[\]; accepted: a mapping with mode, /);
  });

  test("a guess is made for words alone", () => {
    const message = (mode: unknown) => {
      const checked = check({ mode }, "file");
      return "problems" in checked ? checked.problems[0]?.message : "";
    };
    expect(message("yol")).toContain("did you mean yolo?");
    expect(message(["yolo"])).not.toContain("did you mean");
  });

  test.each(["*", " * ", "Edit|Write", "mcp_.*", ""])("%j is a matcher", (matcher) => {
    expect(check({ hooks: { pre_tool_use: [{ command: "x", matcher }] } }, "file")).toHaveProperty("config");
  });
});
