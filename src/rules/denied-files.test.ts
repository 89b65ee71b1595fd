import fc from "fast-check";
import { expect, test } from "vitest";
import type { PathTouch, RunTouch } from "../core/words/touch.ts";
import { keptFiles } from "./denied-files.ts";
import { type Rule, readRule } from "./rule.ts";
import { RuleSet } from "./rule-set.ts";

const ROOT = "/ws";
const name = fc.constantFrom("a", "b", "B", ".c", "d.pem");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const pattern = fc
  .tuple(
    fc.constantFrom("", "./", `${ROOT}/`, "**/"),
    fc.array(fc.oneof(name, fc.constantFrom("*", "*.pem", "?")), { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "/**", "/*"),
  )
  .map(([start, names, end]) => `${start}${names.join("/")}${end}`);
const written = fc.record(
  { rule: pattern, except: fc.array(pattern, { maxLength: 2 }), expires: fc.constantFrom("2020-01-01", "2999-01-01") },
  { requiredKeys: ["rule"] },
);

const touching = (action: "read" | "write", file: string): PathTouch => ({
  action,
  place: { shown: file, real: `${ROOT}/${file}`, root: ROOT, exists: true },
  certain: true,
});

test("the sandbox keeps exactly those files that the rules deny to a command", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("read" as const, "write" as const),
      fc.array(written, { minLength: 1, maxLength: 3 }),
      path,
      (action, given, file) => {
        const now = Date.parse("2026-01-01");
        const rules = given.map(
          ({ rule, ...more }) => readRule("deny", { rule: `${action}(${rule})`, ...more }) as Rule,
        );
        const run: RunTouch = { action: "run", command: "x", class: "dev", inner: [touching(action, file)] };
        const { deny } = new RuleSet(rules).decide({ touches: [run], tool: { name: "t" } }, now, true);
        const { hidden, fixed } = keptFiles(rules, { now: () => now });
        const [guards, others] = action === "read" ? [hidden, fixed] : [fixed, hidden];
        const parts = file.split("/");
        const covered = guards.some(
          (covers) =>
            covers(`${ROOT}/${file}`, ROOT) !== undefined ||
            parts.some((_, index) => covers([ROOT, ...parts.slice(0, index)].join("/"), ROOT) === "whole"),
        );
        expect([covered, others.length]).toEqual([deny?.surely === true, 0]);
      },
    ),
    { numRuns: 2000 },
  );
});

test("plain paths outside the workspace are named, unless something is left out of them", () => {
  const rule = (given: string | object) => readRule("deny", given as string) as Rule;
  const around = { home: "/home/me", now: () => 0 };
  const outside = (...given: (string | object)[]) => keptFiles(given.map(rule), around).outside;
  expect(outside("read(/opt/x/**)", "read(~/keys)", "read(/srv/a)")).toEqual(["/opt/x", "/home/me/keys", "/srv/a"]);
  expect(outside("read(secrets/**)", "read(/opt/*.pem)", "write(/opt/x)", "list(/opt/x)")).toEqual([]);
  expect(outside({ rule: "read(/opt/x/**)", except: ["/opt/x/y"] })).toEqual([]);
});
