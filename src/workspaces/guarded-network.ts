import type { NetworkGuard } from "../core/contracts/network.ts";
import { ToolFailure } from "../core/words/result.ts";
import { eachTouch } from "../core/words/touch.ts";

/** Only the requests that a call declared, by exact method and URL. Their redirects are judged by `further`. */
export const guardedNetwork: NetworkGuard = (network, touches, signal, further) => {
  const allowed = new Set(
    eachTouch(touches).flatMap((touch) =>
      touch.action === "fetch" ? [keyOf(touch.method.toUpperCase(), touch.url)] : [],
    ),
  );
  return {
    async request(request) {
      signal().throwIfAborted();
      const method = (request.method ?? "GET").toUpperCase();
      const { url, from } = request;
      if (!allowed.has(keyOf(method, url))) {
        // only a request that was itself allowed can lead to further ones
        if (from === undefined || !isReading(method) || !allowed.has(keyOf(method, from)))
          throw new ToolFailure(
            "PERMISSION_DENIED",
            `${method} ${url} was not declared by this call.`,
            "A tool fetches only what its touches name.",
          );
        await further({ action: "fetch", url, method }, from);
        allowed.add(keyOf(method, url));
      }
      return network.request({ ...request, method, signal: request.signal ?? signal() });
    },
  };
};

const keyOf = (method: string, url: string): string => `${method} ${url}`;
const isReading = (method: string): boolean => method === "GET" || method === "HEAD";
