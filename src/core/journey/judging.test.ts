import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import { bytes, type FileMap, tripIn } from "../../../test/tripping.ts";
import type { Policy } from "../contracts/policy.ts";
import type { EventBody } from "../words/event.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Judgement, Verdict } from "../words/verdict.ts";
import { decide, lookAhead, mayRead, refusal } from "./judging.ts";

const says = (answer: Verdict["answer"], reason = "so", more: Partial<Verdict> = {}): Verdict => ({
  ...{ answer, by: "rules", reason },
  ...more,
});

function judging(policies: Policy[], heard = true, files: FileMap = new Map()) {
  const events: EventBody[] = [];
  const emit = (event: EventBody) => void events.push(event);
  const view = { sights: [], close: () => {}, stat: () => undefined };
  const trip = tripIn({ files, parts: { policies, heard: () => heard, emit, guard: () => view as never } });
  return { trip, events };
}
const always = (verdict: Verdict): Policy => ({ name: "rules", judge: () => verdict });

describe("a judgement", () => {
  test.each<Verdict["answer"]>(["allow", "ask"])("%s is known, marked and told", (answer) => {
    const { trip, events } = judging([always(says(answer))]);
    const ready = readyFor({});
    const verdict = decide(trip, ready);
    expect(verdict).toMatchObject({ answer, by: "rules" });
    expect(trip.known.verdict).toBe(verdict);
    expect(trip.trace).toMatchObject([{ stage: "judged", verdict: answer }]);
    expect(events).toEqual([{ type: "judged", call: ready.call, verdict }]);
  });

  test("no ends the call, and is told as well", () => {
    const { trip, events } = judging([always(says("deny", "no"))]);
    expect(() => decide(trip, readyFor({}))).toThrow("Refused by rules: no.");
    expect([trip.known.verdict?.answer, trip.trace.length, events.length]).toEqual(["deny", 1, 1]);
  });

  test("is not told where nobody listens", () => {
    const { trip, events } = judging([always(says("allow"))], false);
    decide(trip, readyFor({}));
    expect(events).toEqual([]);
  });

  test.each<[string, Verdict, Judgement, again: boolean]>([
    ["the same", says("ask"), says("ask") as Judgement, false],
    ["another answer", says("ask"), says("allow") as Judgement, true],
    ["by another", says("ask"), says("ask", "so", { by: "mode" }) as Judgement, true],
    ["for another reason", says("ask"), says("ask", "other") as Judgement, true],
  ])("that says %s as before", (_, now, before, again) => {
    const { trip, events } = judging([always(now)]);
    expect(decide(trip, readyFor({}), before)).toMatchObject(now);
    expect([trip.trace.length, events.length]).toEqual(again ? [1, 1] : [0, 0]);
    expect(trip.known.verdict).toMatchObject(now);
  });

  test("a no that was no yes before ends the call, too", () => {
    const { trip } = judging([always(says("deny"))]);
    expect(() => decide(trip, readyFor({}), says("allow") as Judgement)).toThrow("Refused by rules");
  });

  test("keeps what each policy said only where somebody wants to know, and only of the last time", () => {
    const { trip } = judging([always(says("allow"))]);
    decide(trip, readyFor({}));
    expect(trip.known.said).toBeUndefined();
    trip.known.said = [];
    decide(trip, readyFor({}));
    decide(trip, readyFor({}));
    expect(trip.known.said).toHaveLength(1);
  });
});

test.each<[object, hint: RegExp, metadata: object]>([
  [{}, /^Do not try to get around it\./, { by: "rules" }],
  [{ next: "Ask first." }, /^Ask first\.$/, { by: "rules" }],
  [{ stop: "enough" }, /^Do not try/, { by: "rules", stop: "enough" }],
])("a refusal with %j", (more, hint, metadata) => {
  const ended = refusal({ by: "rules", reason: "no", ...more } as never);
  expect(ended).toMatchObject({ status: "refused", code: "PERMISSION_DENIED", message: "Refused by rules: no." });
  expect(ended.hint).toMatch(hint);
  expect(ended.metadata).toStrictEqual(metadata);
});

describe("whether it might be read", () => {
  const run: Touch = { action: "run", command: "x", class: "dev", inner: [] };
  test.each<[string, Touch[], Verdict["answer"], boolean]>([
    ["a write of what may be read", [at("write", "a")], "allow", true],
    ["a write of what is asked about", [at("write", "a")], "ask", false],
    ["a write of what may not be read", [at("write", "a")], "deny", false],
    ["a command stays one", [at("write", "a"), run], "allow", false],
  ])("%s", (_, touches, reading, may) => {
    const policy: Policy = {
      name: "reads",
      judge: ({ touches: all, danger }) =>
        says(all.every(({ action }) => action === "read") && danger === "safe" ? reading : "deny"),
    };
    const { trip } = judging([policy]);
    expect(mayRead(trip, readyFor({ touches, danger: "dangerous" }))).toBe(may);
  });
});

describe("what the call would change", () => {
  const writing = (preview: () => unknown): Ready => ({
    ...readyFor({ touches: [at("write", "a")] }),
    tool: { name: "thing", definition: { preview: async () => preview() } } as never,
  });
  const change = () => [{ path: "a", after: bytes("new") }];
  const fails = () => {
    throw new ToolFailure("NOT_FOUND", "a holds: secret", "");
  };

  test("is looked at, known and marked", async () => {
    const { trip } = judging([]);
    const { ready, verdict } = await lookAhead(trip, { ready: writing(change), verdict: says("allow") as Judgement });
    expect([ready.changes.length, verdict.answer, trip.known.ready?.changes.length]).toEqual([1, "allow", 1]);
    expect(trip.trace.map(({ stage }) => stage)).toEqual(["preview"]);
  });

  test("is judged again only by those who look at content, and then by all", async () => {
    const no = (content: boolean): Policy => ({
      name: "no",
      ...(content && { content: true }),
      judge: ({ changes }) => (changes.length > 0 ? says("deny", "eval") : undefined),
    });
    const look = (policies: Policy[]) =>
      lookAhead(judging(policies).trip, { ready: writing(change), verdict: says("allow") as Judgement });
    await expect(look([no(true)])).rejects.toThrow("Refused by rules: eval.");
    await expect(look([{ name: "silent", judge: () => undefined }, no(true)])).rejects.toThrow("eval");
    expect((await look([no(false)])).verdict.answer).toBe("allow");
  });

  test.each<[string, Judgement["answer"], reading: Verdict["answer"], withheld: boolean]>([
    ["allowed: told at once", "allow", "deny", false],
    ["asked about, and it may be read: told at once", "ask", "allow", false],
    ["asked about, and so is reading: told after the answer", "ask", "ask", true],
  ])("that does not fit, in a call that is %s", async (_, answer, reading, withheld) => {
    const policy: Policy = { name: "r", judge: () => says(reading) };
    const prepared = { ready: writing(fails), verdict: says(answer) as Judgement };
    const end = await lookAhead(judging([policy]).trip, prepared).catch((error) => error);
    if (!withheld) expect(end).toMatchObject({ code: "NOT_FOUND" });
    else expect(end).toMatchObject({ ready: prepared.ready, withheld: { error: { code: "NOT_FOUND" } } });
  });
});
