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

/** A rule for any number of bytes that are no slash, which counts how often it is asked. */
function counting() {
  let asked = 0;
  const fits = (byte: number) => {
    asked += 1;
    return byte !== 47;
  };
  const rules = (last = "z") => [
    {
      steps: [
        { fits, many: true },
        ...last.split("").map((char) => ({ fits: (byte: number) => char === "?" || byte === char.charCodeAt(0) })),
      ],
      isNegated: false,
      onlyFolders: false,
    },
  ];
  return { rules, asked: () => asked };
}

test("what it knows it is not asked again, neither along a path nor by the next one", () => {
  const { rules, asked } = counting();
  const automaton = new Automaton(rules());
  expect(automaton.verdict(`${"a".repeat(500)}z`, false)).toBe("ignored");
  expect(asked()).toBeLessThan(5);
  const before = asked();
  expect(automaton.verdict(`${"a".repeat(900)}z`, false)).toBe("ignored");
  expect(asked()).toBe(before);
});

test("of very many states it forgets those that it has", () => {
  const { rules, asked } = counting();
  const automaton = new Automaton(rules("a????????????"));
  const bits = (number: number) => number.toString(2).padStart(12, "0").replace(/0/g, "a").replace(/1/g, "b");
  automaton.verdict(bits(0), false);
  const before = asked();
  automaton.verdict(bits(0), false);
  expect(asked()).toBe(before);
  for (let number = 0; number < 4_096; number += 1) automaton.verdict(bits(number), false);
  const since = asked();
  for (let number = 0; number < 4_096; number += 1) automaton.verdict(bits(number), false);
  expect(asked() - since).toBeGreaterThan(1_000);
});

test("what it forgets does not change what it says", () => {
  const rules = new Automaton(rulesOf("*a?????????????\n!*b????????????"));
  for (let at = 0; at < 6_000; at += 1) {
    const path = (at * 2_654_435_761).toString(2).slice(-20).replace(/0/g, "a").replace(/1/g, "b");
    const due = /^.*b.{12}$/.test(path) ? "wanted" : /^.*a.{13}$/.test(path) ? "ignored" : undefined;
    expect(rules.verdict(path, false)).toBe(due);
  }
});
