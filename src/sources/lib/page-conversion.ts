import type * as readability from "@mozilla/readability";
import type * as linkedom from "linkedom";
import type * as markdown from "node-html-markdown";

export type PageTask = { html: string; url: string; format: "markdown" | "text" | "html" };
/** `html` is what is left of the page; `markdown` only where that was asked for. */
export type PageFound = { title: string; html: string; markdown?: string };

export type PageLibraries = Pick<typeof linkedom, "parseHTML"> &
  Pick<typeof readability, "Readability"> &
  Pick<typeof markdown, "NodeHtmlMarkdown">;

/** What is used of an element: the libraries bring types of a browser, which there is none of here. */
type Part = {
  readonly tagName: string;
  readonly parentNode: Part | null;
  readonly children: ArrayLike<Part>;
  textContent: string;
  innerHTML: string;
  id: string;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  closest(selector: string): Part | null;
  querySelector(selector: string): Part | null;
  querySelectorAll(selector: string): Iterable<Part>;
  replaceWith(...parts: (Part | string)[]): void;
  append(...parts: (Part | string)[]): void;
  remove(): void;
};
type Page = Part & { body: Part; createElement(name: string): Part; cloneNode(deep: boolean): Page };

/**
 * Makes text of a page. It runs in a thread of its own and is sent there as text, so that it may use nothing from
 * outside itself.
 */
