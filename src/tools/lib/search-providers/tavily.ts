import { CHANGED, listed, type Provider, parsed } from "./provider.ts";

export const tavily: Provider = {
  name: "Tavily",
  url: "https://api.tavily.com/search",
  key: "TAVILY_API_KEY",
  request: (query, most, { url, key }) => ({
    url,
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Bearer \${env:${key}}`,
    },
    body: JSON.stringify({ query, max_results: most }),
  }),
  read: (body) => listed(parsed(body)?.results, { title: "title", url: "url", snippet: "content" }) ?? CHANGED,
};
