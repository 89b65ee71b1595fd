import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { patternOf, withoutSecrets } from "./known-secrets.ts";
import { spellingsOf } from "./spellings.ts";

const SECRET = 'p/ss&w"rd <é> 1+~234';
const utf8 = Buffer.from(SECRET, "utf8");
const latin = utf8.toString("latin1");

describe("a known secret is taken out however a server writes it", () => {
  test.each<[name: string, written: string]>([
    ["as it is", SECRET],
    ["its bytes as letters", latin],
    ["JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["JSON with slashes escaped", JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/")],
    ["JSON in ASCII", 'p/ss&w\\"rd <\\u00e9> 1+~234'],
    [
      "escaped letter by letter",
      [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ],
    ["HTML", "p/ss&amp;w&quot;rd &lt;é&gt; 1+~234"],
    ["a part of an address", encodeURIComponent(SECRET)],
    ["the same in small letters", encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
    ["a form", new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ["all percent signs", [...utf8].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
    [
      "all percent signs, capitals",
      [...utf8].map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`).join(""),
    ],
    ["hex", utf8.toString("hex")],
    ["hex, capitals", utf8.toString("hex").toUpperCase()],
    ["base64", utf8.toString("base64").replace(/=+$/, "")],
    ["base64 for addresses", utf8.toString("base64url")],
    ["UTF-16, low byte first", Buffer.from(SECRET, "utf16le").toString("latin1")],
    ["UTF-16, high byte first", Buffer.from(SECRET, "utf16le").swap16().toString("latin1")],
  ])("%s", (_, written) => expect(withoutSecrets(`before ${written} after`, [SECRET])).toBe("before [redacted] after"));

  test.each([0, 1, 2, 3, 4])("base64 with %s bytes before it", (before) => {
    const text = Buffer.concat([Buffer.from("x".repeat(before)), utf8, Buffer.from("rest")]).toString("base64");
    expect(withoutSecrets(text, [SECRET])).toContain("[redacted]");
  });
});

describe("which spellings are looked for", () => {
  test("a short encoded one is in every text, and is left", () => {
    expect(spellingsOf("ab")).toEqual(["ab", "\\u0061\\u0062"]);
    expect(spellingsOf("abcd")).toContain("61626364");
  });
  test("of those that begin alike the longest is taken", () => {
    expect(withoutSecrets("secret-long", ["secret", "secret-long"])).toBe("[redacted]");
    expect(patternOf(["secret", "secret-long"]).longest).toBeGreaterThanOrEqual("secret-long".length);
  });
  test("an empty secret, or none, takes out nothing", () => {
    expect(withoutSecrets("text", [])).toBe("text");
    expect(withoutSecrets("text", [""])).toBe("text");
    expect(patternOf([]).longest).toBe(1);
    expect(patternOf(["", "abc"]).pattern.test("x")).toBe(false);
  });
  test.each(["a.c*(d)[e]{2}", "^x|y$", "a\\d+", "a/b-c"])("%s means itself", (secret) => {
    expect(withoutSecrets(`<${secret}>`, [secret])).toBe("<[redacted]>");
    expect(withoutSecrets("aXc x y a1 a", [secret])).toBe("aXc x y a1 a");
  });
});