export function convertPage({ parseHTML, Readability, NodeHtmlMarkdown }: PageLibraries, task: PageTask): PageFound {
  const MOST_FOR_READING = 10_000;
  const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?|sourceCode)[-:\s]\s*([\w+#.]+)/;
  const HIDES =
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*(?:0?\.0\d*|0)\s*(?:;|!|$)|font-size\s*:\s*(?:0(?:\.0\d*)?[a-z%]*|[01](?:\.\d+)?p[xt])\s*(?:;|!|$)|text-indent\s*:\s*-\d{3,}|(?:left|top|right|bottom)\s*:\s*-\d{3,}|clip\s*:\s*rect|clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0\s*[,)])/i;
  const NO_SIZE = /(?:^|;)\s*(?:max-)?(?:width|height)\s*:\s*[01](?:px|em|rem|%)?\s*(?:;|!|$)/i;
  const UNSEEN_CLASS =
    /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|hidden|d-none|is-hidden|invisible)(?:\s|$)/;

  const whole = /<html[\s>]/i.test(task.html) ? task.html : `<!doctype html><html><body>${task.html}</body></html>`;
  const page = parseHTML(whole).document as unknown as Page;
  const all = (within: Part, selector: string): Part[] => Array.from(within.querySelectorAll(selector));
  const counted = (within: Part, selector: string): number => all(within, selector).length;
  const textIn = (part: Part): string => (part.textContent ?? "").replace(/\s+/g, " ").trim();
  const renamed = (part: Part, name: string): Part => {
    const other = page.createElement(name);
    other.innerHTML = part.innerHTML;
    part.replaceWith(other);
    return other;
  };

  const title =
    textIn(page.querySelector("title") ?? page.createElement("p")) ||
    page.querySelector('meta[property="og:title"]')?.getAttribute("content") ||
    "";
  const base = absolute(page.querySelector("base[href]")?.getAttribute("href") ?? "", task.url) ?? task.url;

  removeHidden();
  const body = page.body ?? page.querySelector("body") ?? page;
  linkAbsolutely();
  if (task.format === "html") {
    stripAttributes();
    return { title, html: body.innerHTML };
  }
  removeSurroundings();
  const chosen = mainPart();
  shapeForText(chosen.root);
  const html = chosen.root.innerHTML;
  if (task.format === "text") return { title: chosen.named ? "" : title, html };
  const text = NodeHtmlMarkdown.translate(html, { bulletMarker: "-", maxConsecutiveNewlines: 2 }).trim();
  return { title: chosen.named ? "" : title, html, markdown: text };

  function absolute(link: string, from: string): string | undefined {
    try {
      const { protocol, href } = new URL(link, from);
      return /^(?:https?|mailto|tel|ftp):$/.test(protocol) ? href : undefined;
    } catch {
      return undefined;
    }
  }

  /** What people do not see, a model must not read either: it may be written for the model alone. */
  function removeHidden(): void {
    const rules = all(page, "style").map(({ textContent }) => textContent ?? "");
    const unseen =
      "script,style,template,noscript,iframe,object,embed,svg,canvas,link,input,select,button,textarea,dialog:not([open]),audio,video,map";
    for (const part of all(page, unseen)) part.remove();
    for (const selector of rules.flatMap(hiddenBy).slice(0, 200)) {
      try {
        for (const part of all(page, selector)) if (part.tagName !== "BODY" && part.tagName !== "HTML") part.remove();
      } catch {
        // a selector that is not understood hides nothing here
      }
    }
    for (const part of all(page, "[hidden],[aria-hidden],[style],[class],font[size],font[color]"))
      if (isHidden(part)) part.remove();
    const walker = (
      page as unknown as { createTreeWalker(root: Part, show: number): { nextNode(): Part | null } }
    ).createTreeWalker(page, 128);
    const comments: Part[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) comments.push(node);
    for (const comment of comments) comment.remove();
  }

  function isHidden(part: Part): boolean {
    if (part.tagName === "BODY" || part.tagName === "HTML") return false;
    if (part.hasAttribute("hidden") && part.getAttribute("hidden") !== "until-found") return true;
    if (part.getAttribute("aria-hidden") === "true") return true;
    const style = (part.getAttribute("style") ?? "").slice(0, 2_000);
    const isEmpty = NO_SIZE.test(style) && /overflow/i.test(style);
    return (
      isEmpty || HIDES.test(style) || isUnreadable(part, style) || UNSEEN_CLASS.test(part.getAttribute("class") ?? "")
    );
  }

  /** Letters in the colour of what is behind them. */
  function isUnreadable(part: Part, style: string): boolean {
    const set = (name: RegExp) => name.exec(style)?.[1]?.split("!", 1)[0]?.trim().toLowerCase();
    const colour = set(/(?:^|;)\s*color\s*:\s*([^;]+)/i);
    if (colour === undefined) return false;
    const plain = (text: string) => text.replace(/^(?:#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))$/, "white");
    if (/^(?:transparent|rgba\([^)]*,\s*0?\.?0+\s*\)|#[\da-f]{6}00|#[\da-f]{3}0)$/.test(colour)) return true;
    const behind = set(/(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)/i);
    if (behind !== undefined) return plain(colour) === plain(behind);
    return plain(colour) === "white" && !part.closest("[class],[bgcolor],[background],[style*=background]");
  }

  /** The selectors of rules that hide something always: those for some screens only are left out. */
  function hiddenBy(css: string): string[] {
    const found: string[] = [];
    let depth = 0;
    let start = 0;
    let head = "";
    for (let at = 0; at < css.length && found.length < 200; at++) {
      if (css[at] === "{") {
        if (depth === 0) head = css.slice(start, at).trim();
        depth++;
        if (depth === 1) start = at + 1;
      } else if (css[at] === "}" && depth > 0) {
        depth--;
        if (depth > 0) continue;
        const inside = css.slice(start, at);
        start = at + 1;
        if (head.startsWith("@") || !HIDES.test(inside)) continue;
        for (const selector of head.split(",")) {
          const simple = selector.trim();
          if (simple.length < 100 && /^(?:[a-z][\w-]*)?(?:[.#][\w-]+)+$|^\[[\w-]+\]$/i.test(simple)) found.push(simple);
        }
      }
    }
    return found;
  }

  function linkAbsolutely(): void {
    for (const link of all(page, "a[href]")) {
      const href = absolute(link.getAttribute("href") ?? "", base);
      if (href === undefined) link.removeAttribute("href");
      else link.setAttribute("href", href);
    }
    for (const image of all(page, "img")) {
      const source = absolute(image.getAttribute("src") ?? image.getAttribute("data-src") ?? "", base);
      if (source === undefined) image.remove();
      else image.setAttribute("src", source);
    }
  }

  function stripAttributes(): void {
    for (const part of all(body, "*"))
      for (const name of part.getAttributeNames())
        if (/^(?:on|style$|srcset$|srcdoc$|data-|action$|formaction$)/i.test(name)) part.removeAttribute(name);
  }

  /** What stands around the content of every page of a site. */
  function removeSurroundings(): void {
    for (const part of all(body, "nav,[role=navigation],[role=search],[role=menu],[role=menubar],[role=contentinfo]"))
      if (!part.querySelector("h1,table,pre")) part.remove();
    for (const part of all(body, "header,footer,aside,[role=banner],[role=complementary]"))
      if (!part.closest("main,article,[role=main]") && !part.querySelector("h1,table,pre,main,article")) part.remove();
  }

  function mainPart(): { root: Part; named: boolean } {
    const articles = all(body, "article");
    const marked = page.querySelector("main,[role=main]") ?? (articles.length === 1 ? articles[0] : undefined);
    const scope = marked && textIn(marked).length >= textIn(body).length * 0.3 ? marked : body;
    const read = counted(body, "*") <= MOST_FOR_READING ? readMain(scope) : undefined;
    if (read) return { root: read, named: nameAgain(read, scope) };
    return { root: scope, named: all(scope, "h1").some((heading) => textIn(heading) !== "") };
  }

  /** The reader's view makes the first heading smaller, or leaves it to the title. */
  function nameAgain(root: Part, scope: Part): boolean {
    const name = all(scope, "h1").map(textIn).find(Boolean);
    if (name === undefined) return false;
    const smaller = all(root, "h1,h2").find((heading) => textIn(heading) === name);
    if (smaller) renamed(smaller, "h1");
    else root.innerHTML = `<h1>${name.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</h1>${root.innerHTML}`;
    return true;
  }

  /** What the reader's view leaves of it, where no table, code or heading and few links are lost with the rest. */
  function readMain(scope: Part): Part | undefined {
    const content = new Readability(page.cloneNode(true) as never, { keepClasses: true }).parse()?.content;
    if (!content) return undefined;
    const root = (parseHTML(`<html><body>${content}</body></html>`).document as unknown as Page).body;
    const kept = (selector: string, share: number) => counted(root, selector) >= counted(scope, selector) * share;
    const headings = counted(scope, "h1,h2,h3,h4,h5,h6") - Math.min(1, counted(scope, "h1"));
    const isWhole =
      counted(root, "h1,h2,h3,h4,h5,h6") >= headings &&
      ["table", "pre", "ul,ol", "dl", "img"].every((selector) => kept(selector, 1)) &&
      kept("a", 0.7) &&
      textIn(root).length >= textIn(scope).length * 0.8;
    return isWhole ? root : undefined;
  }

  function shapeForText(root: Part): void {
    for (const part of all(root, ".linenos,.lineno,.line-numbers-rows,.gutter,.headerlink,.anchorjs-link"))
      part.remove();
    for (const link of all(root, "h1 a,h2 a,h3 a,h4 a,h5 a,h6 a"))
      if (/^(?:[#¶§]|🔗|link|permalink|)$/iu.test(textIn(link)) && !link.querySelector("img")) link.remove();
    for (const pre of all(root, "pre")) shapeCode(pre);
    for (const table of all(root, "table")) shapeTable(table);
    for (const part of all(root, "dt,summary")) {
      const paragraph = renamed(part, "p");
      paragraph.innerHTML = `<strong>${paragraph.innerHTML}</strong>`;
    }
    for (const part of all(root, "dd")) renamed(part, "p");
    for (const part of all(root, "dl,details")) renamed(part, "div");
  }

  function shapeCode(pre: Part): void {
    const code = pre.querySelector("code");
    const classes = [code, pre, pre.parentNode, pre.parentNode?.parentNode].map(
      (part) => part?.getAttribute?.("class") ?? "",
    );
    const language = classes
      .map((names) => LANGUAGE.exec(names)?.[1])
      .find((name) => name && !/^(?:source|none)$/.test(name));
    for (const line of all(pre, "br")) line.replaceWith("\n");
    // lines that are blocks of their own end without a line break
    for (const line of all(pre, "div,p,tr")) line.append("\n");
    const text = pre.textContent.replace(/^\n/, "").trimEnd();
    const inner = page.createElement("code");
    if (language) inner.setAttribute("class", `language-${language}`);
    inner.textContent = text;
    pre.innerHTML = "";
    pre.removeAttribute("class");
    pre.append(inner);
    const cell = pre.closest("table");
    // a table that only holds numbers beside lines of code is no table
    if (cell && counted(cell, "pre") === 1 && counted(cell, "tr") === 1) cell.replaceWith(pre);
  }

  function shapeTable(table: Part): void {
    const rows = all(table, "tr");
    const widest = Math.max(0, ...rows.map((row) => Array.from(row.children).length));
    const isLayout =
      table.querySelector("table") ||
      table.getAttribute("role") === "presentation" ||
      widest < 2 ||
      table.querySelector("pre");
    if (isLayout) {
      for (const part of all(table, "td,th")) if (part.closest("table") === table) renamed(part, "div");
      for (const part of all(table, "tr,thead,tbody,tfoot,caption"))
        if (part.closest("table") === table) renamed(part, "div");
      renamed(table, "div");
      return;
    }
    const caption = table.querySelector("caption");
    if (caption) {
      const paragraph = page.createElement("p");
      paragraph.textContent = textIn(caption);
      caption.remove();
      const pair = page.createElement("div");
      table.replaceWith(pair);
      pair.append(paragraph, table);
    }
    for (const cell of all(table, "td,th")) {
      for (const line of all(cell, "br")) line.replaceWith(" ");
      for (const part of all(cell, "p,div,li,ul,ol,h1,h2,h3,h4,h5,h6")) renamed(part, "span").append(" ");
      const wide = Math.min(20, Number(cell.getAttribute("colspan") ?? 1) || 1);
      cell.removeAttribute("colspan");
      for (let more = 1; more < wide; more++) cell.replaceWith(cell, page.createElement("td"));
    }
  }
}
