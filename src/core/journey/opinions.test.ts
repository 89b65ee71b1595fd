import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Facts, Policy } from "../contracts/policy.ts";
import type { Ready } from "../words/ready.ts";
import type { Answer, Verdict } from "../words/verdict.ts";
import { judge } from "./opinions.ts";

const STRICTNESS: readonly Answer[] = ["allow", "ask", "deny"];
const call = { touches: [], changes: [] } as unknown as Ready;
const facts = {} as Facts;

type Said = { answer: Answer; grantable?: boolean; exclude?: string[] } | "silence" | "throw";

const policyOf = (said: Said, index: number): Policy => ({
  name: `p${index}`,
  judge: () => {
    if (said === "throw") throw new Error("broken");
    return said === "silence" ? undefined : { ...said, by: `p${index}`, reason: `r${index}` };
  },
});
const verdictOf = (said: readonly Said[]): Verdict => judge(said.map(policyOf), call, facts);

const said: fc.Arbitrary<Said> = fc.oneof(
  fc.constantFrom<Said>("silence", "throw"),
  fc.record(
    {
      answer: fc.constantFrom<Answer>("allow", "ask", "deny"),
      grantable: fc.boolean(),
      exclude: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
    },
    { requiredKeys: ["answer"] },
  ),
);
const answers = (all: readonly Said[]): Answer[] =>
  all.flatMap((each) => (each === "silence" ? [] : each === "throw" ? ["deny"] : [each.answer]));
const strictness = (answer: Answer) => STRICTNESS.indexOf(answer);

describe("how answers combine", () => {
  const table: [said: Said[], answer: Answer, by: string][] = [
    [[], "ask", "silence"],
    [["silence", "silence"], "ask", "silence"],
    [[{ answer: "allow" }], "allow", "p0"],
    [["silence", { answer: "allow" }], "allow", "p1"],
    [[{ answer: "allow" }, { answer: "ask" }], "ask", "p1"],
    [[{ answer: "ask" }, { answer: "allow" }], "ask", "p0"],
    [[{ answer: "ask" }, { answer: "deny" }, { answer: "allow" }], "deny", "p1"],
    [[{ answer: "deny" }, { answer: "deny" }], "deny", "p0"],
    [[{ answer: "allow" }, "throw"], "deny", "p1"],
    [["throw"], "deny", "p0"],
    [[{ answer: "ask", grantable: true }, { answer: "ask" }], "ask", "p1"],
    [[{ answer: "ask" }, { answer: "ask", grantable: true }], "ask", "p0"],
  ];
  test.each(table)("%j: %s by %s", (all, answer, by) => {
    expect(verdictOf(all)).toMatchObject({ answer, by });
  });

  test("the strictest wins, whatever the order", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 6 }), (all) => {
        const due = answers(all).sort((a, b) => strictness(b) - strictness(a))[0] ?? "ask";
        expect(verdictOf(all).answer).toBe(due);
        expect(verdictOf([...all].reverse()).answer).toBe(due);
      }),
    );
  });

  test("one more policy never makes it milder, unless it is the first to say a word", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 5 }), said, fc.nat(5), (all, added, place) => {
        const more = [...all.slice(0, place), added, ...all.slice(place)];
        fc.pre(answers(all).length > 0);
        const [before, after] = [verdictOf(all), verdictOf(more)];
        expect(strictness(after.answer)).toBeGreaterThanOrEqual(strictness(before.answer));
        if (before.answer === "ask" && after.answer === "ask" && !before.grantable) expect(after.grantable).toBeFalsy();
        for (const glob of before.exclude ?? []) expect(after.exclude).toContain(glob);
      }),
    );
  });

  test("a standing yes can answer only what every asking policy leaves to it", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 6 }), (all) => {
        const verdict = verdictOf(all);
        fc.pre(verdict.answer === "ask");
        const asking = all.filter((each) => typeof each === "object" && each.answer === "ask");
        const leftOpen = asking.length > 0 && asking.every((each) => typeof each === "object" && each.grantable);
        expect(verdict.grantable === true).toBe(leftOpen);
      }),
    );
  });

  test("all that anybody hides is hidden", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 6 }), (all) => {
        const due = all.flatMap((each) => (typeof each === "object" ? (each.exclude ?? []) : []));
        expect([...(verdictOf(all).exclude ?? [])].sort()).toEqual(due.sort());
      }),
    );
  });
});

describe("a policy that says what nobody understands has said no", () => {
  const odd: [what: string, judge: () => unknown][] = [
    ["another word", () => ({ answer: "yes", by: "odd", reason: "" })],
    ["no word", () => ({})],
    ["a promise", async () => ({ answer: "allow", by: "odd", reason: "" })],
    ["true", () => true],
    ["a thrown text", () => fail("text")],
    ["a thrown nothing", () => fail(undefined)],
    ["a thrown object that cannot be shown", () => fail(Object.create(null))],
  ];
  test.each(odd)("%s", (_, answer) => {
    const allowing = policyOf({ answer: "allow" }, 0);
    const policy = { name: "odd", judge: answer } as unknown as Policy;
    for (const policies of [[policy], [allowing, policy], [policy, allowing]])
      expect(judge(policies, call, facts)).toMatchObject({ answer: "deny", by: "odd" });
  });

  test("null is silence", () => {
    const silent = { name: "odd", judge: () => null } as unknown as Policy;
    expect(judge([silent, policyOf({ answer: "allow" }, 1)], call, facts).answer).toBe("allow");
  });
});

function fail(value: unknown): never {
  throw value;
}
