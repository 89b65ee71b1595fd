/** A monotonic clock in milliseconds. Not `performance`, which takes a while to load. */
export const ticks = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};
