import type { Frame, Locator, Page } from "playwright-core";
import { ToolFailure } from "../../../core/words/result.ts";

/** How long a page may take for one thing. */
export const ACT_MS = 8_000;

/** By the reference that the last snapshot gave it. */
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

/** To act on: what is done on a page was judged for its own site, and a frame may be of another. */
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

/** What has no address of its own was written by whoever holds it. */
function siteOf(frame: Frame): string {
  const url = frame.url();
  const parent = frame.parentFrame();
  if (parent && !/^https?:/.test(url)) return siteOf(parent);
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** What a page answers, or undefined: a script that never ends, or a frame that never loads, never does. */
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
