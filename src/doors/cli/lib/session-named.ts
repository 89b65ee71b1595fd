import type { AgentSession, Conversations } from "../../../crew.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { withStore } from "./workspace-store.ts";

const LISTED = "`toolgate sessions` lists them with their ids.";

/** Works with the conversations that are kept here. */
export const withConversations = <T>(
  invocation: Invocation,
  none: () => Promise<T>,
  work: (sessions: Conversations) => Promise<T>,
): Promise<T> =>
  withStore(invocation, none, async (store) => {
    const { conversations } = await import("../../../crew.ts");
    return work(conversations(store));
  });

/** Finds a session by its id, a prefix of it, or `last` for the newest one that a person started. */
export async function find(sessions: Conversations, written: string): Promise<AgentSession> {
  const all = await sessions.list();
  const newest = all.find(({ parent }) => parent === undefined);
  if (written === "last" && newest) return newest;
  const found = all.filter(({ id }) => id === written || id.startsWith(written) || id.startsWith(`session_${written}`));
  const exact = found.find(({ id }) => id === written) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  if (found.length > 1)
    throw new UsageFailure(`${found.length} sessions begin with ${written.slice(0, 80)}.`, "Give more of the id.");
  throw unknown(written);
}

const unknown = (written: string): UsageFailure =>
  new UsageFailure(`There is no agent session ${written.slice(0, 80)} here.`, LISTED);

export const sessionNamed = (invocation: Invocation, written: string): Promise<AgentSession> =>
  withConversations<AgentSession>(
    invocation,
    async () => {
      throw unknown(written);
    },
    (sessions) => find(sessions, written),
  );
