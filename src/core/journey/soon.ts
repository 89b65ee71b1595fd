/** A value, or a promise of it. Most stages have nothing to wait for, and awaiting costs time. */
export type Soon<T> = T | Promise<T>;

/** Continues with the value, synchronously if it is already there. */
export const whenThere = <T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  soon instanceof Promise ? soon.then(next) : next(soon);

/** The same for a function that is handed what it needs: every call comes here, and a closure for each would cost. */
export const whenThereWith = <T, U, G>(soon: Soon<T>, next: (value: T, given: G) => Soon<U>, given: G): Soon<U> =>
  soon instanceof Promise ? soon.then((value) => next(value, given)) : next(soon, given);
