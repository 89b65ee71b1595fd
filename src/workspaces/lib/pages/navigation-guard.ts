import type { Browser, CDPSession } from "playwright-core";

/** Where a page is about to go. */
export type Going = {
  readonly url: string;
  readonly method: string;
  /** It is the first thing that a window does which another page opened. */
  readonly isNewWindow: boolean;
};

/**
 * Asks before any page of the browser goes anywhere, at every redirect, and before the first request of a window that a
 * page opened: nothing has left by then. What happens inside frames is judged by the proxy alone.
 */
export async function guardPages(browser: Browser, mayGo: (going: Going) => boolean): Promise<void> {
  const protocol = await browser.newBrowserCDPSession();
  protocol.on("Fetch.requestPaused", ({ requestId, frameId, request: { url, method } }) => {
    const decided = pageAt(protocol, frameId).then(async (page) => {
      if (!page || mayGo({ url, method, isNewWindow: page.isNew }))
        return void (await protocol.send("Fetch.continueRequest", { requestId }));
      await protocol.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
      // a window that never got anywhere is told to nobody else, and would stay
      if (page.isNew) await protocol.send("Target.closeTarget", { targetId: frameId });
    });
    decided.catch(() => {});
  });
  await protocol.send("Fetch.enable", { patterns: [{ resourceType: "Document", requestStage: "Request" }] });
}

/** A page has the name of its outermost frame; undefined: a frame inside one. */
async function pageAt(protocol: CDPSession, frameId: string): Promise<{ isNew: boolean } | undefined> {
  const found = await protocol.send("Target.getTargetInfo", { targetId: frameId }).catch(() => undefined);
  if (!found || found.targetInfo.type === "iframe") return undefined;
  const { openerId, url } = found.targetInfo;
  return { isNew: openerId !== undefined && !/^https?:/.test(url) };
}
