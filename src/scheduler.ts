import { type Clock, sleep } from "./core/contracts/clock.ts";
import type { Gate } from "./core/gate.ts";
import type { Narrowing } from "./core/words/ceiling.ts";
import type { Result } from "./core/words/result.ts";
import type { Crew } from "./crew.ts";
import { type OpenOptions, open, settingsFor } from "./open.ts";
import { openAgent } from "./open-agent.ts";
import { storeOf, tidied } from "./storing.ts";
import { counted } from "./text/counted.ts";
import { countDue, lastDue, nextDue } from "./text/time/schedule.ts";
import { countedFrom, type Job, type JobBook, jobBook, nextRun, type Run } from "./tools/lib/job-book.ts";
import { machineClock } from "./workspaces/machine.ts";

export type { Run } from "./tools/lib/job-book.ts";

export type SchedulerOptions = {
  signal: AbortSignal;
  /** Runs what is due now, waits for it, and returns. */
  once?: boolean;
  clock?: Clock;
  /** Called for every run when it has ended, or was skipped. */
  onRun?(run: Run): void;
  /** Called once for a job that is not trusted, and so not run. */
  onDoubt?(job: Job): void;
};

const MOST_AT_ONCE = 4;
const USUAL_TIMEOUT = 120;
const USUAL_AGENT_TIMEOUT = 600;
/** How often to look for new jobs of other processes. */
const LOOK_EVERY = 5_000;
/** A run that is no later than this was not missed. */
const ON_TIME = 60_000;
const MOST_CAUGHT_UP = 100;
const LONGEST_MESSAGE = 4000;

/** Runs the jobs of a workspace when they are due, until it is aborted. Nobody can be asked. */
export async function runJobs(
  options: OpenOptions & { workspace: string },
  { clock = machineClock, ...scheduling }: SchedulerOptions,
): Promise<void> {
  const { settings } = await settingsFor(options.workspace, options);
  const store = await storeOf(options.store ?? settings.store, settings.journal, options.workspace);
  try {
    const { approve: _, ask: __, model, ...rest } = options;
    const hands: Hands = model ? await openAgent({ ...rest, model, store }) : { gate: await open({ ...rest, store }) };
    try {
      const book = jobBook({ table: (name = "") => store.table(`cron/${name}`) });
      await new Scheduler(hands, book, { ...scheduling, clock }).run();
    } finally {
      await hands.gate.close();
    }
  } finally {
    if (typeof options.store !== "object") await tidied(store, settings.journal, options.workspace);
  }
}

type Ended = Pick<Run, "status" | "message" | "session">;

/** What jobs are run with. Without a model there are no agents. */
type Hands = { gate: Gate; crew?: Crew };

type Scheduling = SchedulerOptions & { clock: Clock };

