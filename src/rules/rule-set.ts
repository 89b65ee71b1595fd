import type { Ready } from "../core/words/ready.ts";
import { eachTouch, isPathTouch, type PathTouch, type RunTouch, type Touch } from "../core/words/touch.ts";
import { fitsWord } from "./command-pattern.ts";
import { RuleIndex } from "./index-of-rules.ts";
import { mentions } from "./mentions.ts";
import type { Reach, Surroundings } from "./path-pattern.ts";
import type { Rule, RuleKind } from "./rule.ts";
import { type Matcher, matcherOf, permitsCommand } from "./rule-matchers.ts";

/** The parts of a call that rules look at. */
export type Judged = Pick<Ready, "touches"> & {
  readonly input?: unknown;
  readonly tool: {
    readonly name: string;
    readonly definition?: {
      readonly aliases?: { readonly names?: readonly (string | { readonly name: string })[] };
      readonly countsAs?: {
        readonly tools?: readonly string[];
        readonly names?: readonly string[];
        skill?(input: never): string | undefined;
      };
    };
  };
};

/** A rule and the touch that it is about; without one, the call as a whole. `surely` is false if that is uncertain. */
export type Hit = { readonly rule: Rule; readonly touch?: Touch; readonly surely: boolean };

export type Decision = {
  readonly deny?: Hit;
  readonly ask?: Hit;
  /** What rules allow, and which rules. */
  readonly covers: ReadonlySet<Touch>;
  readonly by: readonly Rule[];
  /** What a search has to leave out. */
  readonly exclude: readonly string[];
};

/** All rules of a configuration. Their order does not matter. */
export class RuleSet {
  readonly #deny: RuleIndex;
  readonly #ask: RuleIndex;
  readonly #allow: RuleIndex;
  readonly #roots: Surroundings["roots"];
  constructor(rules: readonly Rule[], around: Surroundings = {}) {
    const of = (kind: RuleKind) =>
      new RuleIndex(rules.filter((rule) => rule.kind === kind).map((rule) => matcherOf(rule, around)));
    this.#roots = around.roots;
    this.#deny = of("deny");
    this.#ask = of("ask");
    this.#allow = of("allow");
  }

