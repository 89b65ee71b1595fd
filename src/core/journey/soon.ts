/** A value, or a promise of it. Most stages have nothing to wait for, and awaiting costs time. */
export type Soon<T> = T | Promise<T>;

/** Continues with the value, synchronously if it is already there. */
export const whenThere = <T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  soon instanceof Promise ? soon.then(next) : next(soon);
