import type { Process, Processes } from "../../src/core/contracts/process.ts";

const QUIET = { text: "", bytes: 0, lines: 0, omittedBytes: 0, omittedLines: 0 };

/** Notes what would run, and runs nothing: the programs that a test names need not be installed. */
export function noting(ran: string[], sandbox: "bubblewrap" | "none"): Processes {
  const enforcement = { sandbox, network: "none" as const };
  const exit = { code: 0, signal: null };
  return {
    enforcement: async () => enforcement,
    async start({ command }): Promise<Process> {
      ran.push(command);
      return {
        ...{ id: "p1", command, startedAt: 0, enforcement, exit, exited: Promise.resolve(exit), stopped: false },
        captured: () => ({ stdout: QUIET, stderr: QUIET }),
        fresh: () => ({ text: "", droppedBytes: 0 }),
        write: async () => {},
        kill: async () => {},
      };
    },
    list: () => [],
    close: async () => {},
  };
}
