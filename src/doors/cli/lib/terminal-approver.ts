import type { Approver } from "../../../core/contracts/approval.ts";

/** What a person was shown last. */
export type Seen = { diff: string };

/** Questions of one process are asked one after the other: a screen has room for one. */
let last: Promise<unknown> = Promise.resolve();

/** Asks a person at the terminal. The code for that is loaded with the first question. */
export function terminalApprover({ seen, signal }: { seen?: Seen; signal?: AbortSignal } = {}): Approver {
  const approve: Approver = (call, verdict) => {
    const turn = last.then(async () => {
      if (seen) seen.diff = call.diff;
      const { askAtTerminal } = await import("./terminal-question.ts");
      return askAtTerminal(call, verdict, signal);
    });
    last = turn.catch(() => {});
    return turn;
  };
  return Object.assign(approve, { several: true });
}
