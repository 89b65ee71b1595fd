import type { Embeddings } from "../core/contracts/embeddings.ts";

/** Where embeddings come from. The key is given by the name of its variable, so that it is never written down. */
export type EmbeddingSettings = { readonly name: string; readonly baseUrl: string; readonly keyVariable?: string };

const MOST_TEXTS = 64;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_NUMBERS = 16_384;
const LONGEST_MS = 10_000;
/** How long a service that failed is not tried again, so that not every call waits for it. */
const REST_MS = 30_000;
/** How much of a text is sent; the second length is for models that accept less. */
const LENGTHS = [2_000, 400] as const;
const TOO_LONG = [400, 413, 422];
/** Half of a surrogate pair that was cut, which not every service accepts. */
const HALVES = /\p{Cs}/gu;

/** A failure of a service that speaks OpenAI's embeddings API. */
class Unanswered extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export function embeddingsAt(
  settings: EmbeddingSettings,
  env: Readonly<Record<string, string | undefined>> = process.env,
  now: () => number = Date.now,
): Embeddings {
  let failed: { message: string; until: number } | undefined;
  return {
    model: settings.name,
    async embed(texts, signal) {
      if (failed && now() < failed.until) throw new Unanswered(failed.message);
      try {
        const vectors: number[][] = [];
        for (let at = 0; at < texts.length; at += MOST_TEXTS)
          vectors.push(...(await cutToFit(texts.slice(at, at + MOST_TEXTS), settings, env, signal)));
        failed = undefined;
        return vectors;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        failed = { message: error.message, until: now() + REST_MS };
        throw error;
      }
    },
  };
}

type Env = Readonly<Record<string, string | undefined>>;

async function cutToFit(texts: readonly string[], settings: EmbeddingSettings, env: Env, signal: AbortSignal) {
  const [usual, short] = LENGTHS;
  try {
    return await ask(texts, usual, settings, env, signal);
  } catch (error) {
    const isTooLong = error instanceof Unanswered && TOO_LONG.includes(error.status ?? 0);
    if (!isTooLong || texts.every(({ length }) => length <= short)) throw error;
    return ask(texts, short, settings, env, signal);
  }
}

async function ask(
  texts: readonly string[],
  length: number,
  { name, baseUrl, keyVariable = "OPENAI_API_KEY" }: EmbeddingSettings,
  env: Env,
  signal: AbortSignal,
): Promise<number[][]> {
  const url = new URL(baseUrl);
  const where = `${name} at ${url.host}`;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/embeddings`;
  const key = env[keyVariable];
  const limit = AbortSignal.timeout(LONGEST_MS);
  try {
    const response = await fetch(url, {
      method: "POST",
      // the key, and what people remember, are for this host only
      redirect: "error",
      headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model: name,
        input: texts.map((text) => text.slice(0, length).replace(HALVES, "\ufffd")),
      }),
      signal: AbortSignal.any([signal, limit]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Unanswered(`${where} answered ${response.status}`, response.status);
    }
    const vectors = vectorsIn(await bounded(response), texts.length);
    if (!vectors) throw new Unanswered(`${where} gave no vectors that can be read`);
    return vectors;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unanswered) throw error;
    if (limit.aborted) throw new Unanswered(`${where} did not answer within ${LONGEST_MS / 1000} s`);
    throw new Unanswered(`${where} could not be reached${causeOf(error)}`);
  }
}

const causeOf = (error: unknown): string => {
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === "string" && /^\w+$/.test(code) ? ` (${code})` : "";
};

async function bounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return "";
    text += decoder.decode(part, { stream: true });
  }
  return text;
}

/** As many vectors as texts, all of one length, in the order of the texts; undefined if the answer is invalid. */
function vectorsIn(text: string, count: number): number[][] | undefined {
  const vectors = new Array<number[] | undefined>(count);
  let answer: { data?: unknown };
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    return undefined;
  }
  if (!Array.isArray(answer?.data) || answer.data.length !== count) return undefined;
  for (const [place, row] of (answer.data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const at = typeof row?.index === "number" ? row.index : place;
    const isInside = Number.isInteger(at) && at >= 0 && at < count;
    if (!isInside || vectors[at] !== undefined || !isVector(row?.embedding)) return undefined;
    vectors[at] = row.embedding;
  }
  const [first] = vectors;
  return vectors.every((vector) => vector?.length === first?.length) ? (vectors as number[][]) : undefined;
}

const isVector = (given: unknown): given is number[] =>
  Array.isArray(given) &&
  given.length > 0 &&
  given.length <= MOST_NUMBERS &&
  given.every((each) => typeof each === "number" && Number.isFinite(each));
