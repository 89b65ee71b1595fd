import { expect, test } from "vitest";
import { Automaton } from "./automaton.ts";
import { rulesOf } from "./rule-lines.ts";

test("rules that were made to take forever do not", () => {
  const bombs = ["*a".repeat(60), "**/a/".repeat(60), "{*a,*b}".repeat(30), "a*{*a,**/}".repeat(30)];
  const rules = new Automaton(rulesOf(bombs.map((glob) => `${glob}z`).join("\n")));
  const started = performance.now();
  for (const path of ["a".repeat(250), "a/".repeat(500).concat("c"), "ab".repeat(120)])
    expect(rules.verdict(path, false)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("what it forgets does not change what it says", () => {
  const rules = new Automaton(rulesOf("*a?????????????\n!*b????????????"));
  for (let at = 0; at < 6_000; at += 1) {
    const path = (at * 2_654_435_761).toString(2).slice(-20).replace(/0/g, "a").replace(/1/g, "b");
    const due = /^.*b.{12}$/.test(path) ? "wanted" : /^.*a.{13}$/.test(path) ? "ignored" : undefined;
    expect(rules.verdict(path, false)).toBe(due);
  }
});
