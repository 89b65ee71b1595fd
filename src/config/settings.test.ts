import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AUTONOMIES, MODES } from "../core/words/ceiling.ts";
import { type Config, DEFAULTS, overlay, type Values, wishesOf } from "./settings.ts";

const laid = (now: Values, config: object, accepted: boolean) =>
  overlay(now, wishesOf(config as Config, "/ws"), accepted);

describe("without a person's word, what loosens is left out", () => {
  test.each<[object, object, string | undefined]>([
    [{}, { mode: "yolo" }, "mode"],
    [{}, { mode: "confirm-all" }, undefined],
    [{ mode: "yolo" }, { mode: "yolo" }, undefined],
    [{ mode: "yolo" }, { mode: "confirm-sensitive" }, undefined],
    [{ mode: "confirm-all" }, { mode: "confirm-sensitive" }, "mode"],
    [{}, { autonomy: "readonly" }, undefined],
    [{}, { autonomy: "full" }, undefined],
    [{ autonomy: "supervised" }, { autonomy: "full" }, "autonomy"],
    [{}, { store: "memory" }, "store"],
    [{ store: "memory" }, { store: "sqlite" }, undefined],
    [{}, { budget: { max_calls: 5 } }, undefined],
    [{ budget: { max_calls: 5 } }, { budget: { max_calls: 6 } }, "budget.max_calls"],
    [{ budget: { max_changes: 5 } }, { budget: { max_changes: 4 } }, undefined],
    [{}, { journal: { max_age: DEFAULTS["journal.maxAge"] - 1 } }, "journal.max_age"],
    [{}, { journal: { max_age: DEFAULTS["journal.maxAge"] + 1 } }, undefined],
    [{}, { journal: { max_size: 1 } }, "journal.max_size"],
    [{}, { workspace: { allow_delete: true } }, "workspace.allow_delete"],
    [{ workspace: { allow_delete: true } }, { workspace: { allow_delete: true } }, undefined],
    [{ workspace: { allow_delete: true } }, { workspace: { allow_delete: false } }, undefined],
    [{}, { workspace: { allowed_paths: ["/a"] } }, "workspace.allowed_paths"],
    [{ workspace: { allowed_paths: ["/a"] } }, { workspace: { allowed_paths: ["/a"] } }, undefined],
    [{}, { workspace: { forbidden_paths: ["a"] } }, undefined],
    [{}, { toolset: "all" }, "toolset"],
    [{}, { toolset: "files" }, undefined],
    [{}, { toolset: ["read_file"] }, undefined],
    [{}, { toolset: ["read_file", "all"] }, "toolset"],
    [{ toolset: ["read_file"] }, { toolset: "files" }, "toolset"],
    [{ toolset: ["read_file"] }, { toolset: ["read_file", "run_command"] }, "toolset"],
    [{ toolset: ["read_file", "grep"] }, { toolset: "grep" }, undefined],
    [{}, { dialect: "claude" }, undefined],
    [{ toolset: ["files", "all"] }, { toolset: "default" }, undefined],
    [{ toolset: ["read_file", "default"] }, { toolset: ["grep"] }, undefined],
    [{ budget: { max_calls: 5 } }, { budget: { max_calls: 5 } }, undefined],
    [{}, { journal: { max_age: DEFAULTS["journal.maxAge"] } }, undefined],
    [{}, { commands: { allowed_only: false } }, undefined],
    [{ commands: { allowed_only: true } }, { commands: { allowed_only: true } }, undefined],
    [{ commands: { allowed_only: true } }, { commands: { allowed_only: false } }, "commands.allowed_only"],
    [{ commands: { network: true } }, { commands: { network: true } }, undefined],
    [{}, { commands: { network: false } }, undefined],
    [{}, { commands: { allowlist: ["rm"] } }, undefined],
    [{ commands: { allowlist: ["ls", "*"] } }, { commands: { allowlist: ["rm"] } }, undefined],
    [{ commands: { allowlist: ["ls"] } }, { commands: { allowlist: ["ls"] } }, undefined],
    [{}, { web: { rate: 61 } }, "web.rate"],
    [{}, { web: { rate: 60 } }, undefined],
    [{}, { web: { rate: 5 } }, undefined],
    [{}, { web: { search: "brave" } }, "web.search"],
    [{}, { web: { search: "duckduckgo" } }, undefined],
    [{ web: { proxy: "http://a.test" } }, { web: { proxy: "http://b.test" } }, "web.proxy"],
    [{ web: { secrets: { A: ["a.test"] } } }, { web: { secrets: { A: ["a.test"] } } }, undefined],
    [{ web: { secrets: { A: ["a.test"] } } }, { web: { secrets: { A: ["a.test"], B: ["b.test"] } } }, "web.secrets"],
    [{ web: { secrets: { A: ["a.test"] } } }, { web: { secrets: { A: ["a.test", "b.test"] } } }, "web.secrets"],
    [{}, { rules: { deny: ["write(a)"] } }, undefined],
    [{}, { rules: { allow: ["write(a)"] } }, "rules.allow"],
    [{ rules: { allow: ["write(a)"] } }, { rules: { allow: ["write(a)"] } }, undefined],
    [{ rules: { allow: ["write(a)"] } }, { rules: { allow: ["write(a)", "write(b)"] } }, "rules.allow"],
    [{ toolset: ["all"] }, { toolset: ["files", "all"] }, undefined],
    [{ toolset: ["files"] }, { toolset: ["read_file"] }, "toolset"],
    [{ security: { allowed_commands: ["*"] } }, { security: { allowed_commands: ["ls"] } }, undefined],
  ])("%j then %j: %s", (over, wishes, key) => {
    const now = laid(DEFAULTS, over, true).values;
    const { values, leftOut } = laid(now, wishes, false);
    expect(leftOut.map((left) => left.key)).toEqual(key ? [key] : []);
    expect(values).toEqual(key ? now : laid(now, wishes, true).values);
    expect(laid(now, wishes, true).leftOut).toEqual([]);
  });
});

