import type { Stored, Table } from "../../core/contracts/store/tables.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Context } from "../../core/words/tool.ts";
import { type Fit, rank } from "../../text/ranking.ts";
import { alike, fused, type Packed } from "../../text/vectors.ts";

export const SCOPES = ["project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

/** The stored part of a memory. `outside`: text from outside had entered the session that stored it. */
export type MemoryRow = {
  content: string;
  category: string;
  at: number;
  agent: string;
  session: string;
  outside?: true;
  /** The embedding, and the model that made it. */
  vector?: { model: string; packed: Packed };
};
export type Memory = Omit<MemoryRow, "vector"> & { key: string; scope: Scope };
/** Why it was found. `similarity` compares its meaning to the query's, from -1 to 1. */
export type Recalled = Memory &
  Pick<Fit, "score" | "matched"> & { by?: "words" | "meaning" | "both"; similarity?: number };

export const MOST_MEMORIES = 2000;
/** Categories that are removed first when there is no room, in this order. */
const PASSING = ["conversation", "daily"];

type Tables = Pick<Context, "table" | "personal">;

const tableOf = ({ table, personal }: Tables, scope: Scope): Table => (scope === "user" ? personal() : table());

export async function keepMemory(
  tables: Tables,
  scope: Scope,
  key: string,
  row: MemoryRow,
): Promise<{ isNew: boolean }> {
  const table = tableOf(tables, scope);
  const isNew = (await table.get(key)) === undefined;
  if (isNew) await makeRoom(table);
  await table.put<MemoryRow>(key, row);
  return { isNew };
}

/** Removes passing memories first. Lasting ones are removed only if somebody says so. */
async function makeRoom(table: Table): Promise<void> {
  const kept = await table.list<MemoryRow>();
  if (kept.length < MOST_MEMORIES) return;
  const passing = kept
    .filter(({ value }) => PASSING.includes(value.category))
    .sort((a, b) => PASSING.indexOf(a.value.category) - PASSING.indexOf(b.value.category) || a.value.at - b.value.at);
  const goes = passing.slice(0, kept.length - MOST_MEMORIES + 1);
  if (goes.length === 0)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `There are ${kept.length} memories already, and at most ${MOST_MEMORIES} are kept.`,
      "Remove those that are no longer needed with memory_forget.",
    );
  for (const { key, version } of goes) await table.remove(key, { ifVersion: version });
}

/** A memory with everything that its table stores. */
export type KeptMemory = Memory & Pick<MemoryRow, "vector"> & { version: number };

export async function memories(tables: Tables, scopes: readonly Scope[], category?: string): Promise<KeptMemory[]> {
  const lists = await Promise.all(
    scopes.map(async (scope) =>
      (await tableOf(tables, scope).list<MemoryRow>()).map(({ key, value, version }: Stored<MemoryRow>) => ({
        ...value,
        key,
        scope,
        version,
      })),
    ),
  );
  return lists
    .flat()
    .filter((memory) => category === undefined || memory.category === category)
    .sort((a, b) => b.at - a.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Does nothing if it was changed in the meantime. */
export async function keepVector(
  tables: Tables,
  { key, scope, version, ...row }: KeptMemory,
  vector: NonNullable<MemoryRow["vector"]>,
): Promise<void> {
  await tableOf(tables, scope).put<MemoryRow>(key, { ...row, vector }, { ifVersion: version });
}

const shownOf = ({ vector: _vector, version: _version, ...memory }: KeptMemory): Memory => memory;

/** A query that matches everything: the newest memories are wanted. */
export const isForAll = (query: string): boolean => /^[\s*]*$/.test(query);

/** The best matches for a query. `similarities` are in the order of the memories, where their embedding is known. */
export function recall(
  query: string,
  kept: readonly KeptMemory[],
  limit: number,
  similarities: readonly (number | undefined)[] = [],
): Recalled[] {
  if (isForAll(query)) return kept.slice(0, limit).map((memory) => ({ ...shownOf(memory), score: 0, matched: [] }));
  const fits = rank(
    query,
    kept.map(({ key, content, category }) => [
      { name: "key", text: key, weight: 3 },
      { name: "content", text: content, weight: 1 },
      { name: "category", text: category, weight: 1 },
    ]),
  );
  const near = alike(similarities.flatMap((similarity, of) => (similarity === undefined ? [] : [{ of, similarity }])));
  const byWords = new Map(fits.map((fit) => [fit.index, fit]));
  const byMeaning = new Map(near.map(({ of, similarity }) => [of, similarity]));
  const scores =
    near.length > 0
      ? fused([...byWords.keys()], [...byMeaning.keys()])
      : new Map(fits.map(({ index, score }) => [index, score]));
  return [...scores]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, limit)
    .map(([index, score]) => {
      const fit = byWords.get(index);
      const similarity = byMeaning.get(index);
      const by = similarity === undefined ? "words" : fit ? "both" : "meaning";
      const memory = shownOf(kept[index] as KeptMemory);
      return { ...memory, score, matched: fit?.matched ?? [], by, ...(similarity !== undefined && { similarity }) };
    });
}

export const forget = (tables: Tables, scope: Scope, key: string): Promise<boolean> =>
  tableOf(tables, scope).remove(key);

export const isKept = async (tables: Tables, scope: Scope, key: string): Promise<boolean> =>
  (await tableOf(tables, scope).get(key)) !== undefined;
