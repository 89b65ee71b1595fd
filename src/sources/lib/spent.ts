/**
 * What a piece of work may cost: CPU time, which a busy machine does not use up, wall time, and how much the process
 * may grow. V8's own limit counts objects, but not the buffers that a library allocates.
 */
export type Allowance = { readonly cpuMs: number; readonly wallMs: number; readonly bytes: number };

/**
 * Calls `done` once the allowance is spent. Returns a function that stops watching. Its source is sent to another
 * process, so it must be self-contained.
 */
export function whenSpent({ cpuMs, wallMs, bytes }: Allowance, done: () => void): () => void {
  const LOOK_MS = 25;
  const size = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const isSpent = () => {
    const { user, system } = process.cpuUsage(cpu);
    return user + system > cpuMs * 1_000 || process.memoryUsage.rss() - size > bytes;
  };
  const end = () => {
    clearInterval(looking);
    clearTimeout(late);
  };
  const stop = () => {
    end();
    done();
  };
  const looking = setInterval(() => isSpent() && stop(), LOOK_MS);
  const late = setTimeout(stop, wallMs);
  return end;
}