describe("with a person's word, limits still join", () => {
  test.each<[object, object, object]>([
    [{ mode: "confirm-all" }, { mode: "yolo" }, { mode: "yolo" }],
    [{ budget: { max_calls: 5 } }, { budget: { max_calls: 9 } }, { budget: { max_calls: 5 } }],
    [{ budget: { max_calls: 5 } }, { budget: { max_calls: 2 } }, { budget: { max_calls: 2 } }],
    [
      { workspace: { forbidden_paths: ["a"] } },
      { workspace: { forbidden_paths: ["b", "a"] } },
      { workspace: { forbidden_paths: ["a", "b"] } },
    ],
    [
      { workspace: { allowed_paths: ["/a"] } },
      { workspace: { allowed_paths: ["/b"] } },
      { workspace: { allowed_paths: ["/a", "/b"] } },
    ],
    [
      { workspace: { allow_delete: false } },
      { workspace: { allow_delete: true } },
      { workspace: { allow_delete: true } },
    ],
    [{ store: "sqlite" }, { store: "memory" }, { store: "memory" }],
    [{}, { journal: { max_age: 1 } }, { journal: { max_age: 1 } }],
  ])("%j then %j", (over, wishes, expected) => {
    const now = laid(DEFAULTS, over, true).values;
    expect(laid(now, wishes, true).values).toEqual(laid(DEFAULTS, expected, true).values);
  });
});

