import type { SessionSpace } from "./session-space.ts";

const MOST_IDLE = 32;
const MOST_FAILURES = 2;

/** A space that is in use until `release` is called. */
export type Lent = { space: SessionSpace; release: () => void };

type Kept = { opening: Promise<SessionSpace | undefined>; users: number; forgotten: boolean };

/** The spaces of sessions, created when a session's first command needs one. */
export class SessionSpaces {
  readonly #open: () => Promise<SessionSpace | undefined>;
  /** The most recently used one comes last. */
  readonly #kept = new Map<string, Kept>();
  #failures = 0;

  constructor(open: () => Promise<SessionSpace | undefined>) {
    this.#open = open;
  }

  /** Returns undefined if there is none or none can be created; then the command gets its own /tmp and network. */
  async lend(session: string, make: boolean): Promise<Lent | undefined> {
    const known = this.#kept.get(session);
    if (!known && (!make || this.#failures >= MOST_FAILURES)) return undefined;
    const kept = known ?? { opening: this.#open().catch(() => undefined), users: 0, forgotten: false };
    if (known) this.#touch(session, kept);
    else this.#kept.set(session, kept);
    kept.users += 1;
    const space = await kept.opening;
    let isLent = true;
    const release = (): void => {
      if (isLent) this.#giveBack(session, kept);
      isLent = false;
    };
    if (space) return { space, release };
    if (!known) this.#failures += 1;
    if (this.#kept.get(session) === kept) this.#kept.delete(session);
    return undefined;
  }

  #touch(session: string, kept: Kept): void {
    if (this.#kept.get(session) !== kept) return;
    this.#kept.delete(session);
    this.#kept.set(session, kept);
  }

  #giveBack(session: string, kept: Kept): void {
    kept.users -= 1;
    if (kept.forgotten && kept.users === 0) this.#drop(session, kept);
    else this.#touch(session, kept);
    const idle = [...this.#kept].filter(([, { users }]) => users === 0);
    for (const [name, each] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) this.#drop(name, each);
  }

  /** The session is over: its space is closed when the last of its commands has ended. */
  forget(session: string): void {
    const kept = this.#kept.get(session);
    if (!kept) return;
    kept.forgotten = true;
    if (kept.users === 0) this.#drop(session, kept);
  }

  /** Called if a command failed with the space and worked without it. */
  giveUp(session: string): void {
    this.#failures = MOST_FAILURES;
    this.forget(session);
  }

  #drop(session: string, kept: Kept): void {
    if (this.#kept.get(session) === kept) this.#kept.delete(session);
    void kept.opening.then((space) => space?.close());
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const { opening } of all) (await opening)?.close();
  }
}
