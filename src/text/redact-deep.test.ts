import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isClean, redactDeep } from "./redact.ts";

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

describe("what a command line was relieved of is hidden in what was read out of it", () => {
  const SECRET = "hunter2x";
  const NOTE = "[redacted password]";
  const long = (length: number): string => `mysql -p${SECRET} `.padEnd(length, "x");

  test.each<[what: string, value: object, shown: object]>([
    [
      "its words",
      { command: `mysql -p${SECRET} base`, words: ["mysql", `-p${SECRET}`, "base"] },
      { command: `mysql -p${NOTE} base`, words: ["mysql", `-p${NOTE}`, "base"] },
    ],
    [
      "at its end",
      { command: `redis-cli -a ${SECRET}`, deep: { list: [{ word: SECRET }] } },
      { command: `redis-cli -a ${NOTE}`, deep: { list: [{ word: NOTE }] } },
    ],
    [
      "several",
      { command: `mysql -p${SECRET} a && mysql -pother99 b`, words: [SECRET, "other99", "a", "b"] },
      { command: `mysql -p${NOTE} a && mysql -p${NOTE} b`, words: [NOTE, NOTE, "a", "b"] },
    ],
    ["before it is told", { first: SECRET, command: `mysql -p${SECRET}` }, { first: NOTE, command: `mysql -p${NOTE}` }],
    [
      "what was hidden before",
      { command: 'curl -H "Authorization: Bearer [redacted credential]" x', word: "[redacted credential]" },
      { command: 'curl -H "Authorization: Bearer [redacted credential]" x', word: "[redacted credential]" },
    ],
    ["four letters", { command: "mysql -pab1d", word: "ab1d" }, { command: `mysql -p${NOTE}`, word: NOTE }],
    ["three letters say nothing", { command: "mysql -pab1", word: "ab1" }, { command: `mysql -p${NOTE}`, word: "ab1" }],
    [
      "a command line within a command's parts",
      {
        command: `mysql -p${SECRET}`,
        inner: { command: "mysql -pother99", words: [SECRET, "other99"] },
        after: "other99",
      },
      { command: `mysql -p${NOTE}`, inner: { command: `mysql -p${NOTE}`, words: [NOTE, NOTE] }, after: "other99" },
    ],
    [
      "nothing beside it",
      { inner: { command: `mysql -p${SECRET}` }, after: SECRET },
      { inner: { command: `mysql -p${NOTE}` }, after: SECRET },
    ],
    ["no text", { command: [`mysql -p${SECRET}`], word: SECRET }, { command: [`mysql -p${NOTE}`], word: SECRET }],
    ["nothing hidden", { command: "mysql base", word: "base" }, { command: "mysql base", word: "base" }],
  ])("%s", (_, value, shown) => expect(redactDeep(value)).toEqual(shown));

  test.each([
    [4096, NOTE],
    [4097, SECRET],
  ])("of a command line of %i letters", (length, word) => {
    expect(redactDeep({ command: long(length), word: SECRET })).toMatchObject({ word });
  });
});

describe("arguments that need no copy", () => {
  test.each<[boolean, unknown]>([
    [true, {}],
    [true, { path: "a.txt", limit: 3, all: true, none: null }],
    [true, { text: "x".repeat(4096) }],
    [false, { text: "x".repeat(4097) }],
    [false, { text: GITHUB }],
    [false, { password: "x" }],
    [false, { password: 1 }],
    [false, { DB_PASS: "hunter2 and more" }],
    [true, { SORT_KEY: "name" }],
    [false, { [GITHUB]: 1 }],
    [false, { command: "mysql -phunter2x base" }],
    [false, { edits: [] }],
    [false, { missing: undefined }],
    [false, []],
    [false, null],
    [false, 3],
    [false, new Date(0)],
    [false, Object.create(null)],
    [false, { call: () => 1 }],
    [
      false,
      {
        get trap() {
          return assertNever();
        },
      },
    ],
  ])("%s, row %#", (clean, value) => expect(isClean(value)).toBe(clean));

  test("they are what redacting would make of them", () => {
    const word = fc.constantFrom(
      "a",
      "token",
      "password",
      "DB_PASS",
      "APP_KEY",
      GITHUB,
      "command",
      "curl -u a:b-c-d9 x",
      "x".repeat(81),
    );
    const field = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.string());
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(word, fc.string()), field), (value) => {
        if (isClean(value)) expect(redactDeep(value)).toEqual(value);
      }),
    );
  });
});

test.each<[name: string, value: unknown, hidden: boolean]>([
  ["DB_PASS", "hunter2 and more", true],
  ["APP_PWD", "it's", true],
  ["SIGNING_KEY", "abcd1234", true],
  ["REGISTRY_AUTH", "abcd1234", true],
  ["DB_PASS", "$DB_PASS", false],
  ["DB_PASS", 5, false],
  ["SORT_KEY", "name", false],
  ["OLD_DIR", "/srv/abcd1234", false],
  ["db_pass", "hunter2", true],
  ["compass", "hunter2", false],
])("a variable that a call sets is read as on a command line: %s=%j", (name, value, hidden) =>
  expect(redactDeep({ env: { [name]: value } })).toEqual({ env: { [name]: hidden ? "[redacted password]" : value } }),
);
