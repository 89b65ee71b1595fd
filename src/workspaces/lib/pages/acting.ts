import type { Page } from "playwright-core";
import type { Capture, PageDeed, PageReport } from "../../../core/contracts/pages.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { type Browsing, shortUrl } from "./browsing.ts";
import { firstLine, goTo, perform, settle } from "./deeds.ts";
import { soon } from "./elements.ts";
import { pictureOf } from "./pictures.ts";

const MOST_TITLE = 300;
const TITLE_MS = 2_000;

/** Performs one action on the current page and reports the state of the page after it. */
export async function act(browsing: Browsing, deed: PageDeed): Promise<PageReport> {
  const opens = deed.kind === "open" || (deed.kind === "download" && deed.url !== undefined);
  const page = opens ? await pageToOpen(browsing) : browsing.current;
  if (!page) throw new ToolFailure("NOT_FOUND", "No page is open.", 'Open one: {"action":"open","url":"https://…"}.');
  browsing.answer = deed.dialog;
  try {
    if (deed.kind === "open") await goTo(browsing, page, deed.url);
    const found = await perform(browsing, page, deed);
    const state = await stateOf(browsing.current ?? page);
    if (browsing.ended) throw browsing.ended;
    return { ...state, ...found, told: [...browsing.toldSince(), ...refusedParts(browsing)] };
  } catch (error) {
    throw explained(error, deed, browsing);
  } finally {
    browsing.answer = undefined;
  }
}

/** The current page, or a new one if a script keeps it from answering. */
async function pageToOpen(browsing: Browsing): Promise<Page> {
  const page = await browsing.openPage();
  if ((await soon(page.evaluate("1"), TITLE_MS)) !== undefined) return page;
  await browsing.dropPages();
  return browsing.openPage();
}

/** Takes a screenshot in a context of its own, which is discarded afterwards. */
export async function capture(browsing: Browsing, wanted: Capture): Promise<PageReport> {
  const { width, height, fullPage, url, delayMs } = wanted;
  const context = await browsing.newContext({ width, height });
  try {
    const page = await context.newPage();
    context.on("page", (popup) => void popup.close().catch(() => {}));
    browsing.watch(page);
    await goTo(browsing, page, url);
    if (delayMs > 0) await page.waitForTimeout(delayMs);
    await settle(page);
    const picture = await pictureOf(page, { fullPage });
    return { ...(await stateOf(page)), picture, told: [...browsing.toldSince(), ...refusedParts(browsing)] };
  } catch (error) {
    throw explained(error, { kind: "picture" }, browsing);
  } finally {
    await context.close().catch(() => {});
  }
}

async function stateOf(page: Page): Promise<{ url: string; title: string }> {
  const title = await soon(page.evaluate(`String(document.title).slice(0, ${MOST_TITLE})`), TITLE_MS);
  return { url: page.url(), title: String(title ?? "").slice(0, MOST_TITLE) };
}

/** Summarizes the page's requests that were refused, by host and reason. */
function refusedParts(browsing: Browsing): string[] {
  const told = new Map<string, number>();
  for (const { url, reason } of browsing.refusals) {
    const host = URL.canParse(url) ? new URL(url).host : shortUrl(url);
    const line = `${host} (${reason.replace(/\.$/, "")})`;
    told.set(line, (told.get(line) ?? 0) + 1);
  }
  if (told.size === 0) return [];
  const lines = [...told].slice(0, 5).map(([line, times]) => (times > 1 ? `${line}, ${times} times` : line));
  const more = told.size > lines.length ? [`and ${told.size - lines.length} more`] : [];
  return [`Not requested: ${[...lines, ...more].join("; ")}.`];
}

function explained(error: unknown, deed: PageDeed, browsing: Browsing): unknown {
  const told = browsing.toldSince();
  if (browsing.ended) return browsing.ended;
  if (error instanceof ToolFailure) {
    if (told.length === 0) return error;
    return new ToolFailure(error.code, error.message, error.hint, {
      output: told.join("\n"),
      metadata: error.metadata,
    });
  }
  const said = firstLine(error);
  const output = told.join("\n");
  if (error instanceof Error && error.name === "TimeoutError")
    return new ToolFailure("TIMEOUT", `${deed.kind}: ${said}`, hintFor(error.message), { output });
  if (/closed|crashed/i.test(said))
    return new ToolFailure("IO_ERROR", "The page was closed.", 'Open it again with the action "open".', { output });
  return new ToolFailure("IO_ERROR", `${deed.kind}: ${said}`, "Look at the page again before you repeat it.", {
    output,
  });
}

const hintFor = (story: string): string =>
  /intercepts pointer events/.test(story)
    ? "Something lies over the element: close that first, or scroll."
    : /not visible|outside of the viewport/.test(story)
      ? "The element is not visible: scroll, or open what hides it."
      : /not enabled|disabled/.test(story)
        ? "The element is disabled: something else has to be filled in first."
        : "Take a new snapshot: the page may have changed.";
