import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineTouch } from "./examples.ts";
import { minimise, type Recorded } from "./minimise.ts";
import { type Rule, type RuleKind, readRule } from "./rule.ts";
import { RuleSet } from "./rule-set.ts";

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

  test("but not beyond its time", () => {
    const until = (day: string) => readRule("deny", { rule: `write(${day}/**)`, expires: day }) as Rule;
    const rules = [until("2020-01-31"), until("2030-01-31"), rule("deny", "run(rm *)")];
    const { kept, dropped } = minimise(rules, [wrote("2020-01-31/a")], Date.parse("2025-01-01"));
    expect(texts(kept)).toEqual(["deny write(2030-01-31/**)", "deny run(rm *)"]);
    expect(dropped.map(({ why }) => why)).toEqual(["it has expired"]);
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

  test.each<[narrower: string, wider: string, goes: boolean]>([
    ["write(**/b/c)", "write(*/b/*)", false],
    ["write(**/b)", "write(*/b)", false],
    ["write(a/**/b)", "write(a/*/b)", false],
    ["write(b)", "write(./b)", false],
    ["write(*.ts)", "write(src/*.ts)", false],
    ["write(*)", "write(?)", false],
    ["write(a*)", "write([!b]*)", false],
    ["write({a,b}/c)", "write({a,b}/*)", false],
    ["write(src/a/**)", "write(src/**)", true],
    ["write(src/a.ts)", "write(*.ts)", true],
    ["run(git push)", "run(git push --force)", false],
    ["run(git *)", "run(git push *)", false],
    ["run(git * main)", "run(git push main)", false],
    ["run(git push main)", "run(git * main)", true],
    ["run(git push origin *)", "run(git push *)", true],
    ["fetch(a.com)", "fetch(GET a.com)", false],
    ["fetch(a.com)", "fetch(a.com/x)", false],
    ["fetch(x.a.com)", "fetch(*.a.com)", true],
    ["mcp(a/b)", "mcp(a/*)", true],
    ["mcp(a/*)", "mcp(a/b*)", false],
    ["Edit(src/a/**)", "Edit(src/**)", false],
  ])("%s goes beside %s: %s", (narrower, wider, goes) => {
    for (const kind of ["deny", "ask"] as const) {
      const { kept } = minimise([rule(kind, narrower), rule(kind, wider)], []);
      expect(texts(kept).includes(`${kind} ${narrower}`)).toBe(!goes);
    }
  });

  test("one that is over changes nothing for what counts now", () => {
    const over = readRule("deny", { rule: "write(src/**)", expires: "2020-01-01" }) as Rule;
    const rules = [over, rule("allow", "write(src/**)")];
    expect(minimise(rules, [wrote("src/a.ts")], Date.parse("2026-01-01")).kept).toEqual(rules.slice(1));
  });

  test("nothing that was forbidden is free afterwards, whatever the rules", () => {
    const part = fc.constantFrom("a", "b", "*", "**", "a*", ".c");
    const parts = fc.array(part, { minLength: 1, maxLength: 3 }).map((each) => each.join("/"));
    const words = fc.array(fc.constantFrom("git", "push", "*", "-f"), { maxLength: 3 }).map((each) => each.join(" "));
    const written = fc.oneof(
      parts.map((pattern) => `write(${pattern})`),
      words.map((more) => `run(git ${more})`),
    );
    const rules = fc.array(
      fc.tuple(fc.constantFrom<RuleKind>("deny", "ask", "allow"), written).map(([kind, text]) => rule(kind, text)),
      { minLength: 2, maxLength: 5 },
    );
    const path = fc.array(fc.constantFrom("a", "b", "ab", ".c"), { minLength: 1, maxLength: 4 });
    const line = fc.array(fc.constantFrom("git", "push", "-f", "x"), { maxLength: 3 });
    const tried = fc.oneof(
      path.map((each) => wrote(each.join("/"))),
      line.map((each) => ran(["git", ...each].join(" "))),
    );
    const decided = (set: readonly Rule[], { touches }: Recorded) => {
      const { deny, ask } = new RuleSet(set).decide({ tool: { name: "x" }, touches }, 0, true);
      return deny?.surely ? "deny" : deny || ask ? "ask" : "open";
    };
    fc.assert(
      fc.property(rules, tried, (set, call) => {
        expect(decided(minimise(set, []).kept, call)).toBe(decided(set, call));
      }),
      { numRuns: 400 },
    );
  });
});
