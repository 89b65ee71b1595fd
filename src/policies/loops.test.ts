import { describe, expect, test } from "vitest";
import { at, factsUnder, ready } from "../../test/judging.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import type { Touch } from "../core/words/touch.ts";
import { type LoopSettings, loops } from "./loops.ts";

type Made = { tool?: string; input?: unknown; answer?: string; changed?: boolean; refusedBy?: string };
const call = (input: unknown, answer: string, more: Made = {}): Made => ({ input, answer, ...more });
const times = (count: number, made: Made): Made[] => Array.from({ length: count }, () => made);

/** What is said of a call after these. */
function judge(setting: LoopSettings, past: readonly Made[], next: Made & { touches?: Touch[]; polls?: boolean } = {}) {
  const facts = factsUnder({ mode: "yolo" });
  for (const { tool = "t", input = 1, answer, changed, refusedBy } of past)
    facts.noteEnd(
      {
        ...{ tool, input, touches: [] as Touch[], status: refusedBy ? "refused" : "done", changed },
        ...(refusedBy && { verdict: { by: refusedBy, answer: "deny", reason: "" } }),
      } as unknown as CallRecord,
      answer,
    );
  const { tool = "t", input = 1, touches = [], polls = false } = next;
  const given = ready({ tool, touches });
  const verdict = loops(setting).judge(
    { ...given, input, tool: { ...given.tool, definition: { polls } } as unknown as typeof given.tool },
    facts,
  );
  if (!verdict) return "nothing";
  return verdict.answer === "deny" ? ("stop" in verdict && verdict.stop ? "stop" : "refuse") : "tell";
}

const same = call(1, "x");
const [ping, pong] = [call("ping", "a"), call("pong", "b")];
const [there, back] = [call("there", "a", { changed: true }), call("back", "b", { changed: true })];
const round = (count: number, ...cycle: Made[]): Made[] => Array.from({ length: count }, () => cycle).flat();
const found = (count: number) => Array.from({ length: count }, (_, n) => call(n, "nothing found"));

