const DEEPEST = 64;
const MOST_VALUES = 1_000_000;

/** Throws if reading it does. */
function holdsOnlyData(value: unknown, depth: number, seen: { values: number }): boolean {
  if (typeof value !== "object")
    return typeof value !== "bigint" && typeof value !== "function" && typeof value !== "symbol";
  if (value === null || ArrayBuffer.isView(value)) return true;
  if (depth > DEEPEST) return false;
  for (const name in value) {
    if (++seen.values > MOST_VALUES) return false;
    if (!holdsOnlyData((value as Record<string, unknown>)[name], depth + 1, seen)) return false;
  }
  return true;
}

/** Whether it is data as JSON has it. Foreign code may hand over what cannot be read, compared or written down. */
export function isPlain(value: unknown): boolean {
  try {
    return holdsOnlyData(value, 0, { values: 0 });
  } catch {
    return false;
  }
}

/** Without the fields that are not plain. */
export function plainFields(value: Record<string, unknown>): Record<string, unknown> {
  if (isPlain(value)) return value;
  const kept: Record<string, unknown> = {};
  try {
    for (const name of Object.keys(value)) {
      const field = value[name];
      if (isPlain(field))
        Object.defineProperty(kept, name, { value: field, enumerable: true, configurable: true, writable: true });
    }
  } catch {
    // what was read so far is kept
  }
  return kept;
}
