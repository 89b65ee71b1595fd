import {
  belowRoot,
  type CommandClass,
  isPathTouch,
  type PathTouch,
  type RunTouch,
  type Touch,
} from "../core/words/touch.ts";
import { isSure, plainWords, setsVariables } from "./command-pattern.ts";
import { type Surroundings, WILD } from "./path-pattern.ts";
import { depthOf, isTooWide } from "./programs.ts";
import { type Rule, readRule } from "./rule.ts";
import { isHarmless } from "./rule-matchers.ts";
import { RuleSet } from "./rule-set.ts";

/** What an "always" would save: the narrowest useful rules, as texts. */
export type Proposal = readonly string[];

/**
 * The narrowest rules that answer a question about these touches, tried out before they are shown. `known` are those
 * saved before: the second file of a folder leads to a rule for the folder. Undefined if only this very call can be
 * allowed: interpreters, wrappers, irreversible actions, and lines that cannot be parsed with certainty.
 */
export function propose(
  about: readonly Touch[],
  tool: string,
  known: readonly string[] = [],
  around: Surroundings = {},
): Proposal | undefined {
  const texts = new Set<string>();
  for (const touch of about) {
    const rules = touch.action === "run" ? forLine(touch) : forTouch(touch, known);
    if (!rules) return undefined;
    for (const text of rules) texts.add(text);
  }
  const proposal = [...texts];
  return proposal.length > 0 && covers(proposal, about, tool, around) !== undefined ? proposal : undefined;
}

/** Those of these allow rules that answer a question about these touches; undefined if they do not. */
export function covers(
  texts: readonly string[],
  about: readonly Touch[],
  tool: string,
  around: Surroundings = {},
): Proposal | undefined {
  const rules = texts.map((text) => readRule("allow", text)).filter((rule): rule is Rule => !("problem" in rule));
  const { covers: covered, by } = new RuleSet(rules, around).decide({ tool: { name: tool }, touches: about }, 0, true);
  const answers = about.length > 0 && about.every((touch) => covered.has(touch));
  return answers ? by.map(({ statement }) => statement.text) : undefined;
}

function forLine(touch: RunTouch): string[] | undefined {
  const { reading } = touch;
  if (!isSure(reading) || setsVariables(touch)) return undefined;
  const rules: string[] = [];
  for (const segment of reading.segments) {
    if (isHarmless(segment)) continue;
    const words = plainWords(segment);
    const rule = words && ruleFor(words, segment.class);
    if (!rule) return undefined;
    rules.push(rule);
  }
  return rules;
}

const SAFE_WORD = /^[\w@%+=:,./~^-]+$/;
const TARGETS: ReadonlySet<string> = new Set(["make", "just", "task", "rake"]);

function ruleFor(words: readonly string[], kind: CommandClass): string | undefined {
  const depth = depthOf(words);
  // a bare program is narrow enough only if it is a development tool: `pytest`, but not `cp`
  if (depth === 1 && kind !== "dev") return undefined;
  const said = words.slice(0, depth);
  // a script may change; approving it is bound to its current content
  if (words[0]?.includes("/")) return undefined;
  // an option before the subcommand changes the meaning of the rest
  if (said.length < depth || !said.every((word) => SAFE_WORD.test(word)) || isTooWide(said)) return undefined;
  if (said.some((word, index) => index > 0 && word.startsWith("-") && word !== "-m")) return undefined;
  if (TARGETS.has(said[0] as string)) return words.length === depth ? `run(${said.join(" ")})` : undefined;
  return `run(${said.join(" ")} *)`;
}

function forTouch(touch: Touch, known: readonly string[]): string[] | undefined {
  if (isPathTouch(touch)) return forPath(touch, known);
  switch (touch.action) {
    case "fetch":
      return forUrl(touch.url, touch.method);
    case "use":
      return /^[\w./@-]+$/.test(touch.name) ? [`${touch.source}(${touch.name})`] : undefined;
    default:
      return undefined;
  }
}

/** For the file alone; if another file of the same folder was allowed before, for that folder of the project. */
function forPath({ action, place: { real, root }, scope }: PathTouch, known: readonly string[]): string[] | undefined {
  if (scope !== undefined || WILD.test(real)) return undefined;
  if (root === "") return action === "read" ? [`read(${real})`] : undefined;
  const path = belowRoot({ real, root });
  const [first = "", ...rest] = path.split("/");
  if (first === "") return undefined;
  const rule = `${action}(./${path})`;
  const isFolder = action === "write" && rest.length > 0 && !first.startsWith(".");
  const isUsual = known.some((each) => each !== rule && each.startsWith(`write(./${first}/`));
  return [isFolder && isUsual ? `write(${first}/**)` : rule];
}

function forUrl(url: string, method: string): string[] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  // what is sent may be anything, so only this very call can be allowed
  if (method !== "GET" && method !== "HEAD") return undefined;
  return [`fetch(${port ? `${hostname}:${port}` : hostname})`];
}
