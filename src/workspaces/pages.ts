import type { Capture, PageDeed, PagePermit, PageReport, Pages } from "../core/contracts/pages.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Browsing, Setting } from "./lib/pages/browsing.ts";

/** At once; how long one may be left alone; how long one may live. */
const MOST_BROWSERS = 4;
const IDLE_MS = 5 * 60_000;
const WHOLE_MS = 30 * 60_000;

export type PageSettings = Setting & { limits?: { browsers?: number; idleMs?: number; wholeMs?: number } };

type Kept = {
  starting: Promise<Browsing>;
  browsing?: Browsing;
  idle?: NodeJS.Timeout;
  whole?: NodeJS.Timeout;
  last: Promise<unknown>;
};

/** Browsers on this machine, one for each session that asks. Nothing is loaded before the first page. */
export function localPages(settings: PageSettings): Pages {
  const { browsers: most = MOST_BROWSERS, idleMs = IDLE_MS, wholeMs = WHOLE_MS } = settings.limits ?? {};
  const kept = new Map<string, Kept>();
  let over = false;

  async function forget(session: string): Promise<void> {
    const one = kept.get(session);
    if (!one) return;
    kept.delete(session);
    clearTimeout(one.idle);
    clearTimeout(one.whole);
    await one.starting.then((browsing) => browsing.close()).catch(() => {});
  }

  function start(session: string, permit: PagePermit): Kept {
    if (over) throw new ToolFailure("CANCELLED", "The workspace is closed.", "Nothing more can be opened.");
    if (kept.size >= most)
      throw new ToolFailure(
        "RATE_LIMITED",
        `${most} browsers are open, and there may not be more.`,
        'Close one with {"action":"close"}.',
      );
    const starting = import("./lib/pages/browsing.ts").then(({ Browsing }) => Browsing.start(settings, permit));
    const one: Kept = { starting, last: starting };
    one.whole = setTimeout(() => void forget(session), wholeMs).unref();
    kept.set(session, one);
    starting.then(
      (browsing) => {
        one.browsing = browsing;
      },
      () => forget(session),
    );
    return one;
  }

  /** One thing after the other: a page is in one state at a time. */
  async function using<T>(session: string, permit: PagePermit, work: (browsing: Browsing) => Promise<T>): Promise<T> {
    let one = kept.get(session);
    if (one?.browsing && !one.browsing.isConnected) {
      await forget(session);
      one = undefined;
    }
    const own = one ?? start(session, permit);
    clearTimeout(own.idle);
    const result = own.last
      .catch(() => {})
      .then(() => own.starting)
      .then((browsing) => {
        permit.signal.throwIfAborted();
        browsing.begin(permit);
        return work(browsing);
      });
    own.last = result;
    try {
      return await result;
    } finally {
      if (kept.get(session) === own) {
        clearTimeout(own.idle);
        own.idle = setTimeout(() => void forget(session), idleMs).unref();
      }
    }
  }

  return {
    at(session) {
      const url = kept.get(session)?.browsing?.current?.url();
      return url !== undefined && /^https?:/.test(url) ? url : undefined;
    },
    async act(session: string, deed: PageDeed, permit: PagePermit): Promise<PageReport> {
      if (deed.kind === "close") {
        await forget(session);
        return { url: "", title: "", told: [] };
      }
      if (deed.kind !== "open" && !(deed.kind === "download" && deed.url !== undefined) && !kept.has(session))
        throw new ToolFailure("NOT_FOUND", "No page is open.", 'Open one: {"action":"open","url":"https://…"}.');
      const { act } = await import("./lib/pages/acting.ts");
      return using(session, permit, (browsing) => act(browsing, deed));
    },
    async capture(session: string, wanted: Capture, permit: PagePermit): Promise<PageReport> {
      const { capture } = await import("./lib/pages/acting.ts");
      return using(session, permit, (browsing) => capture(browsing, wanted));
    },
    forget,
    async close() {
      over = true;
      await Promise.all([...kept.keys()].map(forget));
    },
  };
}
