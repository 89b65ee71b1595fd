import type { Stored, Table } from "../../core/contracts/store/tables.ts";
import type { Ceiling, Limits } from "../../core/words/ceiling.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { nextDue, type Schedule } from "../../text/time/schedule.ts";

export const MISSED = ["skip", "once", "all"] as const;
export const JOB_TYPES = ["shell", "agent"] as const;

/** The stored part of a job. It runs under the ceiling of whoever created it, and is judged again each time. */
export type JobRow = {
  name: string;
  schedule: Schedule;
  type: (typeof JOB_TYPES)[number];
  /** The command of a shell job, or the prompt of an agent job. */
  task: string;
  timeout?: number;
  missed: (typeof MISSED)[number];
  ceiling: Ceiling;
  /** What each run may spend. */
  limits?: Limits;
  agent: string;
  session: string;
  at: number;
};
/** `trusted`: the row has a valid seal, so it was written with the person's key. Any other must not run. */
export type Job = JobRow & { id: string; trusted: boolean; due: number; running: boolean };

export type RunStatus =
  | "running"
  | "done"
  | "failed"
  | "refused"
  | "timed-out"
  | "cancelled"
  | "interrupted"
  | "skipped";
/** One time that a job was due. `missed` counts the earlier times that passed without a run. */
export type Run = {
  key: string;
  job: string;
  name: string;
  due: number;
  started: number;
  ended?: number;
  status: RunStatus;
  message: string;
  missed?: number;
  /** Where the conversation of an agent's run is kept. */
  session?: string;
};
export type JobTables = { table(name?: string): Table };
type Claim = { run: string };

const MOST_JOBS = 1000;
const MOST_RUNS_OF_ONE = 50;
const MOST_RUNS = 2000;
const ATTEMPTS = 100;

/** If the clock was set back by less, jobs wait for it; if by more, recorded due times in the future do not count. */
const SET_BACK = 3 * 3_600_000;

/** The time from which on a job may be due. */
export const countedFrom = ({ due }: Pick<Job, "due">, now: number): number => (due - now > SET_BACK ? now : due);

/** When it is due next, apart from what is due now. */
export const nextRun = (job: Job, now: number): number | undefined =>
  nextDue(job.schedule, Math.max(countedFrom(job, now), now));

const unknownJob = (id: string): ToolFailure =>
  new ToolFailure("NOT_FOUND", `There is no job ${id.slice(0, 60)}.`, "cron_list shows all jobs with their ids.");

/** The jobs of a workspace: when they were last due, who runs them now, and how they ended. */
export function jobBook({ table }: JobTables) {
  const jobs = table();
  const dues = table("due");
  const claims = table("claims");
  const history = table("history");
  const shared = table("shared");

  const viewed = (row: Stored<JobRow>, due: Stored<number> | undefined, claim: Stored<Claim> | undefined): Job => ({
    ...row.value,
    id: row.key,
    trusted: row.sealed === true,
    due: Number.isFinite(due?.value) ? Math.max(row.value.at, Number(due?.value)) : row.value.at,
    running: claim !== undefined && !claim.orphaned,
  });

  async function all(): Promise<Job[]> {
    const [rows, last, held] = await Promise.all([jobs.list<JobRow>(), dues.list<number>(), claims.list<Claim>()]);
    const dueOf = new Map(last.map((row) => [row.key, row]));
    const claimOf = new Map(held.map((row) => [row.key, row]));
    return rows
      .map((row) => viewed(row, dueOf.get(row.key), claimOf.get(row.key)))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  async function get(id: string): Promise<Job | undefined> {
    const [row, due, claim] = await Promise.all([jobs.get<JobRow>(id), dues.get<number>(id), claims.get<Claim>(id)]);
    return row && viewed(row, due, claim);
  }

  /** Finds a job by its id, or by its name if that is unique. */
  async function find(written: string): Promise<Job> {
    const wanted = written.trim();
    const found = await get(wanted);
    if (found) return found;
    const named = (await all()).filter(({ name }) => name === wanted);
    if (named.length > 1)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${named.length} jobs are called ${wanted}: ${named.map(({ id }) => id).join(", ")}.`,
        "Give the id of the one that is meant.",
      );
    if (!named[0]) throw unknownJob(wanted);
    return named[0];
  }

  async function add(job: JobRow): Promise<string> {
    if ((await jobs.list()).length >= MOST_JOBS)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `There are ${MOST_JOBS} jobs already, and no more are kept.`,
        "Remove those that are no longer needed with cron_remove.",
      );
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const last = await shared.get<number>("next");
      const next = (last?.value ?? 0) + 1;
      if (!(await shared.put("next", next, { ifVersion: last?.version ?? 0 }))) continue;
      await jobs.put(`job_${next}`, job, { sealed: true });
      return `job_${next}`;
    }
    throw new ToolFailure("IO_ERROR", "Many jobs are added at once.", "Try again in a moment.");
  }

  async function remove(id: string): Promise<void> {
    if (!(await jobs.remove(id))) throw unknownJob(id);
    await dues.remove(id);
  }

  /** Newest first. */
  async function runs(id?: string): Promise<Run[]> {
    const rows = await history.list<Run>(id === undefined ? {} : { prefix: `${id}/` });
    return rows.map(({ value }) => value).sort((a, b) => b.started - a.started || b.due - a.due);
  }

  async function keepRun(run: Run): Promise<void> {
    await history.put(run.key, run);
    const own = (await runs(run.job)).slice(MOST_RUNS_OF_ONE);
    const others = own.length > 0 ? [] : (await runs()).slice(MOST_RUNS);
    for (const { key } of [...own, ...others]) await history.remove(key);
  }

  /** Claims a job, so that only one process at a time runs it. Returns undefined if somebody else runs it. */
  async function claim(id: string, run: string): Promise<(() => Promise<void>) | undefined> {
    const held = await claims.get<Claim>(id);
    if (held && !held.orphaned) return undefined;
    if (held) await interrupted(held.value.run);
    const mine = await claims.put<Claim>(id, { run }, { ifVersion: held?.version ?? 0, bound: true });
    return mine && (async () => void (await claims.remove(id, { ifVersion: mine.version })));
  }

  /** The process that ran it died. What it had done is unknown, so it is not run again. */
  async function interrupted(key: string): Promise<void> {
    const row = await history.get<Run>(key);
    if (row?.value.status !== "running") return;
    const message = "The process that ran it was killed before it ended.";
    await history.put(key, { ...row.value, status: "interrupted", message }, { ifVersion: row.version });
  }

  /** Cleans up after processes that died. */
  async function sweep(): Promise<void> {
    for (const { key, value, version, orphaned } of await claims.list<Claim>()) {
      if (!orphaned) continue;
      await interrupted(value.run);
      await claims.remove(key, { ifVersion: version });
    }
  }

  const setDue = async (id: string, due: number): Promise<void> => void (await dues.put(id, due));

  return { all, get, find, add, remove, runs, keepRun, claim, sweep, setDue };
}

export type JobBook = ReturnType<typeof jobBook>;
