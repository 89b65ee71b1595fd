import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { tripIn } from "../../../test/tripping.ts";
import type { StandingRules } from "../contracts/rules.ts";
import type { Standing } from "../contracts/store/grants.ts";
import type { Ready } from "../words/ready.ts";
import type { Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { grantedBefore } from "./asking.ts";
import type { Bound } from "./binding.ts";
import type { Prepared } from "./stages.ts";
import { ANY_TOOL, rulesFor, standingFor, standingYes } from "./standing-grants.ts";

const NOTHING: Bound = { files: [], whole: true };
const code = (hash: string, name = "a.sh") => ({ shown: name, real: `/ws/${name}`, hash });
const run: Touch = { action: "run", command: "make", class: "dev", inner: [] };

type Call = {
  scope?: unknown;
  input?: unknown;
  touches?: Touch[];
  files?: Bound["files"];
  open?: boolean;
  about?: Touch[];
};

/** A gate whose rules cover a touch of the action that they name. */
function gate(rules: Partial<StandingRules> = {}) {
  const asked: unknown[] = [];
  let files: Bound["files"] = [];
  const trip = tripIn({
    parts: {
      redact: (text) => text.replace("hunter2", "***"),
      rules: {
        propose: async (about, tool, known) => {
          asked.push([about.map(({ action }) => action), tool, known]);
          return about.map(({ action }) => `${action}(*)`);
        },
        covers: async (texts, about) => {
          asked.push(texts);
          return about.every(({ action }) => texts.includes(`${action}(*)`)) ? texts : undefined;
        },
        ...rules,
      },
    },
    workspace: {
      digest: async (target) => {
        const found = files.find(({ shown }) => shown === target);
        return (
          found && { place: { shown: found.shown, real: found.real, root: "/ws", exists: true }, hash: found.hash }
        );
      },
    },
  });
  function prepared(call: Call = {}): Prepared {
    const { scope = null, input = { a: 1 }, touches = [at("write", "a")], open = false, about } = call;
    files = call.files ?? [];
    const definition = {
      ...(scope !== undefined && scope !== "none" && { scope: () => scope }),
      code: () => ({ files: files.map(({ shown }) => ({ target: shown })), open }),
    };
    const ready = {
      ...{ tool: { name: "thing", definition }, input, touches, changes: [], danger: "safe", notes: [] },
      call: { sessionID: "session" },
    } as unknown as Ready;
    const verdict: Judgement = { answer: "ask", by: "mode", reason: "", ...(about && { about }) };
    return { ready, verdict };
  }
  let ids = 0;
  const keep = (standing: readonly Standing[], more: object = {}) =>
    trip.station.parts.store.grant(
      standing.map(({ tool, covers, shown }) => ({
        ...{ id: `g${++ids}`, tool, covers, shown: [shown], session: null, workspace: "/ws", at: 0 },
        ...more,
      })),
    );
  /** Keeps what a yes to this call would be kept as. */
  const allow = async (call: Call = {}, more: object = {}) =>
    keep(await standingFor(trip, prepared(call), { files: call.files ?? [], whole: true }), more);
  const yes = (call: Call = {}) => standingYes(trip, prepared(call));
  return { trip, prepared, asked, keep, allow, yes };
}

describe("what a standing yes would be kept as", () => {
  test("rules where there are useful ones, for every tool; with the code that ran", async () => {
    const { trip, prepared, asked } = gate();
    const standing = await standingFor(trip, prepared({ scope: { deep: true } }), { files: [code("1")], whole: true });
    expect(standing).toEqual([
      { tool: ANY_TOOL, covers: expect.any(String), shown: "write(*), while a.sh stays as now" },
    ]);
    expect(JSON.parse(standing[0]?.covers ?? "")).toEqual({
      rule: "write(*)",
      scope: { deep: true },
      files: [code("1")],
    });
    expect(asked).toEqual([[["write"], "thing", []]]);
  });

  test("for what is asked about, where that is less than the call; with those that are known", async () => {
    const { trip, prepared, asked, allow } = gate();
    await allow();
    await rulesFor(trip, prepared({ about: [run] }), NOTHING);
    expect(asked.at(-1)).toEqual([["run"], "thing", ["write(*)"]]);
  });

  test.each<[what: string, call: Call, rules: Partial<StandingRules>]>([
    ["the tool does not say what may vary", { scope: "none" }, {}],
    ["there is no useful rule", {}, { propose: async () => undefined }],
    ["a rule would hold a secret", {}, { propose: async () => ["write(*)", "run(x hunter2)"] }],
  ])("this very call, where %s", async (_, call, rules) => {
    const { trip, prepared } = gate(rules);
    expect(await rulesFor(trip, prepared(call), NOTHING)).toBeUndefined();
    const [standing] = await standingFor(trip, prepared(call), NOTHING);
    expect(standing?.tool).toBe("thing");
    expect(standing?.shown).toMatch(/^write a/);
  });
});

describe("whether a standing yes answers a call", () => {
  test("nobody ever said yes: no file has to be read", async () => {
    const { trip, prepared } = gate();
    const { ready, verdict } = prepared();
    const unread = {
      ...ready,
      tool: { ...ready.tool, definition: { ...ready.tool.definition, code: () => [].at(1) as never } },
    };
    expect(await standingYes(trip, { ready: unread as Ready, verdict })).toBeUndefined();
  });

  const exact: StandingRules = { propose: async () => undefined, covers: async () => undefined };
  test.each<[what: string, now: Call, isYes: boolean]>([
    ["exactly this", {}, true],
    ["another input", { input: { a: 2 } }, false],
    ["another file", { touches: [at("write", "b")] }, false],
    ["one more file", { touches: [at("write", "a"), at("write", "b")] }, false],
    ["more than the code that is known decides", { open: true }, false],
  ])("a yes to this very call: %s", async (_, now, isYes) => {
    const { allow, yes } = gate(exact);
    await allow({ scope: "none" });
    const answer = await yes({ scope: "none", ...now });
    expect(answer?.reason).toBe(isYes ? "a person allowed exactly this before" : undefined);
  });

  test.each<[what: string, before: Call[], now: Call, isYes: boolean]>([
    ["another file that the rule covers", [{}], { touches: [at("write", "b")] }, true],
    ["another deed", [{}], { touches: [at("delete", "a")] }, false],
    ["deeds of two rules", [{}, { touches: [run] }], { touches: [at("write", "b"), run] }, true],
    ["one of two deeds", [{}], { touches: [at("write", "b"), run] }, false],
    [
      "only what is asked about has to be covered",
      [{}],
      { touches: [at("write", "b"), run], about: [at("write", "b")] },
      true,
    ],
    ["another input that may vary", [{}], { input: { a: 2 }, touches: [at("write", "b")] }, true],
    ["what may not vary", [{ scope: "x" }], { scope: "y", touches: [at("write", "b")] }, false],
    ["what may not vary, the same", [{ scope: "x" }], { scope: "x", touches: [at("write", "b")] }, true],
    ["a scope where there was none", [{}], { scope: "y", touches: [at("write", "b")] }, false],
    ["no scope where there was one", [{ scope: "x" }], { touches: [at("write", "b")] }, false],
    ["an empty scope is none", [{ scope: "" }], { touches: [at("write", "b")] }, true],
    ["a tool that does not say what may vary", [{}], { scope: "none", touches: [at("write", "b")] }, false],
    ["the same code", [{ files: [code("1")] }], { files: [code("1")], touches: [at("write", "b")] }, true],
    ["other code", [{ files: [code("1")] }], { files: [code("2")], touches: [at("write", "b")] }, false],
    ["code where there was none", [{}], { files: [code("1")], touches: [at("write", "b")] }, false],
    [
      "less code",
      [{ files: [code("1"), code("1", "b.sh")] }],
      { files: [code("1")], touches: [at("write", "b")] },
      false,
    ],
    [
      "more code",
      [{ files: [code("1")] }],
      { files: [code("1"), code("1", "b.sh")], touches: [at("write", "b")] },
      false,
    ],
    [
      "the code of two rules",
      [{ files: [code("1")] }, { files: [code("1", "b.sh")] }],
      { files: [code("1"), code("1", "b.sh")], touches: [at("write", "b")] },
      true,
    ],
    [
      "another file with the same code",
      [{ files: [code("1")] }],
      { files: [code("1", "b.sh")], touches: [at("write", "b")] },
      false,
    ],
    ["more than the code that is known decides", [{}], { open: true, touches: [at("write", "b")] }, false],
  ])("a yes to a rule: %s", async (_, before, now, isYes) => {
    const { allow, yes } = gate();
    for (const each of before) await allow(each);
    expect((await yes(now)) !== undefined).toBe(isYes);
  });

  test("a rule that was allowed twice is one, and is told", async () => {
    const { allow, yes, asked } = gate();
    for (const _ of [1, 2]) await allow();
    expect((await yes({ touches: [at("write", "b")] }))?.reason).toBe("a person allowed write(*) before");
    expect(asked.at(-1)).toEqual(["write(*)"]);
  });

  test("holds in its session and workspace alone", async () => {
    const there = { touches: [at("write", "b")] };
    for (const [more, isYes] of [
      [{ session: "session" }, true],
      [{ session: "other" }, false],
      [{ workspace: "/other" }, false],
    ] as const) {
      const { allow, yes } = gate();
      await allow({}, more);
      expect((await yes(there)) !== undefined, JSON.stringify(more)).toBe(isYes);
    }
  });

  test.each([
    "",
    "no JSON",
    "null",
    "3",
    "[]",
    "{}",
    '{"rule":3,"files":[]}',
    '{"rule":"write(*)"}',
    '{"rule":"write(*)","files":{}}',
    '{"rule":3,"scope":null,"files":[]}',
    '{"rule":"write(*)","scope":null}',
    '{"rule":"write(*)","scope":null,"files":{}}',
  ])("what was kept and cannot be read answers nothing: %j", async (covers) => {
    const { keep, yes, asked } = gate();
    await keep([{ tool: ANY_TOOL, covers, shown: "" }]);
    expect(await yes()).toBeUndefined();
    expect(asked, "no rule is read from it").toEqual([]);
  });

  test("a rule without a word of what may vary answers no tool that does not say it either", async () => {
    const { keep, yes } = gate();
    await keep([{ tool: ANY_TOOL, covers: '{"rule":"write(*)","files":[]}', shown: "" }]);
    expect(await yes({ scope: "none", touches: [at("write", "b")] })).toBeUndefined();
  });
});

test("a call allowed by a standing yes is bound to the code that the yes was looked up with", async () => {
  const { trip, prepared, allow } = gate();
  await allow({ files: [code("1")] });
  const call = prepared({ files: [code("1")] });
  const asks = (grantable: boolean) => ({ ...call, verdict: { ...call.verdict, grantable } as Judgement });
  expect((await grantedBefore(trip, asks(true)))?.bound?.files).toEqual([code("1")]);
  expect(await grantedBefore(trip, asks(false))).toBeUndefined();
});
