import { describe, expect, test } from "vitest";
import { ready } from "../../../test/judging.ts";
import { sha256, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { FetchTouch } from "../contracts/network.ts";
import type { Policy } from "../contracts/policy.ts";
import type { LoadedEntry } from "../registry.ts";
import type { Ready } from "../words/ready.ts";
import type { Danger } from "../words/touch.ts";
import type { Judgement, Verdict } from "../words/verdict.ts";
import { coveredBy } from "./fingerprints.ts";
import { judgeFurther } from "./late-fetches.ts";
import type { Prepared } from "./stages.ts";

const FROM = "http://a.example/";
const ALLOW: Judgement = { answer: "allow", by: "mode", reason: "so" };
const ask = (reason = "it is asked about", more: Partial<Verdict> = {}): Verdict => ({
  ...{ answer: "ask", by: "hosts", reason },
  ...more,
});

type Said = Record<string, Verdict>;

/** What is said of each address; the call itself was for FROM. */
function following(said: Said, prepared: Partial<Prepared> = {}, danger: Danger = "moderate") {
  const judged: string[] = [];
  const policy: Policy = {
    name: "hosts",
    judge: ({ touches, danger }) => {
      const [touch] = touches as [FetchTouch];
      judged.push(`${touches.length} ${touch.method} ${touch.url} ${danger}`);
      return said[touch.url] ?? said[`${touch.method} ${touch.url}`] ?? { answer: "allow", by: "mode", reason: "" };
    },
  };
  const store = memoryStore();
  const trip = tripIn({ parts: { policies: [policy], store } });
  const call: Ready = {
    ...ready({ touches: [{ action: "fetch", url: FROM, method: "GET" }], danger }),
    tool: { name: "thing", definition: {} } as LoadedEntry,
  };
  const further = judgeFurther(trip, { ready: call, verdict: ALLOW, ...prepared });
  const go = (url: string, method = "GET", from = FROM) =>
    further({ action: "fetch", url, method }, from).then(
      () => "goes on",
      (error) => error,
    );
  return { trip, go, judged, store, call };
}

const agreed = { approved: "hash" };
const granted = { verdict: { ...ALLOW, by: "grant" } };

describe("where a request is redirected to", () => {
  test.each<[string, Said, Partial<Prepared>, url: string, goes: boolean]>([
    ["is allowed", {}, {}, "https://b.example/", true],
    [
      "is denied",
      { "https://b.example/": { answer: "deny", by: "hosts", reason: "no" } },
      {},
      "https://b.example/",
      false,
    ],
    ["is asked about", { "https://b.example/": ask() }, {}, "https://b.example/", false],
    [
      "is asked about, and the call was, too, but another host is another question",
      { [FROM]: ask(), "https://b.example/": ask() },
      agreed,
      "https://b.example/",
      false,
    ],
    [
      "is asked about, and the call was, too, for the same host",
      { [FROM]: ask(), "http://a.example/y": ask() },
      agreed,
      "http://a.example/y",
      true,
    ],
    [
      "is answered by a standing yes for the same host",
      { [FROM]: ask(), "http://a.example/y": ask() },
      granted,
      "http://a.example/y",
      true,
    ],
    [
      "is not answered where nobody agreed",
      { [FROM]: ask(), "http://a.example/y": ask() },
      {},
      "http://a.example/y",
      false,
    ],
    [
      "is not answered by a yes for another reason",
      { [FROM]: ask("so"), "http://a.example/y": ask() },
      agreed,
      "http://a.example/y",
      false,
    ],
    [
      "is not answered by a yes to another policy",
      { [FROM]: ask(undefined, { by: "other" }), "http://a.example/y": ask() },
      agreed,
      "http://a.example/y",
      false,
    ],
    [
      "is not answered where the call was allowed in the same words",
      { [FROM]: { answer: "allow", by: "hosts", reason: "it is asked about" }, "http://a.example/y": ask() },
      agreed,
      "http://a.example/y",
      false,
    ],
    [
      "is not answered where the call was never asked about",
      { "http://a.example/y": ask() },
      agreed,
      "http://a.example/y",
      false,
    ],
    [
      "may go to https by the usual ports",
      { [FROM]: ask(), "https://a.example/": ask() },
      agreed,
      "https://a.example/",
      true,
    ],
    [
      "may not go to https by another port",
      { [FROM]: ask(), "https://a.example:8443/": ask() },
      agreed,
      "https://a.example:8443/",
      false,
    ],
    [
      "may not go to another port",
      { [FROM]: ask(), "http://a.example:81/": ask() },
      agreed,
      "http://a.example:81/",
      false,
    ],
    ["may not go to what is no address", { [FROM]: ask(), nonsense: ask() }, agreed, "nonsense", false],
    [
      "may not go to a name that only begins alike",
      { [FROM]: ask(), "http://a.example.b/": ask() },
      agreed,
      "http://a.example.b/",
      false,
    ],
  ])("%s", async (_, said, prepared, url, goes) => {
    const { go, trip } = following(said, prepared);
    const end = await go(url);
    expect(goes ? end : end.code).toBe(goes ? "goes on" : "PERMISSION_DENIED");
    expect(trip.known.ready?.touches.length ?? 0, "what was fetched is told").toBe(goes ? 2 : 0);
  });

  test.each<[string, from: string, url: string]>([
    ["from https to http", "https://a.example/", "http://a.example/"],
    ["from another port to https", "http://a.example:8080/", "https://a.example/"],
    ["from another protocol", "ftp://a.example/", "https://a.example/"],
    ["to another protocol", FROM, "ftp://a.example/"],
    ["from what is no address", "nonsense", FROM],
  ])("a yes does not hold %s", async (_, from, url) => {
    const { go } = following({ [FROM]: ask(), [url]: ask() }, agreed);
    expect(await go(url, "GET", from)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("a refusal says who refused, and a question how to ask it", async () => {
    const { go } = following({
      "https://b.example/": ask(),
      "https://c.example/": { answer: "deny", by: "hosts", reason: "no" },
    });
    expect(await go("https://b.example/")).toMatchObject({
      code: "PERMISSION_DENIED",
      message: `${FROM} redirects to https://b.example/, which needs its own permission: it is asked about.`,
      hint: 'If you want it, make a call with {"url":"https://b.example/"}.',
      metadata: { redirect: "https://b.example/" },
    });
    expect((await go("https://b.example/", "POST")).hint).toBe(
      'If you want it, make a call with {"url":"https://b.example/","method":"POST"}.',
    );
    expect(await go("https://c.example/")).toMatchObject({
      status: "refused",
      code: "PERMISSION_DENIED",
      message: "Refused by hosts: no.",
    });
  });

  test("is judged alone, as dangerous as the call is", async () => {
    const { go, judged } = following({}, {}, "dangerous");
    await go("https://b.example/", "POST");
    expect(judged).toEqual(["1 POST https://b.example/ dangerous"]);
    const mild = following({}, {}, "safe");
    await mild.go("https://b.example/");
    expect(mild.judged, "but never milder than a request").toEqual(["1 GET https://b.example/ moderate"]);
  });

  test("is added to what is known of the call, one after the other", async () => {
    const { go, trip } = following({});
    await go("https://b.example/");
    await go("https://c.example/");
    expect(trip.known.ready?.touches.map((touch) => (touch as FetchTouch).url)).toEqual([
      FROM,
      "https://b.example/",
      "https://c.example/",
    ]);
  });

  test("is answered by a standing yes of its own, and by none for another address", async () => {
    const asked = ask(undefined, { grantable: true });
    const { go, store, call } = following({ "https://b.example/": asked, "https://c.example/": asked });
    const further = { ...call, touches: [{ action: "fetch" as const, url: "https://b.example/", method: "GET" }] };
    const covers = coveredBy(further, sha256)[0]!.covers;
    await store.grant([
      { id: "g", tool: "thing", covers, session: null, workspace: "/ws", at: 1, shown: ["https://b.example/"] },
    ]);
    expect(await go("https://b.example/")).toBe("goes on");
    expect(await go("https://c.example/")).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("is not answered by a standing yes where no standing yes may answer", async () => {
    const { go, store, call } = following({ "https://b.example/": ask() });
    const further = { ...call, touches: [{ action: "fetch" as const, url: "https://b.example/", method: "GET" }] };
    const covers = coveredBy(further, sha256)[0]!.covers;
    await store.grant([{ id: "g", tool: "thing", covers, session: null, workspace: "/ws", at: 1, shown: [] }]);
    expect(await go("https://b.example/")).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("counts against the limits, and ends the call where they are used up", async () => {
    const reserve = [{ key: "requests", limit: 1 }];
    const { go } = following({
      "https://b.example/": { answer: "allow", by: "mode", reason: "", reserve },
      "https://c.example/": { answer: "allow", by: "mode", reason: "", reserve },
    });
    expect(await go("https://b.example/")).toBe("goes on");
    expect(await go("https://c.example/")).toMatchObject({ code: "RATE_LIMITED", status: "refused" });
  });
});
