import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PageDeed, PagePermit, Pages } from "../../src/core/contracts/pages.ts";
import { findMeans, type Means } from "../../src/workspaces/lib/pages/launch.ts";
import { localPages, type PageSettings } from "../../src/workspaces/pages.ts";
import { needs } from "../capabilities.ts";
import { folder } from "../journeys/harness.ts";
import { type Site, site } from "../journeys/page-site.ts";

/** Ways by which a page asks for something, each of another host or port, so that every one can be told by its target. */
const WAYS = (trap: number): Readonly<Record<string, string>> => ({
  "picture.test:80": '<img src="http://picture.test/a.png">',
  "script.test:80": '<script src="http://script.test/a.js"></script>',
  "style.test:80": '<link rel="stylesheet" href="http://style.test/a.css">',
  "frame.test:80": '<iframe src="http://frame.test/"></iframe>',
  "secure.test:443": '<iframe src="https://secure.test/"></iframe>',
  "prefetch.test:80": '<link rel="prefetch" href="http://prefetch.test/a">',
  "object.test:80": '<object data="http://object.test/a.svg"></object>',
  "font.test:80":
    "<style>@font-face { font-family: f; src: url(http://font.test/f.woff2) } p { font-family: f }</style><p>x</p>",
  "fetch.test:80": "<script>fetch('http://fetch.test/', { mode: 'no-cors' })</script>",
  "post.test:80": "<script>fetch('http://post.test/', { method: 'POST', mode: 'no-cors', body: 'x' })</script>",
  "beacon.test:80": "<script>navigator.sendBeacon('http://beacon.test/', 'x')</script>",
  "events.test:80": "<script>new EventSource('http://events.test/')</script>",
  "socket.test:80": "<script>new WebSocket('ws://socket.test/')</script>",
  "wss.test:443": "<script>new WebSocket('wss://wss.test/')</script>",
  [`127.0.0.1:${trap}`]: `<script>new WebSocket('ws://127.0.0.1:${trap}/'); fetch('http://127.0.0.1:${trap}/', { mode: 'no-cors' })</script>`,
  [`localhost:${trap}`]: `<img src="http://localhost:${trap}/a.png">`,
  [`::1:${trap}`]: `<img src="http://[::1]:${trap}/a.png">`,
  "169.254.169.254:80": '<img src="http://169.254.169.254/latest/meta-data/">',
  "form.test:80":
    "<iframe name=f></iframe><form id=g method=post target=f action='http://form.test/'></form><script>g.submit()</script>",
  "worker.test:80":
    "<script>new Worker(URL.createObjectURL(new Blob([`fetch('http://worker.test/', { mode: 'no-cors' })`])))</script>",
});

/** Those that must not even be asked for: they would get around the proxy, or read the machine's files. */
const AROUND = (udp: number) => `
<link rel="dns-prefetch" href="http://lookup.test/"><link rel="preconnect" href="http://lookup.test/">
<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe>
<script>
try { const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${udp}" }] });
  peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) } catch {}
try { new WebTransport("https://127.0.0.1:${udp}/") } catch {}
document.title = [typeof RTCPeerConnection, typeof WebTransport].join(" ");
navigator.serviceWorker?.register("/worker.js").then((worker) => { if (worker) document.title += " service" });
fetch("file:///etc/passwd").then(() => document.title += " file", () => {});
</script>`;

const permit: PagePermit = { objection: () => undefined, signal: new AbortController().signal };

