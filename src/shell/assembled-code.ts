import { BY_DOT, filled, indexed, type Join, joinOf, methodOf, printed, resultOf } from "./code-calls.ts";
import type { Token } from "./code-tokens.ts";
import { added, CALLS, character, isText, MOST_TEXT, unescaped, type Value } from "./code-values.ts";
import { NamingCode } from "./naming-code.ts";

const MOST_STEPS = 16_000;
const MOST_DEPTH = 24;
const MOST_INDEX = 12;

const SIDE_BY_SIDE = /^(?:[gmn]?awk|python|pypy|ruby|irb)/;

const WITHOUT_BRACKETS = /^(?:perl|ruby|irb|lua)/;

const METHOD_MARKS = [".", "->", ":"];
const OR = /^(?:\|\||\?\?|or|if)$/;
const PREFIXES = /^(?:new|await|my|our|local|const|let|var)$/;
/** Functions of modules that are found in any way: `__import__("base64").b64decode(…)`. */
const OF_MODULES = /decode|64|hex|chr|char|quote|rot|format/;
/** Something that makes a text of others; without any of it, code is as it stands. */
const ASSEMBLES =
  /["'`\])}]\s{0,4}(?:[-+.%*[|]|<<|"|'|x\b)|\w\s{0,4}(?:\+|\.\.|<<)?=(?![=>~])|\w[({ ]|\\[xu\d]|[$#{]\{?\w/;

/** A text, or what makes one of numbers. */
const HAS_TEXTS = /["'`]|chr|char|bytes|%w|\bq[qw]?\b|\bv\d/i;
/** Three callers ask about the same code, one after the other. */
let last: { language: string; code: string; made: string } | undefined;

/** Code with the texts that it puts together in their place: `"r" + "m"` becomes `"rm"`. Of the rest nothing is changed. */
export const assembled = (language: string, code: string): string => {
  if (last?.code === code && last.language === language) return last.made;
  if (!HAS_TEXTS.test(code) || !ASSEMBLES.test(code)) return code;
  const made = new Assembly(language, code, new Map([['$"', " "]]), { steps: MOST_STEPS }).whole();
  last = { language, code, made };
  return made;
};

class Assembly extends NamingCode {
  #depth = 0;

  whole(): string {
    while (this.at < this.tokens.length && this.budget.steps > 0) {
      const before = this.at;
      this.expression();
      if (this.at === before) this.at++;
    }
    return this.edited();
  }

  /** The value of all of it, as what stands between braces in a text. */
  value(): Value {
    const value = this.expression();
    return this.at >= this.tokens.length ? value : undefined;
  }

  expression(): Value {
    this.budget.steps--;
    if (this.#depth >= MOST_DEPTH || this.budget.steps <= 0) return undefined;
    this.#depth++;
    const from = this.at;
    const edits = this.edits.length;
    const value = this.#chosen(this.#sum(from, edits));
    if (value !== undefined && this.at > from) this.settle(value, from, edits);
    this.#depth--;
    return value;
  }

  /** `a ? b : c`, `b if a else c`, `a || c`: the first of them that is known. */
  #chosen(before: Value): Value {
    if (this.take("?")) {
      const one = this.expression();
      const other = this.take(":") ? this.expression() : undefined;
      return isText(one) ? one : other;
    }
    const { kind, text = "" } = this.peek() ?? {};
    if (kind === undefined || kind === "text" || !OR.test(text)) return before;
    this.at++;
    const other = this.expression();
    if (text === "if") return this.#otherwise(before);
    return isText(before) ? before : other;
  }

  #otherwise(before: Value): Value {
    if (this.peek()?.text !== "else") return before;
    this.at++;
    const other = this.expression();
    return isText(before) ? before : other;
  }

  #sum(from: number, edits: number): Value {
    let value = this.#operand();
    let isKnown = value !== undefined;
    for (;;) {
      const start = this.at;
      const written = this.edits.length;
      const join = this.#operator(value);
      if (join === undefined) return isKnown ? value : undefined;
      const right = this.#operand();
      const next = isKnown ? join(value, right) : undefined;
      if (isKnown && next === undefined) {
        // what is known so far is followed by something else
        const after = this.at;
        this.at = start;
        const rights = this.edits.splice(written);
        this.settle(isText(value) ? `${value}_` : value, from, edits);
        this.at = after;
        this.edits.push(...rights);
      }
      if (next === undefined && right !== undefined && this.at > start + 1) {
        const begin = this.tokens[start]?.kind === "mark" || this.tokens[start]?.kind === "name" ? start + 1 : start;
        this.settle(right, begin, this.edits.length);
      }
      value = next;
      isKnown = next !== undefined;
    }
  }

  /** Takes an operator and says what it does. Texts that stand side by side need none. */
  #operator(left: Value): Join | undefined {
    const token = this.peek();
    if (!token) return undefined;
    const join = joinOf(this.language, token);
    if (join) {
      this.at++;
      return join;
    }
    const isAwk = /awk/.test(this.language);
    if (token.kind === "mark" && !(isAwk && token.text === "(")) return undefined;
    const isBeside = SIDE_BY_SIDE.test(this.language) && isText(left) && (token.kind === "text" || isAwk);
    return isBeside && !this.isAssigned() ? added : undefined;
  }

  #operand(): Value {
    const token = this.peek();
    if (!token) return undefined;
    if (token.kind === "text") {
      this.at++;
      return this.#after(this.#textOf(token));
    }
    if (token.kind === "words") {
      this.at++;
      return this.#after(token.text.trim().split(/\s+/));
    }
    if (token.kind === "number") {
      this.at++;
      return this.#after(Number(token.text));
    }
    if (token.kind === "edit") return this.change(token);
    if (token.kind === "pattern") {
      this.at++;
      return /^[\w -]+$/.test(token.text) ? token.text : undefined;
    }
    if (token.kind === "name") return this.#named(token);
    if (token.text === "(" || token.text === "[" || (token.text === "{" && this.#isValueNext())) {
      const from = this.at + 1;
      const items = this.list(token.text === "(" ? ")" : token.text === "[" ? "]" : "}");
      if (this.isMark("=")) return this.taken(from);
      const isOne = token.text === "(" && items?.length === 1;
      return this.#after(isOne ? items?.[0] : items);
    }
    if (token.text === "..." || token.text === "\\") {
      this.at++;
      return this.#operand();
    }
    if (token.text === "-" && this.peek(1)?.kind === "number") {
      this.at += 2;
      return -Number(this.peek(-1)?.text);
    }
    return undefined;
  }

  /** Whether an open brace begins a list of texts, as in Lua. */
  #isValueNext(): boolean {
    const next = this.peek(1)?.kind;
    return /^lua/.test(this.language) && (next === "text" || next === "number");
  }

  #textOf(token: Token): Value {
    const inside = (code: string): Value => {
      // what stands in braces holds none itself, so this ends
      if (this.budget.steps <= 0) return undefined;
      return new Assembly(this.language, code, this.names, this.budget).value();
    };
    const known = (code: string): Value => this.names.get(code) ?? this.names.get(`$${code}`) ?? inside(code);
    return unescaped(filled(token, known), /^lua/.test(this.language)).slice(0, MOST_TEXT);
  }

  /** A variable, an assignment, or a call. */
  #named({ text }: Token): Value {
    this.at++;
    if (PREFIXES.test(text)) return this.isMark("(") ? this.#after(undefined) : this.#operand();
    if (this.isMark("=")) return this.assigned(text, undefined);
    if (this.isMark("+=") || this.isMark(".=")) return this.assigned(text, this.names.get(text));
    const known = this.names.get(text);
    if (known !== undefined) return this.#after(known);
    return this.#called(text);
  }

  /** A call by a name, with brackets or, for what is known, without. */
  #called(first: string): Value {
    let name = first;
    while (
      this.peek()?.kind === "mark" &&
      /^(?:\.|::|->)$/.test(this.peek()?.text ?? "") &&
      this.peek(1)?.kind === "name"
    ) {
      name = `${name}.${this.peek(1)?.text}`;
      this.at += 2;
    }
    const last = (name.split(".").at(-1) as string).toLowerCase();
    if (this.isMark("(")) return this.#after(this.#result(last, this.list(")")));
    if (last === "map" && this.isMark("{")) return this.#mappedByBlock();
    if (/^printf?$/.test(name) && /awk/.test(this.language)) return this.#printed(name);
    const isBare =
      WITHOUT_BRACKETS.test(this.language) && (CALLS.has(last) || last === "join") && this.peek()?.kind !== "mark";
    if (!isBare || name !== first) return undefined;
    return this.#result(last, this.arguments());
  }

  /** What awk prints, behind the word as one text. */
  #printed(name: string): undefined {
    const from = this.at;
    const edits = this.edits.length;
    const value = printed(this.language, name, this.arguments());
    this.settle(value, from, edits);
    return undefined;
  }

  /** `map { chr } 114, 109` of Perl. */
  #mappedByBlock(): Value {
    const body = this.list("}");
    const codes = this.arguments().flat(1) as Value[];
    return body === undefined ? undefined : codes.map((code) => (typeof code === "number" ? character(code) : code));
  }

  #result(last: string, args: readonly Value[] = []): Value {
    if (/^(?:print|log|printf|say|echo)$/.test(last)) return this.#spoken(last, args);
    return resultOf(this.language, last, args);
  }

  /** Several words that are printed together stand as one behind the call. */
  #spoken(last: string, args: readonly Value[]): undefined {
    const text = printed(this.language, last, args);
    const { end } = this.last();
    const literal = this.literal(text, this.last());
    if (literal !== undefined) this.edits.push({ start: end, end, text: ` ${literal}` });
    return undefined;
  }

  /** Methods, indexes and slices behind a value. */
  #after(given: Value): Value {
    let value = given;
    for (; this.budget.steps > 0; this.budget.steps--) {
      const next = this.peek(1);
      const isMethod = (METHOD_MARKS.some((mark) => this.isMark(mark)) || this.#isPiped()) && next?.kind === "name";
      if (isMethod && !(this.isMark(".") && BY_DOT.test(this.language))) {
        this.at += 2;
        const name = (next?.text ?? "").toLowerCase();
        const args = this.isMark("(") ? (this.list(")") ?? []) : [];
        if (value !== undefined) value = methodOf(this.language, name, value, args);
        else if (OF_MODULES.test(name)) value = CALLS.get(name)?.(args);
      } else if (this.isMark("[") && value !== undefined) value = this.#indexed(value);
      else if (this.isMark("(") && value === undefined) this.list(")");
      else return value;
    }
    return undefined;
  }

  /** `"a b" | split(" ")` of jq. */
  #isPiped(): boolean {
    return this.language === "jq" && this.isMark("|");
  }

  /** `[2]`, `[1:3]` and `[::-1]`. */
  #indexed(value: Value): Value {
    const inner: string[] = [];
    this.at++;
    while (this.at < this.tokens.length && !this.isMark("]") && inner.length < MOST_INDEX)
      inner.push(this.tokens[this.at++]?.text ?? "");
    this.at++;
    return indexed(value, inner.join(""));
  }
}