describe("circles", () => {
  test.each<[what: string, past: Made[], next: Parameters<typeof judge>[2], says: string]>([
    ["nothing yet", [], {}, "nothing"],
    ["twice the same", times(2, same), {}, "nothing"],
    ["three times the same", times(3, same), {}, "tell"],
    ["four times", times(4, same), {}, "refuse"],
    ["five times", times(5, same), {}, "stop"],
    ["with other answers", [call(1, "x"), call(1, "y"), call(1, "z"), call(1, "u")], {}, "nothing"],
    ["with another answer of late", [...times(4, same), call(1, "new")], {}, "nothing"],
    ["another call", times(5, same), { input: 2 }, "nothing"],
    ["another tool", times(5, same), { tool: "u" }, "nothing"],
    ["after a change", [...times(4, same), call("edit", "done", { changed: true })], {}, "nothing"],
    ["looks in between change nothing", [...times(2, same), call(2, "y"), same, call(3, "z")], {}, "tell"],
    ["the same in other words", times(4, call({ a: 1, b: [2] }, "x")), { input: { b: [2], a: 1 } }, "refuse"],
    ["what changed something by itself, again and again", times(4, call(1, "x", { changed: true })), {}, "refuse"],
    ["refused already for it", [...times(4, same), call(1, "Refused", { refusedBy: "loops" })], {}, "stop"],
    ["calls whose answers nobody knows", times(4, { input: 1 }), {}, "nothing"],
    ["with two answers in turn", round(3, call(1, "x"), call(1, "y")), {}, "nothing"],
    ["in turn", round(3, ping, pong), { input: "ping" }, "tell"],
    ["in turn, one of them twice", round(4, there, back, back), { input: "there" }, "nothing"],
    ["different calls of another tool", found(6).map((made) => ({ ...made, tool: "u" })), { input: 9 }, "nothing"],
    ["different calls, and the last answer is not known", [...found(6), { input: "w" }], { input: 9 }, "nothing"],
    ["changes that undo each other", round(3, there, back), { input: "there" }, "tell"],
    ["changes that undo each other, once more", round(4, there, back), { input: "there" }, "refuse"],
    ["changes that undo each other, and more", round(5, there, back), { input: "there" }, "stop"],
    ["in turn, and now something else", round(4, there, back), { input: "elsewhere" }, "nothing"],
    [
      "changes in turn with other answers",
      round(2, there, back, there, call("back", "c", { changed: true })),
      { input: "there" },
      "nothing",
    ],
    [
      "in turn, with another pair before",
      [...round(2, there, back), call("x", "y"), ...round(2, there, back)],
      { input: "there" },
      "nothing",
    ],
    [
      "in turn, of another tool before",
      [there, { ...back, tool: "u" }, ...round(2, there, back)],
      { input: "there" },
      "nothing",
    ],
    [
      "in turn, the first of another tool before",
      [{ ...there, tool: "u" }, back, ...round(2, there, back)],
      { input: "there" },
      "nothing",
    ],
    [
      "in turn, with answers that nobody knows",
      round(4, { input: "there", changed: true }, { input: "back", changed: true }),
      { input: "there" },
      "nothing",
    ],
    [
      "in turn, and one of them with other arguments before",
      [there, call("elsewhere", "b", { changed: true }), ...round(2, there, back)],
      { input: "there" },
      "nothing",
    ],
    [
      "different calls of which one changed something",
      [...found(3), call("w", "nothing found", { changed: true }), ...found(3)],
      { input: 9 },
      "nothing",
    ],
    [
      "different calls after one that nobody knows the answer of",
      [...found(3), { input: "w" }, ...found(3)],
      { input: 9 },
      "nothing",
    ],
    [
      "different calls up to this very one",
      [...found(3), call(9, "nothing found"), ...found(3)],
      { input: 9 },
      "nothing",
    ],
    [
      "different calls, refused for it",
      [...found(6), call("r", "Refused", { refusedBy: "loops" })],
      { input: 9 },
      "stop",
    ],
    ["searches in files", found(6), { input: 9, touches: [at("read", "a", { scope: "**" })] }, "refuse"],
    ["different calls of a tool that waits", found(7), { input: 9, polls: true }, "nothing"],
    ["different calls with one answer, a few", found(4), { input: 9 }, "nothing"],
    ["different calls with one answer", found(5), { input: 9 }, "tell"],
    ["six of them", found(6), { input: 9 }, "refuse"],
    ["seven of them", found(7), { input: 9 }, "stop"],
    ["something else in between", [...found(6), call("x", "y", { tool: "u" })], { input: 9 }, "nothing"],
    ["files that are alike", found(7), { input: 9, touches: [at("read", "a")] }, "nothing"],
    ["a search", found(6), { input: 9, touches: [at("list", ".")] }, "refuse"],
    ["changes that are told alike", found(7), { input: 9, touches: [at("write", "a")] }, "nothing"],
    ["waiting for something", times(19, same), { polls: true }, "nothing"],
    ["waiting long", times(20, same), { polls: true }, "tell"],
    ["waiting very long", times(40, same), { polls: true }, "refuse"],
    ["waiting for ever", times(60, same), { polls: true }, "stop"],
  ])("%s: %s", (_, past, next, says) => {
    expect(judge("refuse", past, next)).toBe(says);
    expect(judge("warn", past, next)).toBe(says === "nothing" ? "nothing" : "tell");
    expect(judge("off", past, next)).toBe("nothing");
  });

  test("it is told a few times, then now and then", () => {
    const told = Array.from({ length: 21 }, (_, count) => count).filter(
      (count) => judge("warn", times(count, same)) === "tell",
    );
    expect(told).toEqual([3, 4, 5, 10, 15, 20]);
  });

  test("what is far back is forgotten", () => {
    const others = Array.from({ length: 25 }, (_, n) => call(`other ${n}`, `${n}`));
    expect(judge("refuse", [...times(9, same), ...others])).toBe("nothing");
  });
});
