import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Context, Tool } from "../core/words/tool.ts";
import { visibleLine } from "../core/words/visible.ts";
import { redact } from "../text/redact.ts";
import {
  dueShown,
  nextDue,
  readSchedule,
  type Schedule,
  ScheduleMistake,
  scheduleShown,
} from "../text/time/schedule.ts";
import { JOB_TYPES, jobBook, MISSED } from "./lib/job-book.ts";

const input = () =>
  z
    .object({
      name: z.string().trim().min(1).max(100),
      schedule: z.object({
        kind: z.enum(["cron", "at", "every"]),
        expr: z.string().max(600).optional().describe("for cron: minute hour day month weekday"),
        at: z.string().max(100).optional().describe("for at: 2026-12-24T18:00:00+01:00"),
        every_ms: z.number().optional(),
        tz: z.string().max(100).optional().describe("for example Europe/Berlin; UTC if absent"),
      }),
      job_type: z.enum(JOB_TYPES).optional(),
      command: z.string().trim().min(1).max(20_000).optional(),
      prompt: z.string().trim().min(1).max(20_000).optional(),
      timeout: z.number().positive().max(600).optional(),
      missed: z.enum(MISSED).optional(),
    })
    .superRefine(({ schedule, ...job }, context) => {
      const wrong = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
      try {
        // times are compared with now when the job is stored
        readSchedule(schedule, 0);
      } catch (error) {
        if (!(error instanceof ScheduleMistake)) throw error;
        wrong(["schedule", error.part], error.message);
      }
      const type = job.job_type ?? (job.prompt === undefined ? "shell" : "agent");
      const [needed, other] = type === "shell" ? (["command", "prompt"] as const) : (["prompt", "command"] as const);
      if (job[needed] === undefined) wrong([needed], `is required for a job of type ${type}`);
      if (job[other] !== undefined) wrong([other], `is not for a job of type ${type}`);
    });
type Wanted = z.output<ReturnType<typeof input>>;

const typeOf = ({ job_type: type, prompt }: Wanted) => type ?? (prompt === undefined ? "shell" : "agent");
const taskOf = ({ command, prompt }: Wanted): string => command ?? prompt ?? "";

export const cronAdd = Tool.define("cron_add", {
  description:
    "Plan a shell command, or a task for an agent (prompt), for later: by a cron expression, once at a time, or every so often.",
  permissions: { required: ["execute"] },
  aliases: { args: { job_type: ["type"] } },
  rare: ["timeout", "missed", "job_type"],
  tables: "cron",
  get input() {
    return input();
  },
  touches: (wanted) => [{ action: "schedule", target: `${wanted.name}: ${taskOf(wanted)}` }],
  async execute(wanted, context) {
    const { name, timeout, missed = "once" } = wanted;
    const [type, task, at] = [typeOf(wanted), taskOf(wanted), context.now()];
    if (redact(task) !== task)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        "The job would hold a secret, and jobs are kept and shown as they are.",
        "Let the command read it from a file or from the environment when it runs.",
      );
    const schedule = scheduleOf(wanted, at);
    const notes = type === "shell" ? await foreseen(task, context) : [AGENT_NOTE];
    const { ceiling, limits, agent, sessionID: session } = context;
    const allowed = { ceiling, ...(Object.keys(limits).length > 0 && { limits }) };
    const row = { name, schedule, type, task, missed, ...allowed, agent, session, at, ...(timeout && { timeout }) };
    const id = await jobBook(context).add(row);
    const next = nextDue(schedule, at);
    const shown = next === undefined ? "never" : dueShown(next, schedule);
    const zone = wanted.schedule.tz === undefined && schedule.kind === "cron" ? ["No tz was given: it is UTC."] : [];
    return {
      title: `${id}: ${name}`,
      output: [
        `Job ${id} (${visibleLine(name)}): ${scheduleShown(schedule)}, next ${shown}.`,
        ...zone,
        ...notes,
        "Jobs run only while `toolgate cron run` is running.",
      ].join("\n"),
      metadata: { id, name, schedule, next: next ?? null, nextShown: shown, missed, job_type: type },
    };
  },
});

const AGENT_NOTE =
  "An agent does it, with the permissions that hold here now. It needs a model: `toolgate cron run --model …`, or TOOLGATE_MODEL.";

function scheduleOf({ schedule }: Wanted, now: number): Schedule {
  try {
    return readSchedule(schedule, now);
  } catch (error) {
    if (!(error instanceof ScheduleMistake)) throw error;
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `schedule.${error.part}: ${error.message}`,
      "Choose a time in the future.",
    );
  }
}

/** A job is judged again whenever it runs; what is refused already now is not stored. */
async function foreseen(command: string, { gate }: Context): Promise<string[]> {
  const { verdict, reason } = await gate.explain({ name: "run_command", args: { command } });
  if (verdict === "deny")
    throw new ToolFailure(
      "PERMISSION_DENIED",
      `The command would be refused when it runs: ${reason}.`,
      "Plan another command.",
    );
  return verdict === "ask"
    ? [
        `It will be refused when it runs, unless a person allows it with a rule first: ${reason}, and nobody can be asked then.`,
      ]
    : [];
}
