import { decodeEntities } from "../../../text/html/entities.ts";
import { attributesOf, walkHtml } from "../../../text/html/html-walk.ts";
import { CHALLENGED, CHANGED, type Found, isChallenge, oneLine, type Provider, pageAt } from "./provider.ts";

/** The page without scripts: results are links of the class result__a, each followed by a result__snippet. */
export const duckduckgo: Provider = {
  name: "DuckDuckGo",
  url: "https://html.duckduckgo.com/html/",
  request: (query, _, { url }) => ({
    url,
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      "user-agent": "Mozilla/5.0 (compatible; toolgate)",
    },
    body: new URLSearchParams({ q: query, kl: "wt-wt" }).toString(),
  }),
  read(html) {
    const { found, isResults } = resultsIn(html);
    // checked first, because results may themselves be about such pages
    if (found.length > 0) return found;
    if (isChallenge(html)) return CHALLENGED;
    return isResults || /no-results|No results\./i.test(html) ? [] : CHANGED;
  },
};

function resultsIn(html: string): { found: Found[]; isResults: boolean } {
  const found: Found[] = [];
  let isResults = false;
  let now: { part: "title" | "snippet"; tag: string; text: string; url: string; isAd: boolean } | undefined;
  let isAd = false;
  walkHtml(html, {
    open(name, tag) {
      const { class: classes = "", href = "", id } = attributesOf(tag);
      const names = classes.split(/\s+/);
      if (id === "links" || names.includes("results")) isResults = true;
      if (names.includes("result")) isAd = names.includes("result--ad");
      if (names.includes("result__a"))
        now = { part: "title", tag: name, text: "", url: targetOf(decodeEntities(href)), isAd };
      else if (names.includes("result__snippet")) now = { part: "snippet", tag: name, text: "", url: "", isAd };
    },
    text(text) {
      if (now) now.text += decodeEntities(text);
    },
    close(name) {
      if (!now || name !== now.tag) return;
      const { part, url, text, isAd: skip } = now;
      now = undefined;
      const last = found.at(-1);
      if (skip) return;
      if (part === "title" && url) found.push({ title: oneLine(text) || url, url, snippet: "" });
      else if (part === "snippet" && last && last.snippet === "")
        found[found.length - 1] = { ...last, snippet: oneLine(text) };
    },
  });
  return { found, isResults };
}

/** Links lead through the provider, and contain their target. */
function targetOf(href: string): string {
  if (!URL.canParse(href, "https://duckduckgo.com")) return "";
  const url = new URL(href, "https://duckduckgo.com");
  const target = url.pathname === "/l/" ? (url.searchParams.get("uddg") ?? "") : url.href;
  const isAd = /(?:^|\.)duckduckgo\.com$/.test(url.hostname) && url.pathname !== "/l/";
  return isAd ? "" : (pageAt(target) ?? "");
}
