import type { Page, Part, PartTools } from "./page-parts.ts";

/**
 * Removes what people do not see on a page: it may be written for the model alone, so a model must not read it. The
 * source of this function is sent to another process, so it must be self-contained.
 */
export function removeUnseen(page: Page, { all }: PartTools): void {
  const HIDES =
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*(?:0?\.0\d*|0)\s*(?:;|!|$)|font-size\s*:\s*(?:0(?:\.0\d*)?[a-z%]*|[01](?:\.\d+)?p[xt])\s*(?:;|!|$)|text-indent\s*:\s*-\d{3,}|(?:left|top|right|bottom)\s*:\s*-\d{3,}|clip\s*:\s*rect|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:clip-path|filter)\s*:\s*(?:circle|opacity)\(\s*0\s*(?:px|%)?\s*(?:\)|at)|content-visibility\s*:\s*hidden|-webkit-text-fill-color\s*:\s*transparent|scale\s*:\s*0\s*(?:;|!|$)|transform\s*:\s*(?:scale\(\s*0\s*[,)]|translate[xy]?\(\s*-\d{4,}))/i;
  const NO_SIZE = /(?:^|;)\s*(?:max-)?(?:width|height)\s*:\s*[01](?:px|em|rem|%)?\s*(?:;|!|$)/i;
  const UNSEEN_CLASS =
    /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|hidden|d-none|is-hidden|invisible)(?:\s|$)/;

  lowerAttributes();
  removeHidden();

  /** Old pages write them in capitals, and the code below expects lower case. */
  function lowerAttributes(): void {
    for (const part of all(page, "*"))
      for (const name of part.getAttributeNames()) {
        const lower = name.toLowerCase();
        if (lower === name) continue;
        if (!part.hasAttribute(lower)) part.setAttribute(lower, part.getAttribute(name) ?? "");
        part.removeAttribute(name);
      }
  }

  function removeHidden(): void {
    const rules = all(page, "style").map(({ textContent }) => textContent ?? "");
    const unseen =
      "script,style,template,noscript,iframe,object,embed,svg,canvas,link,meta,input,select,button,textarea,dialog:not([open]),audio,video,map,datalist,progress,meter,noframes,noembed,annotation,annotation-xml,mphantom,[popover]";
    for (const part of all(page, unseen)) part.remove();
    // fallback brackets for browsers that do not support ruby
    for (const part of all(page, "rp")) if ((part.textContent ?? "").trim().length > 1) part.remove();
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
    const style = (part.getAttribute("style") ?? "").slice(0, 2_000).replace(/\/\*[^*]*\*\//g, "");
    // people write escapes in a style only to hide what it does
    if (style.includes("\\") || (NO_SIZE.test(style) && /overflow/i.test(style))) return true;
    const classes = part.getAttribute("class") ?? "";
    // some screen sizes show it: "hidden md:block"
    const isUnseen =
      UNSEEN_CLASS.test(classes) && !/:(?:block|flex|grid|inline|table|contents|visible)\b/.test(classes);
    return isUnseen || HIDES.test(style) || isUnreadable(part, style);
  }

  /** Text in the colour of its background. */
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

  /** The selectors of rules that always hide something. Rules for some screens only are left out. */
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
}
