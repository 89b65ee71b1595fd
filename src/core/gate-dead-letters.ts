import type { Table, Tables } from "./contracts/store/tables.ts";
import type { Parts } from "./journey/journey-parts.ts";
import type { IncomingCall } from "./words/call.ts";
import { type DeadLetter, LETTERS } from "./words/dead-letter.ts";
import type { Result } from "./words/result.ts";

/** Newest first. */
export async function lettersIn(store: Tables): Promise<DeadLetter[]> {
  const rows = await store.table(LETTERS).list<DeadLetter>();
  return rows.map(({ value }) => value).sort((a, b) => b.at - a.at);
}

/** Calls that failed through no fault of their own, in every process that shares the store. */
export class DeadLetters {
  readonly #parts: Pick<Parts, "store" | "recorder">;
  readonly #call: (call: IncomingCall) => Promise<Result>;
  constructor(parts: Pick<Parts, "store" | "recorder">, call: (call: IncomingCall) => Promise<Result>) {
    this.#parts = parts;
    this.#call = call;
  }

  get #table(): Table {
    return this.#parts.store.table(LETTERS);
  }

  /** Newest first. `due`: only those whose next try is due at this time. */
  async list({ due }: { due?: number } = {}): Promise<DeadLetter[]> {
    await this.#parts.recorder.flush();
    const isDue = ({ nextTry, args }: DeadLetter): boolean =>
      due === undefined || (nextTry !== null && nextTry <= due && args !== null);
    return (await lettersIn(this.#parts.store)).filter(isDue);
  }

  /**
   * Makes the call again, in this gate's session, judged like any other. Success removes the letter, failure adds an
   * attempt. Returns undefined if there is no such letter, or its arguments were not kept.
   */
  async retry(id: string): Promise<Result | undefined> {
    await this.#parts.recorder.flush();
    const letter = (await this.#table.get<DeadLetter>(id))?.value;
    if (!letter || letter.args === null) return undefined;
    const result = await this.#call({ name: letter.tool, args: letter.args });
    if (result.status === "done") await this.#table.remove(id);
    return result;
  }

  /** Returns false if there is no such letter. */
  async drop(id: string): Promise<boolean> {
    await this.#parts.recorder.flush();
    return this.#table.remove(id);
  }
}
