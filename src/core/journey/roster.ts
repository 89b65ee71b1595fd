/** An unordered collection. Each member knows its own index (`seat`), so adding and removing take constant time. */
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

  /** Does nothing if the member is not in the roster. */
  remove(member: T): void {
    if (!this.has(member)) return;
    const last = this.#members.pop() as T;
    if (last === member) return;
    this.#members[member.seat] = last;
    last.seat = member.seat;
  }

  /** Removes all members and returns them. */
  empty(): T[] {
    return this.#members.splice(0);
  }
}
