import { describe, expect, test } from "vitest";
import type { Approver, AskedVerdict, Question } from "../../src/core/contracts/approval.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import { ask, grantedBefore } from "../../src/core/journey/asking.ts";
import { NOTHING_BOUND } from "../../src/core/journey/binding.ts";
import { fingerprint, plannedFingerprint } from "../../src/core/journey/fingerprints.ts";
import type { Parts } from "../../src/core/journey/journey-parts.ts";
import { cancelled } from "../../src/core/journey/life.ts";
import type { Ended, Prepared } from "../../src/core/journey/stages.ts";
import type { Trip } from "../../src/core/journey/trip.ts";
import type { EventBody } from "../../src/core/words/event.ts";
import type { Ready } from "../../src/core/words/ready.ts";
import type { Touch } from "../../src/core/words/touch.ts";
import type { Judgement } from "../../src/core/words/verdict.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { at } from "../judging.ts";
import { tripIn } from "../tripping.ts";

const MODE: Judgement = { answer: "ask", by: "mode", reason: "not safe", grantable: true };

type Given = { store?: Partial<Store>; parts?: Partial<Parts>; verdict?: Judgement; touches?: Touch[][] };

/** Calls that wait for a person, each about a file of its own, all in one world. */
function waiting(
  approve: Approver | "queue" | undefined,
  { store = {}, parts = {}, verdict = MODE, touches }: Given = {},
  names = ["a"],
) {
  const inner = memoryStore();
  const events: EventBody[] = [];
  let ids = 0;
  const world: Partial<Parts> = {
    store: { ...inner, ...store },
    ids: () => `row${++ids}`,
    ...(approve && { approve }),
    rules: {
      propose: async (about) =>
        about.map((touch) => ("place" in touch ? `write(${touch.place.shown})` : "run(hunter2)")),
      covers: async (rules, about) =>
        about.every((touch) => "place" in touch && rules.includes(`write(${touch.place.shown})`)) ? rules : undefined,
    },
    ...{
      heard: () => true,
      emit: (event: EventBody) => void events.push(event),
      redact: (text: string) => text.replaceAll("hunter2", "***"),
    },
    redactDeep: (value) => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "***")),
    diff: () => "the diff, hunter2",
    ...parts,
  };
  const calls = names.map((name, index) => {
    const trip = tripIn({ parts: world });
    const ready = {
      ...{ tool: { name: "thing", definition: { scope: () => null } }, input: { name, secret: "hunter2" } },
      ...{
        touches: touches?.[index] ?? [at("write", name)],
        changes: [{}],
        danger: "moderate",
        notes: [],
        call: trip.known.call,
      },
    } as unknown as Ready;
    return { trip, prepared: { ready: { ...ready, changes: [] }, verdict } as Prepared };
  });
  const first = calls[0] as { trip: Trip; prepared: Prepared };
  const answered = async () => (await ask(calls)).map((each) => ("ended" in each ? (each as Ended).ended : each));
  return { calls, trip: first.trip, prepared: first.prepared, inner, events, answered };
}

const granted = (store: Store) => store.grants({ tool: "*", session: "session", workspace: "/ws" });

