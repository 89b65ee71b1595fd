import type { Capture, PageDeed, PagePermit, PageReport, Pages } from "../core/contracts/pages.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Browsing, Setting } from "./lib/pages/browsing.ts";

/** How many browsers run at once; how long one may be idle; how long one may live. */
const MOST_BROWSERS = 4;
const IDLE_MS = 5 * 60_000;
const WHOLE_MS = 30 * 60_000;
/** The time limit for one action on a page, and the grace after it was aborted. */
const DEED_MS = 75_000;
const GRACE_MS = 1_500;

export type PageSettings = Setting & {
  limits?: { browsers?: number; idleMs?: number; wholeMs?: number; deedMs?: number };
};

type Kept = {
  starting: Promise<Browsing>;
  browsing?: Browsing;
  idle?: NodeJS.Timeout;
  whole?: NodeJS.Timeout;
  last: Promise<unknown>;
};

/** If work does not end in time, or not after an abort, its browser is ended. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal, ms: number, end: () => Promise<void>): Promise<T> {
  const timers: NodeJS.Timeout[] = [];
  let stop = () => {};
  const over = new Promise<"late" | "stopped">((resolve) => {
    timers.push(setTimeout(resolve, ms, "late"));
    stop = () => void timers.push(setTimeout(resolve, GRACE_MS, "stopped"));
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), over]);
    if (typeof first !== "string") return first.value;
    work.catch(() => {});
    void end();
    signal.throwIfAborted();
    throw new ToolFailure("TIMEOUT", "The page did not answer, and was closed.", "Open it again, or try another one.");
  } finally {
    signal.removeEventListener("abort", stop);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Browsers on this machine, one per session. Nothing is loaded before the first page. */
export function localPages(settings: PageSettings): Pages {
  const {
    browsers: most = MOST_BROWSERS,
    idleMs = IDLE_MS,
    wholeMs = WHOLE_MS,
    deedMs = DEED_MS,
  } = settings.limits ?? {};
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

  /** Runs one action at a time: a page is in one state at a time. */
  async function using<T>(session: string, permit: PagePermit, work: (browsing: Browsing) => Promise<T>): Promise<T> {
    let one = kept.get(session);
    if (one?.browsing && !one.browsing.isConnected) {
      const ended = one.browsing.ended;
      await forget(session);
      if (ended) throw ended;
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
        return inTime(work(browsing), permit.signal, deedMs, () => forget(session));
      });
    own.last = result;
    try {
      return await result;
    } finally {
      if (own.browsing?.ended) await forget(session);
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
