import type { DoubleQuotedChild } from "unbash";
import { isCertain, isNumberLike, variableIn } from "./expansions.ts";
import { marksIn } from "./marks.ts";
import { hasPattern } from "./paths.ts";
import { BLANKS, variableValues } from "./values.ts";
import { exhausted, type Field, type Flow, isKnown, textOf, UNKNOWN, type Walk } from "./walk.ts";

export type Expansion = Exclude<DoubleQuotedChild, { type: "Literal" }>;
type Part = { type: string; text: string };

/** The path that stands for `<(…)` while the command runs. */
const SOURCE = "/dev/fd/63";

/** A word while it is being assembled: an unquoted expansion may end one field and start the next. */
export class Assembly {
  readonly fields: Field[] = [];
  private text = "";
  private open = false;
  private literal = true;
  private worked = true;
  private whole = true;
  private varying: string | undefined;
  private stands = false;
  private glob = false;
  private flow: Flow | undefined;
  private readonly walk: Walk;

  constructor(walk: Walk) {
    this.walk = walk;
  }
  get isEmpty(): boolean {
    return this.text === "";
  }
  get isCertain(): boolean {
    return this.worked;
  }
  add(text: string): void {
    // `.` stands for a whole path only where it is a whole name
    if (this.stands && text !== "" && !text.startsWith("/")) this.worked = false;
    if (text !== "") this.stands = false;
    this.text += text;
    this.open = true;
  }
  addGlob(text: string): void {
    this.add(text);
    this.glob = true;
  }
  /** A value that the line sets is certain. If two variables have several values each, not all pairs are tried. */
  private look(part: Part | undefined, text: string): void {
    this.literal = false;
    const name = part && variableIn(part);
    if (name === undefined || !isKnown(text) || !isCertain(name, this.walk)) this.worked = false;
    else if ((variableValues(name, this.walk)?.length ?? 0) > 1) {
      if (this.varying !== undefined && this.varying !== name) this.worked = false;
      this.varying = name;
    }
  }
  /** A value may be the match of a pattern, even in quotes: `for f in a*; do rm "$f"; done`. */
  addExpanded(text: string, part?: Part): void {
    this.look(part, text);
    if (hasPattern(text)) this.glob = true;
    exhausted(this.walk, text.length >> 8);
    this.add(text);
    this.stand(text, part);
  }
  private stand(text: string, part: Part | undefined): void {
    if (text !== "." || part === undefined || variableIn(part) !== "PWD") return;
    if (this.text !== ".") this.worked = false;
    this.stands = true;
  }
  addSplit(text: string, blanks: string, part: Part): void {
    this.look(part, text);
    if (!this.worked && !isNumberLike(part)) this.whole = false;
    const pattern = hasPattern(text);
    exhausted(this.walk, text.length >> 8);
    let start = 0;
    for (let index = 0; index <= text.length; index++) {
      if (index < text.length && !blanks.includes(text[index] as string)) continue;
      if (index > start) this.add(text.slice(start, index));
      if (pattern) this.glob = true;
      if (index < text.length) this.end();
      start = index + 1;
    }
    this.stand(text, part);
  }
  /** The elements of a list, of which some may be known only to the running shell. */
  addListed(text: string, part: Part): void {
    if (text === "") this.addExpanded(text, part);
    else this.addSplit(text, BLANKS, part);
  }
  /** A home folder, or what braces stand for: known before anything runs. */
  addWorked(text: string): void {
    this.literal = false;
    this.add(text);
  }
  addSource(flow: Flow, reads: boolean): void {
    if (reads && !flow.fetched) this.addWorked(SOURCE);
    else this.addExpanded(flow.fetched ? textOf(flow) : UNKNOWN);
    this.flow = flow;
  }
  end(): void {
    if (!this.open) return;
    const { text, literal, worked, whole, glob, flow } = this;
    const marks = marksIn(text);
    const field = { text, marks, literal, worked, whole, glob, flow, given: false, found: undefined, links: undefined };
    this.fields.push(field as Field);
    this.text = "";
    this.open = false;
    this.stands = false;
    this.glob = false;
    this.flow = undefined;
    this.literal = false;
  }
}
