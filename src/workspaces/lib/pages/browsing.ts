import type { BrowserContext, Dialog, Download, Page } from "playwright-core";
import type { DialogAnswer, PagePermit } from "../../../core/contracts/pages.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { type Launched, type LaunchOptions, launch } from "./launch.ts";
import { type Going, guardPages } from "./navigation-guard.ts";
import type { Refusal } from "./page-proxy.ts";

const MOST_PAGES = 5;
const MOST_TOLD = 12;
const CLOSE_MS = 3_000;
const MOST_BYTES = 512 * 1024 * 1024;
const VIEW = { width: 1280, height: 800 };

export type Setting = Pick<LaunchOptions, "dial" | "sandbox" | "means">;

/** The browser of one session: a fresh profile, the sites that calls opened, and notices for the next report. */
export class Browsing {
  readonly #launched: Launched;
  #permit: PagePermit;
  #context: BrowserContext | undefined;
  /** The open pages, the current one last. */
  readonly #pages: Page[] = [];
  readonly #sites = new Set<string>();
  #told: string[] = [];
  /** Requests of pages that were refused since the current call began. */
  refusals: Refusal[] = [];
  /** Where the page tried to go by itself since then and was stopped. */
  #stopped: Stop | undefined;
  #whenStopped: (() => void) | undefined;
  answer: DialogAnswer | undefined;
  /** Receives the download that a call is waiting for; all other downloads are refused. */
  takes: ((download: Download) => void) | undefined;

  private constructor(launched: Launched, permit: PagePermit) {
    this.#launched = launched;
    this.#permit = permit;
  }

  static async start(setting: Setting, permit: PagePermit): Promise<Browsing> {
    let browsing: Browsing | undefined;
    const launched = await launch({
      ...setting,
      mostBytes: MOST_BYTES,
      objection: (wanted) => (browsing?.permit ?? permit).objection({ ...wanted, page: false })?.reason,
      refused: (refusal) => browsing?.noteRefusal(refusal),
    });
    browsing = new Browsing(launched, permit);
    try {
      await guardPages(launched.browser, (going) => browsing?.mayGo(going) ?? false);
    } catch (error) {
      await launched.close();
      throw error;
    }
    return browsing;
  }

  get permit(): PagePermit {
    return this.#permit;
  }
  get isConnected(): boolean {
    return this.#launched.browser.isConnected();
  }
  /** The failure to report if we ended the browser ourselves. */
  get ended(): ToolFailure | undefined {
    const why = this.#launched.whyEnded();
    return why
      ? new ToolFailure("IO_ERROR", `${why}.`, "Do not open this page again: read it with web_fetch.")
      : undefined;
  }
  get current(): Page | undefined {
    return this.#pages.at(-1);
  }

  /** Starts a call: from now on its permit decides what a page may do. */
  begin(permit: PagePermit): void {
    this.#permit = permit;
    this.refusals = [];
    this.#stopped = undefined;
  }

  tell(line: string): void {
    if (this.#told.length < MOST_TOLD && !this.#told.includes(line)) this.#told.push(line);
  }
  /** Returns the notices since the last call of this, and clears them. */
  toldSince(): string[] {
    const stop = this.takeStop();
    const told = [...this.#told, ...(stop ? [stopLine(stop)] : [])];
    this.#told = [];
    return told;
  }
  /** Returns the stop and clears it; the caller must report it. */
  takeStop(): Stop | undefined {
    const stop = this.#stopped;
    this.#stopped = undefined;
    return stop;
  }

  noteRefusal(refusal: Refusal): void {
    if (this.refusals.length < 100) this.refusals.push(refusal);
  }

  /** Lets pages navigate within this site, because a call has opened it. http may upgrade to https, not the reverse. */
  allowSite(url: string): void {
    this.#sites.add(new URL(url).origin);
    this.#sites.add(new URL(url.replace(/^http:/i, "https:")).origin);
  }

  /** The current page, or a new one. */
  async openPage(): Promise<Page> {
    if (this.current) return this.current;
    await this.dropPages();
    const context = await this.newContext();
    this.#context = context;
    const page = await context.newPage();
    this.#adopt(page);
    context.on("page", (popup) => void this.#popup(popup));
    return page;
  }

  /** Closes the context with all that its pages stored, without waiting for one that hangs. */
  async dropPages(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    this.#pages.length = 0;
    if (!context) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([context.close().catch(() => {}), late]);
    clearTimeout(timer);
  }

  /** A context with its own cookies and storage, and no permissions granted. */
  async newContext(viewport: { width: number; height: number } = VIEW): Promise<BrowserContext> {
    const context = await this.#launched.browser.newContext({
      viewport,
      acceptDownloads: true,
      serviceWorkers: "block",
    });
    await context.grantPermissions([]);
    await context.addInitScript(
      "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete self[name]",
    );
    return context;
  }

  /** Handles the dialogs and downloads of a page, and navigations that made no request. */
  watch(page: Page): void {
    page.on("dialog", (dialog) => void this.#dialog(dialog));
    page.on("download", (download) => void this.#download(download));
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() || isNowhere(frame.url()) || this.mayGo({ url: frame.url() })) return;
      void page.goto("about:blank", { timeout: 5_000 }).catch(() => {});
    });
  }

