/** Who in this process waits for something in a file. */
const listeners = new Map<string, Set<() => void>>();

/** Returns a function that stops listening. */
export function onWake(file: string, listen: () => void): () => void {
  const set = listeners.get(file) ?? new Set();
  listeners.set(file, set.add(listen));
  return () => {
    set.delete(listen);
    if (set.size === 0) listeners.delete(file);
  };
}

export function wake(file: string): void {
  for (const listen of [...(listeners.get(file) ?? [])]) listen();
}
