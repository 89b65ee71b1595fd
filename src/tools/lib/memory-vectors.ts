import type { Embeddings } from "../../core/contracts/embeddings.ts";
import type { Context } from "../../core/words/tool.ts";
import { redact } from "../../text/redact.ts";
import { cosine, type Packed, packed, unpacked } from "../../text/vectors.ts";
import { isForAll, type KeptMemory, keepVector } from "./memories.ts";

/** How many memories get an embedding in one call, the newest first. */
const MOST_AT_ONCE = 256;

type Vector = { model: string; packed: Packed };

/** What embeddings tell: `similarities` of each memory to the query, and a `note` on what could not be done. */
export type Meaning = { model: string; similarities: readonly (number | undefined)[]; note?: string };

/** What looks like a secret is not sent anywhere. */
const isSendable = (text: string): boolean => redact(text) === text;

const textOf = (key: string, content: string): string => `${key}\n${content}`;

/** The embedding of a memory that is about to be stored, or why it has none. */
export async function vectorFor(
  embeddings: Embeddings | undefined,
  key: string,
  content: string,
  signal: AbortSignal,
): Promise<{ vector?: Vector; note?: string }> {
  const text = textOf(key, content);
  if (!embeddings || !isSendable(text)) return {};
  try {
    const [made] = await embeddings.embed([text], signal);
    const kept = made && packed(made);
    return kept === undefined ? {} : { vector: { model: embeddings.model, packed: kept } };
  } catch (error) {
    signal.throwIfAborted();
    return { note: `It is found by its words alone until its meaning is known: ${messageOf(error)}.` };
  }
}

/** Compares the query's embedding to that of each memory. Memories without an embedding get one. */
export async function meaningOf(
  query: string,
  kept: readonly KeptMemory[],
  embeddings: Embeddings | undefined,
  context: Pick<Context, "table" | "personal" | "abort">,
): Promise<Meaning | undefined> {
  if (!embeddings || kept.length === 0 || isForAll(query)) return undefined;
  const { model } = embeddings;
  if (!isSendable(query))
    return {
      model,
      similarities: [],
      note: "Searched by words alone: what looks like a secret is not sent to a model.",
    };
  try {
    const [vector] = await embeddings.embed([query], context.abort);
    const wanted = vector && unpacked(packed(vector) ?? "");
    if (!wanted?.length) return { model, similarities: [] };
    const known = kept.map((memory) => similarityOf(memory.vector, model, wanted));
    const unknown = kept.filter(
      (memory, at) => known[at] === undefined && isSendable(textOf(memory.key, memory.content)),
    );
    const { made, failure } = await makeKnown(unknown.slice(0, MOST_AT_ONCE), embeddings, context);
    const similarities = kept.map((memory, at) => known[at] ?? similarityOf(made.get(memory), model, wanted));
    const left = failure ? unknown.length - made.size : unknown.length - MOST_AT_ONCE;
    if (left <= 0) return { model, similarities };
    const which = left === 1 ? "1 memory was" : `${left} memories were`;
    const why = failure ?? "the next search goes on to learn what they mean";
    return { model, similarities, note: `${which} searched by words alone: ${why}.` };
  } catch (error) {
    context.abort.throwIfAborted();
    return { model, similarities: [], note: `Searched by words alone: ${messageOf(error)}.` };
  }
}

function similarityOf(vector: Vector | undefined, model: string, wanted: Int8Array): number | undefined {
  if (vector?.model !== model) return undefined;
  const kept = unpacked(vector.packed);
  return kept && cosine(kept, wanted);
}

async function makeKnown(
  unknown: readonly KeptMemory[],
  embeddings: Embeddings,
  context: Pick<Context, "table" | "personal" | "abort">,
): Promise<{ made: Map<KeptMemory, Vector>; failure?: string }> {
  const made = new Map<KeptMemory, Vector>();
  if (unknown.length === 0) return { made };
  try {
    const vectors = await embeddings.embed(
      unknown.map(({ key, content }) => textOf(key, content)),
      context.abort,
    );
    for (const [at, memory] of unknown.entries()) {
      const kept = packed(vectors[at] ?? []);
      if (kept === undefined) continue;
      const vector = { model: embeddings.model, packed: kept };
      made.set(memory, vector);
      await keepVector(context, memory, vector);
    }
    return { made };
  } catch (error) {
    context.abort.throwIfAborted();
    return { made, failure: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
