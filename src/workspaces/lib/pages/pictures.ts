import type { Locator, Page } from "playwright-core";
import type { Picture } from "../../../core/contracts/pages.ts";

/** Models scale down or refuse longer sides. */
const MOST_SIDE = 7_800;
const MOST_BYTES = 3_700_000;
const QUIET = { animations: "disabled", caret: "hide", timeout: 15_000 } as const;

/** A PNG, or a JPEG where that would be too large. */
export async function pictureOf(page: Page, wanted: { fullPage?: boolean; element?: Locator }): Promise<Picture> {
  if (wanted.element) {
    const { element } = wanted;
    const box = await element.boundingBox({ timeout: QUIET.timeout });
    const size = { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
    return { ...(await small((form) => element.screenshot({ ...QUIET, ...form }))), ...size };
  }
  const view = page.viewportSize() ?? { width: 0, height: 0 };
  if (!wanted.fullPage) return { ...(await small((form) => page.screenshot({ ...QUIET, ...form }))), ...view };
  const whole = await wholeSize(page);
  const width = Math.min(Math.max(whole.width, view.width), MOST_SIDE);
  const height = Math.min(Math.max(whole.height, view.height), MOST_SIDE);
  const clip = { x: 0, y: 0, width, height };
  const taken = await small((form) => page.screenshot({ ...QUIET, ...form, fullPage: true, clip }));
  const cut = whole.height > height || whole.width > width;
  return { ...taken, width, height, ...(cut && { cut }) };
}

async function wholeSize(page: Page): Promise<{ width: number; height: number }> {
  const protocol = await page.context().newCDPSession(page);
  try {
    const { cssContentSize } = await protocol.send("Page.getLayoutMetrics");
    return { width: Math.ceil(cssContentSize.width), height: Math.ceil(cssContentSize.height) };
  } finally {
    await protocol.detach().catch(() => {});
  }
}

type Form = { type: "png" } | { type: "jpeg"; quality: number };
const FORMS: readonly Form[] = [
  { type: "png" },
  { type: "jpeg", quality: 80 },
  { type: "jpeg", quality: 50 },
  { type: "jpeg", quality: 20 },
];

async function small(take: (form: Form) => Promise<Uint8Array>): Promise<Pick<Picture, "mime" | "bytes">> {
  let bytes: Uint8Array = new Uint8Array();
  let mime = "";
  for (const form of FORMS) {
    bytes = await take(form);
    mime = `image/${form.type}`;
    if (bytes.length <= MOST_BYTES) break;
  }
  return { mime, bytes };
}
