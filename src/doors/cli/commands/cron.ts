import type { Gate } from "../../../core/gate.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { OpenOptions } from "../../../open.ts";
import { type Run, runJobs } from "../../../scheduler.ts";
import { approverOf } from "../lib/approving.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { interruption } from "../lib/interruption.ts";
import { modelOf } from "../lib/model-of.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { tell } from "../lib/telling.ts";
import { colours, documentOf, print, toJson } from "../lib/terminal.ts";
import type { Seen } from "../lib/terminal-approver.ts";

const FORMS = { list: "", add: 'NAME COMMAND --cron "0 9 * * 1-5"', remove: "ID", history: "ID", run: "" };

/** Scheduled jobs: lists, adds and removes them, shows their runs, and runs the service. */
export const run: Command = async (invocation) => {
  const [part = "list", ...words] = invocation.words;
  const opening = openingOf(invocation);
  if (part === "run" && words.length === 0) return serve(invocation, opening);
  const seen: Seen = { diff: "" };
  const looks = part === "list" || part === "history";
  // a job is judged by what it may run, so all tools are needed
  const options = { toolset: "all", ...opening };
  const more = looks ? storeForLooking(opening.workspace) : approverOf(invocation, seen);
  return withGate({ ...options, ...more }, async (gate, signal) => {
    const [id, ...rest] = words;
    if (part === "list" && id === undefined) return list(gate, invocation, {}, "jobs");
    if (part === "history" && id !== undefined && rest.length === 0) return list(gate, invocation, { id }, "runs");
    const call = callOf(part, words, invocation);
    return tell(await gate.call(call, { signal }), invocation.json, seen);
  });
};

function callOf(part: string, words: readonly string[], { values, flags }: Invocation): { name: string; args: object } {
  const [name, ...command] = words;
  if (part === "remove" && name !== undefined && command.length === 0)
    return { name: "cron_remove", args: { id: name } };
  if (part !== "add" || name === undefined || command.length === 0) throw wrongWords("cron", [part], FORMS);
  const { cron: expr, at, every, tz, missed } = values;
  const given = [expr, at, every].filter((each) => each !== undefined).length;
  if (given !== 1)
    throw new UsageFailure("A job needs one of --cron, --at and --every.", 'For example --cron "0 9 * * 1-5".');
  const schedule =
    expr !== undefined
      ? { kind: "cron", expr }
      : at !== undefined
        ? { kind: "at", at }
        : { kind: "every", every_ms: milliseconds(every ?? "") };
  const task = command.join(" ");
  const args = {
    name,
    ...(flags.has("agent") ? { prompt: task } : { command: task }),
    schedule: { ...schedule, ...(tz && { tz }) },
    ...(missed && { missed }),
  };
  return { name: "cron_add", args };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(written: string): number {
  const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(written.trim()) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(ms) && ms > 0) return ms;
  throw new UsageFailure(`--every ${written} is not a duration.`, "Write for example 30s, 15m, 2h or 1d.");
}

async function list(gate: Gate, { json }: Invocation, args: object, part: "jobs" | "runs"): Promise<number> {
  const result = await gate.call({ name: "cron_list", args });
  if (!json || !result.success) return tell(result, json);
  await print(documentOf(result.metadata[part]));
  return 0;
}

/** Runs until it is told to stop, which is not a failure. */
async function serve(invocation: Invocation, opening: OpenOptions & { workspace: string }): Promise<number> {
  const { json, flags } = invocation;
  if (process.env.TOOLGATE_PROCESS !== undefined)
    throw new UsageFailure("A command that an agent runs cannot run jobs.", "A person starts that in a terminal.");
  const once = flags.has("once");
  const runs: Run[] = [];
  const onRun = (done: Run): void => {
    if (!json) process.stdout.write(`${line(done)}\n`);
    else if (once) runs.push(done);
    else process.stdout.write(`${toJson(done)}\n`);
  };
  const onDoubt = ({ id, name }: { id: string; name: string }): void => {
    process.stderr.write(
      `Job ${id} (${visibleLine(name)}) is not run: it was not written here by you. Remove it, or add it again.\n`,
    );
  };
  if (!json && !once) process.stdout.write("Waiting for jobs to come due. Ctrl-C ends it.\n");
  const model = await modelOf(invocation);
  await runJobs({ ...opening, ...(model && { model }) }, { signal: interruption(), once, onRun, onDoubt });
  if (json && once) await print(documentOf(runs));
  return 0;
}

function line({ job, name, due, status, message, missed = 0 }: Run): string {
  const paint = colours();
  const tint = status === "done" ? paint.green : status === "skipped" ? paint.yellow : paint.red;
  const lost = missed > 0 ? `, ${missed} earlier runs missed` : "";
  const said = message.trim() ? `: ${visibleLine(message.trim().slice(0, 500))}` : "";
  return `${paint.dim(new Date(due).toISOString())}  ${job} ${visibleLine(name)}  ${tint(status)}${lost}${said}`;
}
