import { closedFailure } from "./failure.ts";

/** Runs work while the store is open; `explain` turns what it throws into a message. */
export type Using = <T>(work: () => T | Promise<T>) => Promise<T>;

export type Usage = { using: Using; isOpen(): boolean; end(): void };

export function usage(explain: (error: unknown) => unknown = (error) => error): Usage {
  let open = true;
  return {
    async using(work) {
      if (!open) throw closedFailure();
      try {
        return await work();
      } catch (error) {
        throw explain(error);
      }
    },
    isOpen: () => open,
    end() {
      open = false;
    },
  };
}
