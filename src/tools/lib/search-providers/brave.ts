import { CHANGED, listed, type Provider, parsed } from "./provider.ts";

const MOST = 20;

export const brave: Provider = {
  name: "Brave",
  url: "https://api.search.brave.com/res/v1/web/search",
  key: "BRAVE_API_KEY",
  request(query, most, { url, key }) {
    const address = new URL(url);
    address.searchParams.set("q", query.slice(0, 400));
    address.searchParams.set("count", String(Math.min(most, MOST)));
    return {
      url: address.href,
      method: "GET",
      headers: { accept: "application/json", "x-subscription-token": `\${env:${key}}` },
    };
  },
  read(body) {
    const answer = parsed(body);
    if (!answer) return CHANGED;
    const web = answer.web as { results?: unknown } | undefined;
    // an answer without results has no such part
    if (web === undefined) return answer.type === "search" || answer.query !== undefined ? [] : CHANGED;
    return listed(web.results, { title: "title", url: "url", snippet: "description" }) ?? CHANGED;
  },
};
