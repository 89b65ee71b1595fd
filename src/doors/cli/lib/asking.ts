import type { Approver, AskedVerdict, Question } from "../../../core/contracts/approval.ts";
import { describeTouch } from "../../../core/words/touch.ts";
import type { Verdict } from "../../../core/words/verdict.ts";
import { interruption } from "./interruption.ts";
import { readKey, readLine } from "./keys.ts";
import { type Colours, colouredDiff, colours, print, toJson, visible, visibleJson } from "./terminal.ts";

const DIFF_LINES = 200;

type Choice = { key: string; label: string; answer: string };

const ONCE: Choice = { key: "y", label: "yes, once", answer: "once" };
const NO: Choice = { key: "n", label: "no", answer: "deny" };
const STANDING: readonly Choice[] = [
  { key: "s", label: "yes, for this session", answer: "session" },
  { key: "w", label: "yes, always", answer: "always" },
];
const EDIT: Choice = { key: "e", label: "edit", answer: "edit" };
const ABORT: Choice = { key: "a", label: "abort", answer: "abort" };
const WHOLE: Choice = { key: "d", label: "whole diff", answer: "whole" };

/** What a person was shown last. */
export type Seen = { diff: string };

/** Shows a person what a call would do and takes the answer from a key. */
export function askInTerminal(seen: Seen): Approver {
  return async (call, verdict) => {
    seen.diff = call.diff;
    const paint = colours();
    const signal = interruption();
    const asked = [{ call, verdict: verdict as Verdict }, ...(verdict.others ?? [])];
    for (const each of asked) await print(describe(each.call, each.verdict, paint));
    const cut = asked.some((each) => lineCount(each.call.diff) > DIFF_LINES);
    for (let whole = !cut; ; ) {
      const choices = choicesFor(verdict, whole);
      const prompt = `\n${choices.map(({ key, label }) => `${paint.bold(key)} ${label}`).join(paint.dim("  ·  "))}\n`;
      const key = await readKey(prompt, choices.map((choice) => choice.key).join(""), signal);
      const choice = choices.find((each) => each.key === key) ?? ABORT;
      await print(`${paint.dim(`> ${choice.label}`)}\n\n`);
      if (choice === WHOLE) {
        for (const each of asked) await print(colouredDiff(each.call.diff, paint));
        whole = true;
      } else if (choice !== EDIT) return choice.answer;
      else {
        const edited = await editArguments(call, paint, signal);
        if (edited) return edited;
      }
    }
  };
}

/** A standing yes is offered only where it would count. */
function choicesFor(verdict: AskedVerdict, whole: boolean): Choice[] {
  const single = (verdict.others ?? []).length === 0;
  return [
    ONCE,
    NO,
    ...(verdict.grantable ? STANDING : []),
    ...(single ? [EDIT] : []),
    ABORT,
    ...(whole ? [] : [WHOLE]),
  ];
}

const lineCount = (text: string): number => text.split("\n").length;

function describe({ tool, input, touches, diff }: Question, { by, reason }: Verdict, paint: Colours): string {
  const lines = diff.trimEnd().split("\n");
  const left = lines.length - DIFF_LINES;
  const shown = left > 0 ? lines.slice(0, DIFF_LINES).join("\n") : diff.trimEnd();
  const parts = [
    `${paint.bold(visible(tool))} would`,
    ...touches.map((touch) => `  ${visible(describeTouch(touch)).replaceAll("\n", "\n    ")}`),
    diff ? `\n${colouredDiff(shown, paint)}` : `  with ${visible(toJson(input))}`,
    ...(left > 0 ? [paint.yellow(`… ${left} more lines of the diff are not shown`)] : []),
    `\n${paint.yellow("Why you are asked:")} ${visible(reason)} ${paint.dim(`(${by})`)}`,
  ];
  return `${parts.join("\n")}\n`;
}

/** undefined: not changed after all, so the question stands. */
async function editArguments(
  { input }: Question,
  paint: Colours,
  signal: AbortSignal,
): Promise<{ decision: string; args?: unknown } | undefined> {
  const before = visibleJson(toJson(input));
  let text = before;
  for (;;) {
    await print(`${paint.dim("Change the arguments and press Enter; the changed call is judged anew.")}\n`);
    const typed = await readLine("", text, signal);
    if (typed === undefined) {
      await print("\n");
      return { decision: ABORT.answer };
    }
    if (typed.trim() === "" || typed === before) return undefined;
    try {
      return { decision: EDIT.answer, args: JSON.parse(typed) };
    } catch (error) {
      await print(
        `${paint.red(`That is no JSON: ${error instanceof Error ? visible(error.message) : "it cannot be read"}`)}\n`,
      );
      text = typed;
    }
  }
}
