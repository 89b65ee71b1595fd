const DEEPEST = 64;

/** JSON of any value. What JSON cannot express (cycles, BigInt, throwing getters, great depth) becomes a short text. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return JSON.stringify(sayable(value, [])) ?? "null";
  }
}

export const fromJson = <T>(text: string): T => JSON.parse(text) as T;

/** A copy as a store would return it: what JSON cannot express is lost in the same way everywhere. */
export const copy = <T>(value: T): T => fromJson<T>(toJson(value));

function sayable(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[too deep]";
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") return sayable(value.toJSON(), [...above, value]);
    if (Array.isArray(value)) return value.map((item) => sayable(item, [...above, value]));
    return Object.fromEntries(Object.keys(value).map((key) => [key, member(value, key, above)]));
  } catch {
    return "[unreadable]";
  }
}

function member(owner: object, key: string, above: readonly object[]): unknown {
  try {
    return sayable((owner as Record<string, unknown>)[key], [...above, owner]);
  } catch {
    return "[unreadable]";
  }
}
