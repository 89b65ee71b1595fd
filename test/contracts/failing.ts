type When = "before" | "after";

/**
 * The same object, but its n-th call (from 1) rejects: "before" anything happened, or "after" it happened, like an
 * answer that got lost.
 */
export function failing<T extends object>(inner: T, n: number, when: When = "before"): T {
  let calls = 0;
  return new Proxy(inner, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return async (...values: unknown[]) => {
        calls++;
        const fails = calls === n;
        if (fails && when === "before") throw new Error(`call ${n} fails: ${String(key)}`);
        const answer: unknown = await member.apply(target, values);
        if (fails) throw new Error(`call ${n} fails after it was done: ${String(key)}`);
        return answer;
      };
    },
  });
}
