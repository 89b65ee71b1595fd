import { type IncomingCall, turnOf } from "../words/call.ts";
import { isWithin } from "../words/containment.ts";
import type { BatchOptions } from "../words/gate-view.ts";
import type { Result } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Below } from "./context.ts";
import { tried } from "./ending.ts";
import { answerQuestions, arrive, depart, type Traveller } from "./journey.ts";
import type { Station } from "./journey-parts.ts";
import { Life } from "./life.ts";
import { allBelow, lockPaths } from "./path-locks.ts";
import { read } from "./reading.ts";
import { isEnded } from "./stages.ts";
import { begin, lookOnly } from "./trip.ts";

const AT_ONCE = 8;

/**
 * Makes many calls and returns the results in order. Calls that cannot disturb each other form a wave: prepared
 * together, asked about once, performed together. The next wave is prepared when the one before has ended.
 */
export async function travelAll(
  station: Station,
  calls: readonly IncomingCall[],
  options: BatchOptions,
  below: Below,
): Promise<Result[]> {
  const { parts } = station;
  const whole = new Life(parts.clock, options.signal, station.above, station.gates);
  // closing the gate also stops waves that have not begun
  parts.lives.add(whole);
  const batch: Station = { ...station, above: whole, turn: station.turn ?? turnOf(parts.ids()) };
  const results: Result[] = new Array(calls.length);
  for (const wave of await planWaves(station, calls)) {
    const travellers: Traveller[] = new Array(wave.length);
    await inTurns([...wave.entries()], options.concurrency, async ([n, index]) => {
      travellers[n] = await depart(begin(batch, calls[index] as IncomingCall));
    });
    await answerQuestions(travellers);
    await inTurns([...wave.entries()], options.concurrency, async ([n, index]) => {
      results[index] = await arrive(travellers[n] as Traveller, below);
    });
  }
  whole.end();
  parts.lives.remove(whole);
  return results;
}

/** Puts each call into the first wave after every earlier call that it would disturb. */
async function planWaves(station: Station, calls: readonly IncomingCall[]): Promise<number[][]> {
  const waves: number[][] = [];
  const planned: { reach: Reach; wave: number }[] = [];
  for (const [index, call] of calls.entries()) {
    const reach = await reachOf(station, call);
    let wave = 0;
    for (const earlier of planned) if (disturbs(earlier.reach, reach)) wave = Math.max(wave, earlier.wave + 1);
    planned.push({ reach, wave });
    waves[wave] = [...(waves[wave] ?? []), index];
  }
  return waves;
}

/** Real paths that a call reads and changes; `/**` includes all below. `inOrder`: the tool, if its calls keep order. */
type Reach = { reads: string[]; changes: string[]; inOrder?: string };

/** A call that cannot be read touches nothing: it will end in its own error, in its own place. */
async function reachOf(station: Station, call: IncomingCall): Promise<Reach> {
  const trip = lookOnly(station, call);
  const ready = await tried(trip, async () => read(trip, trip.known.call));
  if (isEnded(ready)) return { reads: [], changes: [] };
  const { touches, tool } = ready;
  return {
    reads: touches.flatMap(readPaths),
    changes: lockPaths(touches, station.workspace.roots),
    ...(tool.definition.inOrder && { inOrder: tool.name }),
  };
}

const readPaths = (touch: Touch): string[] => {
  if (touch.action === "run") return touch.inner.flatMap(readPaths);
  if (touch.action !== "read" && touch.action !== "list") return [];
  return [touch.action === "list" || touch.scope !== undefined ? allBelow(touch.place.real) : touch.place.real];
};

const disturbs = (a: Reach, b: Reach): boolean =>
  (a.inOrder !== undefined && a.inOrder === b.inOrder) ||
  overlap(a.changes, b.changes) ||
  overlap(a.changes, b.reads) ||
  overlap(a.reads, b.changes);

const overlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => covers(one, other) || covers(other, one)));

const covers = (wide: string, path: string): boolean =>
  wide === path || (wide.endsWith("/**") && isWithin(path, wide.slice(0, -3) || "/"));

/** Handles the items in order, at most `concurrency` at once. */
async function inTurns<T>(items: readonly T[], concurrency = AT_ONCE, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker));
}
