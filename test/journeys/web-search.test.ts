import { describe, expect, test, vi } from "vitest";
import { bench } from "./harness.ts";
import { type Answer, type Heard, serve } from "./web-server.ts";

type Settings = { provider: string; base_url: string; api_key_env?: string };

/** A gate whose searches are answered by a server on loopback. */
async function searching(answer: Answer | ((request: Heard) => Answer), settings: (url: string) => Settings) {
  const server = await serve({
    "/": typeof answer === "function" ? answer : () => answer,
    "/search": typeof answer === "function" ? answer : () => answer,
  });
  const config = { web: { allow_private_hosts: [server.host], search: settings(server.url()) } };
  return { ...server, ...(await bench({}, { toolset: "all", mode: "yolo", config })) };
}

const json = (value: unknown): Answer => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const DUCK = `<html><body><div class="serp__results"><div id="links" class="results">
<div class="result results_links result--ad"><h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy sheep</a></h2><a class="result__snippet" href="#">Cheap!</a></div>
<div class="result results_links results_links_deep web-result"><div class="links_main"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Fsheep%3Fa%3D1%26b%3D2&amp;rut=abc">All about <b>sheep</b> &amp; wool</a></h2>
<a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">The <b>sheep</b> is an animal.</a></div></div>
<div class="result web-result"><a class='result__a' href='https://example.org/'>Second</a><div class="result__snippet">Another page</div></div>
<div class="result web-result"><a class="result__a" href="javascript:alert(1)">Bad</a><a class="result__snippet">Never</a></div>
</div></div></body></html>`;
const FOUND = [
  { title: "All about sheep & wool", url: "https://example.com/sheep?a=1&b=2", snippet: "The sheep is an animal." },
  { title: "Second", url: "https://example.org/", snippet: "Another page" },
];
const as = (names: { title: string; url: string; snippet: string }) =>
  FOUND.map(({ title, url, snippet }) => ({ [names.title]: title, [names.url]: url, [names.snippet]: snippet }));

