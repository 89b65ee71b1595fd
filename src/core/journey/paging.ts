import type { PageDeed, PagePermit, Pages, PageView } from "../contracts/pages.ts";
import { ToolFailure } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import { judge } from "./opinions.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

/** Deeds that only look at a page or close it. All others may send something. */
const LOOKING: ReadonlySet<PageDeed["kind"]> = new Set(["snapshot", "text", "picture", "scroll", "wait", "close"]);

/** Answering a dialog tells the page something, so it is not looking. */
const isLooking = (deed: PageDeed): boolean =>
  LOOKING.has(deed.kind) && !(deed.dialog?.accept || deed.dialog?.text !== undefined);

/** The pages of the call's session. Opens only declared addresses, and acts only on a declared site. */
export function pageView(trip: Trip, prepared: Prepared, pages: Pages): PageView {
  const { touches } = prepared.ready;
  const session = trip.known.call.sessionID;
  const permit = permitOf(trip, prepared);
  return {
    async act(deed) {
      trip.life.check();
      if (deed.kind === "open" || (deed.kind === "download" && deed.url !== undefined))
        checkFetch(touches, deed.url ?? "");
      else if (!isLooking(deed)) checkSite(touches, pages.at(session));
      if (!isLooking(deed)) trip.deeds.requested = true;
      return pages.act(session, deed, permit);
    },
    async capture(wanted) {
      trip.life.check();
      checkFetch(touches, wanted.url);
      trip.deeds.requested = true;
      return pages.capture(session, wanted, permit);
    },
  };
}

function checkFetch(touches: readonly Touch[], url: string): void {
  const declared = touches.some((touch) => touch.action === "fetch" && touch.method === "GET" && touch.url === url);
  if (!declared)
    throw new ToolFailure(
      "PERMISSION_DENIED",
      `${url} was not declared by this call.`,
      "Open it with a separate call.",
    );
}

/** The page may have gone elsewhere since the call was judged. */
function checkSite(touches: readonly Touch[], url: string | undefined): void {
  if (url === undefined) throw new ToolFailure("NOT_FOUND", "No page is open.", "Open one first.");
  const { origin } = new URL(url);
  const declared = touches.some(
    (touch) => touch.action === "fetch" && URL.canParse(touch.url) && new URL(touch.url).origin === origin,
  );
  if (!declared)
    throw new ToolFailure(
      "CONFLICT",
      `The page is at ${url} now, and this call was allowed for another site.`,
      "Look at the page again, then repeat the call.",
    );
}

/** Judges where a page goes by itself. It is too late to ask, except about what this call was asked about already. */
function permitOf({ station, life }: Trip, { ready, verdict, approved }: Prepared): PagePermit {
  const { policies } = station.parts;
  const isAgreed = approved !== undefined || verdict.by === "grant";
  return {
    get signal() {
      return life.signal;
    },
    objection({ url, method, page }) {
      const touch: Touch = { action: "fetch", url, method };
      const said = judge(policies, { ...ready, touches: [touch], changes: [] }, station.facts);
      if (said.answer === "deny") return { reason: said.reason };
      if (said.answer === "allow" || !page || said.grantable) return undefined;
      const asked = isAgreed ? judge(policies, ready, station.facts) : undefined;
      return asked?.by === said.by && asked.reason === said.reason ? undefined : { reason: said.reason, asks: true };
    },
  };
}
