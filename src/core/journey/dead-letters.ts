import type { Store } from "../contracts/store/store.ts";
import { type DeadLetter, LETTERS, nextTryOf } from "../words/dead-letter.ts";
import type { Result } from "../words/result.ts";
import { isSame } from "../words/same.ts";
import { troubleIn } from "../words/trouble.ts";
import { type Trip, targetOf, workspaceOf } from "./trip.ts";

const MOST_LETTERS = 1_000;
const MOST_ARGUMENTS = 64 * 1024;

/** A letter that the same failed call may already have. */
export type NewLetter = Omit<DeadLetter, "rounds" | "firstAt" | "nextTry">;

/** Only what was tried, and failed through no fault of its own. */
export function letterOf(trip: Trip, result: Result): NewLetter | undefined {
  const { station, known, deeds } = trip;
  const { call, ready } = known;
  const category = deeds.trouble ?? troubleIn(result);
  if (!category || !ready || !result.error || !deeds.ran) return undefined;
  if (result.status !== "failed" && result.status !== "timed-out") return undefined;
  const { parts } = station;
  const workspace = workspaceOf(station);
  const args = keptArguments(call.args, parts.redactDeep);
  const sign = JSON.stringify([workspace, ready.tool.name, args ?? trip.recordID]);
  return {
    id: parts.hash(new TextEncoder().encode(sign)).slice(0, 12),
    call: call.id,
    session: call.sessionID,
    agent: call.agent,
    workspace,
    tool: ready.tool.name,
    target: parts.redact(targetOf(ready)),
    args,
    status: result.status,
    error: { code: result.error.code, message: result.error.message },
    category,
    attempts: deeds.tries ?? 1,
    at: parts.clock.now(),
  };
}

/** null: what is kept would not be the same call. */
function keptArguments(args: unknown, redactDeep: (value: unknown) => unknown): unknown {
  try {
    const given = args ?? {};
    const text = JSON.stringify(given);
    const kept: unknown = JSON.parse(text);
    return text.length <= MOST_ARGUMENTS && isSame(redactDeep(kept), given) ? kept : null;
  } catch {
    return null;
  }
}

/** One letter a call, however often it fails; the oldest are dropped where there are very many. */
export async function keepLetters(store: Store, letters: readonly NewLetter[]): Promise<void> {
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
  if (all.length <= MOST_LETTERS) return;
  const oldest = all.sort((a, b) => a.value.at - b.value.at).slice(0, all.length - MOST_LETTERS);
  for (const { key } of oldest) await table.remove(key);
}