describe("web_search", () => {
  test.each<[string, Answer, string, Partial<Heard>]>([
    ["duckduckgo", { body: DUCK }, "/", { method: "POST", body: "q=sheep+%26+wool&kl=wt-wt" }],
    [
      "searxng",
      json({ query: "x", results: as({ title: "title", url: "url", snippet: "content" }) }),
      "/search?q=sheep+%26+wool&format=json",
      { method: "GET" },
    ],
    [
      "brave",
      json({ type: "search", web: { results: as({ title: "title", url: "url", snippet: "description" }) } }),
      "/?q=sheep+%26+wool&count=5",
      { method: "GET" },
    ],
    [
      "tavily",
      json({ results: as({ title: "title", url: "url", snippet: "content" }) }),
      "/",
      { method: "POST", body: '{"query":"sheep & wool","max_results":5}' },
    ],
  ])("%s", async (provider, answer, path, request) => {
    vi.stubEnv("SEARCH_KEY", "key-for-searches");
    try {
      const settings = (url: string) => ({ provider, base_url: url, api_key_env: "SEARCH_KEY" });
      const { call, heard } = await searching(answer, settings);
      const { output, metadata, error } = await call("WebSearch", { query: "sheep & wool" });
      expect(error).toBeUndefined();
      expect(metadata.results).toEqual(FOUND);
      expect(output).toMatch(
        /^\[From \w+, outside text up to "end \w+": .*\]\n\n1\. All about sheep & wool\n {3}https:\/\/example\.com\/sheep\?a=1&b=2\n {3}The sheep is an animal\.\n2\. Second/,
      );
      expect(heard).toEqual([expect.objectContaining({ path, ...request })]);
      const keys = { brave: "x-subscription-token", tavily: "authorization" } as Record<string, string>;
      const header = keys[provider];
      if (header) expect(heard[0]?.headers[header]).toMatch(/^(?:Bearer )?key-for-searches$/);
      expect((await call("web_search", { query: "sheep & wool", max_results: 1 })).metadata.results).toHaveLength(1);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each<[string, Answer, string, RegExp]>([
    [
      "duckduckgo",
      { body: '<div class="anomaly-modal__title">Unfortunately, bots</div>' },
      "IO_ERROR",
      /proof that a person is searching/,
    ],
    ["duckduckgo", { body: "<html><body>A new design</body></html>" }, "IO_ERROR", /a form that is not known/],
    ["duckduckgo", { status: 202, body: "wait" }, "RATE_LIMITED", /is limiting searches/],
    ["duckduckgo", { status: 403 }, "CONFIG_ERROR", /refused the request/],
    ["searxng", { body: "<html>only pages</html>" }, "IO_ERROR", /search\.formats/],
    ["searxng", { status: 429, headers: { "retry-after": "7" } }, "RATE_LIMITED", /is limiting searches/],
    ["searxng", json({ results: "none" }), "IO_ERROR", /a form that is not known/],
    ["searxng", json([]), "IO_ERROR", /a form that is not known/],
    ["searxng", { status: 500 }, "IO_ERROR", /500/],
    ["searxng", { body: "<html><title>Just a moment...</title>" }, "IO_ERROR", /proof that a person is searching/],
    ["searxng", { body: "<!doctype html><h1>Making sure you're not a bot!</h1>" }, "IO_ERROR", /proof that a person/],
    [
      "duckduckgo",
      { body: "<html>Please verify you are human <div class=g-recaptcha>" },
      "IO_ERROR",
      /proof that a person/,
    ],
    ["duckduckgo", { body: "" }, "IO_ERROR", /a form that is not known/],
    ["duckduckgo", { status: 302, headers: { location: "/50x.html" } }, "IO_ERROR", /302 Found/],
    [
      "searxng",
      json({
        results: [],
        unresponsive_engines: [
          ["google", "CAPTCHA"],
          ["bing", "access denied"],
        ],
      }),
      "IO_ERROR",
      /2 engines that it asks gave no answer/,
    ],
    ["searxng", { status: 402 }, "RATE_LIMITED", /the plan is used up/],
    ["searxng", { status: 432 }, "RATE_LIMITED", /the plan is used up/],
  ])("%s says clearly that it does not work: %j", async (provider, answer, code, message) => {
    const { call } = await searching(answer, (url) => ({ provider, base_url: url }));
    const { success, error } = await call("web_search", { query: "sheep" });
    expect([success, error?.code]).toEqual([false, code]);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toContain("web.search");
  });

  test.each<[string, Answer]>([
    ["duckduckgo", { body: '<div id="links" class="results"><div class="no-results">No results.</div></div>' }],
    ["searxng", json({ results: [] })],
  ])("%s may find nothing", async (provider, answer) => {
    const { call } = await searching(answer, (url) => ({ provider, base_url: url }));
    const { status, output } = await call("web_search", { query: "xyzzy" });
    expect([status, output]).toEqual(["done", expect.stringContaining('found nothing for "xyzzy"')]);
  });

  test("a key that is not there, and an instance that nobody named, are told", async () => {
    const { call } = await searching(json({}), (url) => ({ provider: "brave", base_url: url }));
    expect((await call("web_search", { query: "sheep" })).error?.message).toBe(
      "The variable BRAVE_API_KEY is not set.",
    );
    const none = await bench({}, { toolset: "all", mode: "yolo", config: { web: { search: "searxng" } } });
    expect((await none.call("web_search", { query: "sheep" })).error?.hint).toContain("base_url");
  });

  test("is asked about, and a rule for the provider's host answers", async () => {
    const { gate } = await bench({}, { toolset: "all", mode: "confirm-sensitive" });
    expect(await gate.explain({ name: "web_search", args: { query: "sheep" } })).toMatchObject({
      verdict: "ask",
      touches: [{ action: "fetch", url: "https://html.duckduckgo.com/html/", method: "POST" }],
    });
    const config = { rules: { allow: ["fetch(POST html.duckduckgo.com)"] } };
    const allowed = await bench({}, { toolset: "all", mode: "confirm-sensitive", config });
    expect((await allowed.gate.explain({ name: "web_search", args: { query: "sheep" } })).verdict).toBe("allow");
  });
});
