/** Milliseconds that never jump. Node loads `performance` when it is first used, and that takes a while. */
export const ticks = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};
