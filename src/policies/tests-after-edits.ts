import type { Facts, Past, Policy } from "../core/contracts/policy.ts";
import { eachTouch, type Touch } from "../core/words/touch.ts";
import { lineRunsTests, runsTests } from "../shell/tests.ts";

const BY = "guardrails";
const TOLD_AFTER = 5;
const REFUSED_AFTER = 20;

/** Who changes files has to run the tests now and then: a model that never looks goes a long way in the wrong direction. */
export function testsAfterEdits(isRequired: boolean): Policy {
  return {
    name: BY,
    speaksOf: ["write", "delete"],
    judge({ touches }, facts) {
      if (!isRequired || !touches.some(changesFile)) return undefined;
      const changes = untested(facts);
      if (changes >= REFUSED_AFTER)
        return {
          answer: "deny",
          by: BY,
          reason: `${changes} changes were made since the tests ran (guardrails.require_test_after_edit)`,
          next: "Run the tests, for example npm test or pytest, then continue.",
        };
      if (changes < TOLD_AFTER) return undefined;
      return { by: BY, notes: [`[${changes} changes were made since the tests ran. Run them before you continue.]`] };
    },
  };
}

/** Commands are left alone: one of them may be a test that nobody here knows. */
const changesFile = ({ action }: Touch): boolean => action === "write" || action === "delete";

/** How many calls changed files since one ran tests. */
export function untested({ deeds }: Pick<Facts, "deeds">): number {
  const last = deeds.findLastIndex(ranTests);
  return deeds.slice(last + 1).filter(({ changed }) => changed).length;
}

const ranTests = ({ touches }: Past): boolean =>
  eachTouch(touches).some(
    (touch) => touch.action === "run" && (touch.reading ? runsTests(touch.reading) : lineRunsTests(touch.command)),
  );
