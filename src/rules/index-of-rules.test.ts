import fc from "fast-check";
import { expect, test } from "vitest";
import type { PathTouch } from "../core/words/touch.ts";
import { RuleIndex } from "./index-of-rules.ts";
import { type Rule, readRule } from "./rule.ts";
import { matcherOf } from "./rule-matchers.ts";

const name = fc.constantFrom("a", "b", "B", "c.pem", "folder", "Folders");
const path = fc.array(name, { maxLength: 3 }).map((names) => names.join("/"));
const pattern = fc
  .tuple(
    fc.constantFrom("", "./", "/ws/", "**/"),
    fc.array(fc.oneof(name, fc.constantFrom("*", "?")), { minLength: 1, maxLength: 2 }),
  )
  .map(([start, names]) => `${start}${names.join("/")}`);
const action = fc.constantFrom("read" as const, "list" as const, "write" as const, "delete" as const);

test("whatever a rule is about is found, among however many others", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(action, pattern), { maxLength: 20 }),
      action,
      path,
      path,
      fc.boolean(),
      (given, does, real, shown, own) => {
        const rules = given.map(([about, text]) => readRule("deny", `${about}(${text}/**)`) as Rule);
        const matchers = rules.map((rule) => matcherOf(rule, {}));
        const index = new RuleIndex(matchers);
        const place = { shown: shown || ".", real: real ? `/ws/${real}` : "/ws", root: "/ws", exists: true };
        const touch: PathTouch = { action: does, place, certain: true };
        const about = matchers.filter((each) => each.reach(touch, own) !== "misses");
        expect(index.for(touch, own)).toEqual(expect.arrayContaining(about));
      },
    ),
    { numRuns: 2000 },
  );
});
