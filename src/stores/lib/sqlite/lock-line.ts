import type { Held, Holder } from "../../../core/contracts/store/locks.ts";
import type { Connection } from "../connection.ts";
import { closedFailure } from "../failure.ts";
import type { Claim } from "../locking.ts";
import { onWake, wake } from "../wakes.ts";

const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 16;
/** Whoever is ahead takes what is free within a few pauses. After this long it has stalled, and is passed. */
const STALLED_MS = 250;

type Wish = { paths: readonly string[]; holder: Holder; ticket: number };
type Waiter = Wish & {
  deadline: number;
  /** Since when only the queue was in the way. */
  idleSince: number | undefined;
  settle(held: Held | undefined): void;
  fail(error: unknown): void;
};

/** A waiter of any process. */
export type Ticketed = { ticket: number; claims: Claim[] };

/** What the queue needs from the locks. `take` must be called inside a transaction. */
export type LockDesk<L> = {
  locks(): L[];
  waiting(): Ticketed[];
  /** What is in the way: a lock, or one of these claims. */
  inTheWay(locks: L[], paths: readonly string[], holder: Holder, claims: readonly Claim[]): Held | undefined;
  take(paths: readonly string[], holder: Holder, claims: readonly Claim[]): Held | undefined;
};

/**
 * The waiters of this handle. Other processes cannot wake them, so they poll, all together; what this process frees
 * wakes them at once.
 */
export function lockLine<L>(file: string, { sql, transaction }: Connection, desk: LockDesk<L>) {
  let waiters: Waiter[] = [];
  let pause = SHORTEST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  /** Takes the lock or finds what is in the way. Returns whether the wait is over. */
  const conclude = (waiter: Waiter, claims: readonly Claim[], isOver: boolean): boolean => {
    const held = transaction(() => {
      const found = desk.take(waiter.paths, waiter.holder, claims);
      if (!found || isOver) sql("DELETE FROM waiters WHERE ticket = ?").run(waiter.ticket);
      return found;
    });
    if (held && !isOver) return false;
    waiters = waiters.filter((other) => other !== waiter);
    waiter.settle(held);
    return true;
  };

  const lookAgain = (waiter: Waiter, locks: L[], ahead: readonly Claim[]): boolean => {
    const { paths, holder, deadline } = waiter;
    const now = performance.now();
    const isHeld = desk.inTheWay(locks, paths, holder, []) !== undefined;
    waiter.idleSince = isHeld ? undefined : (waiter.idleSince ?? now);
    const isOver = now >= deadline;
    const passes = isOver || now - (waiter.idleSince ?? now) > STALLED_MS;
    const claims = passes ? [] : ahead;
    if (!isOver && (isHeld || desk.inTheWay(locks, paths, holder, claims))) return false;
    return conclude(waiter, claims, isOver);
  };

  const lookAll = (): void => {
    const line = desk.waiting();
    const ahead: Claim[] = [];
    let locks = desk.locks();
    for (const waiter of [...waiters]) {
      while (line[0] && line[0].ticket < waiter.ticket) ahead.push(...(line.shift()?.claims ?? []));
      if (!lookAgain(waiter, locks, ahead)) continue;
      locks = desk.locks();
      pause = SHORTEST_PAUSE_MS;
    }
  };

  const failAll = (error: unknown): void => {
    for (const waiter of waiters.splice(0)) waiter.fail(error);
  };

  const tick = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      lookAll();
    } catch (error) {
      failAll(error);
    }
    if (waiters.length === 0) {
      stopListening?.();
      stopListening = undefined;
      return;
    }
    timer = setTimeout(tick, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  const hear = (): void => {
    pause = SHORTEST_PAUSE_MS;
    tick();
  };

  const join = (waiter: Waiter): void => {
    waiters.push(waiter);
    stopListening ??= onWake(file, hear);
    pause = SHORTEST_PAUSE_MS;
    timer ??= setTimeout(tick, pause);
  };

  return {
    wait(wish: Wish, milliseconds: number, signal?: AbortSignal): Promise<Held | undefined> {
      return new Promise((settle, reject) => {
        const rest = (): void => signal?.removeEventListener("abort", stopped);
        const waiter: Waiter = {
          ...{ ...wish, deadline: performance.now() + milliseconds, idleSince: undefined },
          settle(held) {
            rest();
            settle(held);
          },
          fail(error) {
            rest();
            reject(error);
          },
        };
        const stopped = (): void => {
          try {
            const ahead = desk.waiting().filter(({ ticket }) => ticket < waiter.ticket);
            conclude(
              waiter,
              ahead.flatMap(({ claims }) => claims),
              true,
            );
          } catch (error) {
            waiters = waiters.filter((other) => other !== waiter);
            waiter.fail(error);
          }
          wake(file);
        };
        signal?.addEventListener("abort", stopped);
        join(waiter);
      });
    },
    wakeAll: () => wake(file),
    end(): void {
      clearTimeout(timer);
      stopListening?.();
      failAll(closedFailure());
    },
  };
}
