import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutSecrets } from "../../../text/known-secrets.ts";
import { piecesWithout } from "./secrets.ts";

const SECRETS = {
  "a key": "s3cr3t-value-of-a-key-1234567890",
  "one with signs": 'p@ss/w+rd=&<b>"q"\'~ \\x?%41',
  "one in other letters": "schlüssel-für-das-Tor-🔑",
};

const bytes = (text: string) => Buffer.from(text);
const base64 = (text: string) => bytes(text).toString("base64");

/** How servers send back what they were sent; each is given the secret between other things. */
const WAYS: Readonly<Record<string, (secret: string) => string | Buffer>> = {
  "as it is": (secret) => `key=${secret};`,
  "in base64": (secret) => base64(secret),
  "in base64, behind a byte": (secret) => base64(`u${secret}`),
  "in base64, behind two": (secret) => base64(`u:${secret}`),
  "in base64, inside a longer text": (secret) =>
    base64(`{"user":"someone","password":${JSON.stringify("")}${secret}"}`),
  "in base64 for URLs": (secret) => bytes(`id:${secret}`).toString("base64url"),
  "in percents": (secret) => encodeURIComponent(secret),
  "in lower percents": (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  "in a query": (secret) => String(new URLSearchParams({ key: secret })),
  "in percents throughout": (secret) =>
    [...bytes(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "in hexadecimal": (secret) => bytes(secret).toString("hex"),
  "in upper hexadecimal": (secret) => bytes(secret).toString("hex").toUpperCase(),
  "in JSON": (secret) => JSON.stringify({ secret }),
  "in JSON for scripts": (secret) => JSON.stringify({ secret }).replaceAll("/", "\\/"),
  "in JSON of plain letters": (secret) =>
    JSON.stringify(secret).replace(/[^ -~]/g, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "in a page": (secret) =>
    secret.replace(/[&<>"']/g, (odd) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[odd] ?? "&#39;"),
  "in UTF-16": (secret) => Buffer.from(`key ${secret} end`, "utf16le"),
  "in UTF-16, the other way round": (secret) => Buffer.from(`key ${secret} end`, "utf16le").swap16(),
};

async function through(body: Uint8Array, secrets: readonly string[], size: number): Promise<string> {
  async function* inPieces() {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
  }
  const out: Uint8Array[] = [];
  for await (const piece of piecesWithout(inPieces(), secrets)) out.push(piece);
  return Buffer.concat(out).toString("latin1");
}

describe.each(Object.entries(SECRETS))("%s", (_, secret) => {
  test.each(Object.entries(WAYS))(
    "that comes back %s is masked, however it is cut into pieces",
    async (_way, write) => {
      const echo = Buffer.concat([bytes("before "), Buffer.from(write(secret) as string), bytes(" after")]);
      const whole = await through(echo, [secret], echo.length);
      expect(whole).toContain("[redacted]");
      expect(whole).toMatch(/^before .* after$/s);
      // what is left of it next to the mask is at most what it shares with its neighbours
      expect(whole.length).toBeLessThan(echo.length + "[redacted]".length - bytes(secret).length + 3);
      for (const size of [1, 3, 7]) expect(await through(echo, [secret], size)).toBe(whole);
    },
  );

  test("in a header is masked as well", () => {
    expect(withoutSecrets(`Basic ${base64(`me:${secret}`)}`, [secret])).toMatch(/^Basic \S{0,6}\[redacted\]\S{0,4}$/);
    expect(withoutSecrets(bytes(secret).toString("latin1"), [secret])).toBe("[redacted]");
  });
});

test("of secrets that begin alike the longer one is masked whole", async () => {
  const secrets = ["abcdefgh", "abcdefgh-and-more"];
  for (const size of [1, 8, 9, 100])
    expect(await through(bytes("x abcdefgh-and-more y abcdefgh z"), secrets, size)).toBe("x [redacted] y [redacted] z");
});

test("a short one is masked as it is, and takes no other text with it", async () => {
  expect(await through(bytes("pin 1234, sum 12345, MTIzNA=="), ["1234"], 4)).toBe(
    "pin [redacted], sum [redacted]5, MTIzNA==",
  );
});

test("everything else comes as it was sent", async () => {
  const body = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(body, fc.integer({ min: 1, max: 50 }), async (sent, size) => {
      expect(await through(sent, Object.values(SECRETS), size)).toBe(Buffer.from(sent).toString("latin1"));
    }),
  );
});