describe("what a person says becomes of a call", () => {
  test.each<[answer: unknown, by: string, reason: string]>([
    ["once", "person", "a person allowed it (once)"],
    ["session", "person", "a person allowed it (session)"],
    ["always", "person", "a person allowed it (always)"],
    [{ decision: "once", who: "Ada" }, "person", "Ada allowed it (once)"],
    [{ decision: "always", unasked: "a test run" }, "caller", "nobody was asked: a test run"],
  ])("%j allows it", async (answer, by, reason) => {
    const verdict: Judgement = { ...MODE, exclude: ["x"], reserve: [{ key: "k", limit: 1, by: "b" }], notes: ["n"] };
    const it = waiting(() => answer as string, { verdict });
    const [made] = (await it.answered()) as Prepared[];
    const { exclude, reserve, notes } = verdict;
    expect(made?.verdict).toEqual({ answer: "allow", by, reason, exclude, reserve, notes });
    expect(made?.approved).toBe(await fingerprint(it.prepared.ready, NOTHING_BOUND, it.trip.station.parts));
    expect(it.trip.known.verdict).toEqual(made?.verdict);
    expect(await it.inner.pending()).toEqual([]);
    const { decision = answer, unasked } = answer as { decision?: string; unasked?: string };
    expect(await granted(it.inner)).toHaveLength(decision !== "once" && unasked === undefined ? 1 : 0);
    expect(it.events.map((event) => ("decision" in event ? event.decision : event.type))).toEqual(["asked", decision]);
  });

  test.each<[answer: unknown, status: string, message: string, hint: string]>([
    ["deny", "refused", "A person said no to this call.", "Do not repeat it."],
    [
      { decision: "deny", message: "not today", who: "Ada" },
      "refused",
      "A person said no: not today",
      "Do not repeat it.",
    ],
    ["abort", "cancelled", "A person stopped this call.", "Stop here."],
    ["nonsense", "refused", "A person said no to this call.", "Do not repeat it."],
    [
      { decision: "nobody", hint: "come back later" },
      "refused",
      "(not safe), and there is nobody to ask",
      "come back later",
    ],
  ])("%j ends it", async (answer, status, message, hint) => {
    const it = waiting(() => answer as string);
    const [ended] = await it.answered();
    expect(ended).toMatchObject({
      status,
      error: { message: expect.stringContaining(message), hint: expect.stringContaining(hint) },
    });
    expect([await it.inner.pending(), await granted(it.inner)]).toEqual([[], []]);
    if (typeof answer === "object") {
      const { decision } = answer as { decision: string };
      if (decision === "deny")
        expect(it.trip.known.verdict).toEqual({ answer: "deny", by: "person", reason: "Ada said no: not today" });
    }
    if (answer === "deny") expect(it.trip.known.verdict?.reason).toBe("a person said no");
    expect(it.trip.trace.some(({ stage }) => stage === "answered")).toBe(true);
  });

  test("other arguments make another call of it", async () => {
    const it = waiting(() => ({ decision: "edit", args: { b: 2 } }));
    expect(await it.answered()).toEqual([{ edited: { ...it.trip.known.call, args: { b: 2 } } }]);
  });

  test("a session's yes is kept for the session, an everlasting one for all; neither holds a secret", async () => {
    const rows = async (answer: string) => {
      const it = waiting(() => answer, {
        touches: [[{ action: "run", command: "x", class: "dev", inner: [] }]],
        parts: { redact: (text) => text },
      });
      await it.answered();
      return granted(it.inner);
    };
    expect(await rows("session")).toMatchObject([
      { session: "session", workspace: "/ws", tool: "*", shown: ["run(hunter2)"] },
    ]);
    expect(await rows("always")).toMatchObject([{ session: null }]);
    const firm = waiting(() => "always", { verdict: { ...MODE, grantable: false } });
    await firm.answered();
    expect(await granted(firm.inner), "a question that no standing yes may answer").toEqual([]);
  });

  test("without anybody to ask", async () => {
    const [ended] = await waiting(undefined).answered();
    expect(ended).toMatchObject({ status: "refused", error: { hint: expect.stringContaining("--mode yolo") } });
    const [firm] = await waiting(undefined, { verdict: { ...MODE, grantable: false } }).answered();
    expect((firm as { error: { hint: string } }).error.hint).not.toContain("--mode yolo");
  });

  test("an approver that fails, later or at once, is a no; nobody looks for the answer afterwards", async () => {
    for (const approve of [() => Promise.reject(new Error("closed")), () => [].at(1) as never]) {
      const it = waiting(approve as unknown as Approver);
      expect(await it.answered()).toMatchObject([{ status: "refused" }]);
    }
  });
});

