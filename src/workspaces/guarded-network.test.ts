import { describe, expect, test, vi } from "vitest";
import type { NetworkRequest } from "../core/contracts/network.ts";
import type { Touch } from "../core/words/touch.ts";
import { guardedNetwork } from "./guarded-network.ts";

const A = "http://a.example/";
const B = "http://b.example/";
const fetches = (method: string, url = A): Touch => ({ action: "fetch", method, url });
const abort = new AbortController();

function guarded(touches: Touch[], judge = async () => {}) {
  const made: NetworkRequest[] = [];
  const further = vi.fn(judge);
  const network = { request: async (request: NetworkRequest) => void made.push(request) } as never;
  return { made, further, ...guardedNetwork(network, touches, () => abort.signal, further) };
}

describe("the network of one call", () => {
  test.each<[what: string, touches: Touch[], request: NetworkRequest, isMade: boolean]>([
    ["what it declared", [fetches("GET")], { url: A }, true],
    ["in other capitals", [fetches("get")], { url: A, method: "Get" }, true],
    [
      "what a command of it declared",
      [{ action: "run", command: "c", class: "dev", inner: [fetches("GET")] }],
      { url: A },
      true,
    ],
    ["another address", [fetches("GET")], { url: B }, false],
    ["another method", [fetches("GET")], { url: A, method: "POST" }, false],
    ["nothing declared", [], { url: A }, false],
    ["where it was redirected to", [fetches("GET")], { url: B, from: A }, true],
    ["where it was redirected to, without its body", [fetches("HEAD")], { url: B, from: A, method: "head" }, true],
    ["nothing that led there, whatever was declared", [fetches("GET", "undefined")], { url: B }, false],
    ["redirected by what it did not declare", [fetches("GET")], { url: B, from: "http://c.example/" }, false],
    ["redirected by another method", [fetches("POST")], { url: B, from: A }, false],
    ["redirected with effects", [fetches("POST")], { url: B, from: A, method: "POST" }, false],
  ])("%s", async (_, touches, request, isMade) => {
    const it = guarded(touches);
    const asked = it.request(request);
    if (!isMade) await expect(asked).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    else await asked;
    expect(it.made).toHaveLength(isMade ? 1 : 0);
    expect(it.further).toHaveBeenCalledTimes(isMade && request.from !== undefined ? 1 : 0);
    if (isMade) expect(it.made[0]?.signal).toBe(abort.signal);
  });

  test("nothing is asked for when the call has ended", async () => {
    const made = vi.fn();
    const ended = AbortSignal.abort(new Error("ended"));
    const network = guardedNetwork({ request: made } as never, [fetches("GET")], () => ended, made);
    await expect(network.request({ url: A })).rejects.toThrow("ended");
    await expect(network.request({ url: B, from: A })).rejects.toThrow("ended");
    expect(made).not.toHaveBeenCalled();
  });

  test("a redirect is judged once, may lead on, and is not followed where the judgement says no", async () => {
    const it = guarded([fetches("GET")]);
    await it.request({ url: B, from: A });
    await it.request({ url: "http://c.example/", from: B });
    await it.request({ url: B, from: A });
    expect(it.further.mock.calls).toEqual([
      [{ action: "fetch", url: B, method: "GET" }, A],
      [{ action: "fetch", url: "http://c.example/", method: "GET" }, B],
    ]);
    const denied = guarded([fetches("GET")], async () => {
      throw new Error("no");
    });
    await expect(denied.request({ url: B, from: A })).rejects.toThrow("no");
    await expect(denied.request({ url: "http://c.example/", from: B })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(denied.made).toEqual([]);
  });
});
