import { pieceOf } from "../text/glob.ts";

const FEW = 8;
const SIZE = 3;

type Entry<T> = { readonly piece: string; readonly order: number; readonly item: T };

/**
 * Finds those of many globs that may match a text: each has a piece that whatever it matches must hold, and is found by
 * the three characters of that piece which the fewest others have.
 */
export class PieceIndex<T> {
  readonly #items: readonly T[];
  readonly #always: Entry<T>[] = [];
  readonly #byStart = new Map<string, Entry<T>[]>();

  constructor(items: readonly T[], globOf: (item: T) => string) {
    this.#items = items;
    const entries = items.map((item, order) => ({ piece: pieceOf(globOf(item)), order, item }));
    const counts = new Map<string, number>();
    for (const { piece } of entries)
      for (const start of startsOf(piece)) counts.set(start, (counts.get(start) ?? 0) + 1);
    for (const entry of entries) {
      const [rarest] = [...startsOf(entry.piece)].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
      if (rarest === undefined) this.#always.push(entry);
      else this.#byStart.set(rarest, [...(this.#byStart.get(rarest) ?? []), entry]);
    }
  }

  /** In the order in which they were given. */
  within(text: string): readonly T[] {
    if (this.#items.length <= FEW) return this.#items;
    const lower = text.toLowerCase();
    const found = new Set(this.#always);
    for (const start of startsOf(lower))
      for (const entry of this.#byStart.get(start) ?? []) if (lower.includes(entry.piece)) found.add(entry);
    return [...found].sort((a, b) => a.order - b.order).map(({ item }) => item);
  }
}

function* startsOf(text: string): Generator<string> {
  for (let index = 0; index + SIZE <= text.length; index++) yield text.slice(index, index + SIZE);
}