describe("the question", () => {
  test("says what is asked, and its row holds no secret", async () => {
    const asked: [Question, AskedVerdict][] = [];
    let row: unknown;
    const run: Touch = {
      action: "run",
      command: "echo hunter2",
      class: "dev",
      inner: [at("read", "a"), { action: "unknown", permissions: [] }],
      setting: "x",
    };
    const fetched: Touch = { action: "fetch", url: "http://x/?hunter2", method: "GET" };
    const it = waiting(
      async (question, verdict) => {
        asked.push([question, verdict]);
        [row] = await it.inner.pending();
        return "once";
      },
      { touches: [[at("write", "a"), fetched, run]], verdict: { ...MODE, reason: "hunter2" } },
    );
    await it.answered();
    expect(asked[0]?.[0]).toMatchObject({
      ...{ tool: "thing", input: { secret: "hunter2" }, diff: "", reason: "hunter2", by: "mode", bound: [] },
    });
    expect(asked[0]?.[1]).not.toHaveProperty("others");
    expect(JSON.stringify(row)).not.toContain("hunter2");
    expect(row).toMatchObject({
      ...{ tool: "thing", reason: "***", workspace: "/ws", session: "session", grantable: true },
      touches: [{ action: "write" }, { url: "http://x/?***" }, { action: "run", command: "echo ***", class: "dev" }],
    });
    const { touches } = row as { touches: { inner?: unknown[]; setting?: string }[] };
    expect([touches[2]?.inner?.length, touches[2]?.setting]).toEqual([1, undefined]);
    expect(row).not.toHaveProperty("patience");
    expect(row).not.toHaveProperty("bound");
  });

  test("a store that fails at it ends the call, and the row is taken back", async () => {
    const it = waiting(() => "once", {
      store: {
        ask: async (row) => {
          await it.inner.ask(row);
          throw new Error("no answer");
        },
      },
    });
    expect(await it.answered()).toMatchObject([{ status: "failed", error: { message: "no answer" } }]);
    expect(await it.inner.pending()).toEqual([]);
    const late = waiting(() => "once", { store: { answer: () => Promise.reject(new Error("no answer")) } });
    expect(await late.answered()).toMatchObject([{ status: "failed", error: { message: "no answer" } }]);
    expect(await late.inner.pending()).toEqual([]);
  });

  test("a stopped call is not asked about; one that is stopped meanwhile ends, and its row is taken back", async () => {
    let asked = 0;
    const stopped = waiting(() => String(asked++));
    stopped.trip.life.stop(cancelled("stopped"));
    expect(await stopped.answered()).toMatchObject([{ status: "cancelled", error: { message: "stopped" } }]);
    expect([asked, stopped.events]).toEqual([0, []]);
    const queued = waiting("queue");
    queued.trip.life.stop(cancelled("stopped"));
    expect(await queued.answered()).toMatchObject([{ status: "cancelled" }]);
    const between = waiting(() => String(asked++), {
      store: {
        ask: async (row) => {
          await between.inner.ask(row);
          between.trip.life.stop(cancelled("stopped"));
        },
      },
    });
    expect([await between.answered(), asked]).toMatchObject([[{ status: "cancelled" }], 0]);
    const it = waiting(() => {
      it.trip.life.stop(cancelled("stopped"));
      return "once";
    });
    expect(await it.answered()).toMatchObject([{ status: "cancelled", error: { message: "stopped" } }]);
    expect(await it.inner.pending()).toEqual([]);
  });
});

/** A clock that is so much later with each look, and keeps nobody waiting. */
function hasty(step: number): Parts["clock"] {
  let ticks = 0;
  return {
    now: () => 0,
    ticks: () => {
      ticks += step;
      return ticks;
    },
    after(_, run) {
      setImmediate(run);
      return () => {};
    },
  };
}