/** A listener that nobody may reach. */
async function trap() {
  const reached: string[] = [];
  const server = net.createServer((socket) => {
    reached.push("tcp");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const udp = dgram.createSocket("udp4", () => {});
  udp.on("message", () => reached.push("udp"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    reached,
    port: (server.address() as AddressInfo).port,
    udp: udp.address().port,
    close() {
      server.close();
      udp.close();
    },
  };
}

type Trap = Awaited<ReturnType<typeof trap>>;

/** As on a machine without bubblewrap. */
const withoutWall = async (): Promise<Means> => {
  const means = await findMeans();
  if ("missing" in means) return means;
  const { bubblewrap: _, ...rest } = means;
  return { ...rest, unwalled: "there is no bubblewrap" };
};

const WALLS = [
  { wall: "in bubblewrap", means: findMeans },
  { wall: "without bubblewrap", means: withoutWall },
];

const PAGES = (trapped: Trap) => ({
  "/ways": () => Object.values(WAYS(trapped.port)).join("\n"),
  "/around": () => AROUND(trapped.udp),
  "/worker.js": () => ({ headers: { "content-type": "text/javascript" }, body: "fetch('http://service.test/')" }),
  "/inside": () => ({ status: 302, headers: { location: `http://127.0.0.1:${trapped.port}/` } }),
  "/to-blob": "<script>location = URL.createObjectURL(new Blob(['<h1>blob</h1>'], { type: 'text/html' }))</script>",
  "/to-data": "<title>Stays</title><script>location = 'data:text/html,<h1>data</h1>'</script>",
  "/to-file": "<title>Stays</title><script>location = 'file:///etc/passwd'</script>",
  "/to-other": "<title>Stays</title><script>location = 'http://other.test/'</script>",
  "/away": () => ({ status: 302, headers: { location: "http://away.test/" } }),
  "/windows": `<title>Windows</title><form id=f method=post target=_blank action="http://posted.test/"><input name=a></form>
    <a id=l target=_blank href="http://linked.test/">x</a><a id=n target=_blank rel=noopener href="http://unlinked.test/">x</a>
    <script>for (const url of ["http://opened.test/", "/away", "https://secured.test/"]) { open(url); open(url, "_blank", "noopener") }
    l.click(); n.click(); f.submit();
    const inner = document.body.appendChild(document.createElement("iframe")).contentWindow; inner.open("http://inner.test/");
    const empty = open(""); if (empty) empty.location = "http://later.test/"</script>`,
  "/endless": "<title>Endless</title><button onclick='for (;;);'>Go</button>",
  // each sign takes six in JSON
  "/loud": "<title>Loud</title><p>still there</p><script>console.log('\\u0001'.repeat(12e6))</script>",
  "/vast": "<title>Vast</title><script>String.prototype.slice = () => 'x'.repeat(68e6)</script>",
  "/plain": "<title>Plain</title><p>plain</p>",
});

describe.each(WALLS)("what a hostile page asks for, $wall", needs("chromium"), ({ wall, means }) => {
  let local: Site;
  let trapped: Trap;
  let pages: Pages;
  const dialed: string[] = [];
  const act = (deed: PageDeed, session = "s") => pages.act(session, deed, permit);
  const pagesWith = (limits: NonNullable<PageSettings["limits"]>) =>
    localPages({
      sandbox: "off",
      means,
      limits,
      async dial(host, port) {
        dialed.push(`${host}:${port}`);
        if (host !== "site.test" && !(host === "localhost" && port === 80)) throw new Error("out of reach");
        const socket = net.connect(local.port, "127.0.0.1");
        await new Promise((resolve) => socket.once("connect", resolve));
        return socket;
      },
    });

  beforeAll(async () => {
    trapped = await trap();
    local = await site(PAGES(trapped));
    pages = pagesWith({ browsers: 2 });
  });
  afterAll(async () => {
    await pages?.close();
    await local?.close();
    trapped?.close();
  });
  beforeEach(() => {
    dialed.length = 0;
  });

  test("every way of asking leads to the proxy, and what is refused there reaches nothing", async () => {
    await act({ kind: "open", url: "http://site.test/ways" });
    const wanted = Object.keys(WAYS(trapped.port));
    await expect.poll(() => wanted.filter((target) => !dialed.includes(target)), { timeout: 8_000 }).toEqual([]);
    expect(trapped.reached).toEqual([]);
  });

  // by this name, because a page has service workers only there or by https
  test("what would get around the proxy is not there", async () => {
    await act({ kind: "open", url: "http://localhost/around" });
    await act({ kind: "wait", ms: 300 });
    const { title } = await act({ kind: "text" });
    expect(title).toBe("undefined undefined");
    // the page before may still have been asking when this test began
    const asked = dialed.filter((target) => !/^(?:lookup|site)\.test:/.test(target) && !(target in WAYS(trapped.port)));
    expect(new Set(asked)).toEqual(new Set(["localhost:80"]));
    expect(local.paths()).not.toContain("GET /worker.js");
    expect(trapped.reached).toEqual([]);
  });

  test("a redirect to this machine reaches nothing", async () => {
    const going = act({ kind: "open", url: "http://site.test/inside" });
    await expect(going).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(trapped.reached).toEqual([]);
  });

  test("a window that a page opens is judged before its first request", async () => {
    const { told } = await act({ kind: "open", url: "http://site.test/windows" });
    const { told: later } = await act({ kind: "wait", ms: 300 });
    await act({ kind: "text" });
    const others = dialed.filter((target) => !target.startsWith("site.test:") && !(target in WAYS(trapped.port)));
    expect(others).toEqual([]);
    const said = [...told, ...later].join("\n");
    for (const name of ["opened", "away", "linked", "posted"])
      expect(said).toContain(
        `The page wanted to open a new window. The page did not go to http://${name}.test/: it is another site.`,
      );
  });

  test("what a page writes to its console, however long, reaches nobody; another long message ends the browser", async () => {
    await act({ kind: "open", url: "http://site.test/loud" });
    expect(await act({ kind: "text" })).toMatchObject({ title: "Loud", text: "still there" });
    const said = (deed: PageDeed) => act(deed).then(String, ({ message }) => message);
    // it may end while the page is opened, or later
    const ended = "The page sent too much at once, so its browser was ended.";
    const early = await said({ kind: "open", url: "http://site.test/vast" });
    const later = async () => (early === ended ? early : said({ kind: "text" }));
    await expect.poll(later, { timeout: 30_000 }).toBe(ended);
    expect(await act({ kind: "open", url: "http://site.test/plain" })).toMatchObject({ title: "Plain" });
  });

  // the rest is the same by either wall
  if (wall !== "in bubblewrap") return;

  test.each(["to-blob", "to-data", "to-file", "to-other"])("a page that goes %s is not followed", async (name) => {
    await act({ kind: "open", url: `http://site.test/${name}` }).catch(() => {});
    await act({ kind: "wait", ms: 100 });
    const { url, text } = await act({ kind: "text" });
    expect(url).toMatch(/^(?:http:\/\/site\.test\/|about:blank$)/);
    expect(text).toBe("");
    expect(dialed).not.toContain("other.test:80");
  });

  test("Chromium has a network and files of its own", needs("bubblewrap"), () => {
    const chromium = startedBy(process.pid).filter((pid) => /^\S*\/chrom\w*\s/.test(commandOf(pid)));
    expect(chromium.length).toBeGreaterThan(1);
    const own = readlinkSync("/proc/self/ns/net");
    expect(chromium.filter((pid) => readlinkSync(`/proc/${pid}/ns/net`) === own)).toEqual([]);
    const [browser = 0] = chromium;
    expect(readdirSync(`/proc/${browser}/root`)).not.toContain("root");
    expect(readdirSync(`/proc/${browser}/root/etc`)).not.toContain("passwd");
  });

  test("nothing is kept from one session to the next, and there are only so many", async () => {
    await act({ kind: "open", url: "http://site.test/plain" }, "second");
    const third = act({ kind: "open", url: "http://site.test/plain" }, "third");
    await expect(third).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await pages.forget("second");
    await expect(act({ kind: "snapshot" }, "second")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a page that never answers is given up with its browser; one that nobody uses is closed", async () => {
    const impatient = pagesWith({ deedMs: 8_000, idleMs: 700 });
    try {
      const { text = "" } = await impatient
        .act("s", { kind: "open", url: "http://site.test/endless" }, permit)
        .then(() => impatient.act("s", { kind: "snapshot" }, permit));
      const ref = /button "Go" \[ref=(\w+)\]/.exec(text)?.[1] ?? text;
      await expect(impatient.act("s", { kind: "click", ref }, permit)).rejects.toMatchObject({ code: "TIMEOUT" });
      expect(impatient.at("s")).toBeUndefined();
      await impatient.act("s", { kind: "open", url: "http://site.test/plain" }, permit);
      expect(impatient.at("s")).toBe("http://site.test/plain");
      await expect.poll(() => impatient.at("s"), { timeout: 5_000 }).toBeUndefined();
    } finally {
      await impatient.close();
    }
  });

  test("a browser dies with the process that started it, however that ends", async () => {
    const dir = folder({
      "toolgate.yaml": `mode: yolo\nweb: { allow_private_hosts: ["127.0.0.1:${local.port}"] }\n`,
    });
    const url = `http://127.0.0.1:${local.port}/plain`;
    const args = ["call", "capture_screenshot", `url=${url}`, "delay_ms=30000", "--toolset", "web", "--mode", "yolo"];
    const before = local.asked.length;
    const owner = spawn(
      process.execPath,
      [path.resolve("dist/cli/toolgate.js"), ...args, "--config", "toolgate.yaml"],
      {
        cwd: dir,
        stdio: "ignore",
        // what a killed process leaves behind goes with the folder
        env: { ...process.env, TMPDIR: dir },
      },
    );
    await expect.poll(() => local.asked.length, { timeout: 20_000 }).toBeGreaterThan(before);
    const started = startedBy(owner.pid ?? 0);
    expect(started.filter((pid) => commandOf(pid).includes("chrom")).length).toBeGreaterThan(1);
    owner.kill("SIGKILL");
    await expect.poll(() => started.filter((pid) => commandOf(pid) !== ""), { timeout: 5_000 }).toEqual([]);
  });
});

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
};

/** All that a process has started, and what that has. */
function startedBy(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const [, parent = ""] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      parents.set(Number(parent), [...(parents.get(Number(parent)) ?? []), Number(name)]);
    } catch {
      // gone meanwhile
    }
  }
  const found: number[] = [];
  const walk = (from: number): void => {
    for (const child of parents.get(from) ?? []) {
      found.push(child);
      walk(child);
    }
  };
  walk(pid);
  return found;
}
