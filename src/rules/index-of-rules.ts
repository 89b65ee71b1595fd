import { isPathTouch, type Place, type Touch } from "../core/words/touch.ts";
import { readCommandPattern } from "./command-pattern.ts";
import { PieceIndex } from "./piece-index.ts";
import { programName } from "./programs.ts";
import type { Matcher } from "./rule-matchers.ts";
import { programKey } from "./same-commands.ts";

const NONE: readonly Matcher[] = [];

/** Finds the few rules that may apply to a touch, so that a thousand rules cost little more than ten. */
export class RuleIndex {
  readonly isEmpty: boolean;
  /** Rules that name a tool, with or without a pattern. */
  readonly #byTool = new Map<string, Matcher[]>();
  readonly #wildTools: Matcher[] = [];
  readonly #byAction = new Map<string, Matcher[]>();
  readonly #aboutPaths: Matcher[] = [];
  readonly #byPath: PieceIndex<Matcher>;
  readonly #byProgram = new Map<string, Matcher[]>();
  readonly #anyProgram: Matcher[] = [];

  constructor(rules: readonly Matcher[]) {
    this.isEmpty = rules.length === 0;
    for (const each of rules) this.#file(each);
    this.#byPath = new PieceIndex(this.#aboutPaths, ({ rule }) => rule.statement.pattern ?? "");
  }

  #file(each: Matcher): void {
    const { subject, pattern = "*" } = each.rule.statement;
    if ("tool" in subject) {
      if (subject.tool.includes("*")) this.#wildTools.push(each);
      else add(this.#byTool, subject.tool.toLowerCase(), each);
      return;
    }
    const { action } = subject;
    if (action === "run") {
      const [program = "*"] = readCommandPattern(pattern).words;
      if (program.includes("*")) this.#anyProgram.push(each);
      else add(this.#byProgram, keyOf(program), each);
    } else if (action === "read" || action === "list" || action === "write" || action === "delete")
      this.#aboutPaths.push(each);
    add(this.#byAction, action, each);
  }

  /** Whether there are rules about files or hosts. */
  get isAboutPlaces(): boolean {
    return this.#aboutPaths.length > 0 || this.#byAction.has("fetch");
  }

  /** Rules that may name a tool by one of these names. */
  forTool(names: readonly string[]): readonly Matcher[] {
    if (this.#byTool.size === 0) return this.#wildTools;
    return [...this.#wildTools, ...names.flatMap((name) => this.#byTool.get(name.toLowerCase()) ?? NONE)];
  }

  /** `own`: the touch is the tool's own. A listing by a command is about the folder alone. */
  for(touch: Touch, own = true): readonly Matcher[] {
    if (this.isEmpty) return NONE;
    if (isPathTouch(touch)) {
      const isListing = touch.action === "list";
      return this.#forPath(touch.place, isListing ? own : touch.scope !== undefined);
    }
    if (touch.action === "run") return this.#forLine(touch);
    if (touch.action === "use") return this.#byAction.get(touch.source) ?? NONE;
    return this.#byAction.get(touch.action) ?? NONE;
  }

  /** A folder with its contents may concern every rule; any other path is looked up by its real and its shown path. */
  #forPath({ shown, real }: Place, wide: boolean): readonly Matcher[] {
    return wide ? this.#aboutPaths : this.#byPath.within(`${real}\n${shown}`);
  }

  /** Every word may be the program of a command that another one starts; an unknown word may be any program. */
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

/** `npm exec` may be what a rule calls `npx`. */
const keyOf = (program: string): string => programKey(programName(program)).replace(/^npx$/, "npm");

function add(map: Map<string, Matcher[]>, key: string, each: Matcher): void {
  const list = map.get(key);
  if (list) list.push(each);
  else map.set(key, [each]);
}
