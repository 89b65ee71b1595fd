import { describe, expect, test } from "vitest";
import { at, ready } from "../../../test/judging.ts";
import { tripIn } from "../../../test/tripping.ts";
import type { Capture, PageDeed, PagePermit, Pages } from "../contracts/pages.ts";
import type { Policy } from "../contracts/policy.ts";
import { ToolFailure } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Judgement, Verdict } from "../words/verdict.ts";
import { pageView } from "./paging.ts";
import type { Prepared } from "./stages.ts";

const HERE = "https://a.example/x";
const fetches = (url: string, method = "GET"): Touch => ({ action: "fetch", url, method });
const ALLOW: Judgement = { answer: "allow", by: "mode", reason: "so" };

type Given = { touches?: Touch[]; page?: string | undefined; policies?: Policy[]; prepared?: Partial<Prepared> };

/** The browser as one call has it, and what was done in it. */
function paging({ touches = [fetches(HERE)], policies = [], prepared = {}, ...given }: Given = {}) {
  const page = "page" in given ? given.page : HERE;
  const done: unknown[] = [];
  let permit: PagePermit | undefined;
  const pages = {
    at: (session: string) => (session === "session" ? page : undefined),
    act: async (session: string, deed: PageDeed, given: PagePermit) => {
      permit = given;
      done.push([session, deed.kind]);
    },
    capture: async (session: string, wanted: Capture) => void done.push([session, wanted.url]),
  } as unknown as Pages;
  const trip = tripIn({ parts: { policies } });
  const view = pageView(trip, { ready: ready({ touches }), verdict: ALLOW, ...prepared }, pages);
  const act = (deed: object) =>
    view.act(deed as PageDeed).then(
      () => "done",
      ({ code }: ToolFailure) => code as string,
    );
  const capture = (url: string) =>
    view.capture({ url } as Capture).then(
      () => "done",
      ({ code }: ToolFailure) => code as string,
    );
  return { trip, act, capture, done, permitted: () => permit as PagePermit };
}

describe("what a call does in the browser is what it declared", () => {
  const ACTS = ["click", "hover", "type", "fill", "select", "press", "upload", "back"];
  const LOOKS = ["snapshot", "text", "picture", "scroll", "wait", "close"];

  test.each<[string, object, Given, string]>([
    ["opens what it declared", { kind: "open", url: HERE }, {}, "done"],
    [
      "opens one of several things that it declared",
      { kind: "open", url: HERE },
      { touches: [at("read", "a"), fetches("https://b.example/"), fetches(HERE)] },
      "done",
    ],
    [
      "acts on one of several sites that it declared",
      { kind: "click", ref: "e1" },
      { touches: [at("read", "a"), fetches("https://b.example/"), fetches(HERE)] },
      "done",
    ],
    ["opens nothing else", { kind: "open", url: "https://a.example/y" }, {}, "PERMISSION_DENIED"],
    [
      "declared to send is not declared to open",
      { kind: "open", url: HERE },
      { touches: [fetches(HERE, "POST")] },
      "PERMISSION_DENIED",
    ],
    ["downloads what it declared", { kind: "download", url: HERE }, { page: undefined }, "done"],
    ["downloads nothing else by its address", { kind: "download", url: "https://b.example/" }, {}, "PERMISSION_DENIED"],
    ["downloads from the page", { kind: "download", ref: "e1" }, {}, "done"],
    ["not from another's page", { kind: "download", ref: "e1" }, { page: "https://b.example/" }, "CONFLICT"],
    ...ACTS.flatMap((kind): [string, object, Given, string][] => [
      [`${kind} on its site`, { kind, ref: "e1" }, {}, "done"],
      [`${kind} anywhere on its site`, { kind, ref: "e1" }, { page: "https://a.example/other" }, "done"],
      [`${kind} where the page went since`, { kind, ref: "e1" }, { page: "https://b.example/x" }, "CONFLICT"],
      [`${kind} by another port`, { kind, ref: "e1" }, { page: "https://a.example:8443/x" }, "CONFLICT"],
      [`${kind} without a page`, { kind, ref: "e1" }, { page: undefined }, "NOT_FOUND"],
    ]),
    [
      "touches that are no addresses allow no site",
      { kind: "click", ref: "e1" },
      { touches: [fetches("nonsense"), at("read", "a")] },
      "CONFLICT",
    ],
    ...LOOKS.map((kind): [string, object, Given, string] => [
      `${kind} anywhere`,
      { kind },
      { page: "https://b.example/" },
      "done",
    ]),
    [
      "looks and dismisses a dialog",
      { kind: "wait", dialog: { accept: false } },
      { page: "https://b.example/" },
      "done",
    ],
    [
      "looks and agrees to a dialog",
      { kind: "wait", dialog: { accept: true } },
      { page: "https://b.example/" },
      "CONFLICT",
    ],
    [
      "looks and answers a dialog",
      { kind: "wait", dialog: { accept: false, text: "x" } },
      { page: "https://b.example/" },
      "CONFLICT",
    ],
  ])("%s", async (_, deed, given, end) => {
    const { act, done } = paging(given);
    expect(await act(deed)).toBe(end);
    expect(done).toEqual(end === "done" ? [["session", (deed as PageDeed).kind]] : []);
  });

  test("what may send something counts as sent, what looks does not", async () => {
    for (const kind of LOOKS) {
      const { act, trip } = paging();
      await act({ kind });
      expect([kind, trip.deeds.requested]).toEqual([kind, undefined]);
    }
    for (const deed of [
      { kind: "click", ref: "e1" },
      { kind: "open", url: HERE },
      { kind: "wait", dialog: { accept: true } },
    ]) {
      const { act, trip } = paging();
      await act(deed);
      expect([deed.kind, trip.deeds.requested]).toEqual([deed.kind, true]);
    }
    const refused = paging();
    await refused.act({ kind: "open", url: "https://b.example/" });
    expect(refused.trip.deeds.requested).toBeUndefined();
  });

  test("pictures are taken of what it declared, and count as sent", async () => {
    const { capture, done, trip } = paging();
    expect(await capture("https://b.example/")).toBe("PERMISSION_DENIED");
    expect([done, trip.deeds.requested]).toEqual([[], undefined]);
    expect(await capture(HERE)).toBe("done");
    expect([done, trip.deeds.requested]).toEqual([[["session", HERE]], true]);
  });

  test("nothing is done after the call was stopped", async () => {
    const { act, capture, done, trip } = paging();
    trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
    expect([await act({ kind: "snapshot" }), await capture(HERE), done]).toEqual(["CANCELLED", "CANCELLED", []]);
  });
});

