import type { Store } from "../../../core/contracts/store/store.ts";
import { interruptedCalls } from "../../../core/journey/recorder.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { hasStore, workspaceOf } from "./opening.ts";
import { isInteractive } from "./person.ts";

/** Works with the workspace's store; `none` is called if there is none yet. */
export async function withStore<T>(
  invocation: Invocation,
  none: () => Promise<T>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const workspace = workspaceOf(invocation);
  if (!hasStore(workspace)) return none();
  const { openStore } = await import("../../../storing.ts");
  const store = await openStore(workspace);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The same for the record. First adds records for calls whose process died. */
export const withRecords = <T>(
  invocation: Invocation,
  none: () => Promise<T>,
  work: (store: Store) => Promise<T>,
): Promise<T> =>
  withStore(invocation, none, async (store) => {
    await store.record(await interruptedCalls(store));
    return work(store);
  });

/** A model must not answer its own question: commands that it runs carry a mark, and have no terminal. */
export function aPerson({ flags }: Invocation, wants: string): void {
  if (process.env.TOOLGATE_PROCESS !== undefined)
    throw new UsageFailure(
      `A command that an agent runs cannot ${wants}.`,
      "Run it yourself in a terminal of your own.",
    );
  if (!flags.has("yes") && !isInteractive())
    throw new UsageFailure(
      `Nobody can confirm that they want to ${wants}: this is not a terminal.`,
      "Run it in a terminal, or pass --yes to confirm in advance.",
    );
}
