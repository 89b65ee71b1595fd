import type { Facts } from "../contracts/policy.ts";
import type { Sight, Stamp } from "../contracts/workspace.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Status } from "../words/result.ts";

const REMEMBERED_FILES = 10_000;

/** The facts of one session, kept up to date by the journey alone. */
export class SessionFacts implements Facts {
  readonly ceiling: Ceiling;
  calls = 0;
  changes = 0;
  readonly #seen = new Map<string, Stamp>();
  constructor(ceiling: Ceiling) {
    this.ceiling = ceiling;
  }

  seen(real: string): Stamp | undefined {
    return this.#seen.get(real);
  }

  noteEnd(status: Status, changed: boolean): void {
    this.calls += 1;
    if (changed && status === "done") this.changes += 1;
  }

  noteSights(sights: readonly Sight[]): void {
    for (const { place, stamp } of sights) if (stamp) this.noteRead(place.real, stamp);
  }

  noteRead(real: string, stamp: Stamp): void {
    this.#seen.delete(real);
    this.#seen.set(real, stamp);
    if (this.#seen.size > REMEMBERED_FILES) {
      const [oldest] = this.#seen.keys();
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
  }
}
