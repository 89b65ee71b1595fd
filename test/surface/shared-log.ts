import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Held, Holder, Locks, Reservations, Reserved, Take } from "../../src/index.ts";

/** Rows of one kind, by key, in the order of coming. What goes in and out are copies. */
export type Rows<T> = {
  get(key: string): T | undefined;
  has(key: string): boolean;
  put(key: string, row: T): void;
  drop(key: string): void;
  all(): T[];
};

const ONE_MS = new Int32Array(new SharedArrayBuffer(4));

/**
 * One file that many processes add lines to, each line all of one transaction; what it holds is kept in memory too.
 * What was written outlives its process; to outlive the machine it would have to be synced.
 */
export class SharedLog {
  readonly owner = `${process.pid}.${randomUUID()}`;
  readonly #file: number;
  readonly #lock: string;
  readonly #own: string;
  readonly #kinds = new Map<string, Map<string, string>>();
  #staged: [kind: string, key: string, row: string | null][] = [];
  #read = 0;

  constructor(folder: string) {
    this.#lock = join(folder, "lock");
    this.#own = join(folder, `free.${this.owner}`);
    fs.mkdirSync(this.#own, { recursive: true });
    fs.writeFileSync(join(this.#own, this.owner), "");
    this.#file = fs.openSync(join(folder, "log"), "a+");
  }

  /** Nobody else reads or writes meanwhile; whatever throws leaves nothing behind. */
  run<T>(work: () => T): T {
    this.#take();
    try {
      this.#catchUp();
      const answer = work();
      if (this.#staged.length > 0) this.#read += fs.writeSync(this.#file, `${JSON.stringify(this.#staged)}\n`);
      return answer;
    } catch (error) {
      this.#kinds.clear();
      this.#read = 0;
      throw error;
    } finally {
      this.#staged = [];
      fs.renameSync(this.#lock, this.#own);
    }
  }

  rows<T>(kind: string): Rows<T> {
    const held = (): Map<string, string> => this.#kinds.get(kind) ?? new Map();
    return {
      get: (key) => {
        const row = held().get(key);
        return row === undefined ? undefined : (JSON.parse(row) as T);
      },
      has: (key) => held().has(key),
      put: (key, row) => this.#stage(kind, key, JSON.stringify(sayable(row))),
      drop: (key) => this.#stage(kind, key, null),
      all: () => [...held().values()].map((row) => JSON.parse(row) as T),
    };
  }

  close(): void {
    fs.closeSync(this.#file);
    fs.rmSync(this.#own, { recursive: true });
  }

  #stage(kind: string, key: string, row: string | null): void {
    this.#staged.push([kind, key, row]);
    this.#apply(kind, key, row);
  }

  #apply(kind: string, key: string, row: string | null): void {
    const rows = this.#kinds.get(kind) ?? new Map<string, string>();
    this.#kinds.set(kind, rows);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }

  #catchUp(): void {
    const bytes = Buffer.alloc(fs.fstatSync(this.#file).size - this.#read);
    fs.readSync(this.#file, bytes, 0, bytes.length, this.#read);
    const whole = bytes.lastIndexOf("\n") + 1;
    // half a line of somebody who was killed
    if (whole < bytes.length) fs.ftruncateSync(this.#file, this.#read + whole);
    for (const line of bytes.toString("utf8", 0, whole).split("\n"))
      if (line) for (const [kind, key, row] of JSON.parse(line)) this.#apply(kind, key, row);
    this.#read += whole;
  }

  /** A folder that is not empty cannot be renamed over, and that of a dead holder is buried under its own name. */
  #take(): void {
    for (;;) {
      try {
        fs.renameSync(this.#own, this.#lock);
        return;
      } catch (error) {
        if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      }
      const [holder] = fs.existsSync(this.#lock) ? fs.readdirSync(this.#lock) : [];
      if (holder && !lives(holder)) {
        try {
          fs.renameSync(this.#lock, `${this.#lock}.${holder}`);
        } catch {
          // somebody else was faster
        }
      } else Atomics.wait(ONE_MS, 0, 0, 1);
    }
  }
}

/** What JSON cannot say becomes a short text. */
function sayable(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  const inside = (each: unknown) => sayable(each, [...above, value]);
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(each)]));
}

/** Whether the process that an owner belongs to is still there. */
export function lives(owner: string): boolean {
  try {
    return process.kill(Number(owner.split(".")[0]), 0);
  } catch {
    return false;
  }
}

/** Runs work as long as the store is open. */
export type Use = <T>(work: () => T) => Promise<T>;

type Owned<T> = T & { owner: string };
type Taken = { token: string; key: string; amount: number; at: number; once?: string };
type Waiter = Owned<{ paths: readonly string[]; holder: Holder; since: number }>;

const covers = (wide: string, path: string): boolean =>
  wide === path ||
  (wide.endsWith("/**") &&
    (path === wide.slice(0, -3) || /^[/\\]/.test(path.slice(wide.length - 3))) &&
    path.startsWith(wide.slice(0, -3)));
const overlap = (a: string, b: string): boolean => covers(a, b) || covers(b, a);

/** Locks of those who are still here; a handle that is closed has none. */
export function locksIn(
  log: SharedLog,
  use: Use,
  isHere: (row: { owner: string }) => boolean,
  noteDone: (ids: readonly number[]) => void,
): Locks {
  const { owner } = log;
  const locks = log.rows<Owned<Held>>("locks");
  const waiters = log.rows<Waiter>("waiters");
  const heldOf = ({ path, token, call, since }: Held): Held => ({ path, token, call, since });
  /** Takes all, or tells what is in the way; `place` is the caller's own in the line. */
  function take(paths: readonly string[], holder: Holder, place?: string): Held | undefined {
    const held = locks.all().filter(isHere);
    const passes = (other: { token: string; call: string }) =>
      other.token === holder.token || holder.ancestors.includes(other.call);
    const free: string[] = [];
    for (const path of [...new Set(paths)].sort()) {
      if (held.some((lock) => lock.token === holder.token && covers(lock.path, path))) continue;
      const other = held.find((lock) => overlap(lock.path, path) && !passes(lock));
      if (other) return heldOf(other);
      free.push(path);
    }
    if (place !== undefined && !held.some(passes))
      for (const waiter of waiters.all().filter(isHere)) {
        if (waiter.holder.token === holder.token) break;
        const path = waiter.paths.find((each) => paths.some((own) => overlap(own, each)));
        if (path !== undefined && !passes(waiter.holder)) return { path, ...waiter.holder, since: waiter.since };
      }
    const since = Date.now();
    for (const path of free)
      locks.put(`${holder.token} ${path}`, { path, token: holder.token, call: holder.call, since, owner });
    return undefined;
  }

  return {
    async lock(paths, holder, patience) {
      const { milliseconds = 0, signal } = patience ?? {};
      const waits = milliseconds > 0 && !signal?.aborted;
      const place = `${owner} ${randomUUID()}`;
      let held = await use(() => {
        const other = take(paths, holder, waits ? place : undefined);
        if (other && waits) waiters.put(place, { paths, holder, since: Date.now(), owner });
        return other;
      });
      if (!held || !waits) return held;
      const until = performance.now() + milliseconds;
      try {
        while (held && !signal?.aborted && performance.now() < until) {
          await pause(2, undefined, { ...(signal && { signal }) }).catch(() => {});
          if (!signal?.aborted) held = await use(() => take(paths, holder, place));
        }
        return held;
      } finally {
        // a store that was closed meanwhile has told so, and its waiters count no more
        await use(() => waiters.drop(place)).catch(() => {});
      }
    },
    unlock: (token, done = []) =>
      use(() => {
        noteDone(done);
        for (const lock of locks.all()) if (lock.token === token) locks.drop(`${token} ${lock.path}`);
      }),
    locks: () => use(() => locks.all().filter(isHere).map(heldOf)),
  };
}

/** Limits, across all that share the log. */
export function limitsIn(log: SharedLog, use: Use): Reservations {
  const taken = log.rows<Taken>("taken");
  const countOf = (rows: readonly Taken[], { key, window }: Pick<Take, "key" | "window">): Taken[] =>
    rows.filter((row) => row.key === key && (window === undefined || Date.now() - row.at < window));
  const sumOf = (rows: readonly Taken[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);
  const hasRoom = ({ limit, amount }: Take, used: number) => limit > 0 && used + amount <= limit * (1 + 1e-9);
  function reserveAll(takes: readonly Take[]): Reserved {
    for (const { key, amount, window = 0 } of takes)
      if (!(amount >= 0 && Number.isFinite(amount) && window >= 0))
        throw new Error(`${amount} of ${key} cannot be reserved.`);
    const token = randomUUID();
    const now = Date.now();
    const rows = taken.all();
    for (const wanted of takes) {
      const { key, once } = wanted;
      const isCounted =
        once !== undefined && rows.some((row) => row.key === key && row.once === once && row.amount > 0);
      const take = isCounted ? { ...wanted, amount: 0 } : wanted;
      const counted = countOf(rows, take);
      const used = sumOf(counted);
      if (!hasRoom(take, used)) {
        const free =
          take.window !== undefined && counted.find((_, n) => hasRoom(take, used - sumOf(counted.slice(0, n + 1))));
        return { full: take, used, ...(free && { freeIn: Math.max(0, free.at + (take.window as number) - now) }) };
      }
      rows.push({ token, key, amount: take.amount, at: now, ...(once !== undefined && { once }) });
    }
    for (const [n, row] of rows.filter((row) => row.token === token).entries()) taken.put(`${token} ${n}`, row);
    return { token };
  }

  return {
    reserve: (takes) => use(() => reserveAll(takes)),
    giveBack: (token) =>
      use(() => {
        for (let n = 0; taken.has(`${token} ${n}`); n++) taken.drop(`${token} ${n}`);
      }),
    reserved: (key, window) => use(() => sumOf(countOf(taken.all(), { key, ...(window !== undefined && { window }) }))),
  };
}
