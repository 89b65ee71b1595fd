/** Work that can stop between two of its steps. */
export type Steps<T> = Generator<undefined, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Asks between two steps whether there is something to wait for. */
export async function inTurns<T>(steps: Steps<T>, turn: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const wait = turn();
    if (wait) await wait;
  }
}
