const DEEPEST = 64;
const MOST_VALUES = 1_000_000;

/** Whether it is data as JSON has it. Throws if reading it does. */
function isPlain(value: unknown, depth: number, seen: { values: number }): boolean {
  if (typeof value !== "object")
    return typeof value !== "bigint" && typeof value !== "function" && typeof value !== "symbol";
  if (value === null || ArrayBuffer.isView(value)) return true;
  if (depth > DEEPEST) return false;
  for (const name in value) {
    if (++seen.values > MOST_VALUES) return false;
    if (!isPlain((value as Record<string, unknown>)[name], depth + 1, seen)) return false;
  }
  return true;
}

/** Foreign code may hand over what cannot be read, compared or written down. Then there is something else instead. */
export function plain<T>(value: T, instead: T): T {
  try {
    return isPlain(value, 0, { values: 0 }) ? value : instead;
  } catch {
    return instead;
  }
}

/** Without the fields that are not plain. */
export function plainFields(value: Record<string, unknown>): Record<string, unknown> {
  if (plain<unknown>(value, undefined) !== undefined) return value;
  const kept: Record<string, unknown> = {};
  try {
    for (const name of Object.keys(value)) {
      const field = plain<unknown>(value[name], undefined);
      if (field !== undefined)
        Object.defineProperty(kept, name, { value: field, enumerable: true, configurable: true, writable: true });
    }
  } catch {
    // what was read so far is kept
  }
  return kept;
}