  /** `harmless`: commands that provably change nothing need no rule beside others on their line. */
  decide(call: Judged, now: number, harmless: boolean): Decision {
    const { aliases, countsAs } = call.tool.definition ?? {};
    const others = (aliases?.names ?? []).map((alias) => (typeof alias === "string" ? alias : alias.name));
    const own = [call.tool.name, ...others];
    const names = countsAs ? [...own, ...(countsAs.tools ?? []), ...(countsAs.names ?? [])] : own;
    const skill = countsAs?.skill?.(call.input as never);
    const forbidden = skill === undefined ? call : { ...call, touches: [...call.touches, skillTouch(skill)] };
    const exclude: string[] = [];
    const deny = strictest(this.#deny, forbidden, names, now, exclude);
    const ask = strictest(this.#ask, forbidden, names, now, exclude);
    // somebody else may have brought a tool of that name: what it does must be allowed, not its name
    const trusted = countsAs?.tools ? NO_NAMES : own;
    const { covers, by } = allowed(this.#allow, call, trusted, now, harmless, this.#roots);
    return { ...(deny && { deny }), ...(ask && { ask }), covers, by, exclude };
  }
}

const NO_NAMES: readonly string[] = [];
const skillTouch = (name: string): Touch => ({ action: "use", source: "skill", name });

const counts = ({ rule: { expires } }: Matcher, now: number): boolean => expires === undefined || now <= expires;

/** Whether a rule about a tool means this one. */
const isAbout = ({ rule: { statement, kind } }: Matcher, names: readonly string[]): boolean => {
  if (!("tool" in statement.subject)) return true;
  const { tool } = statement.subject;
  if (kind === "allow") return names.some((name) => fitsWord(tool, name));
  return names.some((name) => fitsWord(tool.toLowerCase(), name.toLowerCase()));
};

const isWhole = ({ rule: { statement } }: Matcher): boolean =>
  "tool" in statement.subject && statement.pattern === undefined;

function strictest(
  index: RuleIndex,
  { touches }: Judged,
  names: readonly string[],
  now: number,
  exclude: string[],
): Hit | undefined {
  if (index.isEmpty) return undefined;
  const named = index.forTool(names).filter((rule) => counts(rule, now) && isAbout(rule, names));
  const whole = named.find(isWhole);
  if (whole) return { rule: whole.rule, surely: true };
  let doubtful: Hit | undefined;
  const owns = new Set(touches);
  for (const touch of eachTouch(touches)) {
    const own = owns.has(touch);
    if (touch.action === "run") doubtful ??= mentioned(index, touch, now);
    for (const rule of [...index.for(touch, own), ...named]) {
      if (!counts(rule, now)) continue;
      const standing = standingOf(rule, touch, own);
      if (standing === "meets") return { rule: rule.rule, touch, surely: true };
      if (standing === "may meet") doubtful ??= { rule: rule.rule, touch, surely: false };
      if (standing === "leaves out" && rule.rule.statement.pattern !== undefined)
        exclude.push(rule.rule.statement.pattern);
    }
  }
  return doubtful;
}

/** Finds a rule about something that a command mentions, if the command cannot be parsed with certainty. */
function mentioned(index: RuleIndex, run: RunTouch, now: number): Hit | undefined {
  if (!index.isAboutPlaces) return undefined;
  for (const touch of mentions(run))
    for (const rule of index.for(touch))
      if (counts(rule, now) && isNarrow(rule, touch) && rule.reach(touch, false) !== "misses")
        return { rule: rule.rule, touch, surely: false };
  return undefined;
}

/** A rule about every host would take each file name for a host. */
const isNarrow = ({ rule: { statement } }: Matcher, { action }: Touch): boolean =>
  "action" in statement.subject && (action !== "fetch" || statement.pattern?.includes(".") === true);

/**
 * A tool's search leaves out what is forbidden. A command cannot, so if it might read such a file among others, a
 * person is asked; if it only lists names, nobody is.
 */
function standingOf(rule: Matcher, touch: Touch, own: boolean): Reach | "leaves out" {
  if (!isPathTouch(touch) || !isWide(touch)) return rule.reach(touch, own);
  const { scope: _, ...folder } = touch;
  if (rule.reach(folder, own) === "meets") return "meets";
  const reads = touch.action === "read" || touch.action === "list";
  const reach = rule.reach(touch, own);
  if (reads && own) return rule.reach({ ...folder, scope: "**" }, own) === "misses" ? "misses" : "leaves out";
  if (touch.action === "read") return reach === "misses" ? "misses" : "may meet";
  if (touch.action === "list") return "misses";
  // uncertain writes of a program are held by the sandbox, if at all; a pattern in the command is meant
  if (touch.certain || own || touch.scope !== "**") return reach;
  // names from an archive or a history may match
  return touch.brings && reach !== "misses" ? "may meet" : "misses";
}

const isWide = ({ scope, action }: PathTouch): boolean => scope !== undefined || action === "list";

function allowed(
  index: RuleIndex,
  { touches }: Judged,
  names: readonly string[],
  now: number,
  harmless: boolean,
  roots: Surroundings["roots"],
) {
  const covers = new Set<Touch>();
  const by = new Set<Rule>();
  if (index.isEmpty) return { covers, by: [] };
  const named = index.forTool(names).filter((rule) => counts(rule, now) && isAbout(rule, names));
  const live = (rules: readonly Matcher[]) => [...rules.filter((rule) => counts(rule, now)), ...named];
  const whole = named.find(isWhole);
  if (whole) by.add(whole.rule);
  for (const touch of touches) {
    const rules = live(index.for(touch));
    const rule = whole ?? rules.find((each) => each.permits(touch));
    if (rule) {
      covers.add(touch);
      by.add(rule.rule);
    } else if (touch.action === "run" && permitsCommand(touch, rules, harmless, roots)) {
      covers.add(touch);
      for (const each of rules) if (touch.reading?.segments.some(each.permitsSegment)) by.add(each.rule);
    }
    if (touch.action !== "run") continue;
    for (const inner of touch.inner) {
      const found = live(index.for(inner)).find((each) => !isWhole(each) && each.permits(inner));
      if (!found) continue;
      covers.add(inner);
      by.add(found.rule);
    }
  }
  return { covers, by: [...by] };
}
