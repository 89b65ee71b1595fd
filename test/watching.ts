import type { Policy } from "../src/core/contracts/policy.ts";
import type { Process } from "../src/core/contracts/process.ts";
import type { ChangeRow, NewChange } from "../src/core/contracts/store/changes.ts";
import type { Store } from "../src/core/contracts/store/store.ts";
import type { Aftermath, Before, Change, Found, Workspace } from "../src/core/contracts/workspace.ts";
import { rowOf, type Trip } from "../src/core/journey/trip.ts";
import { underWatch } from "../src/core/journey/watching.ts";
import type { Result } from "../src/core/words/result.ts";
import type { PathTouch, Touch } from "../src/core/words/touch.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { ready, run } from "./judging.ts";
import { beforeOf, bytes, type FileMap, sha256, tripIn } from "./tripping.ts";

export const DONE: Result = { success: true, status: "done", title: "", output: "out", metadata: { code: 0 } };
export const mark = (text: string): string => sha256(bytes(text));

type Given = {
  files?: FileMap;
  known?: Before[];
  aftermath?: Partial<Aftermath> | Error;
  touches?: Touch[];
  store?: Partial<Store>;
  policies?: Policy[];
  processes?: Partial<Process>[];
  watch?: "none";
};

/** A command around which is looked, in a world that the test changes meanwhile. */
export function watching(given: Given = {}) {
  const { files = new Map(), known = [], aftermath = {}, touches = [run()], policies = [], processes } = given;
  const asked: PathTouch[][] = [];
  const kept = memoryStore();
  const store = Object.assign(Object.create(kept), given.store) as typeof kept;
  const watch: Workspace["watch"] = async (seen) => {
    asked.push([...seen]);
    const end = async (): Promise<Aftermath> => {
      if (aftermath instanceof Error) throw aftermath;
      return { found: [], lost: [], whole: true, ...aftermath };
    };
    return { known, end };
  };
  const trip = tripIn({ files, parts: { store, policies }, workspace: given.watch === "none" ? {} : { watch } });
  if (processes) trip.deeds.processes = processes as Process[];
  const rows = (query = {}): Promise<ChangeRow[]> => kept.changes(query);
  const ended = (work: (trip: Trip) => unknown = () => {}, result: Partial<Result> = {}) =>
    underWatch(trip, ready({ touches }), async () => {
      await work(trip);
      return { ...DONE, ...result };
    });
  return { trip, store: kept, files, asked, rows, ended };
}

export const foundAt = (name: string, after: string | null = "new", more: Partial<Found> = {}): Found => ({
  ...beforeOf(name, "old"),
  after: after === null ? null : mark(after),
  ...more,
});

/** A policy that hears what a command has changed. */
export const counting = () => {
  const seen: (readonly Change[])[] = [];
  const policy: Policy = {
    name: "limits",
    judge: () => undefined,
    found: (changes) => {
      seen.push(changes);
      return [];
    },
  };
  return { seen, policies: [policy] };
};

/** A change that another call has told the store of. */
export async function journalled(
  store: Store,
  trip: Trip,
  name: string,
  after: string,
  state: "done" | "void" | "intended" = "done",
) {
  const row: NewChange = rowOf(trip, beforeOf(name, "old"), { after: mark(after) });
  const ids = await store.intend([row]);
  if (state !== "intended") await store.conclude(ids, state);
}
