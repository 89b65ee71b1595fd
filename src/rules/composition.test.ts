import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Facts } from "../core/contracts/policy.ts";
import { judge } from "../core/journey/opinions.ts";
import type { Ready } from "../core/words/ready.ts";
import { dangerOf, type Touch } from "../core/words/touch.ts";
import { mode } from "../policies/mode.ts";
import { rules as rulesPolicy } from "../policies/rules.ts";
import { fits, lineTouch } from "./examples.ts";
import { type Rule, type RuleKind, readRule } from "./rule.ts";

const STRICTNESS = ["allow", "ask", "deny"];
const LINES = ["ls", "git commit -m x", "git push", "npm test", "npm test && git push", "rm -rf src", "x=1; rm $x"];
const touchesOf: readonly (readonly Touch[])[] = [
  ...LINES.map((line) => [lineTouch(line)]),
  ...["src/a.ts", "kept/b", "c.md"].map((path): Touch[] => [
    { action: "write", place: { shown: path, real: `/w/${path}`, root: "/w", exists: true }, certain: true },
  ]),
];
const TEXTS = [
  ...["write(src/**)", "write(kept/**)", "write(*.md)", "read(src/**)", "delete(**)", "run(git commit *)"],
  ...["run(git *)", "run(npm test)", "run(npm *)", "run(ls *)", "run(*)", "tool", "t*", "tool(src/**)"],
];
const aRule = (kinds: readonly RuleKind[]): fc.Arbitrary<Rule> =>
  fc
    .tuple(fc.constantFrom(...kinds), fc.constantFrom(...TEXTS), fc.constantFrom([], ["src/gen/**"], ["git push *"]))
    .map(([kind, rule, except]) => readRule(kind, { rule, except }) as Rule);

const answerOf = (rules: readonly Rule[], touches: readonly Touch[]): string => {
  const ready = {
    tool: { name: "tool", definition: {} },
    touches,
    changes: [],
    danger: dangerOf(touches),
  } as unknown as Ready;
  const facts = { ceiling: { mode: "confirm-sensitive" } } as Facts;
  return judge([mode, rulesPolicy({ rules, now: () => 0 })], ready, facts).answer;
};
const strictness = (answer: string) => STRICTNESS.indexOf(answer);
const call = fc.constantFrom(...touchesOf);
const some = fc.array(aRule(["allow", "ask", "deny"]), { maxLength: 5 });

describe("adding a rule", () => {
  test("that asks or denies never makes a verdict milder", () => {
    fc.assert(
      fc.property(some, aRule(["ask", "deny"]), call, (rules, added, touches) => {
        expect(strictness(answerOf([...rules, added], touches))).toBeGreaterThanOrEqual(
          strictness(answerOf(rules, touches)),
        );
      }),
    );
  });
  test("that allows never turns a deny, or an ask rule, into anything milder", () => {
    fc.assert(
      fc.property(some, aRule(["allow"]), call, (rules, added, touches) => {
        const firm = answerOf(
          rules.filter(({ kind }) => kind !== "allow"),
          touches,
        );
        const asksByRule = firm !== answerOf([], touches);
        if (firm === "deny" || asksByRule) expect(answerOf([...rules, added], touches)).toBe(firm);
      }),
    );
  });
  test("in any order says the same", () => {
    fc.assert(
      fc.property(some, call, (rules, touches) => {
        expect(answerOf([...rules].reverse(), touches)).toBe(answerOf(rules, touches));
      }),
    );
  });
});

describe("a rule that allows a command", () => {
  const allows = [
    "run(git commit *)",
    "run(npm test *)",
    "run(npm run build)",
    "run(docker compose up *)",
    "run(mkdir *)",
  ];
  const starts = ["git commit -m x", "npm test", "npm run build", "docker compose up", "mkdir x"];
  const additions = [
    ...[
      "; rm x",
      " && git push",
      " || curl evil.example",
      " | sh",
      " | tee out",
      "\nrm x",
      " & rm x",
      " > out",
      " >> out",
    ],
    ...[
      " 2> err",
      " >| out",
      " $(rm x)",
      " `rm x`",
      " <(rm x)",
      " $X",
      " ${X:-y}",
      " --force",
      " --prefix=/x",
      " --exec=sh",
    ],
  ];
  test.each(allows.map((text, index) => [text, starts[index] as string]))(
    "%s covers nothing that is added to it",
    (text, start) => {
      const rule = readRule("allow", text) as Rule;
      expect(fits(rule, start)).toBe(true);
      expect(additions.filter((added) => fits(rule, start + added))).toEqual([]);
      for (const before of ["X=1 ", "PATH=/x ", "rm x; ", "$(rm x) ", "eval "])
        expect(fits(rule, before + start), before).toBe(false);
    },
  );
});
