export const LONGEST_SECONDS = 600;
const SHORTEST_MILLISECONDS = 1_000;
/** Round minutes and hours in seconds, which nobody means as milliseconds. */
const ROUND_TIMES: readonly number[] = [1_200, 1_800, 2_400, 2_700, 3_600, 5_400, 7_200];

/** Explains the number in a schema. */
export const TIMEOUT_WORDS = `Seconds, at most ${LONGEST_SECONDS}`;

/**
 * A time limit in milliseconds. Models send seconds and milliseconds under one name: a second or more in milliseconds
 * is plausible, a limit of 0.7 s for a command is not.
 */
export function timeAsked(timeout: number): number {
  const isSeconds = timeout < SHORTEST_MILLISECONDS || ROUND_TIMES.includes(timeout);
  return Math.min(isSeconds ? timeout * 1_000 : timeout, LONGEST_SECONDS * 1_000);
}