describe("an answer from elsewhere", () => {
  const never = () => new Promise<never>(() => {});
  test.each<[answer: "once" | "deny" | "abort", status: string | undefined]>([
    ["once", undefined],
    ["deny", "refused"],
    ["abort", "cancelled"],
  ])("%s, while the person here still thinks", async (answer, status) => {
    const it = waiting(never as unknown as Approver, {
      store: {
        ask: async (row) => {
          await it.inner.ask(row);
          setImmediate(() => void it.inner.answer(row.id, answer, undefined, undefined, "Ada"));
        },
      },
    });
    const [made] = await it.answered();
    if (status) expect(made).toMatchObject({ status });
    else expect((made as Prepared).verdict.reason).toBe("Ada allowed it (once)");
  });

  test("the first answer that the store took counts, whatever is said here", async () => {
    const it = waiting(async () => {
      const [row] = await it.inner.pending();
      await it.inner.answer(row?.id ?? "", "deny", "theirs");
      return "once";
    });
    expect(await it.answered()).toMatchObject([{ status: "refused", error: { message: "A person said no: theirs" } }]);
    const gone = waiting(async () => {
      await gone.inner.withdraw((await gone.inner.pending()).map(({ id }) => id));
      return "once";
    });
    expect(await gone.answered()).toMatchObject([
      { status: "refused", error: { message: expect.stringContaining("nobody answered in time") } },
    ]);
  });

  test("a person here may think as long as they like", async () => {
    const slow = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return "once";
    };
    const [made] = await waiting(slow, { parts: { clock: hasty(1000), patience: 1 } }).answered();
    expect((made as Prepared).verdict.by).toBe("person");
  });

  test("in the queue it is found at the next look", async () => {
    let row: unknown;
    const it = waiting("queue", {
      parts: { clock: hasty(1), patience: 1000 },
      store: {
        ask: async (given) => {
          row = given;
          await it.inner.ask(given);
          setTimeout(() => void it.inner.answer(given.id, "once"), 5);
        },
      },
    });
    const [made] = await it.answered();
    expect((made as Prepared).verdict.by).toBe("person");
    expect(row).toMatchObject({ patience: 1000 });
  });

  test("in the queue it is waited for, as long as patience lasts", async () => {
    const clock = hasty(400);
    const asked: string[] = [];
    const it = waiting("queue", {
      parts: { clock, patience: 2000 },
      store: {
        ask: async (row) => {
          asked.push(row.id);
          await it.inner.ask(row);
        },
      },
    });
    const [ended] = await it.answered();
    expect(ended).toMatchObject({
      status: "refused",
      error: { message: "This call needs a person's approval, and nobody answered within 2 seconds." },
    });
    expect((ended as { error: { hint: string } }).error.hint).toContain("approval.timeout");
    expect(await it.inner.pending()).toEqual([]);
    expect((await it.inner.approval(asked[0] ?? ""))?.answer, "that nobody answered is no answer").toBeUndefined();
  });

  test.each([
    [1, "1 millisecond"],
    [1500, "1500 milliseconds"],
    [60_000, "1 minute"],
    [7_200_000, "2 hours"],
    [86_400_000, "1 day"],
  ])("patience of %i ms is %s", async (patience, words) => {
    const clock = hasty(patience);
    const [ended] = await waiting("queue", { parts: { clock, patience } }).answered();
    expect((ended as { error: { message: string } }).error.message).toContain(`within ${words}.`);
  });
});

