/** Commands of sed that only choose, change and print lines. */
const PLAIN = /^[pdDnNgGhHxP=zF]$/;
const WITH_NUMBER = /^[lqQL]$/;
const LABELLED = /^[btT:]$/;
const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;
const LABEL = /^\s*(?:\w+\s*)?(?=[;}\n]|$)/;
/** Not `e`, which runs the line, and not `w`, which writes it. */
const FLAGS = /^[gpiImM\d]*/;
const END = /^[ \t]*(?=[;}\n#]|$)/;

/** A script, read from the left. */
class Reader {
  private rest: string;
  private wrong = false;

  constructor(script: string) {
    this.rest = script;
  }
  /** Whether every command of the script is harmless. */
  isHarmless(): boolean {
    for (this.take(/^[\s;]+/); this.rest !== "" && !this.wrong; this.take(/^[\s;]+/)) this.command();
    return !this.wrong;
  }
  private take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.rest)?.[0];
    if (found !== undefined) this.rest = this.rest.slice(found.length);
    return found;
  }
  private command(): void {
    if (this.address() && this.take(/^\s*,\s*/) && !this.address()) this.wrong = true;
    this.take(/^[\s!]+/);
    const name = this.take(/^[\s\S]/) ?? "";
    if (name === "{" || name === "}") return;
    if (name === "#") this.take(/^[^\n]*/);
    else if (PLAIN.test(name)) this.end();
    else if (WITH_NUMBER.test(name)) {
      this.take(/^\s*\d*/);
      this.end();
    } else if (LABELLED.test(name)) this.wrong ||= this.take(LABEL) === undefined;
    else if (/[aic]/.test(name)) this.wrong ||= this.take(/^[ \t]*\\?[^\n\\]*$/) === undefined;
    else if (name === "s" || name === "y") this.substitution(name);
    else this.wrong = true;
  }
  private address(): boolean {
    if (this.take(ADDRESS) !== undefined) return true;
    const mark = this.take(/^(?:\/|\\[^\\\n])/);
    if (mark === undefined) return false;
    this.until(mark.slice(-1), true);
    this.take(/^[IM]*/);
    return true;
  }
  private substitution(name: string): void {
    const mark = this.take(/^[^\\\n\s\w]/);
    if (mark === undefined) {
      this.wrong = true;
      return;
    }
    this.until(mark, name === "s");
    this.until(mark, false);
    if (name === "s") this.take(FLAGS);
    this.end();
  }
  /** Passes over a text and the mark that ends it. Some seds do not see a mark inside brackets, so none may be there. */
  private until(mark: string, isPattern: boolean): void {
    let inBrackets = false;
    for (let index = 0; index < this.rest.length; index++) {
      const char = this.rest[index];
      if (char === mark) {
        if (inBrackets) break;
        this.rest = this.rest.slice(index + 1);
        return;
      }
      if (char === "\\") index++;
      else if (isPattern && char === "[" && !inBrackets) {
        inBrackets = true;
        if (this.rest[index + 1] === "^") index++;
        if (this.rest[index + 1] === "]") index++;
      } else if (char === "]") inBrackets = false;
    }
    this.wrong = true;
  }
  private end(): void {
    this.wrong ||= this.take(END) === undefined;
  }
}

/** Whether a script of sed only prints lines, as they are or changed: it reads, writes and runs nothing else. */
export const onlyPrints = (script: string): boolean => new Reader(script).isHarmless();
