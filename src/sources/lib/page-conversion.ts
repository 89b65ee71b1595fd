import type * as readability from "@mozilla/readability";
import type * as linkedom from "linkedom";
import type * as markdown from "node-html-markdown";
import type { removeUnseen as clean } from "./page-cleaning.ts";
import type { Page, Part, partTools as tools } from "./page-parts.ts";
import type { shapeForText as shape } from "./page-shaping.ts";

export type PageTask = { html: string; url: string; format: "markdown" | "text" | "html" };
/** The text is markdown if that was asked for, and HTML otherwise. */
export type PageFound = { title: string; text: string };

export type PageLibraries = Pick<typeof linkedom, "parseHTML"> &
  Pick<typeof readability, "Readability"> &
  Pick<typeof markdown, "NodeHtmlMarkdown">;

export type PageWork = {
  readonly partTools: typeof tools;
  readonly removeUnseen: typeof clean;
  readonly shapeForText: typeof shape;
};

/** Converts a page to text. It runs in another process, which gets its source, so it must be self-contained. */
export function convertPage(
  { parseHTML, Readability, NodeHtmlMarkdown }: PageLibraries,
  { partTools, removeUnseen, shapeForText }: PageWork,
  task: PageTask,
): PageFound {
  const MOST_FOR_READING = 10_000;

  const whole = /<html[\s>]/i.test(task.html) ? task.html : `<!doctype html><html><body>${task.html}</body></html>`;
  const page = parseHTML(whole).document as unknown as Page;
  const tools = partTools(page);
  const { all, counted, textIn, renamed } = tools;

  const title =
    textIn(page.querySelector("title") ?? page.createElement("p")) ||
    page.querySelector('meta[property="og:title"]')?.getAttribute("content") ||
    "";
  const base = absolute(page.querySelector("base")?.getAttribute("href") ?? "", task.url) ?? task.url;

  for (const part of all(page, "title")) part.remove();
  removeUnseen(page, tools);
  const body = page.body ?? page.querySelector("body") ?? page;
  linkAbsolutely();
  if (task.format === "html") {
    stripAttributes();
    return { title, text: body.innerHTML };
  }
  removeSurroundings();
  removeBeside();
  const chosen = mainPart();
  shapeForText(page, tools, chosen.root, task.url);
  const html = chosen.root.innerHTML;
  if (task.format === "text") return { title: chosen.named ? "" : title, text: html };
  const converter = new NodeHtmlMarkdown({ bulletMarker: "-", maxConsecutiveNewlines: 2 });
  const code = converter.translators.get("code");
  if (code) converter.tableCellTranslators.set("code", code, true);
  const text = converter.translate(html);
  // the library escapes underscores in links, unlike everybody else
  const plain = /%5F/i.test(html) ? text : text.replace(/%5F/g, "_");
  return { title: chosen.named ? "" : title, text: plain.trim() };

  function absolute(link: string, from: string): string | undefined {
    try {
      const { protocol, href } = new URL(link, from);
      return /^(?:https?|mailto|tel|ftp):$/.test(protocol) ? href : undefined;
    } catch {
      return undefined;
    }
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

  /** Removes what surrounds the content on every page of a site. */
  function removeSurroundings(): void {
    for (const part of all(body, "nav,[role=navigation],[role=search],[role=menu],[role=menubar],[role=contentinfo]"))
      if (!part.querySelector("h1,table,pre")) part.remove();
    for (const part of all(body, "header,footer,aside,[role=banner],[role=complementary]"))
      if (!part.closest("main,article,[role=main]") && !part.querySelector("h1,table,pre,main,article")) part.remove();
  }

  /** Removes lists of links beside the content, and cookie banners: recognized by their names and contents. */
  function removeBeside(): void {
    const beside = /(?:^|[\s_-])(?:toc|sidebar|breadcrumbs?|menu|navbar|nav)(?:$|[\s_-])/i;
    const consent = /(?:^|[\s_-])(?:cookies?|consent|gdpr)(?:$|[\s_-])/i;
    for (const part of all(body, "div[class],div[id],ul[class],ul[id],ol[class],section[class],section[id]")) {
      const named = `${part.getAttribute("class") ?? ""} ${part.id ?? ""}`;
      if (part.querySelector("h1,table,pre,main,article")) continue;
      const length = textIn(part).length;
      const linked = all(part, "a").reduce((sum, link) => sum + textIn(link).length, 0);
      if ((beside.test(named) && linked >= length * 0.6) || (consent.test(named) && length < 1_000)) part.remove();
    }
  }

  function mainPart(): { root: Part; named: boolean } {
    const articles = all(body, "article");
    const marked = page.querySelector("main,[role=main]") ?? (articles.length === 1 ? articles[0] : undefined);
    const scope = marked && textIn(marked).length >= textIn(body).length * 0.3 ? marked : body;
    const read = counted(body, "*") <= MOST_FOR_READING ? readMain(scope) : undefined;
    if (read) return { root: read, named: nameAgain(read, scope) };
    return { root: scope, named: all(scope, "h1").some((heading) => textIn(heading) !== "") };
  }

  /** Readability demotes the first heading, or leaves it to the title. */
  function nameAgain(root: Part, scope: Part): boolean {
    const name = all(scope, "h1").map(textIn).find(Boolean);
    if (name === undefined) return false;
    const smaller = all(root, "h1,h2").find((heading) => textIn(heading) === name);
    if (smaller) renamed(smaller, "h1");
    else root.innerHTML = `<h1>${name.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</h1>${root.innerHTML}`;
    return true;
  }

  /** What Readability extracts, if no table, code or heading and few links are lost. */
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
}