  /** Whether a page may go there. If not, the stop is noted for the report. */
  mayGo({ url, method = "GET", isNewWindow = false }: Pick<Going, "url"> & Partial<Going>): boolean {
    const stop = isNewWindow ? this.#judgeWindow(url, method) : this.#judge(url, method);
    if (stop && isNewWindow) {
      this.tell(`The page wanted to open a new window. ${stopLine(stop)}`);
      return false;
    }
    this.#stopped ??= stop;
    if (stop) this.#whenStopped?.();
    return stop === undefined;
  }

  /** Resolves the next time that a page is stopped from going somewhere. */
  untilStopped(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenStopped = resolve;
    });
  }

  #judge(url: string, method: string): Stop | undefined {
    if (!isWeb(url)) return { url, reason: "only http and https pages are opened" };
    const next = `If you want to go there, open it: {"action":"open","url":${JSON.stringify(url)}}.`;
    if (!this.#sites.has(new URL(url).origin)) return { url, reason: "it is another site", next };
    const objection = this.#permit.objection({ url, method, page: true });
    return objection && { url, reason: objection.reason, ...(objection.asks && { next }) };
  }

  #judgeWindow(url: string, method: string): Stop | undefined {
    if (this.#pages.length < MOST_PAGES) return this.#judge(url, method);
    return { url, reason: `only ${MOST_PAGES} pages can be open at once` };
  }

  #adopt(page: Page): void {
    this.#pages.push(page);
    page.on("close", () => {
      const at = this.#pages.indexOf(page);
      if (at >= 0) this.#pages.splice(at, 1);
    });
    this.watch(page);
  }

  /** A new window becomes the current page if it leads to a site that the session may visit. */
  async #popup(page: Page): Promise<void> {
    await page.waitForLoadState("domcontentloaded", { timeout: 5_000 }).catch(() => {});
    const url = page.url();
    const stop = this.#judgeWindow(url, "GET");
    if (!stop) {
      this.#adopt(page);
      this.tell(`A new window was opened: ${shortUrl(url)}. It is the current page; "back" returns to the one before.`);
      return;
    }
    // one whose first request was stopped has been reported already
    if (url !== "") this.tell(`The page opened a new window, which was closed. ${stopLine(stop)}`);
    await page.close().catch(() => {});
  }

  async #dialog(dialog: Dialog): Promise<void> {
    const kind = dialog.type();
    if (kind === "beforeunload") return dialog.accept().catch(() => {});
    const { accept = false, text } = this.answer ?? {};
    const how = accept ? `accepted${text === undefined ? "" : ` with ${JSON.stringify(text)}`}` : "dismissed";
    const hint = accept || kind === "alert" ? "" : '; repeat the call with "accept": true to accept it';
    this.tell(`A dialog (${kind}) said ${JSON.stringify(dialog.message().slice(0, 500))}; it was ${how}${hint}.`);
    await (accept ? dialog.accept(text) : dialog.dismiss()).catch(() => {});
  }

  async #download(download: Download): Promise<void> {
    if (this.takes) return this.takes(download);
    this.tell(
      `The page offered a download (${JSON.stringify(download.suggestedFilename().slice(0, 200))}), which was refused; use the action "download" with a path of the workspace.`,
    );
    await download.cancel().catch(() => {});
  }

  async close(): Promise<void> {
    await this.#launched.close();
  }
}

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** The address of a page before it has gone anywhere, and after a request failed. */
const isNowhere = (url: string): boolean => url === "about:blank" || url === "" || url.startsWith("chrome-error:");

export const shortUrl = (url: string): string => (url.length > 300 ? `${url.slice(0, 300)}…` : url);

/** Why a page did not go somewhere, and what to do about it. */
export type Stop = { url: string; reason: string; next?: string };

const stopLine = ({ url, reason, next }: Stop): string =>
  `The page did not go to ${shortUrl(url)}: ${reason.replace(/\.$/, "")}.${next ? ` ${next}` : ""}`;

export const notOpened = ({ url, reason, next }: Stop): ToolFailure =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `${shortUrl(url)} was not opened: ${reason.replace(/\.$/, "")}.`,
    next ?? "Do not try to get around it.",
  );
