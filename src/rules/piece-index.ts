import { pieceOf } from "../text/glob.ts";

const FEW = 8;
const SIZE = 3;
const SLOTS = 4096;

type Entry<T> = { readonly piece: string; readonly order: number; readonly item: T };

/**
 * Finds those of many globs that may match a text. Each has a piece that every match must contain, and is stored in the
 * slot of the three characters of it that the fewest others share.
 */
export class PieceIndex<T> {
  readonly #items: readonly T[];
  readonly #always: Entry<T>[] = [];
  readonly #alwaysItems: readonly T[];
  readonly #slots: (Entry<T>[] | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(items: readonly T[], globOf: (item: T) => string) {
    this.#items = items;
    const entries = items.map((item, order) => ({ piece: pieceOf(globOf(item)), order, item }));
    const counts = new Uint32Array(SLOTS);
    for (const { piece } of entries) for (const slot of slotsOf(piece)) counts[slot] = (counts[slot] ?? 0) + 1;
    for (const entry of entries) {
      const [rarest] = slotsOf(entry.piece).sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
      if (rarest === undefined) this.#always.push(entry);
      else this.#slots[rarest] = [...(this.#slots[rarest] ?? []), entry];
    }
    this.#alwaysItems = this.#always.map(({ item }) => item);
  }

  /** In the order in which they were given. */
  within(text: string): readonly T[] {
    if (this.#items.length <= FEW) return this.#items;
    const lower = text.toLowerCase();
    let found: Set<Entry<T>> | undefined;
    for (let index = 0; index + SIZE <= lower.length; index++) {
      const entries = this.#slots[slotAt(lower, index)];
      if (entries === undefined) continue;
      for (const entry of entries) if (lower.includes(entry.piece)) found = (found ?? new Set(this.#always)).add(entry);
    }
    return found ? [...found].sort((a, b) => a.order - b.order).map(({ item }) => item) : this.#alwaysItems;
  }
}

/** Different characters may share a slot, so matches are compared in full. */
const slotAt = (text: string, index: number): number =>
  ((text.charCodeAt(index) * 31 + text.charCodeAt(index + 1)) * 31 + text.charCodeAt(index + 2)) & (SLOTS - 1);

const slotsOf = (text: string): number[] =>
  Array.from({ length: Math.max(0, text.length - SIZE + 1) }, (_, index) => slotAt(text, index));
