import type { Checked, Finished } from "../contracts/quality-gate.ts";
import type { IncomingCall } from "../words/call.ts";
import { labelOf } from "../words/label.ts";
import { type Result, render, stopIn } from "../words/result.ts";
import { fire, wants } from "./firing.ts";
import type { Station } from "./journey-parts.ts";

const MOST_OUTPUT = 800;
const NOT_RUN = "planned, not run";

/** Runs the quality gates, then says whether the work may be called finished. */
export async function finish(
  station: Station,
  call: (incoming: IncomingCall) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Finished> {
  const finished = await checked(station, call);
  if (!finished.done || !wants(station, "agent_complete")) return finished;
  const { context } = await fire(station, "agent_complete", { status: "done" }, signal);
  return { ...finished, output: [finished.output, ...context].filter(Boolean).join("\n\n") };
}

async function checked(
  { parts: { finishing }, facts }: Station,
  call: (incoming: IncomingCall) => Promise<Result>,
): Promise<Finished> {
  const { gates } = facts.ceiling;
  if (gates && !gates.includes("Finalize"))
    return { done: false, output: "This agent may not finish the work: Finalize is not among its gates.", checks: [] };
  const checks: Checked[] = [];
  for (const check of finishing?.checks ?? []) {
    const result = await call(finishing?.call(check) as IncomingCall);
    const stop = stopIn(result);
    if (stop) return { done: false, output: stop.reason, checks, stop };
    // elsewhere a grep that finds nothing is an answer; here every exit but 0 is a failure
    const passed = result.status === "done" && (result.metadata.exitCode ?? 0) === 0;
    const output = result.status === "planned" ? NOT_RUN : passed ? "" : render(result).slice(-MOST_OUTPUT);
    checks.push({ name: check.name, required: check.required, passed, output });
  }
  // in a plan nothing was run, so there is nothing to check yet
  const failed = checks.filter(({ passed, output }) => !passed && output !== NOT_RUN);
  const missing = failed.filter(({ required }) => required);
  const unrun = checks.filter(({ output }) => output === NOT_RUN);
  const unfinished = finishing?.unfinished(facts);
  const says = [
    missing.length > 0 && `Required quality gates not passed:\n${listed(missing)}`,
    unfinished,
    (missing.length > 0 || unfinished) && "Fix this before you finish.",
    failed.length > missing.length &&
      `Quality gates that are not required failed:\n${listed(failed.filter(({ required }) => !required))}`,
    unrun.length > 0 && `Quality gates that were not run, because nothing may be changed here:\n${listed(unrun)}`,
  ];
  return { done: missing.length === 0 && !unfinished, output: says.filter(Boolean).join("\n\n"), checks };
}

const listed = (checks: readonly Checked[]): string =>
  checks.map(({ name, output }) => `- ${labelOf(name)}: ${output}`).join("\n");
