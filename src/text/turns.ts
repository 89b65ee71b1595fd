/** Work that can pause between two of its steps. */
export type Steps<T> = Generator<undefined, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Waits between two steps if `turn` returns something to wait for. */
export async function inTurns<T>(steps: Steps<T>, turn: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const wait = turn();
    if (wait) await wait;
  }
}
