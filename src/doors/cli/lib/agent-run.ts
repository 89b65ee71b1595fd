import type { PlannedCall } from "../../../core/contracts/store/plans.ts";
import type { Gate } from "../../../core/gate.ts";
import type { Crew, LoopEvent, LoopLimits, Model, Outcome } from "../../../crew.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { interruption } from "./interruption.ts";
import { openingForCalls, tended } from "./opening.ts";
import { isInteractive } from "./person.ts";
import { plannedText, planRow } from "./plan-text.ts";
import { colours, documentOf, print, visible, visibleOnTerminal } from "./terminal.ts";
import { terminalApprover } from "./terminal-approver.ts";

/** `tasks` run one after the other. `resume` is the session to continue. */
export type AgentRun = {
  model: Model;
  tasks: readonly string[];
  agent: string;
  resume?: string;
  limits?: Partial<LoopLimits>;
};

/** Opens a gate with this model and always closes it. */
export async function withAgent(
  invocation: Invocation,
  { model, resume }: Pick<AgentRun, "model" | "resume">,
  work: (gate: Gate, crew: Crew, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const asks = !invocation.json && isInteractive();
  const { openAgent } = await import("../../../open-agent.ts");
  const { gate, crew } = await openAgent({
    ...{ ...openingForCalls(invocation), model },
    ...(resume !== undefined && { sessionID: resume }),
    ...(asks && { approve: terminalApprover({ signal: interruption() }) }),
  });
  return tended(gate, (signal) => work(gate, crew, signal));
}

/** Runs it, reports its progress, and returns the exit status. */
export async function runAgent(invocation: Invocation, run: AgentRun): Promise<number> {
  const { json } = invocation;
  return withAgent(invocation, run, async (gate, crew, signal) => {
    const { agent, limits = {} } = run;
    knownAgent(crew, agent);
    const heard = json ? undefined : teller();
    if (heard) tellBelow(gate, heard);
    const planned = await plannedFrom(invocation, gate);
    let outcome: Outcome | undefined;
    for (const task of run.tasks) {
      const goesOn = run.resume !== undefined || outcome !== undefined;
      outcome = await crew.lead({ ...{ gate, agent, task, signal, limits, resume: goesOn }, ...(heard && { heard }) });
      if (outcome.stoppedBy !== undefined) break;
    }
    await tellOutcome(outcome as Outcome, gate, json, await planned?.());
    return signal.aborted || outcome?.stoppedBy === "person" ? 130 : outcome?.finished ? 0 : 1;
  });
}

export function knownAgent({ definitions }: Crew, agent: string): void {
  if (!definitions.some(({ name }) => name === agent))
    throw new UsageFailure(
      `There is no agent named ${agent}.`,
      `The agents are ${definitions.map(({ name }) => name).join(", ")}.`,
    );
}

type Told = LoopEvent | { type: "below"; title: string };

/** Prints text as it arrives, and a line for each call. */
function teller(): (event: Told) => void {
  const paint = colours();
  const show = (text: string): void => void process.stdout.write(process.stdout.isTTY ? visibleOnTerminal(text) : text);
  let isOpen = false;
  return (event) => {
    if (event.type === "text") {
      show(event.text);
      isOpen = !event.text.endsWith("\n");
      return;
    }
    if (isOpen) process.stdout.write("\n");
    isOpen = false;
    if (event.type === "note") process.stderr.write(`${event.text}\n`);
    if (event.type === "below") process.stdout.write(`${paint.dim(`  ${visible(event.title)}`)}\n`);
    if (event.type === "checks")
      for (const { name, passed } of event.checks)
        process.stdout.write(
          `${passed ? paint.green("✓") : paint.red("✗")} ${visible(name)} ${passed ? "passed" : "did not pass"}\n`,
        );
    if (event.type === "results")
      for (const [index, { title, status, error }] of event.results.entries()) {
        const name = visible(event.calls[index]?.name ?? "");
        // the title of a failed call says the same
        const how = error ? paint.red(`${status}: ${visible(error.message)}`) : visible(title);
        process.stdout.write(`${paint.dim("·")} ${paint.bold(name)} ${how}\n`);
      }
  };
}

/** Reports what agents below are doing. */
function tellBelow(gate: Gate, heard: (event: Told) => void): void {
  gate.on("event", (event) => {
    if (event.type === "progress" && event.metadata?.agent !== undefined && event.title)
      heard({ type: "below", title: event.title });
  });
}

/** In a plan or a dry run: the calls of this session that are planned from now on. */
async function plannedFrom({ flags }: Invocation, { plans, sessionID: session }: Gate) {
  if (!flags.has("dry-run") && !flags.has("plan")) return undefined;
  const before = new Set((await plans.list({ session })).map(({ id }) => id));
  return async (): Promise<PlannedCall[]> => (await plans.list({ session })).filter(({ id }) => !before.has(id));
}

async function tellOutcome(outcome: Outcome, gate: Gate, json: boolean, planned?: PlannedCall[]): Promise<void> {
  const { output, finished, stopped, stoppedBy, turns, usage } = outcome;
  const why = { ...(stopped && { stopped }), ...(stoppedBy && { stoppedBy }) };
  if (json) {
    const plan = planned && { plan: planned.map((call) => planRow(call)) };
    await print(documentOf({ finished, output, ...why, turns, usage, session: gate.sessionID, ...plan }));
    return;
  }
  if (planned) await print(plannedText(planned));
  if (!finished)
    process.stderr.write(
      `Not finished: ${visible(stopped ?? "it stopped")}\nTo continue: toolgate run --resume ${gate.sessionID}\n`,
    );
}
