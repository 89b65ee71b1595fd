import { EventEmitter } from "node:events";
import type net from "node:net";
import { describe, expect, test } from "vitest";
import { REACHED, REFUSED, RESOLVED } from "../../../../test/attacks/urls.ts";
import type { Lookup } from "./dial.ts";
import { type NetworkOptions, networkOf } from "./local-network.ts";

const PUBLIC: Lookup = async () => [{ address: "93.184.216.34", family: 4 }];

/** A network in which nothing can be connected to: it only notes what somebody tried. */
function recording(options: Partial<NetworkOptions> = {}) {
  const tried: { host: string; port: number }[] = [];
  const network = networkOf({
    ...{ deny: [], allowPrivateHosts: [], secrets: {}, lookup: PUBLIC, env: {} },
    ...options,
    connect: (to) => {
      tried.push(to);
      const socket = Object.assign(new EventEmitter(), { destroy: () => {} });
      setImmediate(() => socket.emit("error", Object.assign(new Error("recorded"), { code: "ECONNREFUSED" })));
      return socket as unknown as net.Socket;
    },
  });
  const fetched = (url: string) =>
    network.request({ url }).then(
      () => "connected",
      (error) => `${error.code} ${error.message}`,
    );
  return { network, fetched, tried };
}

describe("where requests go", () => {
  test("there are many ways to name what must not be reached", () => {
    expect(new Set(REFUSED).size).toBe(REFUSED.length);
    expect(REFUSED.length).toBeGreaterThan(400);
  });

  test.each(REFUSED)("%s is not connected to", async (url) => {
    const { fetched, tried } = recording();
    expect(await fetched(url)).toMatch(/^PERMISSION_DENIED /);
    expect(tried).toEqual([]);
  });

  test.each(RESOLVED.map((answers) => [answers]))("a name that resolves to %j is not connected to", async (answers) => {
    const { fetched, network, tried } = recording({ lookup: async () => answers.map((address) => ({ address })) });
    for (const url of ["http://rebound.example.com/", "https://rebound.example.com:8443/x"])
      expect(await fetched(url)).toMatch(/^PERMISSION_DENIED .*rebound\.example\.com resolves to /);
    await expect(network.dial("rebound.example.com", 443)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(tried).toEqual([]);
  });

  test.each(REACHED)("%s goes to %s port %i", async (url, host, port) => {
    const { fetched, tried } = recording();
    expect(await fetched(url)).toMatch(/^IO_ERROR /);
    expect(tried).toEqual([{ host, port }]);
  });
});

describe("what a refusal says that a person can write", () => {
  const rows: [url: string, settings: Partial<NetworkOptions>][] = [
    ["http://127.0.0.1:8080", {}],
    ["http://127.0.0.1:22", {}],
    ["http://wiki:25", { lookup: async () => [{ address: "10.0.0.7" }] }],
    ["http://wiki", { lookup: async () => [{ address: "10.0.0.7" }] }],
    ["http://[::1]:6379", {}],
    ["http://files.example.com", { lookup: async () => [{ address: "10.0.0.7" }] }],
    ["http://example.com:25", {}],
    ["http://8.8.8.8:53", {}],
    ["http://docs.example.com:25", { allow: ["docs.example.com"] }],
  ];
  test.each(rows)("%s", async (url, settings) => {
    const { network } = recording(settings);
    const { hint } = await network.request({ url }).catch((error) => error);
    const [, key = "", list = "[]"] = /A person can allow it: web\.(\w+): (\[.*\])\.$/.exec(hint) ?? [];
    const entries: string[] = JSON.parse(list);
    const allowing =
      key === "allow" ? { allow: [...(settings.allow ?? []), ...entries] } : { allowPrivateHosts: entries };
    const { fetched, tried } = recording({ ...settings, ...allowing });
    expect(await fetched(url)).toMatch(/^IO_ERROR /);
    expect(tried).toHaveLength(1);
    // and nothing that was allowed before is forbidden by it
    const before = await recording({ ...settings, lookup: PUBLIC }).fetched("http://example.net");
    expect(await recording({ ...settings, ...allowing, lookup: PUBLIC }).fetched("http://example.net")).toBe(before);
  });
});

describe("what people allow and forbid", () => {
  const rows: [Partial<NetworkOptions>, allowed: string[], refused: string[]][] = [
    [
      { allowPrivateHosts: ["127.0.0.1:8080"] },
      ["http://127.0.0.1:8080", "http://0x7f.1:8080", "http://[::ffff:127.0.0.1]:8080"],
      ["http://127.0.0.1", "http://127.0.0.2:8080", "http://[::1]:8080", "http://localhost:8080"],
    ],
    [
      { allowPrivateHosts: ["10.0.0.0/8"] },
      ["http://10.1.2.3", "http://10.255.0.1:9000"],
      ["http://11.0.0.1.localhost", "http://192.168.0.1", "http://[fd00::1]", "http://10.1.2.3:25"],
    ],
    [{ allowPrivateHosts: ["10.0.0.1:25"] }, ["http://10.0.0.1:25"], ["http://10.0.0.1:26"]],
    [
      { allowPrivateHosts: ["fd00::/8", "[::1]:3000"] },
      ["http://[fd12::1]", "http://[::1]:3000"],
      ["http://[fe80::1]", "http://[::1]"],
    ],
    [
      { allowPrivateHosts: ["wiki", "*.corp"], lookup: async () => [{ address: "10.0.0.7" }] },
      ["http://wiki", "http://a.b.corp", "http://WIKI.:8080"],
      ["http://corp", "http://wiki2", "http://wiki.example.com"],
    ],
    [
      { allowPrivateHosts: ["192.168.0.0/16"], lookup: async () => [{ address: "192.168.4.5" }] },
      ["http://nas.lan", "http://files.example.com"],
      ["http://127.0.0.1"],
    ],
    [
      { allowPrivateHosts: ["*"] },
      ["http://127.0.0.1", "http://[::1]", "http://10.0.0.1:8080"],
      ["file:///etc/passwd", "http://u@10.0.0.1"],
    ],
    [
      { allow: ["docs.example.com", "*.example.org:8443"] },
      ["http://docs.example.com", "https://a.example.org:8443"],
      [
        "http://example.com",
        "http://docs.example.com.evil.com",
        "https://a.example.org",
        "http://evildocs.example.com",
        "http://8.8.8.8",
        "https://example.org:8443",
      ],
    ],
    [{ allow: [] }, [], ["http://example.com", "http://8.8.8.8"]],
    [{ allow: ["*"] }, ["http://example.com", "http://8.8.8.8"], ["http://127.0.0.1"]],
    [{ allow: ["93.184.216.0/24"] }, ["http://example.com", "http://93.184.216.34"], ["http://8.8.8.8"]],
    [{ allow: ["docs.example.com"], allowPrivateHosts: ["10.0.0.1"] }, ["http://10.0.0.1"], ["http://10.0.0.2"]],
    [{ allow: ["127.0.0.1:8080"] }, [], ["http://127.0.0.1:8080"]],
    [{ allow: ["mail.example.com:25"] }, ["http://mail.example.com:25"], ["http://mail.example.com"]],
    [
      { deny: ["*.example.com", "8.8.8.0/24", "*:8081", "example.org:443"] },
      ["http://example.net", "http://example.org", "http://9.9.9.9"],
      [
        "http://example.com",
        "http://a.EXAMPLE.com.",
        "http://8.8.8.8",
        "http://0x08080808",
        "http://[::ffff:8.8.8.8]",
        "http://example.net:8081",
        "https://example.org",
      ],
    ],
    [
      { deny: ["bücher.example", "*.köln.example"] },
      ["http://buecher.example"],
      ["http://bücher.example", "http://BÜCHER.example.", "http://xn--bcher-kva.example", "http://a.köln.example"],
    ],
    [
      { deny: ["example.com"] },
      ["http://example.net"],
      ["http://example.com..", "http://example.com.", "http://example..com"],
    ],
    [{ deny: ["93.184.216.34"] }, ["http://8.8.8.8"], ["http://any.example.com"]],
    [{ deny: ["10.0.0.5"], allowPrivateHosts: ["10.0.0.0/8"], allow: ["*"] }, ["http://10.0.0.6"], ["http://10.0.0.5"]],
  ];
  test.each(rows)("%j", async (options, allowed, refused) => {
    for (const url of allowed) {
      const { fetched, tried } = recording(options);
      expect([url, await fetched(url), tried.length]).toEqual([url, expect.stringMatching(/^IO_ERROR /), 1]);
    }
    for (const url of refused) {
      const { fetched, tried } = recording(options);
      expect([url, await fetched(url), tried]).toEqual([url, expect.stringMatching(/^PERMISSION_DENIED /), []]);
    }
  });

  test("a refusal says what a person can write", async () => {
    const { network } = recording();
    await expect(network.request({ url: "http://10.0.0.1:3000/x" })).rejects.toMatchObject({
      message: "Out of reach: 10.0.0.1 is a private address.",
      hint: expect.stringContaining('web.allow_private_hosts: ["10.0.0.1:3000"]'),
    });
  });

  test("an entry that is no host is an error, since it would forbid nothing", () => {
    for (const entry of ["10.0.0.0/33", "exa mple.com", "http://example.com", "a.*.com", "127.*", "*.1", "", "a:99999"])
      expect(() => recording({ deny: [entry] })).toThrow(TypeError);
  });
});

describe("a connection", () => {
  test("a name is resolved once, and what it resolves to later does not matter", async () => {
    const answers = ["93.184.216.34", "127.0.0.1"];
    let asked = 0;
    const { fetched, tried } = recording({ lookup: async () => [{ address: answers[asked++] ?? "127.0.0.1" }] });
    expect(await fetched("http://rebound.example.com")).toMatch(/^IO_ERROR /);
    expect(tried).toEqual([{ host: "93.184.216.34", port: 80 }]);
    expect(await fetched("http://rebound.example.com")).toMatch(/^PERMISSION_DENIED /);
    expect([asked, tried.length]).toEqual([2, 1]);
  });

  test("one that led somewhere else is ended before anything is sent", async () => {
    const written: unknown[] = [];
    let ended = false;
    const network = networkOf({
      ...{ deny: [], allowPrivateHosts: [], secrets: {}, lookup: PUBLIC },
      connect: () => {
        const socket = Object.assign(new EventEmitter(), {
          remoteAddress: "127.0.0.1",
          write: (data: unknown) => written.push(data),
          destroy: () => {
            ended = true;
          },
        });
        setImmediate(() => socket.emit("connect"));
        return socket as unknown as net.Socket;
      },
    });
    await expect(network.request({ url: "http://example.com" })).rejects.toMatchObject({
      message: "Out of reach: the connection to 93.184.216.34 led to 127.0.0.1.",
    });
    expect([written, ended]).toEqual([[], true]);
  });

  test("the next address is tried where one does not answer; a name that is unknown is told", async () => {
    const both = recording({ lookup: async () => [{ address: "93.184.216.34" }, { address: "2606:2800::1" }] });
    await both.fetched("http://example.com");
    expect(both.tried.map(({ host }) => host)).toEqual(["93.184.216.34", "2606:2800::1"]);
    const none = recording({
      lookup: async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })),
    });
    expect(await none.fetched("http://example.com")).toBe("NOT_FOUND example.com cannot be resolved (ENOTFOUND).");
    const empty = recording({ lookup: async () => [] });
    expect(await empty.fetched("http://example.com")).toMatch(/^NOT_FOUND /);
  });

  test("whoever stops waits for no name and for no connection", async () => {
    for (const lookup of [PUBLIC, () => new Promise<never>(() => {})]) {
      const stop = new AbortController();
      const network = networkOf({
        ...{ deny: [], allowPrivateHosts: [], secrets: {}, lookup },
        connect: () => Object.assign(new EventEmitter(), { destroy: () => {} }) as unknown as net.Socket,
      });
      const asked = network.dial("example.com", 443, stop.signal);
      setImmediate(() => stop.abort(new Error("enough")));
      await expect(asked).rejects.toThrow("enough");
    }
  });
});