describe("what is kept of an answer", () => {
  async function rowAfter(answer: unknown) {
    let id = "";
    const it = waiting(async () => {
      id = (await it.inner.pending())[0]?.id ?? "";
      return answer as string;
    });
    await it.answered();
    return it.inner.approval(id);
  }

  test.each<[answer: unknown, kept: object]>([
    [
      { decision: "deny", message: "not today" },
      { answer: "deny", message: "not today" },
    ],
    [
      { decision: "edit", args: { b: 2 }, who: "Ada" },
      { answer: "edit", args: { b: 2 }, who: "Ada" },
    ],
    ["once", { answer: "once" }],
  ])("%j", async (answer, kept) => {
    const row = await rowAfter(answer);
    expect(row).toMatchObject(kept);
    if (answer === "once")
      for (const none of ["message", "args"]) expect(row?.[none as "args"] ?? undefined).toBeUndefined();
  });

  test("nobody has answered where nobody was there", async () => {
    const row = await rowAfter({ decision: "nobody", hint: "later" });
    expect(row).toBeDefined();
    expect(row?.answer).toBeUndefined();
  });

  test.each(["once", { decision: "nobody", hint: "later" }])(
    "nobody looks for an answer any more after %j",
    async (answer) => {
      let looks = 0;
      const it = waiting(() => answer as string, {
        store: {
          approval: (id) => {
            looks += 1;
            return it.inner.approval(id);
          },
        },
      });
      await it.answered();
      const turns = async () => {
        for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
        return looks;
      };
      const before = await turns();
      expect(await turns()).toBe(before);
    },
  );
});

describe("code that decides what runs", () => {
  test.each([true, false])(
    "is told; where more decides (%s), nothing can be allowed once and for all",
    async (open) => {
      const rows: unknown[] = [];
      const asked: Question[] = [];
      const it = waiting(async (question) => {
        asked.push(question);
        rows.push(...(await it.inner.pending()));
        return "always";
      }, {});
      const { ready } = it.prepared;
      Object.assign(ready.tool.definition, { code: () => ({ files: [{ target: "a.sh" }], open }) });
      it.trip.station.workspace.digest = async () => ({
        place: { shown: "a.sh", real: "/ws/a.sh", root: "/ws", exists: true },
        hash: "1",
      });
      const [made] = (await it.answered()) as Prepared[];
      expect(made?.verdict.by).toBe("person");
      expect([asked[0]?.bound, asked[0]?.always.length, (await granted(it.inner)).length]).toEqual([
        ["a.sh"],
        open ? 0 : 1,
        open ? 0 : 1,
      ]);
      expect(rows).toMatchObject([{ bound: ["a.sh"], grantable: !open }]);
    },
  );

  test("a call that waits for its answer is shown to other processes", async () => {
    const shown: unknown[] = [];
    const it = waiting(() => "once", {
      parts: { recorder: { visible: (opening: unknown) => shown.push(opening) } as never },
    });
    it.trip.opening = { id: "o" } as never;
    await it.answered();
    expect(shown).toEqual([{ id: "o" }]);
  });
});