class Scheduler {
  readonly #hands: Hands;
  readonly #book: JobBook;
  readonly #options: Scheduling;
  readonly #running = new Map<string, Promise<void>>();
  readonly #doubted = new Set<string>();
  /** When a job is due next; valid while its row is unchanged and the clock is not set back. */
  readonly #next = new Map<string, { due: number; looked: number; next: number | undefined }>();
  #failure: { error: unknown } | undefined;
  constructor(hands: Hands, book: JobBook, options: Scheduling) {
    this.#hands = hands;
    this.#book = book;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, once = false, clock } = this.#options;
    const begun = clock.now();
    while (!signal.aborted && !this.#failure) {
      // with `once`, jobs that come due meanwhile are left for the next time
      const now = once ? begun : clock.now();
      await this.#book.sweep();
      const next = this.#start(await this.#book.all(), now);
      if (once && this.#running.size === 0) break;
      // a run that ends makes room for another job, and its own job may be due again
      const waits = [...this.#running.values()];
      if (!once || waits.length === 0) waits.push(pause(clock, next - now, signal));
      await Promise.race(waits);
    }
    await Promise.all(this.#running.values());
    if (this.#failure) throw this.#failure.error;
  }

  /** Starts what is due and has room. Returns when to look again. */
  #start(jobs: readonly Job[], now: number): number {
    const { signal, onDoubt } = this.#options;
    let next = now + LOOK_EVERY;
    for (const job of jobs) {
      if (!job.trusted) {
        if (!this.#doubted.has(job.id)) onDoubt?.(job);
        this.#doubted.add(job.id);
        continue;
      }
      if (!this.#isDue(job, now)) {
        next = Math.min(next, this.#next.get(job.id)?.next ?? next);
        continue;
      }
      if (job.running || this.#running.has(job.id) || this.#running.size >= MOST_AT_ONCE || signal.aborted) continue;
      const ended = turn(this.#hands, this.#book, job.id, now, this.#options)
        .catch((error: unknown) => {
          this.#failure ??= { error };
        })
        .finally(() => this.#running.delete(job.id));
      this.#running.set(job.id, ended);
    }
    return next;
  }

  #isDue(job: Job, now: number): boolean {
    const known = this.#next.get(job.id);
    if (known && known.due === job.due && known.looked <= now) return known.next !== undefined && known.next <= now;
    const from = countedFrom(job, now);
    const isDue = lastDue(job.schedule, from, now) !== undefined;
    this.#next.set(job.id, { due: job.due, looked: now, next: isDue ? now : nextRun(job, now) });
    return isDue;
  }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([sleep(clock, Math.max(1, ms)), stopped]);
  signal.removeEventListener("abort", stop);
}

/** One run of one job, unless another process runs it, or has run it meanwhile. */
async function turn(hands: Hands, book: JobBook, id: string, now: number, options: Scheduling): Promise<void> {
  const { clock, signal, onRun } = options;
  const started = clock.now();
  const key = `${id}/${String(started).padStart(16, "0")}`;
  const release = await book.claim(id, key);
  if (!release) return;
  try {
    const job = await book.get(id);
    const due = job?.trusted ? dueRun(job, now) : undefined;
    if (!job || !due) return;
    const { name } = job;
    const run: Run = { key, job: id, name, due: due.at, started, status: "running", message: "", ...lost(due.missed) };
    if (due.skipped) {
      await end(book, job, { ...run, ended: started, status: "skipped", message: SKIPPED }, started, onRun);
      return;
    }
    await book.keepRun(run);
    // set before it begins, so that an interrupted run is not repeated
    await book.setDue(id, due.at);
    const ended = await perform(hands, job, signal);
    await end(book, job, { ...run, ended: clock.now(), ...ended }, clock.now(), onRun);
  } finally {
    await release();
  }
}

const SKIPPED = "It was missed, and missed runs are skipped.";
const lost = (missed: number): { missed?: number } => (missed > 0 ? { missed } : {});

/** Which of the due times is run, and how many are not. */
function dueRun(job: Job, now: number): { at: number; missed: number; skipped: boolean } | undefined {
  const from = countedFrom(job, now);
  const last = lastDue(job.schedule, from, now);
  if (last === undefined) return undefined;
  const count = countDue(job.schedule, from, last);
  if (job.missed === "all" && count <= MOST_CAUGHT_UP)
    return { at: nextDue(job.schedule, from) ?? last, missed: 0, skipped: false };
  return { at: last, missed: count - 1, skipped: job.missed === "skip" && now - last > ON_TIME };
}

async function end(book: JobBook, job: Job, run: Run, now: number, onRun: SchedulerOptions["onRun"]): Promise<void> {
  // runs that came due while it ran would have overlapped
  const passed = job.missed === "all" ? undefined : lastDue(job.schedule, run.due, now);
  const times = passed === undefined ? 0 : countDue(job.schedule, run.due, passed);
  const late = times > 0 ? `\n(It came due ${counted(times, "time")} while it ran, and was not run for that.)` : "";
  const ended = { ...run, message: `${run.message}${late}` };
  await book.keepRun(ended);
  if (job.schedule.kind === "at") await book.remove(job.id).catch(() => {});
  else if (await book.get(job.id)) await book.setDue(job.id, passed ?? run.due);
  onRun?.(ended);
}

/** Judged like any other call, under what its creator was allowed or what is allowed here, whichever is less. */
async function perform({ gate, crew }: Hands, job: Job, signal: AbortSignal): Promise<Ended> {
  const { task: command, timeout = USUAL_TIMEOUT } = job;
  try {
    const below = under(gate, job);
    if (job.type === "agent") return crew ? await performed(crew, below, job, signal) : NO_MODEL;
    return outcome(await below.call({ name: "run_command", args: { command, timeout } }, { signal }));
  } catch (error) {
    // not all tools that it was created with are there
    return { status: "refused", message: error instanceof Error ? error.message : String(error) };
  }
}

const NO_MODEL: Ended = {
  status: "refused",
  message: "Agent jobs need a model: start `toolgate cron run` with --model, or set TOOLGATE_MODEL.",
};

/** The agent's last words are the message. The whole conversation is kept as a session. */
async function performed(crew: Crew, gate: Gate, job: Job, signal: AbortSignal): Promise<Ended> {
  const limits = { seconds: job.timeout ?? USUAL_AGENT_TIMEOUT };
  const { output, finished, stopped } = await crew.lead({ gate, agent: "build", task: job.task, signal, limits });
  const status = finished ? "done" : signal.aborted ? "cancelled" : "failed";
  const message = [stopped, output].filter(Boolean).join("\n").slice(0, LONGEST_MESSAGE);
  return { status, message, session: gate.sessionID };
}

function outcome({ success, status, error, output }: Result): Ended {
  const message = (success ? output : [error?.message, output].filter(Boolean).join("\n")).slice(0, LONGEST_MESSAGE);
  if (status === "done" || status === "refused" || status === "timed-out" || status === "cancelled")
    return { status, message };
  return { status: "failed", message: status === "planned" ? "It was planned, not run." : message };
}

/** Nests a child gate for each list of paths and hosts, so that all of them hold. */
function under(gate: Gate, { name, ceiling, limits }: Job): Gate {
  const { paths = [], hosts = [], ...rest } = ceiling;
  const narrower: Narrowing[] = [...paths.map((each) => ({ paths: each })), ...hosts.map((each) => ({ hosts: each }))];
  return narrower.reduce<Gate>(
    (below, each) => below.child(each),
    gate.child({ ...rest, agent: `cron ${name}`, ...(limits && { budget: limits }) }),
  );
}
