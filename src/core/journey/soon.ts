/** A value that is there, or a promise of it: most stages have nothing to wait for, and waiting costs. */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: at once where it is there. */
export const whenThere = <T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  soon instanceof Promise ? soon.then(next) : next(soon);
