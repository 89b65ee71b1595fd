import type { Stored, Table } from "../../core/contracts/store/tables.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Context } from "../../core/words/tool.ts";
import { type Fit, rank } from "../../text/ranking.ts";

export const SCOPES = ["project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

/** What is kept of a memory. `outside`: text from outside had come into the session that kept it. */
export type MemoryRow = {
  content: string;
  category: string;
  at: number;
  agent: string;
  session: string;
  outside?: true;
};
export type Memory = MemoryRow & { key: string; scope: Scope };
export type Recalled = Memory & Pick<Fit, "score" | "matched">;

export const MOST_MEMORIES = 2000;
/** Categories that make room for others when there is none, in this order. */
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

/** What was only said in passing goes first; what is meant to stay goes only by somebody's word. */
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
      "Take back those that are not needed any more with memory_forget.",
    );
  for (const { key, version } of goes) await table.remove(key, { ifVersion: version });
}

export async function memories(tables: Tables, scopes: readonly Scope[], category?: string): Promise<Memory[]> {
  const lists = await Promise.all(
    scopes.map(async (scope) =>
      (await tableOf(tables, scope).list<MemoryRow>()).map(({ key, value }: Stored<MemoryRow>) => ({
        ...value,
        key,
        scope,
      })),
    ),
  );
  return lists
    .flat()
    .filter((memory) => category === undefined || memory.category === category)
    .sort((a, b) => b.at - a.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** The best for a query; without words to look for, the newest. */
export function recall(query: string, kept: readonly Memory[], limit: number): Recalled[] {
  if (/^[\s*]*$/.test(query)) return kept.slice(0, limit).map((memory) => ({ ...memory, score: 0, matched: [] }));
  const fits = rank(
    query,
    kept.map(({ key, content, category }) => [
      { name: "key", text: key, weight: 3 },
      { name: "content", text: content, weight: 1 },
      { name: "category", text: category, weight: 1 },
    ]),
  );
  return fits.slice(0, limit).map(({ index, score, matched }) => ({ ...(kept[index] as Memory), score, matched }));
}

export const forget = (tables: Tables, scope: Scope, key: string): Promise<boolean> =>
  tableOf(tables, scope).remove(key);

export const isKept = async (tables: Tables, scope: Scope, key: string): Promise<boolean> =>
  (await tableOf(tables, scope).get(key)) !== undefined;
