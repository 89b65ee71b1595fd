import {
  type CommandClass,
  type CommandReading,
  type CommandSegment,
  isPathTouch,
  type RunTouch,
  type Touch,
} from "../core/words/touch.ts";
import { analyse } from "../shell/analyse.ts";
import { RUNS_PROJECT } from "../shell/programs/program.ts";
import {
  type CommandPattern,
  commandProblem,
  fitsWord,
  forbidsWords,
  isSure,
  permitsWords,
  plainWords,
  readCommandPattern,
  setsVariables,
  starts,
} from "./command-pattern.ts";
import { forbids, pathProblem, permits, type Reach, type Surroundings } from "./path-pattern.ts";
import { isOfAnotherKind, leadsOutside } from "./programs.ts";
import type { Rule, RuleAction, Statement } from "./rule.ts";
import { forbidsUrl, permitsUrl, urlProblem } from "./url-pattern.ts";

/** A rule that is ready to be matched against calls. */
export type Matcher = {
  readonly rule: Rule;
  /** How a touch relates to a rule that forbids or asks. `own`: it is the tool's own touch, not a command's. */
  reach(touch: Touch, own: boolean): Reach;
  /** Whether an allow rule covers all of a touch that is not a command. */
  permits(touch: Touch): boolean;
  /** Whether it covers this command of a line. */
  permitsSegment(segment: CommandSegment): boolean;
};

type PatternKind = "path" | "command" | "url" | "name";
const KINDS: Readonly<Record<RuleAction, PatternKind>> = {
  read: "path",
  list: "path",
  write: "path",
  delete: "path",
  run: "command",
  fetch: "url",
  mcp: "name",
  skill: "name",
  delegate: "name",
  remember: "name",
  schedule: "name",
  signal: "name",
  ask: "name",
};

/** What is wrong with the pattern of a statement, if anything. */
export function patternProblem({ subject, pattern }: Statement): string | undefined {
  if (pattern === undefined || !("action" in subject)) return undefined;
  switch (KINDS[subject.action]) {
    case "path":
      return pathProblem(pattern);
    case "command":
      return commandProblem(pattern);
    case "url":
      return urlProblem(pattern);
    default:
      return undefined;
  }
}

/** Forbidding to read includes listings, which may show content; forbidding to write includes deleting. */
const FORBIDDEN_WITH: Partial<Record<RuleAction, readonly string[]>> = {
  read: ["read", "list"],
  write: ["write", "delete"],
};
const ALLOWED_WITH: Partial<Record<RuleAction, readonly string[]>> = { read: ["read", "list"] };

export function matcherOf(rule: Rule, around: Surroundings): Matcher {
  const positive = oneMatcher(rule.statement, around);
  const exceptions = rule.except.map((pattern) => oneMatcher({ ...rule.statement, pattern }, around));
  return {
    rule,
    reach(touch, own) {
      const reach = positive.reach(touch, own);
      // an exception must apply with certainty
      return reach === "meets" && exceptions.some((each) => each.excuses(touch)) ? "misses" : reach;
    },
    permits: (touch) => positive.permits(touch) && exceptions.every((each) => each.reach(touch, true) === "misses"),
    permitsSegment: (segment) =>
      positive.permitsSegment(segment) && !exceptions.some((each) => each.forbidsSegment(segment)),
  };
}

type One = Pick<Matcher, "reach" | "permits" | "permitsSegment"> & {
  excuses(touch: Touch): boolean;
  forbidsSegment(segment: CommandSegment): boolean;
};

function oneMatcher({ subject, pattern }: Statement, around: Surroundings): One {
  const action = "action" in subject ? subject.action : undefined;
  const any = pattern === undefined || pattern === "*" || pattern === "**";
  const text = pattern ?? "*";
  const kind = action && KINDS[action];
  /** A tool's name alone applies to whatever it does. */
  const isWholeTool = action === undefined && pattern === undefined;
  const path =
    kind === undefined || kind === "path"
      ? { forbids: forbids(text, around), permits: permits(text, around) }
      : undefined;
  const command =
    kind === undefined || kind === "command" ? commandMatcher(readCommandPattern(text), around) : undefined;

  const isMeant = (touch: Touch, together: Partial<Record<RuleAction, readonly string[]>>): boolean => {
    if (action === undefined) return true;
    if (touch.action === "use") return touch.source === action;
    return (together[action] ?? [action]).includes(touch.action);
  };

  const isNamed = (name: string, fold: boolean): boolean =>
    fold ? fitsWord(text.toLowerCase(), name.toLowerCase()) : fitsWord(text, name);

  function reach(touch: Touch, own: boolean): Reach {
    // a tool that writes also shows content: its answer contains the diff
    const shows = action === "read" && own && touch.action === "write";
    if (!isMeant(touch, FORBIDDEN_WITH) && !shows) return "misses";
    if (isPathTouch(touch)) return any ? "meets" : (path?.forbids(touch) ?? "misses");
    switch (touch.action) {
      case "run":
        return command?.reach(touch) ?? "misses";
      case "fetch":
        return any || forbidsUrl(text, touch) ? "meets" : "misses";
      case "use":
        return isNamed(touch.name, true) ? "meets" : "misses";
      case "unknown":
        return action === undefined && any ? "meets" : "misses";
      default:
        return isNamed(touch.target, true) ? "meets" : "misses";
    }
  }

  function permitsTouch(touch: Touch): boolean {
    if (!isMeant(touch, ALLOWED_WITH)) return false;
    if (isWholeTool) return true;
    if (isPathTouch(touch)) return path?.permits(touch) ?? false;
    switch (touch.action) {
      case "run":
      case "unknown":
        return false;
      case "fetch":
        return permitsUrl(text, touch);
      case "use":
        return isNamed(touch.name, false);
      default:
        return isNamed(touch.target, false);
    }
  }

  return {
    reach,
    permits: permitsTouch,
    excuses: (touch) => (touch.action === "run" ? (command?.permitsLine(touch) ?? false) : permitsTouch(touch)),
    permitsSegment: (segment) => command?.permitsSegment(segment) ?? false,
    forbidsSegment: (segment) => command?.forbidsSegment(segment) ?? false,
  };
}

