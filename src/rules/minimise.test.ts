import { describe, expect, test } from "vitest";
import { lineTouch } from "./examples.ts";
import { minimise, type Recorded } from "./minimise.ts";
import { type Rule, type RuleKind, readRule } from "./rule.ts";

const rule = (kind: RuleKind, text: string): Rule => readRule(kind, text) as Rule;
const ran = (command: string): Recorded => ({ tool: "run", touches: [lineTouch(command)] });
const wrote = (path: string): Recorded => ({
  tool: "edit",
  touches: [{ action: "write", place: { shown: path, real: `/w/${path}`, root: "/w", exists: true }, certain: true }],
});
const texts = (rules: readonly Rule[]) => rules.map(({ kind, statement }) => `${kind} ${statement.text}`);

describe("a smaller set of rules", () => {
  test("allow rules that no recorded call needs go, and those that another one covers", () => {
    const rules = [
      rule("allow", "write(src/**)"),
      rule("allow", "write(src/a/**)"),
      rule("allow", "write(docs/**)"),
      rule("allow", "run(npm test *)"),
      rule("allow", "run(npm run build *)"),
    ];
    const { kept, dropped } = minimise(rules, [wrote("src/a/b.ts"), wrote("src/c.ts"), ran("npm test -- x")]);
    expect(texts(kept)).toEqual(["allow write(src/**)", "allow run(npm test *)"]);
    expect(dropped.map(({ rule: { statement }, why }) => `${statement.text}: ${why}`)).toEqual([
      "write(src/a/**): write(src/**) says it already",
      "run(npm run build *): no recorded call needs it",
      "write(docs/**): no recorded call needs it",
    ]);
  });

  test("what is forbidden stays forbidden, whether or not anybody tried it", () => {
    const rules = [rule("deny", "write(kept/**)"), rule("deny", "run(rm *)"), rule("ask", "run(git push *)")];
    expect(minimise(rules, []).kept).toEqual(rules);
  });

  test("but twice is once", () => {
    const rules = [rule("deny", "write(kept/**)"), rule("deny", "write(kept/**)"), rule("deny", "write(kept/a/**)")];
    expect(texts(minimise(rules, []).kept)).toEqual(["deny write(kept/**)"]);
  });

  test("every recorded call is decided as before", () => {
    const rules = [
      rule("allow", "run(git *)"),
      rule("allow", "run(git commit *)"),
      rule("allow", "run(npm run build)"),
      rule("allow", "run(npm run *)"),
      rule("deny", "run(git push *)"),
    ];
    const history = ["git commit -m x", "git status", "git push", "npm run build", "npm run x", "ls"].map(ran);
    const { kept } = minimise(rules, history);
    expect(kept.length).toBeLessThan(rules.length);
    expect(minimise(kept, history).kept).toEqual(kept);
  });
});
