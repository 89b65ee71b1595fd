import type { Touch } from "../core/words/touch.ts";
import { fits, lineTouch } from "./examples.ts";
import type { Rule, RuleAction } from "./rule.ts";
import { matcherOf } from "./rule-matchers.ts";
import { type Judged, RuleSet } from "./rule-set.ts";

/** A call of the record, as far as rules look at it. */
export type Recorded = { readonly tool: string; readonly touches: readonly Touch[] };

export type Minimised = {
  readonly kept: readonly Rule[];
  /** Expired rules, allow rules that no recorded call needs, and rules that another one repeats. */
  readonly dropped: readonly { readonly rule: Rule; readonly why: string }[];
};

/** The record does not keep how commands were parsed, so they are parsed again. */
const judged = ({ tool, touches }: Recorded): Judged => ({
  tool: { name: tool },
  touches: touches.map((touch) =>
    touch.action === "run" ? { ...lineTouch(touch.command), inner: touch.inner } : touch,
  ),
});

const segmentsOf = ({ touches }: Judged) =>
  touches.flatMap((touch) => (touch.action === "run" ? (touch.reading?.segments ?? []) : []));

/** The rules that apply to a call, each judged by itself. */
export function rulesAbout(rules: readonly Rule[], call: Judged, now: number): Rule[] {
  return rules.filter((rule) => {
    const { deny, ask, covers, exclude } = new RuleSet([rule]).decide(call, now, true);
    if (deny !== undefined || ask !== undefined || covers.size > 0 || exclude.length > 0) return true;
    // it may cover some commands of a line, but not all
    const { permitsSegment } = matcherOf(rule, {});
    return rule.kind === "allow" && segmentsOf(call).some(permitsSegment);
  });
}

/**
 * A smaller set that decides the same about every recorded call. What is forbidden stays forbidden whether or not
 * somebody tried it: ask and deny rules are dropped only if another one repeats them.
 */
export function minimise(rules: readonly Rule[], history: readonly Recorded[], now = 0): Minimised {
  const calls = history.map(judged);
  const before = calls.map((call) => signature(rules, call, now));
  const decidesTheSame = (set: readonly Rule[]) =>
    calls.every((call, index) => signature(set, call, now) === before[index]);
  const dropped: { rule: Rule; why: string }[] = [];
  let kept = [...rules];
  for (const rule of rules) {
    if (rule.expires === undefined || now <= rule.expires) continue;
    kept = kept.filter((each) => each !== rule);
    dropped.push({ rule, why: "it has expired" });
  }
  for (const rule of [...kept]) {
    const other = kept.find((each) => each !== rule && each.kind === rule.kind && repeats(each, rule));
    const without = kept.filter((each) => each !== rule);
    if (!other || !decidesTheSame(without)) continue;
    kept = without;
    dropped.push({ rule, why: `${other.statement.text} says it already` });
  }
  // the most specific ones first, so that the most general ones remain
  const allows = kept
    .filter(({ kind }) => kind === "allow")
    .sort((a, b) => b.statement.text.length - a.statement.text.length);
  for (const rule of allows) {
    const without = kept.filter((each) => each !== rule);
    if (!decidesTheSame(without)) continue;
    kept = without;
    dropped.push({ rule, why: "no recorded call needs it" });
  }
  return { kept, dropped };
}

function signature(rules: readonly Rule[], call: Judged, now: number): string {
  const { deny, ask, covers } = new RuleSet(rules).decide(call, now, true);
  if (deny?.surely) return "deny";
  if (ask || deny) return "ask";
  return call.touches.map((touch) => (covers.has(touch) ? "covered" : "open")).join();
}

/** Whether a rule says everything that another one says. Only patterns with no wildcards but stars can be compared. */
function repeats(wider: Rule, narrower: Rule): boolean {
  if (wider.except.length > 0 || (wider.expires ?? Infinity) < (narrower.expires ?? Infinity)) return false;
  if (wider.statement.text === narrower.statement.text) return true;
  const [{ subject, pattern }, other] = [narrower.statement, wider.statement];
  if (pattern === undefined || other.pattern === undefined || !("action" in subject)) return false;
  if (JSON.stringify(subject) !== JSON.stringify(other.subject)) return false;
  const samples = SAMPLES[subject.action] ?? names;
  if (![pattern, other.pattern].every((each) => COMPARABLE[subject.action]?.test(each) ?? STARRED.test(each)))
    return false;
  return samples(pattern).every((sample) => fits(wider, sample));
}

const STARRED = /^[^?[\]{}()!+@|\\"']+$/;
const COMPARABLE: Partial<Record<RuleAction, RegExp>> = { fetch: /^[\w.*-]+$/ };

/** Stand for names that no pattern spells out. */
const [SOME, OTHER] = ["zq", "zqx.wvk"];

const names = (pattern: string): string[] =>
  ["", SOME, `${SOME}/${OTHER}`].map((name) => pattern.replace(/\*+/g, name));

/** A name without a slash may be at any depth, `**` matches any folders or none; a match includes what is below it. */
function paths(pattern: string): string[] {
  const bare = pattern.replace(/(?<!\/)\/+$/, "");
  const starts = bare.includes("/") ? [bare] : [bare, `${SOME}/${bare}`, `${SOME}/${OTHER}/${bare}`];
  const folders = ["", `${SOME}/`, `${SOME}/.${OTHER}/`];
  return starts.flatMap((start) =>
    folders.flatMap((above) =>
      [SOME, `.${OTHER}`].flatMap((name) => {
        const path = start
          .replace(/\*\*\//g, above)
          .replace(/\*\*/g, `${above}${name}`)
          .replace(/\*/g, name);
        return [path, `${path}/${SOME}/${OTHER}`];
      }),
    ),
  );
}

const commands = (pattern: string): string[] =>
  ["", SOME, `${SOME} ${OTHER}`, `--${SOME} ${OTHER}`].flatMap((words) => {
    const line = pattern
      .replace(/(^|\s)\*(?=\s|$)/g, `$1${words}`)
      .replace(/\*+/g, SOME)
      .trim();
    return [line, `${line} ${SOME}`].filter((each) => each !== "");
  });

const SAMPLES: Partial<Record<RuleAction, (pattern: string) => string[]>> = {
  read: paths,
  list: paths,
  write: paths,
  delete: paths,
  run: commands,
};
