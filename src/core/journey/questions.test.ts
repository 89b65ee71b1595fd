import { describe, expect, test } from "vitest";
import { at, ready } from "../../../test/judging.ts";
import { bytes, placeOf, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Touch } from "../words/touch.ts";
import { nobodyAnswered, nobodyToAsk, request } from "./questions.ts";

const run: Touch = { action: "run", command: "make", class: "dev", inner: [] };

describe("a question about a command says what would hold it", () => {
  test.each<[string, Touch[], boolean]>([
    ["a command", [run], true],
    ["a command beside other things", [at("read", "a"), run], true],
    ["a file", [at("write", "a")], false],
  ])("%s", async (_, touches, held) => {
    const store = memoryStore();
    const enforcement = { sandbox: "bubblewrap", network: "none" } as const;
    const processes = { enforcement: async () => enforcement } as never;
    const trip = tripIn({ workspace: { processes }, parts: { store, approve: async () => "once" } });
    const call = { ...ready({ touches }), tool: { name: "thing", definition: {} } as never, call: trip.known.call };
    const { question } = await request(
      trip,
      { ready: call, verdict: { answer: "ask", by: "mode", reason: "" } },
      "batch",
    );
    const [row] = await store.pending();
    for (const each of [question, row])
      expect(Object.hasOwn(each!, "enforcement") ? each!.enforcement : "none").toEqual(held ? enforcement : "none");
  });
});

test("the row of a question keeps no secret", async () => {
  const store = memoryStore();
  const redact = (text: string) => text.replaceAll("hunter2", "[secret]");
  const redactDeep = (value: unknown) => JSON.parse(redact(JSON.stringify(value)));
  const diff = () => "+password=hunter2";
  const trip = tripIn({ parts: { store, approve: async () => "once", redact, redactDeep, diff } });
  const change = { place: placeOf("a"), before: null, after: bytes("password=hunter2") };
  const call = {
    ...ready({ touches: [at("write", "a"), { ...run, command: "login hunter2" }] }),
    ...{ changes: [change], input: { password: "hunter2" }, call: trip.known.call },
    tool: { name: "thing", definition: {} } as never,
  };
  const verdict = { answer: "ask", by: "mode", reason: "It sends hunter2.", grantable: true } as const;
  await request(trip, { ready: call, verdict }, "batch");
  const [row] = await store.pending();
  expect(row).toMatchObject({ diff: "+password=[secret]", reason: "It sends [secret]." });
  expect(JSON.stringify(row)).not.toContain("hunter2");
});

test.each<[unknown, number, when: string, key: boolean]>([
  ["queue", 1000, "within 1 second", true],
  ["queue", 90_000, "within 90 seconds", true],
  ["queue", 60_000, "within 1 minute", true],
  ["queue", 7_200_000, "within 2 hours", true],
  ["queue", 86_400_000, "within 1 day", true],
  ["queue", 250, "within 250 milliseconds", true],
  ["queue", 0.5, "within 0.5 milliseconds", true],
  [() => "once", 1000, "in time", false],
])("nobody answered: %s, %i", (approve, patience, when, key) => {
  const ended = nobodyAnswered({ approve, patience } as never);
  expect(ended).toMatchObject({ status: "refused", code: "PERMISSION_DENIED" });
  expect(ended.message).toBe(`This call needs a person's approval, and nobody answered ${when}.`);
  expect(ended.hint).toBe(
    `Ask the person whether it is still wanted, then call again.${key ? " How long a question waits is set by approval.timeout in toolgate.yaml." : ""}`,
  );
});

test.each<[object, string | undefined, string]>([
  [
    { grantable: true },
    undefined,
    "A person can run it in a terminal, approve it in advance (toolgate call … --yes, or --mode yolo), see what it would do (--dry-run), or give open() an approve function.",
  ],
  [
    {},
    undefined,
    "A person can run it in a terminal, approve it in advance (toolgate call … --yes), see what it would do (--dry-run), or give open() an approve function.",
  ],
  [{}, "Do this.", "Do this."],
])("nobody to ask: %j %s", (more, given, hint) => {
  const ended = nobodyToAsk({ answer: "ask", by: "mode", reason: "why", ...more }, given);
  expect(ended).toMatchObject({
    ...{ status: "refused", code: "PERMISSION_DENIED", hint },
    message: "This call needs a person's approval (why), and there is nobody to ask.",
  });
});
