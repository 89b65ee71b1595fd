import type { Past, Policy } from "../core/contracts/policy.ts";
import type { Ready } from "../core/words/ready.ts";
import { isSame, signOf } from "../core/words/same.ts";
import { changesSomething, type Touch } from "../core/words/touch.ts";
import type { Condition, Verdict } from "../core/words/verdict.ts";

export type LoopSettings = "off" | "warn" | "refuse";

/** The number of fruitless calls after which the next one is noted, refused, and refused with the advice to stop. */
type Patience = { readonly told: number; readonly refused: number; readonly stopped: number };
const REPEATED: Patience = { told: 3, refused: 4, stopped: 5 };
const PING_PONG: Patience = { told: 3, refused: 4, stopped: 5 };
const ONE_ANSWER: Patience = { told: 5, refused: 6, stopped: 7 };
/** Polling calls repeat often by nature. */
const POLLED: Patience = { told: 20, refused: 40, stopped: 60 };

const BY = "loops";

/** Detects calls that go round in circles. An earlier answer is never returned in place of a call. */
export function loops(setting: LoopSettings): Policy {
  return {
    name: BY,
    judge(ready, { recent }) {
      if (setting === "off" || recent.length === 0) return undefined;
      const told: Told = { tool: ready.tool.name, input: ready.input, sign: signOf(ready.input) };
      const repeated = sameAgain(told, recent);
      const polls = ready.tool.definition?.polls === true;
      const found =
        verdictOn(setting, repeated, polls ? POLLED : REPEATED, tellRepeated) ??
        verdictOn(setting, cyclesOf(told, recent), PING_PONG, tellPingPong) ??
        (polls ? undefined : oneAnswer(setting, ready, told, recent));
      return found;
    },
  };
}

const tellRepeated = (count: number): string => `this call was made ${count} times with the same answer`;
const tellPingPong = (): string => "the same two calls were made in turn, each with the same answer";

const NEXT = "Do something else: read what was answered, change something first, or ask the person how to continue.";

function verdictOn(
  setting: LoopSettings,
  count: number,
  { told, refused, stopped }: Patience,
  tell: (count: number) => string,
): Verdict | Condition | undefined {
  if (count < told) return undefined;
  const what = tell(count);
  if (setting === "refuse" && count >= refused)
    return { answer: "deny", by: BY, reason: what, next: NEXT, ...(count >= stopped && { stop: true }) };
  // noted a few times, then only now and then
  if (count > stopped && count % 5 !== 0) return undefined;
  return { by: BY, notes: [`[${what[0]?.toUpperCase()}${what.slice(1)}. ${NEXT}]`] };
}

/** What tells a call from others. */
type Told = { readonly tool: string; readonly input: unknown; readonly sign: number };

const isThis = (past: Past, { tool, input, sign }: Told): boolean =>
  past.sign === sign && past.tool === tool && isSame(past.input, input);

/** How often this very call was made with the same answer, without a change in between. */
function sameAgain(told: Told, recent: readonly Past[]): number {
  let count = 0;
  let answer: string | undefined;
  for (let index = recent.length - 1; index >= 0; index--) {
    const past = recent[index] as Past;
    if (!isThis(past, told)) {
      if (past.changed) break;
      continue;
    }
    if (past.refusedBy !== BY) {
      if (past.answer === undefined || (answer !== undefined && past.answer !== answer)) break;
      answer = past.answer;
    }
    count += past.times;
  }
  return count;
}

/** How often two calls alternated, if this one would continue that. Changes that undo each other are a circle, too. */
function cyclesOf(told: Told, recent: readonly Past[]): number {
  const [b, a] = [recent.at(-1), recent.at(-2)];
  if (!a || !b || !isThis(a, told) || isThis(b, told)) return 0;
  let cycles = 0;
  for (let index = recent.length - 1; index > 0; index -= 2) {
    if (!isLike(recent[index], b) || !isLike(recent[index - 1], a)) break;
    cycles++;
  }
  return cycles;
}

const isLike = (past: Past | undefined, model: Past): boolean =>
  past?.tool === model.tool &&
  past.answer !== undefined &&
  past.answer === model.answer &&
  past.times === 1 &&
  isSame(past.input, model.input);

/** Different calls of one tool in a row, all with the same answer. Reads of files do not count: files may be alike. */
function oneAnswer(
  setting: LoopSettings,
  ready: Ready,
  told: Told,
  recent: readonly Past[],
): Verdict | Condition | undefined {
  if (changesSomething(ready.touches) || ready.touches.some(readsFile)) return undefined;
  let count = 0;
  let answer: string | undefined;
  for (let index = recent.length - 1; index >= 0; index--) {
    const past = recent[index] as Past;
    if (past.tool !== ready.tool.name || past.changed) break;
    if (past.refusedBy !== BY) {
      if (past.answer === undefined || (answer !== undefined && past.answer !== answer)) break;
      answer = past.answer;
    }
    if (isThis(past, told)) break;
    count++;
  }
  return verdictOn(
    setting,
    count,
    ONE_ANSWER,
    () => `${count} different calls of ${ready.tool.name} gave the same answer`,
  );
}

const readsFile = (touch: Touch): boolean => touch.action === "read" && touch.scope === undefined;
