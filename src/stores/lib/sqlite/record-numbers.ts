import type { ChainFinding } from "../../../core/contracts/store/chains.ts";
import type { Connection } from "../connection.ts";
import { SEQUENCE } from "../counters.ts";

type Finding = Omit<ChainFinding, "writer">;
type Gap = { from: number; to: number };

/** Every number that was given out must belong to a record or an event, unless a checkpoint says it was pruned. */
export class RecordNumbers {
  readonly #connection: Connection;
  readonly #gaps: Gap[] = [];
  #last = 0;
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Must be called in the order of the numbers. */
  add(first: number, last: number): void {
    if (first > this.#last + 1) this.#gaps.push({ from: this.#last + 1, to: first - 1 });
    this.#last = Math.max(this.#last, last);
  }

  findings(pruned: number): Finding[] {
    const { sql } = this.#connection;
    const given = Number(sql("SELECT value FROM counters WHERE name = ?").get(SEQUENCE)?.value ?? 0);
    const gaps = [...this.#gaps, { from: this.#last + 1, to: given }];
    const found = gaps.flatMap(({ from, to }) => this.#missing(Math.max(from, pruned + 1), Math.min(to, given)));
    if (given >= this.#last) return found;
    const message = `The counter says that ${given} numbers were given out, but there are records up to ${this.#last}.`;
    return [...found, { kind: "changed", from: given + 1, to: this.#last, message }];
  }

  #missing(from: number, to: number): Finding[] {
    if (from > to) return [];
    const count = this.#connection.sql("SELECT count(*) AS told FROM events WHERE seq BETWEEN ? AND ?");
    const told = Number(count.get(from, to)?.told);
    const all = to - from + 1;
    if (told >= all) return [];
    const which =
      from === to
        ? `The number ${from} belongs`
        : `${told === 0 ? "The" : `${all - told} of the`} numbers ${from} to ${to} ${all - told === 1 ? "belongs" : "belong"}`;
    const message = `${which} to no record and no event: what had ${all - told === 1 ? "it" : "them"} was removed.`;
    return [{ kind: "removed", from, to, message }];
  }
}
