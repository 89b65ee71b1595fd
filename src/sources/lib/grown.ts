const LOOK_MS = 25;

/**
 * Calls back once the process has grown by so many bytes. The limits of a thread count its objects, and not the buffers
 * that a library fills. The answer ends it.
 */
export function whenGrown(bytes: number, done: () => void): () => void {
  const before = process.memoryUsage.rss();
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before <= bytes) return;
    clearInterval(timer);
    done();
  }, LOOK_MS);
  return () => clearInterval(timer);
}
