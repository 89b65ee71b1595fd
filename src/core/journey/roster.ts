/** Those who are here now, in no order. Each knows its own seat, so that coming and going costs next to nothing. */
export class Roster<T extends { seat: number }> {
  readonly #members: T[] = [];

  get members(): readonly T[] {
    return this.#members;
  }

  add(member: T): void {
    member.seat = this.#members.length;
    this.#members.push(member);
  }

  has(member: T): boolean {
    return this.#members[member.seat] === member;
  }

  /** Whoever is not here changes nothing. */
  remove(member: T): void {
    if (!this.has(member)) return;
    const last = this.#members.pop() as T;
    if (last === member) return;
    this.#members[member.seat] = last;
    last.seat = member.seat;
  }

  /** All of them leave. */
  empty(): T[] {
    return this.#members.splice(0);
  }
}
