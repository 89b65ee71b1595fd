import type { Code, Status } from "../words/result.ts";
import type { Exit, Process } from "./process.ts";

export type AlertKind = "killed" | "forbidden-syscall" | "crashed" | "not-started" | "refused-rate" | "command-rate";
export type Alert = { kind: AlertKind; message: string };

/** A call with a command in it, at its end. */
export type EndedCommands = {
  session: string;
  status: Status;
  code: Code | undefined;
  processes: readonly Pick<Process, "exit">[];
};

/** Tells what is unusual about commands. It only tells; nothing is stopped for it. */
export interface AnomalyWatch {
  look(ended: EndedCommands): Alert[];
  /** A command that went on after its call has ended. */
  lookLater(session: string, exit: Exit): Alert[];
}
