import { expect, test } from "vitest";
import { embeddingsAt } from "../../src/agents/embeddings.ts";
import { dataOf, embedder, meant, type Reply } from "./embedder.ts";

const goesOn = new AbortController().signal;

test("texts go to /embeddings with the model and its key, in groups, and vectors come back in order", async () => {
  const { url, asked } = await embedder(({ input }) => ({
    // as a service may that works on several at once
    body: JSON.stringify({
      data: input.map((text, index) => ({ index, embedding: [Number(text), 1] })).reverse(),
    }),
  }));
  const texts = Array.from({ length: 150 }, (_, at) => String(at));
  const vectors = await embeddingsAt(
    { name: "e5", baseUrl: `${url}/?v=1`, keyVariable: "MY_KEY" },
    { MY_KEY: "k1" },
  ).embed(texts, goesOn);
  expect(vectors.map(([first]) => first)).toEqual(texts.map(Number));
  expect(asked.map(({ input }) => input.length)).toEqual([64, 64, 22]);
  expect(asked[0]).toMatchObject({
    url: "/v1/embeddings?v=1",
    model: "e5",
    headers: { authorization: "Bearer k1" },
  });
});

test("without a key none is sent", async () => {
  const { url, asked } = await embedder();
  await embeddingsAt({ name: "e5", baseUrl: url, keyVariable: "MY_KEY" }, { OPENAI_API_KEY: "k2" }).embed(
    ["a"],
    goesOn,
  );
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

const vector = meant("cat");
const UNREADABLE: [what: string, reply: Reply][] = [
  ["no JSON", { body: "<html>" }],
  ["nothing", { body: "" }],
  ["null", { body: "null" }],
  ["no data", { body: "{}" }],
  ["too few", { body: dataOf([vector]) }],
  ["too many", { body: dataOf([vector, vector, vector]) }],
  ["rows that are null", { body: '{"data":[null,null]}' }],
  ["one of them twice", { body: JSON.stringify({ data: [0, 0].map((index) => ({ index, embedding: vector })) }) }],
  ["a place that is none", { body: JSON.stringify({ data: [0, 7].map((index) => ({ index, embedding: vector })) }) }],
  ["a place below 0", { body: JSON.stringify({ data: [0, -1].map((index) => ({ index, embedding: vector })) }) }],
  ["a place between", { body: JSON.stringify({ data: [0, 0.5].map((index) => ({ index, embedding: vector })) }) }],
  ["vectors of two lengths", { body: dataOf([vector, [1]]) }],
  ["empty vectors", { body: dataOf([[], []]) }],
  ["words for numbers", { body: dataOf([["1"], ["2"]]) }],
  ["a number that is too large", { body: '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}' }],
  ["more numbers than a model has", { body: dataOf([new Array(20_000).fill(1), new Array(20_000).fill(1)]) }],
];

test.each(UNREADABLE)("an answer that cannot be read is none: %s", async (_what, reply) => {
  const { url } = await embedder(() => reply);
  await expect(embeddingsAt({ name: "e5", baseUrl: url }, {}).embed(["a", "b"], goesOn)).rejects.toThrow(
    /^e5 at 127\.0\.0\.1:\d+ gave no vectors that can be read$/,
  );
});

test.each<[what: string, reply: Reply, message: RegExp]>([
  ["an error", { status: 500, body: "key k1 is wrong" }, /^e5 at 127\.0\.0\.1:\d+ answered 500$/],
  ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:9/" } }, /^e5 at \S+ could not be reached/],
])("%s is told by the host alone", async (_what, reply, message) => {
  const { url, asked } = await embedder(() => reply);
  await expect(embeddingsAt({ name: "e5", baseUrl: url }, {}).embed(["a"], goesOn)).rejects.toThrow(message);
  expect(asked).toHaveLength(1);
});

test("an address where nobody listens is told, and what is in it is not", async () => {
  const model = embeddingsAt({ name: "e5", baseUrl: "http://127.0.0.1:9/v1?key=s3cret" }, {});
  await expect(model.embed(["a"], goesOn)).rejects.toThrow(/^e5 at 127\.0\.0\.1:9 could not be reached/);
});

test("a service that failed is left alone for a while", async () => {
  let now = 0;
  const { url, asked } = await embedder((_asked, count) => (count === 1 ? { status: 503 } : undefined));
  const model = embeddingsAt({ name: "e5", baseUrl: url }, {}, () => now);
  await expect(model.embed(["a"], goesOn)).rejects.toThrow("answered 503");
  now = 29_999;
  await expect(model.embed(["a"], goesOn)).rejects.toThrow("answered 503");
  expect(asked).toHaveLength(1);
  now = 30_000;
  expect(await model.embed(["a"], goesOn)).toHaveLength(1);
});

test("a model that takes little at once gets the beginnings", async () => {
  const { url, asked } = await embedder(({ input }) =>
    input.some(({ length }) => length > 512) ? { status: 400 } : undefined,
  );
  const model = embeddingsAt({ name: "e5", baseUrl: url }, {});
  const whole = `${"a".repeat(1_999)}😀`;
  expect(await model.embed([whole, "short"], goesOn)).toHaveLength(2);
  expect(asked.map(({ input }) => input.map(({ length }) => length))).toEqual([
    [2_000, 5],
    [400, 5],
  ]);
  expect(asked[0]?.input[0]?.at(-1)).toBe("\ufffd");
});

test("a request that is refused for other reasons is made once", async () => {
  const { url, asked } = await embedder(() => ({ status: 400 }));
  await expect(embeddingsAt({ name: "e5", baseUrl: url }, {}).embed(["short"], goesOn)).rejects.toThrow("answered 400");
  expect(asked).toHaveLength(1);
});

test("whoever stops the call does not wait, and the service has not failed", async () => {
  const { url, asked } = await embedder((_asked, count) => (count === 1 ? { hang: true } : undefined));
  const model = embeddingsAt({ name: "e5", baseUrl: url }, {});
  const stop = new AbortController();
  const waiting = model.embed(["a"], stop.signal);
  while (asked.length === 0) await new Promise((soon) => setImmediate(soon));
  stop.abort();
  await expect(waiting).rejects.toThrow("aborted");
  expect(await model.embed(["a"], goesOn)).toHaveLength(1);
});
