import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { visibleLine } from "../core/words/visible.ts";
import { dueShown, type Schedule, scheduleShown } from "../text/time/schedule.ts";
import { type Job, jobBook, nextRun, type Run } from "./lib/job-book.ts";

const MOST = 200;

export const cronList = Tool.define("cron_list", {
  description: "List the planned jobs with their next run, or one job with its last runs.",
  permissions: { required: ["read"] },
  aliases: { args: { id: ["job_id", "name"] } },
  tables: "cron",
  polls: true,
  get input() {
    return z.object({ id: z.string().max(200).optional() });
  },
  touches: () => [],
  async execute({ id }, context) {
    const book = jobBook(context);
    const now = context.now();
    if (id !== undefined) {
      const job = await book.find(id);
      const runs = await book.runs(job.id);
      const lines = runs.map((run) => runLine(run, job.schedule));
      return {
        title: `${job.id}: ${visibleLine(job.name)}`,
        output: [
          jobLine(job, now),
          visibleLine(job.task),
          "",
          ...(lines.length > 0 ? lines : ["It has not run yet."]),
        ].join("\n"),
        metadata: { id: job.id, job: viewed(job, now), runs },
      };
    }
    const jobs = await book.all();
    const shown = jobs.slice(0, MOST).map((job) => jobLine(job, now));
    if (jobs.length > MOST) shown.push(`… and ${jobs.length - MOST} more.`);
    return {
      title: jobs.length === 1 ? "1 job" : `${jobs.length} jobs`,
      output: shown.join("\n") || "There are no jobs. cron_add plans one.",
      metadata: { count: jobs.length, jobs: jobs.slice(0, MOST).map((job) => viewed(job, now)) },
    };
  },
});

function viewed(job: Job, now: number) {
  const next = nextRun(job, now);
  const { ceiling: _, ...rest } = job;
  return { ...rest, next: next ?? null, nextShown: next === undefined ? null : dueShown(next, job.schedule) };
}

function jobLine(job: Job, now: number): string {
  const next = nextRun(job, now);
  const when = job.running
    ? "runs now"
    : next === undefined
      ? "not due any more"
      : `next ${dueShown(next, job.schedule)}`;
  const state = job.trusted ? when : "is not run: it was changed by somebody else, or kept elsewhere; add it again";
  return `${job.id}  ${visibleLine(job.name)}: ${scheduleShown(job.schedule)}, ${state}`;
}

const runLine = ({ due, status, message, missed }: Run, schedule: Schedule): string => {
  const lost = missed ? `, ${missed} earlier runs missed` : "";
  const said = message ? `: ${visibleLine(message.slice(0, 300))}` : "";
  return `${dueShown(due, schedule)}  ${status}${lost}${said}`;
};
