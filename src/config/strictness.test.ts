import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULTS } from "./settings.ts";
import { AUTONOMIES, MODES, overlay, STORES, type Values, type Wishes } from "./strictness.ts";

describe("without a person's word, what loosens is left out", () => {
  test.each<[Partial<Values>, Wishes, string | undefined]>([
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
    [{}, { maxCalls: 5 }, undefined],
    [{ maxCalls: 5 }, { maxCalls: 6 }, "budget.max_calls"],
    [{ maxChanges: 5 }, { maxChanges: 4 }, undefined],
    [{}, { maxAge: DEFAULTS.maxAge - 1 }, "journal.max_age"],
    [{}, { maxAge: DEFAULTS.maxAge + 1 }, undefined],
    [{}, { maxSize: 1 }, "journal.max_size"],
    [{}, { allowDelete: true }, "workspace.allow_delete"],
    [{ allowDelete: true }, { allowDelete: true }, undefined],
    [{ allowDelete: true }, { allowDelete: false }, undefined],
    [{}, { allowedPaths: ["/a"] }, "workspace.allowed_paths"],
    [{ allowedPaths: ["/a"] }, { allowedPaths: ["/a"] }, undefined],
    [{}, { forbiddenPaths: ["a"] }, undefined],
    [{}, { toolset: "all" }, "toolset"],
    [{}, { toolset: "files" }, undefined],
    [{}, { toolset: ["read_file"] }, undefined],
    [{}, { toolset: ["read_file", "all"] }, "toolset"],
    [{ toolset: ["read_file"] }, { toolset: "files" }, "toolset"],
    [{ toolset: ["read_file"] }, { toolset: ["read_file", "run_command"] }, "toolset"],
    [{ toolset: ["read_file", "grep"] }, { toolset: "grep" }, undefined],
    [{}, { dialect: "claude" }, undefined],
  ])("%j then %j: %s", (over, wishes, key) => {
    const now = { ...DEFAULTS, ...over };
    const { values, leftOut } = overlay(now, wishes, false);
    expect(leftOut.map((left) => left.key)).toEqual(key ? [key] : []);
    expect(values).toEqual(key ? now : { ...now, ...wishes });
    expect(overlay(now, wishes, true).leftOut).toEqual([]);
  });
});

describe("with a person's word, limits still join", () => {
  test.each<[Partial<Values>, Wishes, Partial<Values>]>([
    [{ mode: "confirm-all" }, { mode: "yolo" }, { mode: "yolo" }],
    [{ maxCalls: 5 }, { maxCalls: 9 }, { maxCalls: 5 }],
    [{ maxCalls: 5 }, { maxCalls: 2 }, { maxCalls: 2 }],
    [{ forbiddenPaths: ["a"] }, { forbiddenPaths: ["b", "a"] }, { forbiddenPaths: ["a", "b"] }],
    [{ allowedPaths: ["/a"] }, { allowedPaths: ["/b"] }, { allowedPaths: ["/a", "/b"] }],
    [{ allowDelete: false }, { allowDelete: true }, { allowDelete: true }],
    [{ store: "sqlite" }, { store: "memory" }, { store: "memory" }],
    [{}, { maxAge: 1 }, { maxAge: 1 }],
  ])("%j then %j", (over, wishes, expected) => {
    expect(overlay({ ...DEFAULTS, ...over }, wishes, true).values).toEqual({ ...DEFAULTS, ...over, ...expected });
  });
});

test("no file that nobody accepted can loosen anything", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"));
  const full = {
    mode: fc.constantFrom(...MODES),
    autonomy: fc.constantFrom(...AUTONOMIES),
    store: fc.constantFrom(...STORES),
    maxCalls: fc.nat(9),
    maxAge: fc.nat(9),
    allowDelete: fc.boolean(),
    allowedPaths: names,
    forbiddenPaths: names,
  };
  const wishes = fc.record(full, { requiredKeys: [] });
  fc.assert(
    fc.property(wishes, wishes, (users, own) => {
      const now = overlay(DEFAULTS, users, true).values;
      const { values } = overlay(now, own, false);
      expect(MODES.indexOf(values.mode)).toBeLessThanOrEqual(MODES.indexOf(now.mode));
      expect(AUTONOMIES.indexOf(values.autonomy ?? "full")).toBeLessThanOrEqual(
        AUTONOMIES.indexOf(now.autonomy ?? "full"),
      );
      expect(STORES.indexOf(values.store)).toBeLessThanOrEqual(STORES.indexOf(now.store));
      expect(values.maxCalls ?? Infinity).toBeLessThanOrEqual(now.maxCalls ?? Infinity);
      expect(values.maxAge).toBeGreaterThanOrEqual(now.maxAge);
      expect(values.allowDelete && !now.allowDelete).toBe(false);
      expect(now.allowedPaths).toEqual(expect.arrayContaining([...values.allowedPaths]));
      expect(values.forbiddenPaths).toEqual(expect.arrayContaining([...now.forbiddenPaths]));
    }),
  );
});
