import { counted } from "../../../text/counted.ts";
import { CHALLENGED, CHANGED, isChallenge, listed, type Provider, parsed } from "./provider.ts";

/** A private instance. It must offer JSON (`search.formats` in its settings). */
export const searxng: Provider = {
  name: "SearXNG",
  request(query, _, { url }) {
    const address = new URL("search", url.endsWith("/") ? url : `${url}/`);
    for (const [name, value] of [
      ["q", query],
      ["format", "json"],
    ])
      address.searchParams.set(name as string, value as string);
    return { url: address.href, method: "GET", headers: { accept: "application/json", "user-agent": "toolgate" } };
  },
  read(body) {
    const answer = parsed(body);
    if (!answer && isChallenge(body)) return CHALLENGED;
    if (!answer)
      return /<html/i.test(body) ? "it does not offer JSON: its settings need json in search.formats" : CHANGED;
    const found = listed(answer.results, { title: "title", url: "url", snippet: "content" });
    const silent = answer.unresponsive_engines;
    // nothing was found because no engine answered
    if (found?.length === 0 && Array.isArray(silent) && silent.length > 0)
      return `${counted(silent.length, "engine")} that it asks gave no answer`;
    return found ?? CHANGED;
  },
};
