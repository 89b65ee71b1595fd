import type { Token } from "./code-tokens.ts";
import { added, CALLS, itemsOf, MOST_ITEMS, unescaped, type Value } from "./code-values.ts";
import { EditedCode } from "./edited-code.ts";

export type Names = Map<string, Value>;
/** How many more steps the analysis may take. */
export type Budget = { steps: number };

/** Lists, and what gives values to names. */
export abstract class NamingCode extends EditedCode {
  readonly names: Names;
  readonly budget: Budget;
  lastSet = "";

  constructor(language: string, code: string, names: Names, budget: Budget) {
    super(language, code);
    this.names = names;
    this.budget = budget;
    budget.steps -= this.tokens.length;
  }

  abstract expression(): Value;

  isAssigned(): boolean {
    return this.isMark("=", 1) || this.isMark("+=", 1);
  }

  /** The values up to a closing mark; undefined where one of them is not known. */
  list(close: string): readonly Value[] | undefined {
    this.at++;
    const items: Value[] = [];
    while (this.at < this.tokens.length && !this.isMark(close)) {
      const from = this.at;
      const isSpread = this.isMark("...");
      const value = this.expression();
      const drawn = this.peek()?.text === "for" ? this.drawn(from) : undefined;
      if (drawn) items.push(...(close === "]" ? drawn : [drawn]));
      else if (isSpread) items.push(...(itemsOf(value) ?? [undefined]));
      else items.push(value);
      if (this.take(",")) continue;
      if (this.isMark(close)) break;
      if (this.at === from || this.budget.steps <= 0) this.at++;
      items.push(undefined);
    }
    this.at++;
    return items.length > MOST_ITEMS ? [undefined] : items;
  }

  /** `chr(c) for c in …`: the expression since `from` for each of the items. */
  private drawn(from: number): readonly Value[] | undefined {
    const name = this.peek(1)?.text ?? "";
    if (this.peek(2)?.text !== "in") return undefined;
    const edits = this.edits.length;
    this.at += 3;
    const items = itemsOf(this.expression());
    const end = this.at;
    const before = this.names.get(name);
    const values = items?.slice(0, MOST_ITEMS).map((item) => {
      this.names.set(name, item);
      this.at = from;
      return this.expression();
    });
    this.names.set(name, before);
    this.edits.length = edits;
    this.at = end;
    return values;
  }

  /** `[a, ...b] = list` */
  taken(from: number): undefined {
    const names = this.tokens.slice(from, this.at - 1);
    this.at++;
    const items = itemsOf(this.expression()) ?? [];
    let index = 0;
    for (const [at, { kind, text }] of names.entries()) {
      if (kind !== "name") continue;
      this.names.set(text, names[at - 1]?.text === "..." ? items.slice(index) : items[index]);
      index++;
    }
    return undefined;
  }

  /** `tr/a-z/n-za-m/` of Perl changes the variable before `=~`, the one that was set last, or `$_`. */
  change({ text }: Token): undefined {
    this.at++;
    const isNamed = this.peek(-2)?.text === "=~";
    const before = this.peek(-3);
    const name = !isNamed ? "$_" : before?.kind === "name" ? before.text : this.lastSet;
    const [from = "", to = ""] = text.slice(2).split("\0");
    const call = text.startsWith("s") ? "replace" : "tr";
    this.names.set(name, CALLS.get(call)?.([this.names.get(name), unescaped(from, false), unescaped(to, false)]));
    return undefined;
  }

  assigned(name: string, before: Value): undefined {
    const isMore = !this.isMark("=");
    this.at++;
    const value = this.expression();
    this.lastSet = name;
    this.names.set(name, isMore ? added(before, value) : value);
    return undefined;
  }

  arguments(): Value[] {
    const args: Value[] = [];
    do args.push(this.expression());
    while (this.take(",") && this.budget.steps > 0);
    return args;
  }
}