describe("several calls at once", () => {
  const names = ["a", "b", "c"];
  const shown = ({ touches }: Question) => touches.map((touch) => "place" in touch && touch.place.shown).join();
  function asking(answers: unknown[], several: boolean, given: Given = {}, calls = names) {
    const asked: string[] = [];
    const approve = (question: Question, { others = [] }: AskedVerdict) => {
      asked.push([question, ...others.map(({ call }) => call)].map(shown).join(" "));
      return answers.shift() as string;
    };
    const it = waiting(several ? Object.assign(approve, { several }) : approve, given, calls);
    return {
      ...it,
      asked,
      statuses: async () =>
        (await it.answered()).map((each) =>
          "status" in each ? each.status : "edited" in each ? "edited" : each.verdict.by,
        ),
    };
  }

  test("one by one, where one is shown at a time", async () => {
    const it = asking(["once", "deny", "once"], false);
    expect([await it.statuses(), it.asked]).toEqual([
      ["person", "refused", "person"],
      ["a", "b", "c"],
    ]);
  });

  test("all at once, where all can be shown", async () => {
    const it = asking([["once", "deny", { decision: "edit", args: {} }]], true);
    expect([await it.statuses(), it.asked]).toEqual([["person", "refused", "edited"], ["a b c"]]);
  });

  test("whoever stops one has stopped those that were not asked about yet", async () => {
    const it = asking(["once", "abort"], false);
    expect([await it.statuses(), it.asked]).toEqual([
      ["person", "cancelled", "cancelled"],
      ["a", "b"],
    ]);
    const all = asking([["once", "abort", "once"]], true);
    expect(await all.statuses()).toEqual(["person", "cancelled", "cancelled"]);
    expect(await it.inner.pending()).toEqual([]);
  });

  test("a stop that comes from elsewhere, for one that is not shown yet, stops all of them", async () => {
    const it = asking([new Promise(() => {})], false, {
      store: {
        ask: async (row) => {
          await it.inner.ask(row);
          if (row.touches.some((touch) => "place" in touch && touch.place.shown === "c"))
            setImmediate(() => void it.inner.answer(row.id, "abort"));
        },
      },
    });
    expect([await it.statuses(), it.asked]).toEqual([["cancelled", "cancelled", "cancelled"], ["a"]]);
  });

  test("where all are shown, each is waited for until it has its own answer from elsewhere", async () => {
    let pause = 0;
    const it = asking([new Promise(() => {})], true, {
      store: {
        ask: async (row) => {
          await it.inner.ask(row);
          pause += 10;
          setTimeout(() => void it.inner.answer(row.id, "once"), pause);
        },
      },
    });
    expect([await it.statuses(), it.asked]).toEqual([["person", "person", "person"], ["a b c"]]);
  });

  test("whoever stops the first of those that are shown has stopped all of them", async () => {
    const it = asking([new Promise(() => {})], true);
    setTimeout(() => it.trip.life.stop(cancelled("stopped")), 5);
    expect(await it.statuses()).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  test("a standing yes may answer the next question, too", async () => {
    for (const answer of ["session", "always"]) {
      const it = asking([answer, "once"], false, {}, ["a", "a", "b"]);
      expect([await it.statuses(), it.asked]).toEqual([
        ["person", "grant", "person"],
        ["a", "b"],
      ]);
      expect(await it.inner.pending()).toEqual([]);
    }
    const once = asking(["once", "once", "once"], false, {}, ["a", "a", "b"]);
    expect([await once.statuses(), once.asked]).toEqual([
      ["person", "person", "person"],
      ["a", "a", "b"],
    ]);
  });

  test("one that was allowed before is not asked about", async () => {
    const it = asking(["session"], false, {}, ["a"]);
    await it.answered();
    const [again] = await ask([{ trip: it.trip, prepared: it.prepared }]);
    expect((again as Prepared).verdict).toEqual({
      answer: "allow",
      by: "grant",
      reason: "a person allowed write(a) before",
    });
    expect(it.asked).toEqual(["a"]);
    const firm = { ...it.prepared, verdict: { ...MODE, grantable: false } };
    expect(await grantedBefore(it.trip, firm)).toBeUndefined();
  });
});

describe("a planned call that a person approved", () => {
  const planned = (state: string, print: string, by = "mode") => ({
    state,
    fingerprint: print,
    verdict: { answer: "ask", by, reason: "" },
  });
  test.each<[what: string, state: string, verdict: Judgement, same: boolean, by: string | undefined]>([
    ["as it was planned", "approved", MODE, true, "person"],
    ["asked about by another, whom a grant could answer", "approved", { ...MODE, by: "danger" }, true, "person"],
    ["not approved", "planned", MODE, true, undefined],
    ["something else by now", "approved", MODE, false, undefined],
    ["asked about for the reason that the person saw", "approved", { ...MODE, grantable: false }, true, "person"],
    ["asked about for another reason", "approved", { ...MODE, grantable: false, by: "trust" }, true, undefined],
  ])("%s", async (_, state, verdict, same, by) => {
    const it = waiting(undefined, { verdict });
    const { ready } = it.prepared;
    const print = same ? await plannedFingerprint(ready, NOTHING_BOUND, it.trip.station.parts) : "other";
    it.trip.planned = planned(state, print) as never;
    const made = await grantedBefore(it.trip, it.prepared);
    expect(made?.verdict.by).toBe(by);
    if (!made) return;
    expect(made.verdict.reason).toBe("a person approved it in the plan");
    expect(made.approved).toBe(await fingerprint(ready, NOTHING_BOUND, it.trip.station.parts));
  });
});
