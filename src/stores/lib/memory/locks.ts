import type { Held, Holder, Locks } from "../../../core/contracts/store/locks.ts";
import { closedFailure } from "../failure.ts";
import { aheadOf, type Claim, claimsOf, decide, heldOf, standsInLine, timerOf } from "../locking.ts";
import type { Using } from "../usage.ts";
import type { NoteEnd } from "./changes.ts";

type Waiter = {
  paths: readonly string[];
  holder: Holder;
  claims: Claim[];
  got(): void;
  failed(error: unknown): void;
};

/** Waiters are woken when a lock is freed, in order of arrival. `noteEnd` concludes changes. */
export function memoryLocks(using: Using, noteEnd: NoteEnd): Locks & { end(): void } {
  let locks: Held[] = [];
  let waiters: Waiter[] = [];

  /** Takes the paths, or returns what is in the way. */
  const take = (paths: readonly string[], holder: Holder, claims: readonly Claim[]): Held | undefined => {
    const decision = decide(paths, holder, locks, () => false);
    if ("held" in decision) return heldOf(decision.held);
    const ahead = standsInLine(holder, locks) ? aheadOf(paths, holder, claims) : undefined;
    if (ahead) return heldOf(ahead);
    locks.push(...claimsOf(decision.take, holder, Date.now()));
    return undefined;
  };

  const wake = (): void => {
    const ahead: Claim[] = [];
    const left: Waiter[] = [];
    for (const waiter of waiters) {
      if (!take(waiter.paths, waiter.holder, ahead)) waiter.got();
      else {
        ahead.push(...waiter.claims);
        left.push(waiter);
      }
    }
    waiters = left;
  };

  const wait = (paths: readonly string[], holder: Holder, milliseconds: number, signal?: AbortSignal) =>
    new Promise<Held | undefined>((settle, reject) => {
      const rest = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stopped);
      };
      const waiter: Waiter = {
        ...{ paths, holder, claims: claimsOf(paths, holder, Date.now()) },
        got() {
          rest();
          settle(undefined);
        },
        failed(error) {
          rest();
          reject(error);
        },
      };
      /** Takes the paths if they are free at this moment; otherwise reports what is in the way. */
      const giveUp = (claims: readonly Claim[]): void => {
        rest();
        settle(take(paths, holder, claims));
        waiters = waiters.filter((other) => other !== waiter);
        wake();
      };
      const stopped = (): void => giveUp(waiters.slice(0, waiters.indexOf(waiter)).flatMap((other) => other.claims));
      // at the deadline the queue is ignored
      const timer = setTimeout(() => giveUp([]), timerOf(milliseconds));
      signal?.addEventListener("abort", stopped);
      waiters.push(waiter);
    });

  return {
    lock: (paths, holder, patience) =>
      using(() => {
        const { milliseconds = 0, signal } = patience ?? {};
        const waits = milliseconds > 0 && !signal?.aborted;
        const held = take(paths, holder, waits ? waiters.flatMap(({ claims }) => claims) : []);
        return held && waits ? wait([...paths], holder, milliseconds, signal) : held;
      }),
    unlock: (token, done = []) =>
      using(() => {
        noteEnd(done, "done");
        locks = locks.filter((lock) => lock.token !== token);
        wake();
      }),
    locks: () => using(() => locks.map(heldOf)),
    end() {
      locks = [];
      for (const waiter of waiters.splice(0)) waiter.failed(closedFailure());
    },
  };
}
