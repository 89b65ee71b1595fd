import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rank, wordsOf } from "./ranking.ts";

const texts = (...contents: string[]) => contents.map((text) => [{ name: "content", text, weight: 1 }]);
const found = (query: string, ...contents: string[]): number[] =>
  rank(query, texts(...contents)).map(({ index }) => index);

describe("words", () => {
  test.each<[text: string, words: string[]]>([
    ["The deploy key, v2!", ["the", "deploy", "key", "v2"]],
    ["Café ＡＢＣ", ["cafe", "abc"]],
    ["max_retries", ["max", "retries"]],
    ["maxRetries", ["maxretries", "max", "retries"]],
    ["HTTPServer2Go", ["httpserver2go", "http", "server2", "go"]],
    ["Straße ΟΔΟΣ дом", ["straße", "οδος", "дом"]],
    ["नमस्ते", ["नमस्ते"]],
    ["東京都", ["東", "京", "都", "東京", "京都"]],
    ["데이터", ["데", "이", "터", "데이", "이터"]],
    ["a.b(c)*+?[]\\", ["a", "b", "c"]],
    ["🎉 --- \0", []],
  ])("%j", (text, words) => expect(wordsOf(text)).toEqual(words));

  test("of a query, pairs stand for what is written without spaces", () => {
    expect(wordsOf("東京都 x", true)).toEqual(["東京", "京都", "x"]);
    expect(wordsOf("東", true)).toEqual(["東"]);
  });
});

describe("what fits a query", () => {
  test.each<[query: string, contents: string[], order: number[]]>([
    ["deploy", ["we deploy on Friday", "the cat sleeps", "deploy deploy deploy"], [2, 0]],
    ["rare common", ["common common", "rare", "common", "common thing"], [1, 0, 2, 3]],
    ["deployments", ["a deployment", "a departure"], [0]],
    ["deploy", ["redeploy", "deployed"], [1]],
    ["key", ["keyboard", "the key"], [1]],
    ["short", ["short", `short ${"long ".repeat(200)}`], [0, 1]],
    ["東京", ["東京に住む", "京都に住む"], [0]],
    ["京", ["東京に住む", "大阪に住む"], [0]],
    [".*", ["anything"], []],
    ["(a+)+$", [`${"a".repeat(50)}!`, "a"], [1]],
    ["x", [], []],
    ["same", ["same", "same", "same"], [0, 1, 2]],
    ["CAFÉ", ["cafe"], [0]],
    ["constructor __proto__", ["constructor", "plain"], [0]],
  ])("%j", (query, contents, order) => expect(found(query, ...contents)).toEqual(order));

  test("it says which words were found, where, and as what", () => {
    const [fit] = rank("deploys keys zebra", [
      [
        { name: "key", text: "deploy", weight: 3 },
        { name: "content", text: "keys of the house", weight: 1 },
      ],
    ]);
    expect(fit?.matched).toEqual([
      { word: "deploys", fields: ["key"], as: "deploy" },
      { word: "keys", fields: ["content"] },
    ]);
  });

  test("a field counts by its weight", () => {
    const fits = rank("alpha", [
      [
        { name: "key", text: "beta", weight: 3 },
        { name: "content", text: "alpha", weight: 1 },
      ],
      [
        { name: "key", text: "alpha", weight: 3 },
        { name: "content", text: "beta", weight: 1 },
      ],
    ]);
    expect(fits.map(({ index }) => index)).toEqual([1, 0]);
  });

  test("whatever is asked of whatever: it ends, scores are positive and fall, and a text is found by its own words", () => {
    const line = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(line, fc.array(line, { maxLength: 8 }), (query, contents) => {
        const fits = rank(query, texts(...contents));
        for (const [at, { score }] of fits.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(fits[at - 1]?.score ?? Number.POSITIVE_INFINITY);
        }
        for (const [at, content] of contents.entries())
          if (wordsOf(content).length > 0) expect(found(content, ...contents)).toContain(at);
      }),
      { numRuns: 50 },
    );
  });
});
