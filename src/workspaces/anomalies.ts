import type { Alert, AlertKind, AnomalyWatch, EndedCommands } from "../core/contracts/anomalies.ts";
import type { Clock } from "../core/contracts/clock.ts";
import type { Exit } from "../core/contracts/process.ts";
import type { Code, Status } from "../core/words/result.ts";

const MINUTE_MS = 60_000;
export const COOLDOWN_MS = 20_000;
export const MOST_ALERTS_A_MINUTE = 30;
export const MOST_REFUSED_A_MINUTE = 5;
export const MOST_COMMANDS_A_MINUTE = 120;
const MOST_COUNTED = 1_000;

/** Linux signal numbers. A shell, and bubblewrap, report a signal n as exit code 128 + n. */
const SIGNALS: Readonly<Record<number, string>> = {
  ...{ 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV" },
  ...{ 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS" },
};

/** Signals that are not part of normal operation. TERM, INT, PIPE and the like are usual ends. */
const KINDS: Readonly<Record<string, AlertKind>> = {
  ...{ SIGKILL: "killed", SIGXCPU: "killed", SIGXFSZ: "killed" },
  SIGSYS: "forbidden-syscall",
  ...{ SIGILL: "crashed", SIGTRAP: "crashed", SIGABRT: "crashed" },
  ...{ SIGBUS: "crashed", SIGFPE: "crashed", SIGSEGV: "crashed" },
};

const ENDED_BY: Partial<Record<AlertKind, string>> = {
  killed: "it went over a limit, memory ran out, or somebody killed it",
  "forbidden-syscall": "it made a system call that is forbidden",
  crashed: "it crashed",
};

const NOT_STARTED: Alert = {
  kind: "not-started",
  message: "The command was allowed but could not be started: the sandbox or the machine prevented it.",
};
const REFUSED_RATE: Alert = {
  kind: "refused-rate",
  message: `More than ${MOST_REFUSED_A_MINUTE} commands were refused within a minute.`,
};
const COMMAND_RATE: Alert = {
  kind: "command-rate",
  message: `More than ${MOST_COMMANDS_A_MINUTE} commands were started within a minute.`,
};

/** How often something happened within the last minute. */
class Tally {
  readonly #times: number[] = [];

  count(now: number): number {
    while (now - (this.#times[0] ?? now) >= MINUTE_MS) this.#times.shift();
    return this.#times.length;
  }

  add(now: number): number {
    if (this.#times.push(now) > MOST_COUNTED) this.#times.shift();
    return this.count(now);
  }
}

/**
 * Reports what is unusual about commands, judged by how they ended and how many there were, never by their text or
 * output, which a command can choose. It only raises alerts, at a limited rate, and stops nothing.
 */
export class CommandAnomalies implements AnomalyWatch {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #refused = new Tally();
  readonly #commands = new Tally();
  readonly #alerts = new Tally();
  readonly #byKind = new Map<AlertKind, Tally>();
  /** When an alert of a kind was last raised for a session; keys are `kind session`. */
  readonly #told = new Map<string, number>();

  constructor(clock: Pick<Clock, "ticks">) {
    this.#clock = clock;
  }

  look({ session, status, code, processes }: EndedCommands): Alert[] {
    const now = this.#clock.ticks();
    const ends = this.#ends(status, code, processes).map((alert) => this.#counted(alert, now));
    return [...ends, ...this.#rates(status, processes.length, now)].filter((alert) => this.#isDue(alert, session, now));
  }

  lookLater(session: string, exit: Exit): Alert[] {
    const now = this.#clock.ticks();
    const alert = alertOf(exit);
    return alert ? [this.#counted(alert, now)].filter((each) => this.#isDue(each, session, now)) : [];
  }

  /** Commands of a call that was stopped were ended by us, so they raise no alert. */
  #ends(status: Status, code: Code | undefined, processes: EndedCommands["processes"]): Alert[] {
    if (code === "CONFIG_ERROR" && status === "failed") return [NOT_STARTED];
    if (status !== "done" && status !== "failed") return [];
    return processes.flatMap(({ exit }) => (exit && alertOf(exit)) ?? []);
  }

  #rates(status: Status, started: number, now: number): Alert[] {
    const alerts: Alert[] = [];
    if (status === "refused" && this.#refused.add(now) > MOST_REFUSED_A_MINUTE) alerts.push(REFUSED_RATE);
    let commands = 0;
    for (let each = 0; each < started; each++) commands = this.#commands.add(now);
    if (commands > MOST_COMMANDS_A_MINUTE) alerts.push(COMMAND_RATE);
    return alerts;
  }

  /** Counts every alert, including those that `#isDue` suppresses. */
  #counted({ kind, message }: Alert, now: number): Alert {
    const tally = this.#byKind.get(kind) ?? new Tally();
    this.#byKind.set(kind, tally);
    const count = tally.add(now);
    return { kind, message: count > 1 ? `${message} There were ${count} of these within a minute.` : message };
  }

  #isDue({ kind }: Alert, session: string, now: number): boolean {
    for (const [key, at] of this.#told) if (now - at >= COOLDOWN_MS) this.#told.delete(key);
    const key = `${kind} ${session}`;
    if (this.#told.has(key) || this.#alerts.count(now) >= MOST_ALERTS_A_MINUTE) return false;
    this.#told.set(key, now);
    this.#alerts.add(now);
    return true;
  }
}

function alertOf({ code, signal }: Exit): Alert | undefined {
  const name = signal ?? SIGNALS[(code ?? 0) - 128];
  const kind = KINDS[name ?? ""];
  if (!kind) return undefined;
  const how = signal ?? `${name} (exit code ${code})`;
  return { kind, message: `The command was ended by ${how}: ${ENDED_BY[kind]}.` };
}
