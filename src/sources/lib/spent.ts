const LOOK_MS = 25;

/**
 * What work in a thread may cost: time of the processor, which a busy machine does not take from it, all time, and how
 * much the process may grow. The limits of a thread itself count objects, and not the buffers that a library fills.
 */
export type Allowance = { readonly cpuMs: number; readonly wallMs: number; readonly bytes: number };

/** Calls back once that is spent. The answer ends it. */
export function whenSpent({ cpuMs, wallMs, bytes }: Allowance, done: () => void): () => void {
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
