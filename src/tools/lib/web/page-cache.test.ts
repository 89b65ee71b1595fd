import { expect, test } from "vitest";
import { PageCache } from "./page-cache.ts";

const MINUTE = 60_000;
const page = (headers: Record<string, string>, url = "https://example.com/", bytes = 1) => ({
  ...{ url, status: 200, headers, bytes: new Uint8Array(bytes), cut: false },
});

test.each<[Record<string, string>, minutes: number]>([
  [{}, 15],
  [{ "cache-control": "max-age=120" }, 2],
  [{ "cache-control": "public, MAX-AGE=120" }, 2],
  [{ "cache-control": 'max-age="120"' }, 2],
  [{ "cache-control": "max-age=999999" }, 15],
  [{ "cache-control": "max-age=180", age: "60" }, 2],
  [{ "cache-control": "max-age=60", age: "600" }, 0],
  [{ "cache-control": "max-age=60", age: "nonsense" }, 1],
  [{ "cache-control": "max-age=0" }, 0],
  [{ "cache-control": "no-store" }, 0],
  [{ "cache-control": "private, no-cache" }, 0],
  [{ "cache-control": "No-Cache=Set-Cookie" }, 0],
  [{ pragma: "no-cache" }, 0],
  [{ pragma: "no-cache", "cache-control": "max-age=60" }, 1],
  [{ vary: "*" }, 0],
  [{ vary: "Accept-Encoding, Authorization" }, 15],
])("%j is kept for %i minutes", (headers, minutes) => {
  const cache = new PageCache();
  cache.add(page(headers), 0);
  const isThere = (at: number) => cache.get("https://example.com/", at) !== undefined;
  expect(isThere(minutes * MINUTE - 1)).toBe(minutes > 0);
  expect(isThere(minutes * MINUTE)).toBe(false);
});

test("the oldest go where there are too many, or too long ones", () => {
  const cache = new PageCache();
  for (let n = 0; n < 60; n++) cache.add(page({}, `https://example.com/${n}`), 0);
  expect([cache.get("https://example.com/9", 1), cache.get("https://example.com/10", 1)?.url]).toEqual([
    undefined,
    "https://example.com/10",
  ]);
  cache.add(page({}, "https://example.com/long", 32 * 1024 * 1024), 1);
  expect(cache.get("https://example.com/59", 1)).toBeUndefined();
  expect(cache.get("https://example.com/long", 1)?.url).toBe("https://example.com/long");
});
