import { belowRoot, isPathTouch, type Place, type Touch } from "../core/words/touch.ts";
import { readCommandPattern } from "./command-pattern.ts";
import type { Matcher } from "./matching.ts";
import { WILD } from "./path-pattern.ts";
import { programName } from "./programs.ts";
import { programKey } from "./same-commands.ts";

const NONE: readonly Matcher[] = [];

/** Finds the few rules that may be about a touch, so that a thousand rules cost little more than ten. */
export class RuleIndex {
  readonly isEmpty: boolean;
  /** Rules that name a tool, with or without a pattern. */
  readonly aboutTools: readonly Matcher[];
  readonly #byAction = new Map<string, Matcher[]>();
  readonly #byFolder = new Map<string, Matcher[]>();
  readonly #anywhere: Matcher[] = [];
  readonly #byProgram = new Map<string, Matcher[]>();
  readonly #anyProgram: Matcher[] = [];

  constructor(rules: readonly Matcher[]) {
    this.isEmpty = rules.length === 0;
    this.aboutTools = rules.filter(({ rule }) => "tool" in rule.statement.subject);
    for (const each of rules) this.#file(each);
  }

  #file(each: Matcher): void {
    const { subject, pattern = "*" } = each.rule.statement;
    if ("tool" in subject) return;
    const { action } = subject;
    if (action === "run") {
      const [program = "*"] = readCommandPattern(pattern).words;
      if (program.includes("*")) this.#anyProgram.push(each);
      else add(this.#byProgram, keyOf(program), each);
    } else if (action === "read" || action === "list" || action === "write" || action === "delete") {
      const folder = firstFolder(pattern);
      if (folder === undefined) this.#anywhere.push(each);
      else add(this.#byFolder, folder, each);
    }
    add(this.#byAction, action, each);
  }

  /** Whether there are rules about files or hosts. */
  get isAboutPlaces(): boolean {
    return this.#anywhere.length > 0 || this.#byFolder.size > 0 || this.#byAction.has("fetch");
  }

  /** `own`: the touch is the tool's own and not a command's, of which a listing is about the folder alone. */
  for(touch: Touch, own = true): readonly Matcher[] {
    if (this.isEmpty) return NONE;
    return [...this.#candidates(touch, own), ...this.aboutTools];
  }

  #candidates(touch: Touch, own: boolean): readonly Matcher[] {
    if (isPathTouch(touch)) {
      const isListing = touch.action === "list";
      return this.#forPath(touch.place, isListing ? own : touch.scope !== undefined);
    }
    if (touch.action === "run") return this.#forLine(touch);
    if (touch.action === "use") return this.#byAction.get(touch.source) ?? NONE;
    return this.#byAction.get(touch.action) ?? NONE;
  }

  /** A folder with all that is in it may be about every rule. */
  #forPath({ shown, real, root }: Place, wide: boolean): readonly Matcher[] {
    if (this.#byFolder.size === 0) return this.#anywhere;
    const first = firstOf(belowRoot({ real, root }));
    if (first === "" && shown === "." && !wide) return this.#anywhere;
    if (wide || root === "" || first === "") return [...this.#anywhere, ...[...this.#byFolder.values()].flat()];
    // a rule may name a link by which a path is called, or where it leads
    const near = new Set([first, firstOf(shown)].map((folder) => folder.toLowerCase()));
    return [...this.#anywhere, ...[...near].flatMap((folder) => this.#byFolder.get(folder) ?? NONE)];
  }

  /** Every word may be the program of a command that another one starts; a word that nobody knows may be any. */
  #forLine({ reading }: Extract<Touch, { action: "run" }>): readonly Matcher[] {
    if (this.#byProgram.size === 0) return this.#anyProgram;
    const segments = reading?.segments ?? [];
    const isKnown = reading?.sure && segments.every(({ words }) => words && !words.includes(null));
    const words = isKnown ? segments.flatMap(({ words = [] }) => words as string[]) : undefined;
    if (!words) return [...this.#anyProgram, ...[...this.#byProgram.values()].flat()];
    const found = new Set(this.#anyProgram);
    for (const word of words) for (const each of this.#byProgram.get(keyOf(word)) ?? NONE) found.add(each);
    return [...found];
  }
}

const firstOf = (path: string): string => path.replace(/^(?:\.\/)+/, "").split("/", 1)[0] ?? "";

/** `npm exec` may be what a rule calls `npx`. */
const keyOf = (program: string): string => programKey(programName(program)).replace(/^npx$/, "npm");

function add(map: Map<string, Matcher[]>, key: string, each: Matcher): void {
  const list = map.get(key);
  if (list) list.push(each);
  else map.set(key, [each]);
}

/** The first folder of a pattern that starts at the workspace; undefined: it may be anywhere. */
function firstFolder(pattern: string): string | undefined {
  const bare = pattern.replace(/^\.\//, "");
  const end = bare.indexOf("/");
  if (end <= 0 || bare.startsWith("~")) return undefined;
  const first = bare.slice(0, end);
  return WILD.test(first) ? undefined : first.toLowerCase();
}
