import type { Explanation } from "../../../core/words/explanation.ts";
import { heldBy } from "../../../core/words/question.ts";
import type { Result } from "../../../core/words/result.ts";
import { describeTouch, type Touch } from "../../../core/words/touch.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { Command } from "../lib/command.ts";
import { exitStatus, reportFailure } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { answerLines, callFromWords } from "../lib/incoming.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { type Colours, colouredDiff, colours, documentOf, print } from "../lib/terminal.ts";

/** Judges a call, or the calls of standard input, without running anything. */
export const run: Command = async (invocation) => {
  const { flags, json } = invocation;
  const call = flags.has("jsonl") ? undefined : await callFromWords(invocation);
  const opening = openingOf(invocation);
  const options = { toolset: "all", ...storeForLooking(opening.workspace), ...opening };
  return withGate(options, async (gate, signal) => {
    if (call) {
      const explanation = await gate.explain(call(gate));
      await print(json ? documentOf(explanation) : describe(explanation, colours()));
      if (!json && explanation.error && explanation.status !== "refused") reportFailure(explanation.error);
      return statusOf(explanation);
    }
    const answer = async (each: Parameters<typeof gate.explain>[0]) => {
      const explanation = await gate.explain(each);
      return { answer: explanation, status: statusOf(explanation) };
    };
    return answerLines(invocation, signal, answer, unread);
  });
};

/** The exit status that the real call would have, as far as it is known. */
const statusOf = ({ status, verdict }: Explanation): number =>
  exitStatus(status ?? (verdict === "deny" ? "refused" : "done"));

/** An explanation for a line that was not a call. */
const unread = ({ status, error }: Result): Omit<Explanation, "leftOut"> => ({
  verdict: "deny",
  by: "input",
  reason: error?.message ?? "",
  tool: "",
  touches: [],
  trace: [],
  status,
  ...(error && { error }),
});

function describe(explanation: Explanation, paint: Colours): string {
  const { verdict, by, reason, tool, class: kind, risk, danger, enforcement, touches, diff, trace } = explanation;
  const { others = [], always = [], notes = [], error } = explanation;
  const tint = { allow: paint.green, ask: paint.yellow, deny: paint.red }[verdict];
  const nature = [kind && `class ${kind}`, risk && `risk ${risk}`, danger && `danger ${danger}`]
    .filter(Boolean)
    .join(", ");
  const parts = [
    `${tint(paint.bold(verdict))}  ${visibleLine(tool)}: ${visibleLine(reason)} ${paint.dim(`(${by})`)}`,
    section(
      "other policies",
      others.map((other) => `${other.answer}  ${other.reason} (${other.by})`),
    ),
    segmentsOf(touches),
    touches.length > 0 ? `touches\n${touches.flatMap((touch) => lines(touch, "  ")).join("\n")}` : "",
    nature,
    enforcement ? `held by ${heldBy(enforcement)}` : "",
    diff ? `changes\n${colouredDiff(diff.trimEnd(), paint)}` : "",
    section("the model would be told", notes),
    section('"always" would save', always),
    `trace\n  ${trace.map(({ stage, microseconds, verdict: said }) => `${stage}${said ? ` ${said}` : ""} ${microseconds} µs`).join(", ") || "ended before the first stage"}`,
    paint.dim(whatFollows(explanation)),
    explanation.status === "refused" && error?.hint ? paint.dim(visibleLine(error.hint)) : "",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length > 0 ? `${title}\n${lines.map((line) => `  ${visibleLine(line)}`).join("\n")}` : "";

/** What would come after the judgement, and is not done by explain. */
function whatFollows({ verdict, status, leftOut }: Explanation): string {
  if (status !== undefined && status !== "refused") return "A real call would end in the same way: nothing would run.";
  if (verdict === "deny") return "A real call would be refused: nothing would run.";
  const passes = leftOut.filter((each) => each !== "approval").join(", ");
  return verdict === "ask"
    ? `A real call would ask a person first. Not tried here: ${passes}.`
    : `A real call would run. Not tried here: ${passes}.`;
}

/** A touch, and below a command what the command itself would touch. */
const lines = (touch: Touch, indent: string): string[] => [
  `${indent}${visibleLine(describeTouch(touch))}`,
  ...(touch.action === "run" ? touch.inner.flatMap((inner) => lines(inner, `${indent}  `)) : []),
];

function segmentsOf(touches: readonly Touch[]): string {
  const segments = touches.flatMap((touch) => (touch.action === "run" ? (touch.reading?.segments ?? []) : []));
  if (segments.length < 2) return "";
  const rows = segments.map(
    ({ text, class: kind, risk, rule }) =>
      [`${kind}, ${risk}`, `${visibleLine(text)}  (${visibleLine(rule)})`] as const,
  );
  return `segments\n${columns(rows)}`;
}