test("no file that nobody accepted can loosen anything", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"));
  const some = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
    fc.record(fields, { requiredKeys: [] });
  const config = some({
    mode: fc.constantFrom(...MODES),
    autonomy: fc.constantFrom(...AUTONOMIES),
    store: fc.constantFrom("sqlite", "memory"),
    budget: some({ max_calls: fc.integer({ min: 1, max: 9 }) }),
    journal: some({ max_age: fc.integer({ min: 1, max: 9 }) }),
    workspace: some({ allow_delete: fc.boolean(), allowed_paths: names, forbidden_paths: names }),
    commands: some({ allowlist: names, allowed_only: fc.boolean(), network: fc.boolean(), env: names }),
    security: some({ autonomy: fc.constantFrom(...AUTONOMIES), forbidden_paths: names, allowed_commands: names }),
  });
  // the lists of the ceiling go from loose to strict
  const strictness = (values: Values) => [
    MODES.indexOf(values.mode),
    AUTONOMIES.indexOf(values.autonomy ?? "full"),
    values.store === "sqlite" ? 1 : 0,
    -(values["budget.maxCalls"] ?? Infinity),
    values["journal.maxAge"],
    values["workspace.allowDelete"] ? 0 : 1,
    values["commands.allowedOnly"] ? 1 : 0,
    values["commands.network"] ? 0 : 1,
  ];
  fc.assert(
    fc.property(config, config, (users, own) => {
      const now = laid(DEFAULTS, users, true).values;
      const { values } = laid(now, own, false);
      const before = strictness(now);
      for (const [index, each] of strictness(values).entries()) expect(each).toBeGreaterThanOrEqual(before[index]!);
      for (const key of ["workspace.allowedPaths", "commands.passEnv"] as const)
        expect(now[key]).toEqual(expect.arrayContaining([...values[key]]));
      expect(values["workspace.forbiddenPaths"]).toEqual(expect.arrayContaining([...now["workspace.forbiddenPaths"]]));
      for (const key of ["commands.allowlist", "commands.allowedCommands"] as const)
        if (now[key]) expect(now[key]).toEqual(expect.arrayContaining([...(values[key] ?? ["everything"])]));
    }),
  );
});

describe("two keys of one file that mean the same", () => {
  test.each<[string, string, string]>([
    ["readonly", "full", "readonly"],
    ["full", "readonly", "readonly"],
    ["supervised", "supervised", "supervised"],
  ])("of autonomy %s and %s the stricter holds", (autonomy, security, holds) => {
    const config = { autonomy, security: { autonomy: security } };
    expect(laid(DEFAULTS, config, true).values.autonomy).toBe(holds);
    expect(laid(DEFAULTS, config, false)).toMatchObject({ values: { autonomy: holds }, leftOut: [] });
  });

  test("forbidden paths add up", () => {
    const config = { workspace: { forbidden_paths: ["a"] }, security: { forbidden_paths: ["b", "a"] } };
    expect(laid(DEFAULTS, config, false).values["workspace.forbiddenPaths"]).toEqual(["a", "b"]);
  });

  test("each that would loosen is named as it was written, and the other still restricts", () => {
    const now = laid(DEFAULTS, { autonomy: "readonly" }, true).values;
    const both = laid(now, { autonomy: "full", security: { autonomy: "supervised" } }, false);
    expect(both.leftOut).toEqual([
      { key: "autonomy", written: "full" },
      { key: "security.autonomy", written: "supervised" },
    ]);
    const one = laid(now, { autonomy: "full", security: { autonomy: "readonly" } }, false);
    expect(one).toMatchObject({ values: { autonomy: "readonly" }, leftOut: [] });
  });
});

test("a list that would allow more still forbids what is not on it", () => {
  const now = laid(DEFAULTS, { commands: { allowlist: ["ls", "wc"] } }, true).values;
  const { values, leftOut } = laid(now, { commands: { allowlist: ["ls", "rm"] } }, false);
  expect(values["commands.allowlist"]).toEqual(["ls"]);
  expect(leftOut).toEqual([{ key: "commands.allowlist", written: ["ls", "rm"] }]);
  expect(laid(now, { commands: { allowlist: ["*"] } }, false).values["commands.allowlist"]).toEqual(["ls", "wc"]);
});

test("entries that are there already are not added again", () => {
  const rules = (...deny: string[]) => ({ rules: { deny } });
  const now = laid(DEFAULTS, rules("write(a)", "write(b)"), true).values;
  const texts = (config: object) =>
    laid(now, config, false).values["rules.deny"].map(({ statement }) => statement.text);
  expect(texts(rules("write(b)", "write(c)"))).toEqual(["write(a)", "write(b)", "write(c)"]);
  expect(texts(rules("write(a)"))).toEqual(["write(a)", "write(b)"]);
});

test("secrets of two files are put together, host by host", () => {
  const secrets = (given: object) => ({ web: { secrets: given } });
  const now = laid(DEFAULTS, secrets({ A: ["a.test"], B: ["b.test"] }), true).values;
  expect(laid(now, secrets({ A: ["a.test", "c.test"], D: ["d.test"] }), true).values["web.secrets"]).toEqual({
    A: ["a.test", "c.test"],
    B: ["b.test"],
    D: ["d.test"],
  });
});
