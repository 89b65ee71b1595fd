type When = "before" | "after";

/**
 * The same object, but its n-th call (from 1) rejects: "before" anything happened, or "after" it happened, like an
 * answer that got lost.
 */
export function failing<T extends object>(inner: T, n: number, when: When = "before"): T {
  let calls = 0;
  const brittle = <P extends object>(part: P): P => new Proxy<P>(part, { get: (target, key) => memberOf(target, key) });
  return brittle(inner);

  function memberOf(target: object, key: string | symbol): unknown {
    const member: unknown = Reflect.get(target, key);
    if (typeof member !== "function") return member;
    // a table of a store is asked for without waiting: it is its calls that fail
    if (key === "table") return (...values: unknown[]) => brittle(member.apply(target, values));
    return async (...values: unknown[]) => {
      calls++;
      const fails = calls === n;
      if (fails && when === "before") throw new Error(`call ${n} fails: ${String(key)}`);
      const answer: unknown = await member.apply(target, values);
      if (fails) throw new Error(`call ${n} fails after it was done: ${String(key)}`);
      return answer;
    };
  }
}
