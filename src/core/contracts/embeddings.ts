/** A model that turns texts into vectors: texts of similar meaning point in similar directions. */
export interface Embeddings {
  /** Vectors of different models must not be compared. */
  readonly model: string;
  /** One vector for each text, in order. Rejects with a message for people. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}
