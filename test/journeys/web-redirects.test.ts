import { describe, expect, test } from "vitest";
import type { OpenOptions } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench } from "./harness.ts";
import { serve } from "./web-server.ts";

const lookup = async () => [{ address: "127.0.0.1", family: 4 }];

/** One server under many names, all of which may be reached. */
async function redirecting(to: (at: (host: string, path?: string) => string) => string, options: OpenOptions = {}) {
  const at = (host: string, path = "/end") => `http://${host}:${server.port}${path}`;
  const server = await serve({
    "/start": () => ({ status: 302, headers: { location: to(at) } }),
    "/loop": () => ({ status: 307, headers: { location: "/loop" } }),
    "/end": ({ headers }) => ({ headers: { "content-type": "text/plain" }, body: `the end at ${headers.host}` }),
  });
  const { config = {}, ...rest } = options;
  const gate = await bench(
    {},
    {
      ...{ toolset: "all", mode: "yolo", lookup },
      config: { ...(config as object), web: { allow_private_hosts: ["127.0.0.1"] } },
      ...rest,
    },
  );
  const hosts = () => server.heard.map(({ path, headers }) => `${headers.host?.split(":")[0]}${path}`);
  return { ...gate, at, hosts, fetch: (path = "/start") => gate.call("web_fetch", { url: at("a.example", path) }) };
}

const ONCE = { mode: "confirm-sensitive", approve: () => "once" } satisfies OpenOptions;

describe("a redirect", () => {
  test("to the same host is followed, and what a person agreed to covers it", async () => {
    for (const options of [{}, ONCE]) {
      const { fetch, hosts, at } = await redirecting(() => "/end", options);
      const { output, metadata } = await fetch();
      expect(output).toContain("the end at a.example");
      expect(metadata.url).toBe(at("a.example"));
      expect(hosts()).toEqual(["a.example/start", "a.example/end"]);
    }
  });

  test("to another host is followed where a call for it would be allowed, and is in the record", async () => {
    const store = memoryStore();
    const { fetch, hosts, at, gate } = await redirecting((at) => at("b.example"), { store });
    expect((await fetch()).output).toContain("the end at b.example");
    expect(hosts()).toEqual(["a.example/start", "b.example/end"]);
    await gate.close();
    expect((await store.records({}))[0]?.touches).toMatchObject([
      { action: "fetch", url: at("a.example", "/start") },
      { action: "fetch", url: at("b.example") },
    ]);
  });

  test("to another host that would be asked about ends the call and names the next", async () => {
    const { fetch, hosts, at } = await redirecting((at) => at("b.example"), ONCE);
    const { status, error, metadata } = await fetch();
    expect([status, error?.code, metadata.redirect]).toEqual(["failed", "PERMISSION_DENIED", at("b.example")]);
    expect(error?.message).toContain(`redirects to ${at("b.example")}, which needs its own permission`);
    expect(error?.hint).toContain(`{"url":"${at("b.example")}"}`);
    expect(hosts()).toEqual(["a.example/start"]);
  });

  test("to another host that a rule allows, or that a person allowed before, is followed", async () => {
    const config = { rules: { allow: ["fetch(b.example:*)"] } };
    const ruled = await redirecting((at) => at("b.example"), { ...ONCE, config });
    expect((await ruled.fetch()).output).toContain("the end at b.example");
    const granted = await redirecting((at) => at("b.example"), { ...ONCE, approve: () => "session" });
    expect((await granted.fetch()).status).toBe("failed");
    await granted.call("web_fetch", { url: granted.at("b.example") });
    expect((await granted.fetch()).output).toContain("the end at b.example");
  });

  test("to where a rule forbids, on the same host or on another, is refused", async () => {
    const config = { rules: { deny: ["fetch(a.example:*/end)", "fetch(b.example:*)"] } };
    for (const to of ["a.example", "b.example"]) {
      const { fetch, hosts } = await redirecting((at) => at(to), { config });
      const { status, error } = await fetch();
      expect([status, error?.code]).toEqual(["refused", "PERMISSION_DENIED"]);
      expect(hosts()).toEqual(["a.example/start"]);
    }
  });

  test("is asked about by a rule that asks, also on the same host", async () => {
    const config = { rules: { ask: ["fetch(a.example:*/end)"] } };
    const { fetch, hosts } = await redirecting(() => "/end", { ...ONCE, config });
    expect((await fetch()).error?.message).toContain("needs its own permission");
    expect(hosts()).toEqual(["a.example/start"]);
  });

  test.each([
    "file:///etc/passwd",
    "http://user:word@b.example/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://localhost:25/",
    "gopher://b.example/",
    "http://[oops",
    "data:text/html,hello",
    "//user@b.example/",
    "//10.0.0.1/",
    "//169.254.169.254/latest/",
    "\\\\10.0.0.1\\x",
    "http:///10.0.0.1/",
    "http://2130706434/",
    "http://0xa9fea9fe/",
    "http://[::ffff:10.0.0.1]/",
    "https://user:@b.example/",
    "javascript:alert(1)",
    "blob:http://b.example/x",
    "ws://b.example/",
    "view-source:http://b.example/",
    "about:blank",
    "http://b.example:99999/",
  ])("to %s ends the call", async (to) => {
    const { fetch, hosts } = await redirecting(() => to);
    expect((await fetch()).success).toBe(false);
    expect(hosts()).toEqual(["a.example/start"]);
  });

  test("to an address with letters of its own leads where a browser would go", async () => {
    // headers are bytes: these are UTF-8
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const { fetch, hosts } = await redirecting(() => bytes("/end?q=日本&x=ü"));
    expect((await fetch()).success).toBe(true);
    expect(hosts()[1]).toBe("a.example/end?q=%E6%97%A5%E6%9C%AC&x=%C3%BC");
    const old = await redirecting(() => "/end?q=\u00fc");
    expect((await old.fetch()).success).toBe(true);
    expect(old.hosts()[1]).toBe("a.example/end?q=%C3%BC");
  });

  test("to itself ends after a while", async () => {
    const { fetch, hosts } = await redirecting(() => "/loop");
    expect((await fetch("/loop")).error?.message).toContain("redirects more than 10 times");
    expect(hosts()).toHaveLength(11);
  });

  test("leads nobody to what others may reach: a child that is held to one host stays there", async () => {
    const { gate, at, hosts, fetch } = await redirecting((at) => at("b.example"));
    expect((await fetch()).status).toBe("done");
    const child = gate.child({ hosts: ["a.example"] });
    const { status, error } = await child.call({ name: "web_fetch", args: { url: at("a.example", "/start") } });
    expect([status, error?.code]).toEqual(["refused", "PERMISSION_DENIED"]);
    expect(hosts()).toEqual(["a.example/start", "b.example/end", "a.example/start"]);
  });
});
