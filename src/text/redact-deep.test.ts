import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactDeep } from "./redact.ts";

const GITHUB = `ghp_${"aB3dE5gH7jK9mN1pQ2sT4vW6yZ8aB3dE5gH7"}`;

describe("redactDeep", () => {
  test("strings, and values of keys that name a secret", () => {
    const value = {
      command: "curl -H 'Authorization: Bearer abc'",
      env: { GITHUB_TOKEN: "plain", HOME: "/home/bob", EMPTY_TOKEN: "" },
      list: [GITHUB, 1, true, null],
      passwords: ["a", "b"],
      credentials: { user: "bob", id: 7 },
      max_tokens: 12,
      tokens: ["lock-1"],
    };
    const before = structuredClone(value);
    expect(redactDeep(value)).toEqual({
      command: "curl -H 'Authorization: Bearer [redacted credential]'",
      env: { GITHUB_TOKEN: "[redacted token]", HOME: "/home/bob", EMPTY_TOKEN: "" },
      list: ["[redacted GitHub token]", 1, true, null],
      passwords: ["[redacted password]", "[redacted password]"],
      credentials: { user: "[redacted credential]", id: 7 },
      max_tokens: 12,
      tokens: ["lock-1"],
    });
    expect(value).toEqual(before);
  });

  test("long strings are cut with a note, and no half of a secret is left", () => {
    expect(redactDeep("word ".repeat(1000))).toBe(`${"word ".repeat(819)}… [cut: 5000 characters in all]`);
    const shown = redactDeep(`${"x ".repeat(2040)}${GITHUB} ${"y".repeat(100)}`);
    expect(shown).not.toContain("ghp_");
    expect(shown).toMatch(/\[cut: 4221 characters in all\]$/);
    expect(redactDeep("x".repeat(4096))).toBe("x".repeat(4096));
  });

  test("what JSON cannot hold", () => {
    const circle: Record<string, unknown> = { big: 1n, call: () => 1, day: new Date(0), bytes: new Uint8Array(3) };
    circle.self = circle;
    circle.again = [circle.day, circle.day];
    Object.defineProperty(circle, "trap", { enumerable: true, get: () => assertNever() });
    circle.error = new Error(`no ${GITHUB}`);
    circle.map = new Map([["a", 1]]);
    circle.proxy = new Proxy({}, { ownKeys: () => assertNever() });
    const shown = redactDeep(circle);
    expect(shown).toMatchObject({
      big: "1",
      call: "[function]",
      day: "1970-01-01T00:00:00.000Z",
      bytes: "[3 bytes]",
      self: "[circular]",
      again: ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
      trap: "[unreadable]",
      error: "Error: no [redacted GitHub token]",
      map: [["a", 1]],
      proxy: "[unreadable]",
    });
    expect(() => JSON.stringify(shown)).not.toThrow();
  });

  test("depth and number are bounded", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(JSON.stringify(redactDeep(deep))).toContain("[too deep]");
    expect(JSON.stringify(redactDeep(Array.from({ length: 20_000 }, () => ({}))))).toContain("[too much]");
  });

  test("a key __proto__ stays a key", () => {
    const shown = redactDeep(JSON.parse(`{"__proto__": {"a": 1}}`)) as object;
    expect(Object.keys(shown)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
  });

  test("anything goes in, JSON comes out", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          expect(() => JSON.stringify(redactDeep(value))).not.toThrow();
        },
      ),
    );
  });
});

function assertNever(): never {
  throw new Error("read");
}

test("a header that carries a credential is told as one, whatever stands in it", () => {
  for (const name of ["authorization", "Proxy-Authorization", "x_authorization"])
    expect(redactDeep({ [name]: "plain words" })).toEqual({ [name]: "[redacted credential]" });
  expect(redactDeep({ authorizations: "plain words" })).toEqual({ authorizations: "plain words" });
});
