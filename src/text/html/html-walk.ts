/** Receives the parts of a page in order. `tag` is everything between the angle brackets. */
export type Visitor = {
  text?(text: string): void;
  /** Return false to stop. */
  open?(name: string, tag: string): unknown;
  close?(name: string): void;
};

/** Their content is not markup, and none of it is shown. */
const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript", "iframe", "textarea", "xmp"]);
const NAME = /^\/?([a-z][^\s/>]*)/i;

/** Walks through a page once, in time and memory proportional to its length. */
export function walkHtml(html: string, visit: Visitor): void {
  const rest = new Rest(html);
  let at = 0;
  while (at < html.length) {
    const open = nextMarkup(html, at);
    if (open !== at) visit.text?.(html.slice(at, open));
    if (open === html.length) return;
    at = open + 1;
    if (html.startsWith("!--", at)) {
      at = rest.after("-->", at + 3);
      continue;
    }
    const next = html.charAt(at);
    if (next === "!" || next === "?") {
      at = rest.after(">", at);
      continue;
    }
    const name = (NAME.exec(html.slice(at, at + 80))?.[1] ?? "").toLowerCase();
    const end = rest.endOfTag(at);
    if (next === "/") visit.close?.(name);
    else if (visit.open?.(name, html.slice(at, end)) === false) return;
    at = end + 1;
    if (next !== "/" && UNSEEN.has(name)) at = rest.closing(name, at);
  }
}

/** A bracket that begins no tag is text. */
function nextMarkup(html: string, from: number): number {
  for (let at = html.indexOf("<", from); at !== -1; at = html.indexOf("<", at + 1)) {
    const next = html.charCodeAt(html[at + 1] === "/" ? at + 2 : at + 1) | 0x20;
    if ((next >= 0x61 && next <= 0x7a) || html[at + 1] === "!" || html[at + 1] === "?") return at;
  }
  return html.length;
}

/** Looks ahead and remembers what was not found, so that nothing is searched twice in vain. */
class Rest {
  readonly #html: string;
  readonly #missing = new Set<string>();
  #lower: string | undefined;
  constructor(html: string) {
    this.#html = html;
  }

  #find(what: string, from: number, where = this.#html): number {
    if (this.#missing.has(what)) return -1;
    const found = where.indexOf(what, from);
    if (found === -1) this.#missing.add(what);
    return found;
  }

  after(what: string, from: number): number {
    const found = this.#find(what, from);
    return found === -1 ? this.#html.length : found + what.length;
  }

  /** Where the end tag begins; an unclosed element extends to the end. */
  closing(name: string, from: number): number {
    this.#lower ??= asciiLower(this.#html);
    const found = this.#find(`</${name}`, from, this.#lower);
    return found === -1 ? this.#html.length : found;
  }

  /** The bracket that ends a tag, ignoring those inside quotes. */
  endOfTag(from: number): number {
    const html = this.#html;
    for (let at = from; at < html.length; at++) {
      const character = html[at];
      if (character === ">") return at;
      if (character !== '"' && character !== "'") continue;
      if (html[at - 1] !== "=") continue;
      const end = this.#find(character, at + 1);
      // an unclosed quote is an ordinary character
      if (end !== -1) at = end;
    }
    return html.length;
  }
}

const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** The attributes of a tag as it was passed to `open`. */
export function attributesOf(tag: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = "", double, single, bare] of tag.slice(0, 8_192).matchAll(ATTRIBUTE))
    found[name.toLowerCase()] ??= double ?? single ?? bare ?? "";
  return found;
}
