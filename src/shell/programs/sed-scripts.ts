/** Commands of sed that only choose, change and print lines. */
const PLAIN = /^[pdDnNgGhHxP=zF]$/;
const WITH_NUMBER = /^[lqQL]$/;
const LABELLED = /^[btT:]$/;
const WITH_TEXT = /^[aic]$/;

// tokens that may come next at the current position
const SEPARATORS = /[\s;]+/y;
const ADDRESS = /\d+(?:~\d+)?|\$|[+~]\d+/y;
const BY_PATTERN = /\/|\\[^\\\n]/y;
const COMMA = /\s*,\s*/y;
const NOT = /[\s!]+/y;
const CASE = /[IM]*/y;
const NAME = /[\s\S]/y;
const COMMENT = /[^\n]*/y;
const NUMBER = /\s*\d*/y;
const LABEL = /\s*(?:\w+\s*)?(?=[;}\n]|$)/y;
const TEXT = /[ \t]*\\?[^\n\\]*$/y;
const MARK = /[^\\\n\s\w]/y;
/** `[:alpha:]`, inside brackets: its end does not close them. */
const CLASS = /\[[:.=][\w-]+[:.=]\]/y;
const STARTS_CLASS = /^\[[:.=]/;
/** Excludes `e`, which runs the line, and `w`, which writes it. */
const FLAGS = /[gpiImM\d]*/y;
const END = /[ \t]*(?=[;}\n#]|$)/y;

/** A script, read from the left. */
class Reader {
  private readonly script: string;
  private at = 0;
  private wrong = false;

  constructor(script: string) {
    this.script = script;
  }
  /** Whether every command of the script is harmless. */
  isHarmless(): boolean {
    for (this.skips(SEPARATORS); this.at < this.script.length && !this.wrong; this.skips(SEPARATORS)) this.command();
    return !this.wrong;
  }
  private skips(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.script)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
  /** The last character of the match. */
  private mark(pattern: RegExp): string | undefined {
    return this.skips(pattern) ? this.script[this.at - 1] : undefined;
  }
  private command(): void {
    if (this.address() && this.skips(COMMA) && !this.address()) this.wrong = true;
    this.skips(NOT);
    const name = this.mark(NAME) ?? "";
    if (name === "{" || name === "}") return;
    if (name === "#") this.skips(COMMENT);
    else if (PLAIN.test(name)) this.end();
    else if (WITH_NUMBER.test(name)) {
      this.skips(NUMBER);
      this.end();
    } else if (LABELLED.test(name)) this.wrong ||= !this.skips(LABEL);
    else if (WITH_TEXT.test(name)) this.wrong ||= !this.skips(TEXT);
    else if (name === "s" || name === "y") this.substitution(name);
    else this.wrong = true;
  }
  private address(): boolean {
    if (this.skips(ADDRESS)) return true;
    const mark = this.mark(BY_PATTERN);
    if (mark === undefined) return false;
    this.until(mark, true);
    this.skips(CASE);
    return true;
  }
  private substitution(name: string): void {
    const mark = this.mark(MARK);
    if (mark === undefined) {
      this.wrong = true;
      return;
    }
    this.until(mark, name === "s");
    this.until(mark, false);
    if (name === "s") this.skips(FLAGS);
    this.end();
  }
  /**
   * Skips a text and its delimiter. Seds differ in whether a delimiter inside brackets ends the text, and in whether a
   * backslash escapes there, so all readings must find the same end.
   */
  private until(mark: string, isPattern: boolean): void {
    const end = this.endOf(mark, isPattern, true);
    if (end === undefined || (isPattern && this.endOf(mark, true, false) !== end)) this.wrong = true;
    else this.at = end + 1;
  }
  /** `escapes`: in brackets a backslash escapes and no delimiter may occur; otherwise both are ordinary characters. */
  private endOf(mark: string, isPattern: boolean, escapes: boolean): number | undefined {
    let inBrackets = false;
    const { script } = this;
    for (let index = this.at; index < script.length; index++) {
      const char = script[index];
      if (char === mark && (escapes || !inBrackets)) return inBrackets ? undefined : index;
      if (char === "\\" && (escapes || !inBrackets)) index++;
      else if (isPattern && char === "[" && !inBrackets) {
        inBrackets = true;
        if (script[index + 1] === "^") index++;
        if (script[index + 1] === "]") index++;
      } else if (inBrackets && STARTS_CLASS.test(script.slice(index, index + 2))) {
        CLASS.lastIndex = index;
        if (!CLASS.test(script)) return undefined;
        index = CLASS.lastIndex - 1;
      } else if (char === "]") inBrackets = false;
    }
    return undefined;
  }
  private end(): void {
    this.wrong ||= !this.skips(END);
  }
}

/** Most scripts only choose lines by their numbers: `3,+5p`. */
const BY_NUMBERS = /^(?:\d+|\$)(?:,(?:\+?\d+|\$))?[pdq]$/;

/** Whether a script of sed only prints lines, as they are or changed: it reads, writes and runs nothing else. */
export const onlyPrints = (script: string): boolean => BY_NUMBERS.test(script) || new Reader(script).isHarmless();
