import type { PlannedCall } from "../../../core/contracts/store/plans.ts";
import type { Gate } from "../../../core/gate.ts";
import type { PlanChoice, PlanView } from "../../../core/gate-plans.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { OpenOptions } from "../../../open.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { exitStatus, UsageFailure } from "../lib/exit-status.ts";
import { interruption } from "../lib/interruption.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { isInteractive } from "../lib/person.ts";
import { callsText, outcomeLine, planRow, planText } from "../lib/plan-text.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { tell } from "../lib/telling.ts";
import { documentOf, print } from "../lib/terminal.ts";
import { type Seen, terminalApprover } from "../lib/terminal-approver.ts";
import { aPerson } from "../lib/workspace-store.ts";

const VERBS = ["show", "approve", "drop", "run"];

/** Shows, approves, drops and runs planned calls, all of them or some. */
export const run: Command = async (invocation) => {
  const { words } = invocation;
  const [verb, ...ids] = words;
  if (verb !== undefined && !VERBS.includes(verb))
    throw wrongWords("plan", words, { show: "", approve: "", drop: "", run: "" });
  if (verb === "run") return runAll(invocation, ids);
  if (verb === "approve" || verb === "drop") return decide(invocation, verb, ids);
  return show(invocation, verb === "show", ids);
};

/** The calls that the words and options select. */
const chosen = ({ values }: Invocation, ids: readonly string[]): PlanChoice => ({
  ...(ids.length > 0 && { ids }),
  ...(values.session !== undefined && { session: values.session }),
});

const looking = (invocation: Invocation): OpenOptions => {
  const opening = openingOf(invocation);
  return { ...storeForLooking(opening.workspace), toolset: "all", ...opening };
};

async function show(invocation: Invocation, whole: boolean, ids: readonly string[]): Promise<number> {
  const { json, flags } = invocation;
  return withGate(looking(invocation), async (gate) => {
    const view = await gate.plans.show(chosen(invocation, ids));
    if (flags.has("diff")) await print(view.diff);
    else if (json) await print(documentOf(whole ? document(view) : view.calls.map((call) => planRow(call, view))));
    else await print(planText(view));
    return 0;
  });
}

const document = (view: PlanView) => ({
  calls: view.calls.map((call) => planRow(call, view)),
  diff: view.diff,
  conflicts: view.conflicts,
  unknown: view.blind.map(({ id }) => id),
  elsewhere: view.elsewhere,
});

async function decide(invocation: Invocation, verb: "approve" | "drop", ids: readonly string[]): Promise<number> {
  const { json } = invocation;
  if (verb === "approve") aPerson(invocation, "approve a plan");
  return withGate(looking(invocation), async (gate) => {
    const calls = await unambiguous(gate, invocation, verb, ids);
    const named = { ids: calls.map(({ id }) => id) };
    const moved = calls.length === 0 ? [] : await gate.plans[verb](named);
    if (json) await print(documentOf(moved.map((call) => planRow(call))));
    else await print(said(verb, moved, calls.length));
    return 0;
  });
}

function said(verb: "approve" | "drop", moved: readonly PlannedCall[], of: number): string {
  const done = verb === "approve" ? "Approved" : "Dropped";
  if (of === 0) return "Nothing is planned.\n";
  if (moved.length === 0) return `${done} nothing: none of these calls waits for it.\n`;
  const next = verb === "approve" ? " Run it with: toolgate plan run\n" : "\n";
  // a call may have been planned since the person looked
  const which = verb === "approve" ? callsText(moved) : "";
  return `${which}${done} ${moved.length === 1 ? "1 call" : `${moved.length} calls`}.${next}`;
}

async function runAll(invocation: Invocation, ids: readonly string[]): Promise<number> {
  const { json } = invocation;
  const seen: Seen = { diff: "" };
  const options = { ...looking(invocation), ...approverOf(invocation, seen) };
  return withGate(options, async (gate, signal) => {
    await unambiguous(gate, invocation, "run", ids);
    let status = 0;
    const outcomes = await gate.plans.run({
      ...chosen(invocation, ids),
      signal,
      onOutcome: async (outcome) => {
        status = exitStatus(outcome.result.status);
        if (json) return;
        await print(`${outcomeLine(outcome)}\n`);
        await tell(outcome.result, false, seen);
      },
    });
    const left = await gate.plans.list(chosen(invocation, []));
    if (json)
      await print(
        documentOf({
          calls: outcomes.map(({ call, result }) => ({ ...planRow(call), result })),
          left: left.map((call) => planRow(call)),
        }),
      );
    else await print(ending(outcomes.length, left));
    return status;
  });
}

function ending(ran: number, left: readonly PlannedCall[]): string {
  if (ran === 0 && left.length === 0) return "Nothing is planned.\n";
  if (left.length === 0) return "Nothing is left in the plan.\n";
  return `${left.length === 1 ? "1 call is" : `${left.length} calls are`} left in the plan: toolgate plan\n`;
}

/** A dry run is only for looking: if several sessions have planned something, the person must say which is meant. */
async function unambiguous(
  gate: Gate,
  invocation: Invocation,
  verb: string,
  ids: readonly string[],
): Promise<PlannedCall[]> {
  const calls = await gate.plans.list(chosen(invocation, ids));
  const { flags, values } = invocation;
  if (ids.length > 0 || flags.has("all") || values.session !== undefined) return calls;
  const plans = sessionsOf(calls);
  if (plans.length <= 1 || calls.every(({ kind }) => kind === "plan")) return calls;
  const names = plans.map((each) => visibleLine(each)).join(", ");
  throw new UsageFailure(
    `${plans.length} sessions have planned something, and some of it in a dry run.`,
    `Say which is meant: toolgate plan ${verb} with numbers, with --session ID (${names}), or with --all.`,
  );
}

/** One session per plan: calls that share a session, or a session above, belong together. */
function sessionsOf(calls: readonly PlannedCall[]): string[] {
  let groups: Set<string>[] = [];
  for (const { session, above = [] } of calls) {
    const own = new Set([session, ...above]);
    const apart = groups.filter((group) => ![...group].some((each) => own.has(each)));
    const joined = groups.filter((group) => !apart.includes(group)).flatMap((group) => [...group]);
    groups = [...apart, new Set([...joined, ...own])];
  }
  return groups.flatMap(([first]) => first ?? []);
}

/** `--yes` approves the calls as they were planned; with JSON output nobody is asked. */
function approverOf(invocation: Invocation, seen: Seen): Pick<OpenOptions, "approve"> {
  const { flags, json } = invocation;
  if (flags.has("yes")) {
    aPerson(invocation, "approve a plan");
    return { approve: () => ({ decision: "once", unasked: "the plan was run with --yes" }) };
  }
  if (json || !isInteractive()) return {};
  return { approve: terminalApprover({ seen, signal: interruption() }) };
}
