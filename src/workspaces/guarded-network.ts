import type { NetworkGuard } from "../core/contracts/network.ts";
import { ToolFailure } from "../core/words/result.ts";
import { eachTouch } from "../core/words/touch.ts";

/** Requests that one call declared, to the letter of method and address, and nothing else. */
export const guardedNetwork: NetworkGuard = (network, touches, signal) => {
  const declared = new Set(
    eachTouch(touches).flatMap((touch) =>
      touch.action === "fetch" ? [`${touch.method.toUpperCase()} ${touch.url}`] : [],
    ),
  );
  return {
    async request(request) {
      signal().throwIfAborted();
      const method = (request.method ?? "GET").toUpperCase();
      if (!declared.has(`${method} ${request.url}`))
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `${method} ${request.url} was not declared by this call.`,
          "A tool fetches only what its touches name.",
        );
      return network.request({ ...request, method, signal: request.signal ?? signal() });
    },
  };
};
