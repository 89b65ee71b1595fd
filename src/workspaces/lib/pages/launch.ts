import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserType } from "playwright-core";
import { ToolFailure } from "../../../core/words/result.ts";
import { findSandbox } from "../process/bubblewrap.ts";
import { findChromium, flagsOf, wall } from "./chromium.ts";
import { FORWARDER, INNER_PORT, TOO_LONG } from "./forwarder.ts";
import { type PageProxy, type ProxyOptions, startProxy } from "./page-proxy.ts";

const LAUNCH_MS = 30_000;
const PREFIX = "toolgate-pages-";
const STALE_MS = 2 * 60 * 60 * 1000;

/** What isolates a browser from the rest of the machine. */
export type Walls = { namespaces: boolean; ownSandbox: boolean };

/** What is needed to start a browser, or what is missing and how to get it. */
export type Means =
  | { chromium: BrowserType; program: string; bubblewrap?: string; unwalled?: string }
  | { missing: string; get: string };

export type LaunchOptions = Omit<ProxyOptions, "socket"> & {
  sandbox: "required" | "auto" | "off";
  /** Used instead of looking for a browser on this machine. */
  means?: () => Promise<Means>;
};

export type Launched = {
  browser: Browser;
  walls: Walls;
  /** Why we ended the browser, if we did. */
  whyEnded(): string | undefined;
  close(): Promise<void>;
};

export async function findMeans(): Promise<Means> {
  const playwright = await import("playwright-core").catch(() => undefined);
  if (!playwright) return { missing: "playwright-core is not installed", get: "npm install playwright-core" };
  const { chromium } = playwright;
  const program = findChromium(() => chromium.executablePath());
  if (!program)
    return {
      missing: "there is no Chromium or Chrome",
      get: "install one (on Debian: apt-get install chromium), or npx playwright-core install chromium",
    };
  const sandbox = await findSandbox();
  return {
    chromium,
    program,
    ...("missing" in sandbox ? { unwalled: sandbox.missing } : { bubblewrap: sandbox.program }),
  };
}

/** Starts a browser with a fresh profile whose only way out is our proxy. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const means = await (options.means ?? findMeans)();
  if ("missing" in means)
    throw new ToolFailure(
      "CONFIG_ERROR",
      `No page can be opened: ${means.missing}.`,
      `A person can get it: ${means.get}.`,
    );
  const folder = newFolder();
  let proxy: PageProxy | undefined;
  const tidy = async () => {
    await proxy?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { bubblewrap } = means;
    proxy = await startProxy({ ...options, ...(bubblewrap && { socket: path.join(folder, "proxy") }) });
    const { browser, walls } = bubblewrap
      ? await launchWalled({ ...means, bubblewrap }, folder)
      : await launchBare(means, folder, proxy, options.sandbox);
    const close = async () => {
      await browser.close().catch(() => {});
      await tidy();
    };
    const whyEnded = () =>
      fs.existsSync(path.join(folder, TOO_LONG))
        ? "The page sent too much at once, so its browser was ended"
        : undefined;
    return { browser, walls, whyEnded, close };
  } catch (error) {
    await tidy();
    throw error;
  }
}

type Found = Extract<Means, { program: string }>;

/** What Chromium prints if it cannot create its own namespaces. */
const NO_OWN_SANDBOX = /no usable sandbox|failed to move to new namespace|zygote_host_impl|credentials\.cc/i;

/** Chromium's own sandbox runs inside ours if the kernel allows it. After one failure it is not tried again. */
let ownSandboxFails = false;

async function launchWalled(means: Found & { bubblewrap: string }, folder: string) {
  const start = (ownSandbox: boolean) =>
    started(means, means.bubblewrap, folder, [
      ...wall(means.program, process.execPath, folder),
      ...[process.execPath, "-e", FORWARDER, path.join(folder, "proxy"), folder, "/tmp/profile", means.program],
      ...flagsOf({ proxyPort: INNER_PORT, profile: "/tmp/profile", ownSandbox }),
    ]);
  if (!ownSandboxFails) {
    try {
      return { browser: await start(true), walls: { namespaces: true, ownSandbox: true } };
    } catch (error) {
      // no other failure is a reason to go without the sandbox
      if (!(error instanceof ToolFailure) || !NO_OWN_SANDBOX.test(error.output)) throw error;
      ownSandboxFails = true;
    }
  }
  return { browser: await start(false), walls: { namespaces: true, ownSandbox: false } };
}

/** Whether to refuse a browser if bubblewrap does not work. As root, Chromium has no sandbox of its own. */
export const isRefused = (sandbox: LaunchOptions["sandbox"]): boolean =>
  sandbox === "required" || (process.getuid?.() === 0 && sandbox !== "off");

/** Without bubblewrap, only Chromium's own sandbox and flags contain the browser. */
async function launchBare(means: Found, folder: string, proxy: PageProxy, sandbox: LaunchOptions["sandbox"]) {
  const isRoot = process.getuid?.() === 0;
  if (isRefused(sandbox))
    throw new ToolFailure(
      "CONFIG_ERROR",
      `No page can be opened: ${means.unwalled}${isRoot ? ", and as root Chromium cannot use its own sandbox" : ""}.`,
      "A person can install bubblewrap.",
    );
  const profile = path.join(folder, "profile");
  const args = [
    ...["-e", FORWARDER, "", folder, profile, means.program],
    ...flagsOf({ proxyPort: proxy.port ?? 0, profile, ownSandbox: !isRoot }),
  ];
  const { username, password } = proxy;
  const credentials = { server: `http://127.0.0.1:${proxy.port}`, username, password };
  const browser = await started(means, process.execPath, folder, args, credentials);
  return { browser, walls: { namespaces: false, ownSandbox: !isRoot } };
}

async function started(
  { chromium }: Found,
  executablePath: string,
  folder: string,
  args: string[],
  proxy?: { server: string; username: string; password: string },
): Promise<Browser> {
  try {
    return await chromium.launch({
      executablePath,
      args,
      ignoreDefaultArgs: true,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, LANG: "C.UTF-8" },
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
      downloadsPath: path.join(folder, "downloads"),
      timeout: LAUNCH_MS,
      ...(proxy && { proxy }),
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const [line = ""] = said.split("\n", 1);
    throw new ToolFailure("IO_ERROR", `Chromium could not be started: ${line}`, "toolgate doctor says what is here.", {
      output: said.slice(-4_000),
    });
  }
}

/** A folder that only this user can enter. Also removes folders that killed processes left behind. */
function newFolder(): string {
  const base = os.tmpdir().length < 60 ? os.tmpdir() : "/tmp";
  for (const name of fs.readdirSync(base).filter((each) => each.startsWith(PREFIX))) {
    const left = path.join(base, name);
    try {
      const { uid, mtimeMs } = fs.lstatSync(left);
      if (uid === process.getuid?.() && Date.now() - mtimeMs > STALE_MS)
        fs.rmSync(left, { recursive: true, force: true });
    } catch {
      // somebody else's, or gone already
    }
  }
  const folder = fs.mkdtempSync(path.join(base, PREFIX));
  fs.mkdirSync(path.join(folder, "downloads"));
  return folder;
}
