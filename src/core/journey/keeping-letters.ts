import type { Tables } from "../contracts/store/tables.ts";
import { type DeadLetter, LETTERS, type NewLetter, nextTryOf } from "../words/dead-letter.ts";

const MOST_LETTERS = 1_000;

/** Keeps one letter a call, however often it fails. If there are very many, the oldest are dropped. */
export async function keepLetters(store: Tables, letters: readonly NewLetter[]): Promise<void> {
  const table = store.table(LETTERS);
  for (const letter of letters) {
    const before = (await table.get<DeadLetter>(letter.id))?.value;
    const rounds = (before?.rounds ?? 0) + 1;
    const kept: DeadLetter = {
      ...letter,
      attempts: (before?.attempts ?? 0) + letter.attempts,
      rounds,
      firstAt: before?.firstAt ?? letter.at,
      nextTry: nextTryOf(letter.category, rounds, letter.at),
    };
    await table.put(letter.id, kept);
  }
  const all = await table.list<DeadLetter>();
  const oldest = all.sort((a, b) => a.value.at - b.value.at).slice(0, Math.max(0, all.length - MOST_LETTERS));
  for (const { key } of oldest) await table.remove(key);
}