describe("where a page goes by itself is judged", () => {
  const says = (answer: Verdict["answer"], reason: string, more: Partial<Verdict> = {}): Verdict => ({
    ...{ answer, by: "hosts", reason },
    ...more,
  });
  /** What is said of one host and of all others, and of methods. */
  const hosts = (said: Record<string, Verdict>): Policy => ({
    name: "hosts",
    judge: ({ touches: [touch], changes }) =>
      touch?.action === "fetch" && changes.length === 0
        ? (said[`${touch.method} ${new URL(touch.url).host}`] ?? said[new URL(touch.url).host])
        : undefined,
  });
  const agreed = { approved: "hash" };

  test.each<[string, Record<string, Verdict>, Partial<Prepared>, boolean, object | undefined]>([
    ["allowed", { "b.example": says("allow", "") }, {}, true, undefined],
    ["denied", { "b.example": says("deny", "no") }, {}, true, { reason: "no" }],
    ["denied, even for a part", { "b.example": says("deny", "no") }, {}, false, { reason: "no" }],
    [
      "denied, whatever was agreed to",
      { "a.example": says("ask", "why"), "b.example": says("deny", "no") },
      agreed,
      true,
      { reason: "no" },
    ],
    [
      "by its method",
      { "b.example": says("allow", ""), "POST b.example": says("deny", "no posts") },
      {},
      true,
      { reason: "no posts" },
    ],
    ["asked about", { "b.example": says("ask", "why") }, {}, true, { reason: "why", asks: true }],
    ["asked about, for a part", { "b.example": says("ask", "why") }, {}, false, undefined],
    [
      "asked about, and any yes would do",
      { "b.example": says("ask", "why", { grantable: true }) },
      {},
      true,
      undefined,
    ],
    [
      "asked about for the same reason as the call",
      { "a.example": says("ask", "why"), "b.example": says("ask", "why") },
      agreed,
      true,
      undefined,
    ],
    [
      "the same reason, by a standing yes",
      { "a.example": says("ask", "why"), "b.example": says("ask", "why") },
      { verdict: { ...ALLOW, by: "grant" } },
      true,
      undefined,
    ],
    [
      "the same reason, but nobody was asked",
      { "a.example": says("ask", "why"), "b.example": says("ask", "why") },
      {},
      true,
      { reason: "why", asks: true },
    ],
    [
      "another reason",
      { "a.example": says("ask", "so"), "b.example": says("ask", "why") },
      agreed,
      true,
      { reason: "why", asks: true },
    ],
    [
      "the same reason of another policy",
      { "a.example": says("ask", "why", { by: "other" }), "b.example": says("ask", "why") },
      agreed,
      true,
      { reason: "why", asks: true },
    ],
  ])("%s", async (_, said, prepared, page, objection) => {
    const { act, permitted } = paging({ policies: [hosts(said)], prepared });
    await act({ kind: "snapshot" });
    const method = Object.keys(said).some((each) => each.startsWith("POST")) ? "POST" : "GET";
    expect(permitted().objection({ url: "https://b.example/y", method, page })).toEqual(objection);
  });

  test("the browser hears when the call is stopped", async () => {
    const { act, permitted, trip } = paging();
    await act({ kind: "snapshot" });
    expect(permitted().signal.aborted).toBe(false);
    trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
    expect(permitted().signal.aborted).toBe(true);
  });
});
