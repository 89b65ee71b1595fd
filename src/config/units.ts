const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const BYTES = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 };

export const DURATION = /^\d{1,9}(?:\.\d{1,3})? ?(?:ms|s|m|h|d|w)$/;
export const SIZE = /^\d{1,12}(?:\.\d{1,3})? ?(?:[kKmMgGtT][iI]?)?[bB]$/;

function scaled(written: string | number, units: Record<string, number>): number {
  if (typeof written === "number") return written;
  const unit = written.replace(/^[\d. ]+/, "").toLowerCase();
  return Math.round(Number.parseFloat(written) * (units[unit] ?? Number.NaN));
}

/** `30d`, `12h`, `90m`; a plain number is milliseconds already. */
export const milliseconds = (written: string | number): number => scaled(written, MILLISECONDS);

/** `500MB`, `2GB`, `1MiB`; a plain number is bytes already. */
export const bytes = (written: string | number): number => scaled(written, BYTES);
