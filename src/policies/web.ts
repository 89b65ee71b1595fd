import type { Policy } from "../core/contracts/policy.ts";
import { eachTouch } from "../core/words/touch.ts";
import { isOutOfReach, type ReachSettings, reachOf } from "../rules/reach.ts";

export type WebSettings = ReachSettings & {
  /** Requests per minute to one host. */
  readonly rate: number;
};

const MINUTE = 60_000;

/** Where requests may go, judged by the URL. The address that its name resolves to is checked on connecting. */
export function web({ rate, ...settings }: WebSettings): Policy {
  const reach = reachOf(settings);
  return {
    name: "web",
    speaksOf: ["fetch", "run"],
    judge({ touches }) {
      const hosts = new Map<string, number>();
      for (const touch of touches) {
        if (touch.action === "run") {
          const denied = eachTouch(touch.inner).find((each) => each.action === "fetch" && reach.isDenied(each.url));
          if (denied?.action === "fetch")
            return { answer: "deny", by: "web", reason: `web.deny names the host of ${denied.url}` };
        }
        if (touch.action !== "fetch") continue;
        const judged = reach.url(touch.url);
        if (isOutOfReach(judged)) return { answer: "deny", by: "web", ...judged };
        hosts.set(judged.url.host, (hosts.get(judged.url.host) ?? 0) + 1);
      }
      if (hosts.size === 0) return undefined;
      return {
        by: "web",
        reserve: [...hosts].map(([host, amount]) => ({
          ...{ key: host, limit: rate, window: MINUTE, amount },
          full: `only ${rate} requests a minute may go to ${host} (web.rate)`,
        })),
      };
    },
  };
}
