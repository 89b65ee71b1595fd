/** A model that makes vectors of texts: what means nearly the same lies in nearly the same direction. */
export interface Embeddings {
  /** Vectors of different models are never compared. */
  readonly model: string;
  /** One vector for each text, in order. Rejects with a message for people. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}