const STRICTNESS: readonly CommandClass[] = ["safe", "dev", "dangerous", "blocked"];
const RISKS: readonly CommandReading["risk"][] = ["low", "medium", "high"];

function commandMatcher(pattern: CommandPattern, around: Surroundings) {
  let known: { class: CommandClass; risk: CommandReading["risk"] } | undefined;
  /** What the words of the pattern do by themselves: further words must not do worse. */
  const itself = () => (known ??= analyse(pattern.words.map(quoted).join(" ")));

  const forbidsSegment = (segment: CommandSegment): boolean => {
    for (const [words, from] of starts(segment)) if (forbidsWords(pattern, words, from)) return true;
    return false;
  };

  function reach({ reading, command }: RunTouch): Reach {
    const segments = reading?.segments ?? [];
    if (pattern.words.length === 0 || segments.some(forbidsSegment)) return "meets";
    if (isSure(reading)) return "misses";
    // if a line cannot be parsed with certainty, the name of the program is enough
    const [program = ""] = pattern.words;
    return command.split(/[\s"'`;&|()<>\\/]+/).some((word) => fitsWord(program, word)) ? "may meet" : "misses";
  }

  function permitsSegment(segment: CommandSegment): boolean {
    const words = plainWords(segment);
    if (!words || !permitsWords(pattern, words)) return false;
    if (pattern.words.length === 0 || words.length === pattern.words.length) return true;
    const [program = ""] = words;
    const more = words.slice(pattern.words.length);
    if (more.some((word) => isOfAnotherKind(program, word) || leadsOutside(word, around.roots))) return false;
    const { class: kind, risk } = itself();
    return (
      STRICTNESS.indexOf(segment.class) <= STRICTNESS.indexOf(kind) &&
      RISKS.indexOf(segment.risk) <= RISKS.indexOf(risk)
    );
  }

  const permitsLine = ({ reading }: RunTouch): boolean =>
    isSure(reading) && reading.segments.length > 0 && reading.segments.every(permitsSegment);

  return { reach, permitsSegment, forbidsSegment, permitsLine };
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

/** Whether a command needs no rule: it is provably harmless, and no project file decides what it runs. */
export const isHarmless = (segment: CommandSegment): boolean =>
  segment.class === "safe" && segment.rule !== RUNS_PROJECT;

/** Whether every command of a line is covered by one of these rules. */
export function permitsCommand(
  touch: RunTouch,
  rules: readonly Matcher[],
  harmless: boolean,
  roots?: Surroundings["roots"],
): boolean {
  const { reading } = touch;
  if (!isSure(reading) || setsVariables(touch) || reading.segments.length === 0) return false;
  if (reading.segments.some((each) => setsByEnv(each) || goesOutside(each, roots))) return false;
  const open = reading.segments.filter((segment) => !(harmless && isHarmless(segment)));
  return open.length > 0 && open.every((segment) => rules.some((rule) => rule.permitsSegment(segment)));
}

/** `env A=1 npm test` sets the same variables as `A=1 npm test`. */
const setsByEnv = ({ program, words = [] }: CommandSegment): boolean =>
  program === "env" && words.some((word) => word === null || /^\w+=/.test(word));

const GOES: ReadonlySet<string> = new Set(["cd", "pushd"]);

/** A rule applies here only: the tests of another folder are other tests. */
const goesOutside = ({ program = "", words = [] }: CommandSegment, roots: Surroundings["roots"]): boolean => {
  if (!GOES.has(program)) return false;
  const folders = words.slice(1).filter((word) => word === null || !/^-[LPe]+$/.test(word));
  return folders.length !== 1 || folders.some((word) => word === null || word === "-" || leadsOutside(word, roots));
};
