import type { Code, Status } from "../words/result.ts";
import type { Exit, Process } from "./process.ts";

export type AlertKind = "killed" | "forbidden-syscall" | "crashed" | "not-started" | "refused-rate" | "command-rate";
export type Alert = { kind: AlertKind; message: string };

/** A call that ran commands, at its end. */
export type EndedCommands = {
  session: string;
  status: Status;
  code: Code | undefined;
  processes: readonly Pick<Process, "exit">[];
};

/** Reports what is unusual about commands. Nothing is stopped because of it. */
export interface AnomalyWatch {
  look(ended: EndedCommands): Alert[];
  /** For a command that ends after its call. */
  lookLater(session: string, exit: Exit): Alert[];
}
