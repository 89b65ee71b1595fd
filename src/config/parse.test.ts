import { describe, expect, test } from "vitest";
import { parseConfig } from "./parse.ts";
import { configJsonSchema } from "./schema.ts";

const read = (text: string) => parseConfig(text, "toolgate.yaml");

function problems(text: string): string[] {
  const checked = read(text);
  if (!("problems" in checked)) throw new Error("it was accepted");
  return checked.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const EVERYTHING = `
mode: yolo
autonomy: supervised
toolset: [files, run_command]
dialect: claude
store: memory
budget: { max_calls: 10, max_changes: 1 }
journal:
  max_age: 90m
  max_size: 2GB
workspace:
  allow_delete: true
  allowed_paths: [../other, ~/notes]
  forbidden_paths: ["secrets/**"]
`;

describe("accepted", () => {
  test.each<[string, object]>([
    ["", {}],
    ["# a comment only\n", {}],
    ["---\n", {}],
    ["\uFEFFmode: yolo\r\n", { mode: "yolo" }],
    ["toolset: all", { toolset: "all" }],
    ["journal: { max_age: 1000, max_size: 500 MB }", { journal: { max_age: 1000, max_size: "500 MB" } }],
    ["approval: { timeout: 90 }", { approval: { timeout: 90 } }],
    ["dialect: $HOME", { dialect: "$HOME" }],
    ["a: &m yolo\n".replace("a:", "dialect:").concat("mode: *m\n"), { dialect: "yolo", mode: "yolo" }],
  ])("%j", (text, config) => {
    expect(read(text)).toHaveProperty("config", config);
  });
  test("every key", () => {
    expect(read(EVERYTHING)).toMatchObject({ config: { mode: "yolo", journal: { max_age: "90m", max_size: "2GB" } } });
  });
});

describe("refused, with the place and what is accepted", () => {
  const bomb = `${["a: &a [x,x,x,x,x,x,x,x]", ..."bcdefgh".split("").map((name, index) => `${name}: &${name} [${Array(8).fill(`*${"abcdefgh"[index]}`)}]`)].join("\n")}\n`;
  test.each<[string, string, string[]]>([
    [
      "a wrong word",
      "mode: yollo",
      [`1:7 mode: got "yollo"; accepted: one of confirm-all, confirm-sensitive, yolo; did you mean yolo?`],
    ],
    ["nothing", "mode:\n", ["1:6 mode: got nothing; accepted: one of confirm-all, confirm-sensitive, yolo"]],
    ["a wrong kind", "mode: 3", ["1:7 mode: got 3; accepted: one of confirm-all, confirm-sensitive, yolo"]],
    [
      "a wrong pattern",
      "commands: { blocked_patterns: ['('] }",
      ['1:32 commands.blocked_patterns.0: got "("; accepted: a valid regular expression'],
    ],
    [
      "a wrong sandbox",
      "commands: { sandbox: maybe }",
      ['1:22 commands.sandbox: got "maybe"; accepted: one of required, auto, off'],
    ],
    [
      "an unknown event",
      "hooks:\n  pre_tool_user:\n    - command: x",
      [`2:3 unknown key "hooks.pre_tool_user"; did you mean hooks.pre_tool_use?`],
    ],
    [
      "another agent's event",
      "hooks:\n  PreToolUse:\n    - command: x",
      [`2:3 unknown key "hooks.PreToolUse"; did you mean hooks.pre_tool_use?`],
    ],
    [
      "an unknown key of a hook",
      "hooks:\n  pre_tool_use:\n    - command: x\n      onfailure: deny",
      [`4:7 unknown key "hooks.pre_tool_use.0.onfailure"; did you mean hooks.pre_tool_use.0.on_failure?`],
    ],
    ["an unknown key", "\nmodes: yolo", [`2:1 unknown key "modes"; did you mean mode?`]],
    [
      "an unknown key far from all",
      "zzz: 1",
      [
        `1:1 unknown key "zzz"; the keys here are mode, autonomy, toolset, dialect, store, budget, loops, trust, approval, clients, journal, workspace, commands, security, guardrails, rules, hooks, web, mcp_servers, skills, model, memory, agents`,
      ],
    ],
    [
      "an unknown key where a single word would do, too",
      "web:\n  search: { provider: brave, zzz: 1 }",
      [`2:30 unknown key "web.search.zzz"; the keys here are provider, base_url, api_key_env`],
    ],
    [
      "an unknown key inside",
      "budget:\n  max_call: 3",
      [`2:3 unknown key "budget.max_call"; did you mean budget.max_calls?`],
    ],
    ["a key that is almost a later one", "guardrail: {}", [`1:1 unknown key "guardrail"; did you mean guardrails?`]],
    [
      "a mapping is due",
      "budget: 3",
      ["1:9 budget: got 3; accepted: a mapping with max_calls, max_changes, max_tokens, max_cost, prices"],
    ],
    [
      "a negative number",
      "budget: { max_calls: -1 }",
      ["1:22 budget.max_calls: got -1; accepted: a whole number from 0, or unlimited"],
    ],
    [
      "an unknown key in a list",
      "guardrails:\n  code_rules:\n    - { pattern: a, mesage: b }",
      [`3:21 unknown key "guardrails.code_rules.0.mesage"; did you mean guardrails.code_rules.0.message?`],
    ],
    [
      "a pattern that may take forever elsewhere and looks ahead",
      "guardrails: { code_rules: [{ pattern: (?=a)b }] }",
      [
        `1:39 guardrails.code_rules.0.pattern: got "(?=a)b"; accepted: a regular expression that can be matched in linear time: it looks ahead or behind, which is not supported`,
      ],
    ],
    [
      "a fraction",
      "budget: { max_calls: 1.5 }",
      ["1:22 budget.max_calls: got 1.5; accepted: a whole number from 0, or unlimited"],
    ],
    [
      "a duration",
      "journal: { max_age: 30 days }",
      [`1:21 journal.max_age: got "30 days"; accepted: a duration such as 30d, 12h or 90m, or milliseconds from 1`],
    ],
    [
      "no duration",
      "journal: { max_age: 0d }",
      [`1:21 journal.max_age: got "0d"; accepted: a duration such as 30d, 12h or 90m, or milliseconds from 1`],
    ],
    [
      "a size",
      "journal: { max_size: 5M }",
      [`1:22 journal.max_size: got "5M"; accepted: a size such as 500MB or 2GB, or bytes from 1`],
    ],
    [
      "yes is a word",
      "workspace: { allow_delete: yes }",
      [`1:28 workspace.allow_delete: got "yes"; accepted: true or false`],
    ],
    [
      "one path where a list is due",
      "workspace:\n  forbidden_paths: a",
      [`2:20 workspace.forbidden_paths: got "a"; accepted: a list of globs`],
    ],
    [
      "an empty path",
      `workspace:\n  allowed_paths:\n    - a\n    - ""\n`,
      [`4:7 workspace.allowed_paths.1: got ""; accepted: a path that is not empty`],
    ],
    ["an empty list", "toolset: []", ["1:10 toolset: got []; accepted: the name of a toolset or a list of names"]],
    [
      "a list of numbers",
      "toolset: [1]",
      ["1:10 toolset: got [1]; accepted: the name of a toolset or a list of names"],
    ],
    [
      "a key of the machinery",
      "__proto__: { mode: yolo }\nconstructor: 1",
      [`1:1 unknown key "__proto__"; `, `2:1 unknown key "constructor"; `],
    ],
    ["a merge", "dialect: &d a\n<<: *d", [`2:1 unknown key "<<"; `]],
    ["two keys alike", "mode: yolo\nmode: confirm-all", ["2:1 this key is a duplicate"]],
    ["a tab", "budget:\n\tmax_calls: 1", ["2:1 Tabs are not allowed as indentation"]],
    ["an open bracket", "toolset: [a", ["1:12 "]],
    ["two documents", "mode: yolo\n---\nmode: yolo", ["2:1 a second YAML document begins here; only one is accepted"]],
    ["a list", "- mode", ["1:1 a mapping of keys to values was expected"]],
    ["a word", "yolo", ["1:1 a mapping of keys to values was expected"]],
    ["a tag", "mode: !!js/function x", ["1:7 Unresolved tag: tag:yaml.org,2002:js/function"]],
    ["a missing anchor", "mode: *nope", ["1:1 Unresolved alias (the anchor must be set before the alias): nope"]],
    ["a bomb of aliases", bomb, ["1:1 Excessive alias count indicates a resource exhaustion attack"]],
    [
      "a nesting that no parser gets through",
      `dialect: ${"[".repeat(2_000)}`,
      ["1:1 it is nested more than 100 levels deep"],
    ],
    [
      "a file that is too long to be one of settings",
      "k: 1\n".repeat(30_000),
      ["1:1 it is too long: it has more than 100000 words and marks"],
    ],
    ["control characters", `"mo\\e[31mde": 1`, [`1:1 unknown key "mo\\u001b[31mde"; `]],
  ])("%s", (_, text, expected) => {
    const found = problems(text);
    expect(found).toHaveLength(expected.length);
    expected.forEach((start, index) => {
      expect(found[index]).toSatisfy((message: string) =>
        start.endsWith(" ") ? message.startsWith(start) : message === start,
      );
    });
  });

  test("many problems: the first fifty, and that there are more", () => {
    const many = (count: number) => problems(Array.from({ length: count }, (_, at) => `k${at}: 1`).join("\n"));
    expect(many(50)).toHaveLength(50);
    expect(many(2_000)).toHaveLength(51);
    expect(many(2_000).slice(49)).toEqual([
      expect.stringContaining('50:1 unknown key "k49"'),
      "undefined:undefined there are more problems",
    ]);
    expect(problems("mode: yolo\n".repeat(2_000))).toHaveLength(51);
  });

  test("all problems at once, in the order of the file", () => {
    expect(
      problems("zzz: 1\nbudget: { max_calls: x }\nmode: no\nstore: disk\n").map((line) => line.slice(0, 2)),
    ).toEqual(["1:", "2:", "3:", "4:"]);
  });

  test.each(["model:\n  api_key: sk-live-0123456789abcdefghij", "model: { apiKey: sk-live-0123456789abcdefghij }"])(
    "a key in the file: %s",
    (text) => {
      const [message = ""] = problems(text);
      expect(message).toContain("a key must not stand in a file");
      expect(message).not.toContain("0123456789");
    },
  );

  test("a key where the name of its variable belongs is not repeated", () => {
    const [message = ""] = problems("model:\n  api_key_env: sk-live-0123456789abcdefghij");
    expect(message).toContain("the name of an environment variable, never the key itself");
    expect(message).not.toContain("0123456789");
  });
});

test("the schema for editors comes from the schema that checks", () => {
  const schema = configJsonSchema() as { properties: Record<string, unknown>; additionalProperties: boolean };
  expect(Object.keys(schema.properties)).toEqual([
    "mode",
    "autonomy",
    "toolset",
    "dialect",
    "store",
    "budget",
    "loops",
    "trust",
    "approval",
    "clients",
    "journal",
    "workspace",
    "commands",
    "security",
    "guardrails",
    "rules",
    "hooks",
    "web",
    "mcp_servers",
    "skills",
    "model",
    "memory",
    "agents",
  ]);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.mode).toMatchObject({ enum: ["confirm-all", "confirm-sensitive", "yolo"] });
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

describe("where a problem is, in odd files", () => {
  test.each<[text: string, says: string]>([
    ["1: a\n", '1:1 unknown key "1"'],
    ["dialect: &m nope\nstore: *m\n", ' store: got "nope"'],
    ["? [a]\n: b\n", '1:1 unknown key "[ a ]"'],
    ["budget: &b { max_calls: 1, zzz: 1 }\njournal: *b\n", 'unknown key "journal.zzz"'],
    ["web: { deny: [ok.test, 1] }", "1:24 web.deny.1"],
    ["mode: a\nstore: b\n", '1:7 mode: got "a"'],
    ["budget: { max_calls: x, max_cost: y }", "1:22 budget.max_calls"],
    ["5", "1:1 a mapping of keys to values was expected"],
    ["- a", "1:1 a mapping of keys to values was expected"],
  ])("%j", (text, says) => expect(problems(text).join("\n")).toContain(says));

  test("problems come in the order in which they are written, also in one line", () => {
    expect(problems("{ zzz: 1, mode: a, yyy: 2 }").map((each) => each.slice(0, 5))).toEqual([
      "1:3 u",
      "1:17 ",
      "1:20 ",
    ]);
  });

  test.each(["null", "~", "", "# x"])("%j says nothing", (text) => expect(read(text)).toHaveProperty("config", {}));
});
