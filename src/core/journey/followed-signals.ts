type Listener = () => void;

const followers = new WeakMap<AbortSignal, { listeners: Set<Listener>; tell: Listener }>();

/**
 * Calls `listener` when the signal aborts, and returns a function that stops listening. However many calls share a
 * signal, it gets one listener of ours: Node prints a warning when there are more than ten.
 */
export function follow(signal: AbortSignal, listener: Listener): () => void {
  const followed = followers.get(signal) ?? begin(signal);
  followed.listeners.add(listener);
  return () => {
    followed.listeners.delete(listener);
    if (followed.listeners.size > 0 || followers.get(signal) !== followed) return;
    followers.delete(signal);
    signal.removeEventListener("abort", followed.tell);
  };
}

function begin(signal: AbortSignal) {
  const listeners = new Set<Listener>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const followed = { listeners, tell };
  followers.set(signal, followed);
  signal.addEventListener("abort", tell);
  return followed;
}
