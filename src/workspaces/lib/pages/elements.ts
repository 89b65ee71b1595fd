import type { Frame, Locator, Page } from "playwright-core";
import { ToolFailure } from "../../../core/words/result.ts";

/** The time limit for one action on a page. */
export const ACT_MS = 8_000;

/** Finds an element by a reference of the last snapshot. */
export async function elementAt(page: Page, ref: string): Promise<Locator> {
  const element = page.locator(`aria-ref=${ref}`);
  const known = /^(?:f\d+)?e\d+$/.test(ref) && ((await soon(element.count(), ACT_MS)) ?? 0) > 0;
  if (known) return element;
  throw new ToolFailure(
    "NOT_FOUND",
    `There is no element ${ref.slice(0, 40)} on the page.`,
    'References are those of the last snapshot: take a new one with {"action":"snapshot"}.',
  );
}

/** For actions. They were judged for the page's own site, so elements in frames of other sites are refused. */
export async function ownElementAt(page: Page, ref: string): Promise<Locator> {
  const element = await elementAt(page, ref);
  if (!ref.startsWith("f")) return element;
  const handle = await element.elementHandle({ timeout: ACT_MS });
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  const site = frame ? siteOf(frame) : "nobody knows whom";
  if (site === siteOf(page.mainFrame())) return element;
  throw new ToolFailure(
    "PERMISSION_DENIED",
    `${ref} is in a frame of ${site}, which is another site than the page's.`,
    'Open that page itself to act on it: {"action":"open","url":"…"}.',
  );
}

/** A frame without an http address belongs to the frame that contains it. */
function siteOf(frame: Frame): string {
  const url = frame.url();
  const parent = frame.parentFrame();
  if (parent && !/^https?:/.test(url)) return siteOf(parent);
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The answer of a page, or undefined after `ms`: an endless script or a frame that never loads would block forever. */
export async function soon<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([answer.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
