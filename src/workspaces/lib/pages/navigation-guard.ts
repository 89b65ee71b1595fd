import type { Browser, CDPSession } from "playwright-core";

/** Where a page is about to go. */
export type Going = {
  readonly url: string;
  readonly method: string;
  /** This is the first navigation of a window that another page opened. */
  readonly isNewWindow: boolean;
};

/**
 * Judges every navigation of a page, every redirect, and the first request of a window that a page opened, before
 * anything is sent. Navigations inside frames are judged by the proxy alone.
 */
export async function guardPages(browser: Browser, mayGo: (going: Going) => boolean): Promise<void> {
  const protocol = await browser.newBrowserCDPSession();
  protocol.on("Fetch.requestPaused", ({ requestId, frameId, request: { url, method } }) => {
    const decided = pageAt(protocol, frameId).then(async (page) => {
      if (!page || mayGo({ url, method, isNewWindow: page.isNew }))
        return void (await protocol.send("Fetch.continueRequest", { requestId }));
      await protocol.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
      // nobody else reports a window that never loaded anything, so it would stay open
      if (page.isNew) await protocol.send("Target.closeTarget", { targetId: frameId });
    });
    decided.catch(() => {});
  });
  await protocol.send("Fetch.enable", { patterns: [{ resourceType: "Document", requestStage: "Request" }] });
}

/** The target of a top-level frame has the same id as its page. Returns undefined for a frame inside a page. */
async function pageAt(protocol: CDPSession, frameId: string): Promise<{ isNew: boolean } | undefined> {
  const found = await protocol.send("Target.getTargetInfo", { targetId: frameId }).catch(() => undefined);
  if (!found || found.targetInfo.type === "iframe") return undefined;
  const { openerId, url } = found.targetInfo;
  return { isNew: openerId !== undefined && !/^https?:/.test(url) };
}
