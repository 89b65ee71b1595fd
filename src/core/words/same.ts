const DEEPEST = 16;

/** Whether two inputs say the same. What is nested too deeply to tell counts as different. */
export function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth > DEEPEST) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    if (!isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}
