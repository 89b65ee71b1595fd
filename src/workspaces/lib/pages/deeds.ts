import type { Download, Page } from "playwright-core";
import type { PageDeed, PageReport } from "../../../core/contracts/pages.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { type Browsing, notOpened, shortUrl } from "./browsing.ts";
import { ACT_MS, elementAt, ownElementAt, soon } from "./elements.ts";
import { REFUSED_HEADER } from "./page-proxy.ts";
import { pictureOf } from "./pictures.ts";

const OPEN_MS = 30_000;
const LOAD_MS = 4_000;
/** How long a page may settle after it was stopped from going elsewhere. */
const STOPPED_MS = 1_000;
const MOST_WAIT = 30_000;
const MOST_FILE = 50 * 1024 * 1024;
const MOST_TEXT = 400_000;
const MOST_FRAMES = 20;
const FRAME_MS = 1_000;

type Found = Omit<Partial<PageReport>, "told">;
type Of<K extends PageDeed["kind"]> = Extract<PageDeed, { kind: K }>;

/** Navigates to a URL that the call declared. */
export async function goTo(browsing: Browsing, page: Page, url: string): Promise<void> {
  browsing.allowSite(url);
  let problem: string | undefined;
  let refused = false;
  try {
    const { signal } = browsing.permit;
    const going = page.goto(url, { waitUntil: "domcontentloaded", timeout: OPEN_MS, signal });
    // a page that a script tried to leave at once never reports that it has loaded
    const stopped = browsing.untilStopped().then(() => page.waitForTimeout(STOPPED_MS));
    for (const each of [going, stopped]) each.catch(() => {});
    const response = await Promise.race([going, stopped]);
    if (response === undefined && isSameHost(page.url(), url)) return;
    refused = Boolean(response && REFUSED_HEADER in response.headers());
  } catch (error) {
    problem = firstLine(error);
  }
  if (!refused && problem === undefined) return settle(page);
  const stop = browsing.takeStop() ?? browsing.refusals.find((each) => isSameHost(each.url, url));
  await page.goto("about:blank", { timeout: 5_000 }).catch(() => {});
  browsing.permit.signal.throwIfAborted();
  if (stop) throw notOpened(stop);
  if (problem?.includes("Download is starting"))
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${shortUrl(url)} is a download, not a page.`,
      'Use the action "download" with this url and a path of the workspace.',
    );
  throw new ToolFailure(
    "IO_ERROR",
    `${shortUrl(url)} could not be opened${problem ? `: ${problem}` : ""}.`,
    "Check the address.",
  );
}

const isSameHost = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).hostname === new URL(b).hostname;

/** Gives whatever a click started a moment to load. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await page.waitForLoadState("load", { timeout: LOAD_MS }).catch(() => {});
}

export async function perform(browsing: Browsing, page: Page, deed: PageDeed): Promise<Found> {
  const { signal } = browsing.permit;
  switch (deed.kind) {
    case "snapshot":
      return { text: await snapshot(page, deed.ref) };
    case "text":
      return { text: await textOf(page, deed.ref) };
    case "picture": {
      const element = deed.ref === undefined ? undefined : await elementAt(page, deed.ref);
      return { picture: await pictureOf(page, { ...deed, ...(element && { element }) }) };
    }
    case "scroll":
      return scroll(page, deed);
    case "wait":
      return wait(page, deed, signal);
    case "back":
      return back(page);
    case "upload":
      return upload(page, deed);
    case "download":
      return { file: await download(browsing, page, deed) };
    case "press":
      await (deed.ref === undefined
        ? page.keyboard.press(deed.key)
        : (await ownElementAt(page, deed.ref)).press(deed.key, { timeout: ACT_MS, signal }));
      await settle(page);
      return {};
    case "click":
    case "hover":
    case "type":
    case "fill":
    case "select":
      return onElement(page, deed, signal);
    case "open":
    case "close":
      return {};
  }
}

async function onElement(
  page: Page,
  deed: Of<"click" | "hover" | "type" | "fill" | "select">,
  signal: AbortSignal,
): Promise<Found> {
  const element = await ownElementAt(page, deed.ref);
  const within = { timeout: ACT_MS, signal };
  switch (deed.kind) {
    case "click":
      await element.click(within);
      break;
    case "hover":
      await element.hover(within);
      break;
    case "type":
      await element.pressSequentially(deed.text, within);
      break;
    case "fill":
      await element.fill(deed.text, within);
      break;
    case "select":
      await element.selectOption(deed.text, within);
  }
  await settle(page);
  return {};
}

/** The accessibility tree with element references, which are valid until the next snapshot. */
async function snapshot(page: Page, ref?: string): Promise<string> {
  const whole = await page.ariaSnapshot({ mode: "ai", timeout: ACT_MS });
  const text = ref === undefined ? whole : partOf(whole, ref);
  if (text === undefined) await elementAt(page, ref ?? "");
  return (text ?? whole).slice(0, MOST_TEXT);
}

/** The lines of one element and its descendants. */
function partOf(whole: string, ref: string): string | undefined {
  const lines = whole.split("\n");
  const first = lines.findIndex((line) => line.includes(`[ref=${ref}]`));
  if (first < 0) return undefined;
  const depth = (line = "") => line.length - line.trimStart().length;
  const own = depth(lines[first]);
  const rest = lines.slice(first + 1);
  const after = rest.findIndex((line) => depth(line) <= own);
  return [lines[first] ?? "", ...(after < 0 ? rest : rest.slice(0, after))].map((line) => line.slice(own)).join("\n");
}

async function textOf(page: Page, ref?: string): Promise<string> {
  if (ref !== undefined) return (await elementAt(page, ref)).evaluate(READ, MOST_TEXT, { timeout: ACT_MS });
  const parts: string[] = [];
  for (const frame of page.frames().slice(0, MOST_FRAMES)) {
    const reading = frame.evaluate(`document.body ? (${READ})(document.body, ${MOST_TEXT}) : ""`).then(String);
    const text = (await soon(reading, frame === page.mainFrame() ? ACT_MS : FRAME_MS)) ?? "";
    if (text.trim() !== "") parts.push(frame === page.mainFrame() ? text : `[frame ${shortUrl(frame.url())}]\n${text}`);
  }
  return parts.join("\n\n").slice(0, MOST_TEXT);
}

/** Cut inside the page, because its text may be longer than any message may be. */
const READ = (node: object, most: number): string => {
  const { innerText, textContent } = node as { innerText?: string; textContent?: string };
  return String(innerText ?? textContent ?? "").slice(0, most);
};

/** Reports the position afterwards, so that the caller knows when the end is reached. */
async function scroll(page: Page, { ref, to = "down" }: Of<"scroll">): Promise<Found> {
  if (ref !== undefined) await (await elementAt(page, ref)).scrollIntoViewIfNeeded({ timeout: ACT_MS });
  else await soon(page.evaluate(SCROLLS[to]), ACT_MS);
  await page.waitForTimeout(100);
  const seen = "[scrollY, scrollY + innerHeight, document.documentElement.scrollHeight].map(Math.round)";
  const [from, until, all] = (await soon(page.evaluate<number[]>(seen), ACT_MS)) ?? [];
  return all === undefined ? {} : { text: `Pixels ${from} to ${until} of ${all} are in view.` };
}

const SCROLLS = {
  up: "scrollBy(0, -innerHeight * 0.9)",
  down: "scrollBy(0, innerHeight * 0.9)",
  top: "scrollTo(0, 0)",
  bottom: "scrollTo(0, 1e9)",
} as const;

async function wait(page: Page, { text, ms = 1_000 }: Of<"wait">, signal: AbortSignal): Promise<Found> {
  const most = Math.min(text === undefined ? ms : Math.max(ms, ACT_MS), MOST_WAIT);
  if (text === undefined) await page.waitForTimeout(most);
  else await page.getByText(text).first().waitFor({ timeout: most, signal });
  return {};
}

/** A window that the page opened has no history: going back closes it and returns to the page that opened it. */
async function back(page: Page): Promise<Found> {
  const gone = await page.goBack({ waitUntil: "domcontentloaded", timeout: LOAD_MS });
  if (gone === null && page.url() !== "about:blank" && page.context().pages().length > 1) await page.close();
  else await settle(page);
  return {};
}

/** Works for a file field, and for an element that opens a file chooser when it is clicked. */
async function upload(page: Page, { ref, file }: Of<"upload">): Promise<Found> {
  const element = await ownElementAt(page, ref);
  const given = { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.bytes) };
  const isField = await element.evaluate((node) => (node as { type?: string }).type === "file", undefined, {
    timeout: ACT_MS,
  });
  if (isField) await element.setInputFiles(given, { timeout: ACT_MS });
  else {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser", { timeout: ACT_MS }),
      element.click({ timeout: ACT_MS }),
    ]);
    await chooser.setFiles(given, { timeout: ACT_MS });
  }
  await settle(page);
  return {};
}

async function download(browsing: Browsing, page: Page, { ref, url }: Of<"download">) {
  const element = ref === undefined ? undefined : await ownElementAt(page, ref);
  const coming = new Promise<Download>((resolve) => {
    browsing.takes = resolve;
  });
  try {
    if (element) await element.click({ timeout: ACT_MS });
    else if (url !== undefined) {
      browsing.allowSite(url);
      await page.goto(url, { timeout: OPEN_MS }).catch(() => {});
    }
    const started = await Promise.race([coming, page.waitForTimeout(ACT_MS)]);
    if (!started) throw notOffered(browsing, url);
    return await fileOf(started);
  } finally {
    browsing.takes = undefined;
  }
}

function notOffered(browsing: Browsing, url: string | undefined): ToolFailure {
  const stop = browsing.takeStop() ?? browsing.refusals[0];
  if (stop) return notOpened(stop);
  return new ToolFailure(
    "NOT_FOUND",
    url ? `${shortUrl(url)} is not offered as a download.` : "This started no download.",
    "Look at the page again; a page is read with the action get_text.",
  );
}

async function fileOf(started: Download) {
  const stream = await started.createReadStream();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += (piece as Uint8Array).length;
    if (bytes > MOST_FILE) {
      stream.destroy();
      await started.delete().catch(() => {});
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `The download has more than ${MOST_FILE} bytes.`,
        "Nothing was written.",
      );
    }
    pieces.push(piece as Uint8Array);
  }
  await started.delete().catch(() => {});
  return { name: started.suggestedFilename(), bytes: new Uint8Array(Buffer.concat(pieces)) };
}

/** Playwright's messages are long; the first line says what happened. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.replace(/^[\w.]+: /, "") ?? "";
