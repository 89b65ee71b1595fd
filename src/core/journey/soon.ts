/** A value, or a promise of it. Most stages have nothing to wait for, and awaiting costs time. */
export type Soon<T> = T | Promise<T>;

/** Continues with the value, synchronously if it is already there. */
export const whenThere = <T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  soon instanceof Promise ? soon.then(next) : next(soon);

/** The same for a function that is handed what it needs: every call comes here, and a closure for each would cost. */
export const whenThereWith = <T, U, G>(soon: Soon<T>, next: (value: T, given: G) => Soon<U>, given: G): Soon<U> =>
  soon instanceof Promise ? soon.then((value) => next(value, given)) : next(soon, given);

/** What is to be made of a work's end. One object serves where a promise for each stage would cost more. */
export interface Sequel<T, U> {
  done(made: T): Soon<U>;
  failed(error: unknown): Soon<U>;
}

const UNCHANGED: Sequel<unknown, unknown> = {
  done: (made) => made,
  failed: (error) => Promise.reject(error),
};

/** Leaves the end as it is. */
export const unchanged = <T>(): Sequel<T, T> => UNCHANGED as Sequel<T, T>;

/** The sequel of a promise. */
export const followedBy = <T, U>(made: Promise<T>, sequel: Sequel<T, U>): Promise<U> =>
  made.then(
    (value) => sequel.done(value),
    (error) => sequel.failed(error),
  );

/** Hands on what `make` makes of the value for the given, or what it throws. */
export function madeInto<G, V, T, U>(
  sequel: Sequel<T, U>,
  make: (given: G, value: V) => Soon<T>,
  given: G,
  value: V,
): Soon<U> {
  let made: Soon<T>;
  try {
    made = make(given, value);
  } catch (error) {
    return sequel.failed(error);
  }
  return made instanceof Promise ? followedBy(made, sequel) : sequel.done(made);
}
