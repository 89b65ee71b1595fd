import type { PlannedCall } from "../../../core/contracts/store/plans.ts";
import type { PlanView } from "../../../core/gate-plans.ts";
import type { PlanOutcome } from "../../../core/journey/running-plans.ts";
import { describeTouch, type Touch } from "../../../core/words/touch.ts";
import { listed, visibleLine } from "../../../core/words/visible.ts";
import { redact, redactDeep } from "../../../text/redact.ts";
import { colouredDiff, colours, lineWidth, toJson, visibleOnTerminal } from "./terminal.ts";

/** What a call is about, for people. */
function targetOf({ touches: [first], tool }: PlannedCall): string {
  if (!first) return tool;
  return redact("place" in first ? first.place.shown : first.action === "run" ? first.command : describeTouch(first));
}

/** What else decides what the call does, and is neither in its line nor in its diff. */
function givenTo({ touches, args, diff, changes }: PlannedCall): string[] {
  const run = touches.find((touch) => touch.action === "run");
  if (!run) return diff !== "" || changes.length > 0 ? [] : [`with ${toJson(redactDeep(args)) ?? ""}`];
  const [cwd, env] = settingOf(run.setting);
  const variables = Object.entries(redactDeep(env) as object).map(([name, value]) => `env ${name}=${value}`);
  return [...(cwd === "." ? [] : [`cwd ${cwd}`]), ...variables, ...(run.stays ? ["in the background"] : [])];
}

const settingOf = (setting: string | undefined): [cwd: string, env: object] =>
  setting === undefined ? [".", {}] : JSON.parse(setting);

/** One planned call for programs. The diff shows what it would write; its arguments are redacted. */
export function planRow(call: PlannedCall, view?: PlanView) {
  const { id, seq, tool, call: callID, state, error, session, message, agent, at, args, verdict, changes } = call;
  const conflicts = view?.conflicts.filter((each) => each.id === id) ?? [];
  return {
    id,
    number: seq ?? null,
    time: new Date(at).toISOString(),
    tool,
    target: targetOf(call),
    call: callID,
    status: state,
    error: error ?? null,
    session,
    turn: message,
    agent,
    kind: call.kind ?? "plan",
    args: redactDeep(args),
    touches: call.touches.map((touch: Touch) => redact(describeTouch(touch))),
    files: changes.map(({ shown, before, after }) => ({ file: shown, ...whatHappens(before, after) })),
    unknown: call.blind === true,
    verdict: verdict ?? null,
    conflicts: conflicts.map(({ file, why }) => ({ file, why })),
    diff: redact(call.diff),
  };
}

const whatHappens = (before: string | null, after: string | null) => ({
  change: before === null ? "created" : after === null ? "deleted" : "changed",
});

const numbered = (seq: number | undefined): string => String(seq ?? "").padStart(4);

/** If the terminal broke a long line, a piece of a command could pass for another planned call. */
const fitting = (text: string): string => listed(text, lineWidth() - 12, "          ");

/** The summary comes first: git skips text before a diff. */
export function planText(view: PlanView): string {
  const { calls, diff, conflicts, elsewhere } = view;
  if (calls.length === 0) return "Nothing is planned.\n";
  const paint = colours();
  const summary = [
    ...calls.map((call) => line(call, paint)),
    "",
    ...conflicts.map(({ file, why }) => paint.yellow(fitting(`Conflict: ${visibleLine(file)} ${why}.`))),
    ...view.blind.map((call) =>
      fitting(`Not in the diff: what ${visibleLine(targetOf(call))} would change is not known.`),
    ),
    ...elsewhere.map((file) => fitting(`Not in the diff: ${visibleLine(file)} is not in this folder.`)),
    "Approve, drop or run all of it, or some by their numbers: toolgate plan approve | drop | run [NUMBER …]",
  ];
  const shown = process.stdout.isTTY ? colouredDiff(visibleOnTerminal(diff), paint) : diff;
  return `${summary.join("\n")}\n${diff ? `\n${shown}` : ""}`;
}

/** The calls alone, one below the other. */
export const callsText = (calls: readonly PlannedCall[]): string => {
  const paint = colours();
  return calls.map((call) => `${line(call, paint)}\n`).join("");
};

/** What a run has planned, briefly. */
export function plannedText(calls: readonly PlannedCall[]): string {
  if (calls.length === 0) return "Nothing was planned.\n";
  return `Planned, not run:\n${callsText(calls)}To see the diff, approve, drop or run it: toolgate plan\n`;
}

function line(call: PlannedCall, paint: ReturnType<typeof colours>): string {
  const { seq, tool, state, kind, verdict, error } = call;
  const asks = state === "planned" && verdict?.answer === "ask" ? `, asks: ${visibleLine(redact(verdict.reason))}` : "";
  const failed = error ? `\n${fitting(`      ${visibleLine(`${error.code}: ${error.message}`)}`)}` : "";
  const how = `${state}${kind === "dry-run" ? " in a dry run" : ""}${asks}`;
  const [first = "", ...rest] = fitting(
    `${numbered(seq)}  ${visibleLine(tool)}  ${visibleLine(targetOf(call))}  (${how})`,
  ).split("\n");
  const name = visibleLine(tool);
  const shown = first.replace(`  ${name}  `, () => `  ${paint.bold(name)}  `);
  const given = givenTo(call).map((each) => fitting(`      ${visibleLine(redact(each))}`));
  return [shown, ...rest, ...given].join("\n") + failed;
}

export function outcomeLine({ call, result }: PlanOutcome): string {
  const paint = colours();
  const tint = result.success ? paint.green : paint.red;
  const deed = fitting(`${numbered(call.seq)}  ${visibleLine(call.tool)}  ${visibleLine(targetOf(call))}`);
  return `${deed}  ${tint(call.state)}`;
}
