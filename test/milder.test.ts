import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULTS, settingsOf } from "../src/config/settings.ts";
import type { CallRecord } from "../src/core/contracts/store/records.ts";
import type { Change } from "../src/core/contracts/workspace.ts";
import { GateFacts, Session } from "../src/core/journey/facts.ts";
import { judge } from "../src/core/journey/opinions.ts";
import { MODES } from "../src/core/words/ceiling.ts";
import { dangerOf, type Touch } from "../src/core/words/touch.ts";
import { policies, unheld, webPolicies } from "../src/parts.ts";
import { at, factsUnder, ready, run } from "./judging.ts";

const STRICTNESS = ["allow", "ask", "deny"];
const SURROUNDINGS = { userFolders: [], governed: false, commandsOffline: false, storeFiles: [] };
const OFF = settingsOf({ ...DEFAULTS, loops: "off", "workspace.writeSafety": "off" });

const path = fc.constantFrom(".env", "a.ts", "kept/b.ts", "kept", "/ws", "deep/.env", "package-lock.json");
const scope = fc.constantFrom(undefined, "**", "*", "*.ts");
const places: fc.Arbitrary<Touch> = fc
  .tuple(fc.constantFrom("read", "list", "write", "delete"), path, scope)
  .map(([action, real, glob]) => at(action as "read", real, glob === undefined ? {} : { scope: glob }));
const others: fc.Arbitrary<Touch> = fc.constantFrom<Touch[]>(
  { action: "fetch", url: "https://example.com", method: "GET" },
  { action: "use", source: "mcp", name: "x/y" },
  { action: "delegate", target: "other" },
  { action: "unknown", permissions: ["read"] },
  { action: "unknown", permissions: [] },
  { action: "schedule", target: "later" },
  { action: "use", source: "mcp", name: "x/y", changed: "-a\n+b\n" },
);
const touch: fc.Arbitrary<Touch> = fc.oneof(
  places,
  others,
  fc
    .tuple(fc.array(places, { maxLength: 2 }), fc.constantFrom("safe", "dev", "dangerous"))
    .map(([inner, kind]) => ({ ...run(...inner), command: "git push --force", class: kind }) as Touch),
);
const text = fc.constantFrom(null, "eval(1)\n", "fine\n", "fine\neval(2)\n");
const change: fc.Arbitrary<Change> = fc.tuple(path, text, text).map(([real, before, after]) => ({
  ...{ before: before && new TextEncoder().encode(before), after: after && new TextEncoder().encode(after) },
  place: { shown: real, real: `/ws/${real}`, root: "/ws", exists: true },
  stamp: { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 },
}));

const settings = fc.record({
  loops: fc.constantFrom("off", "warn", "refuse"),
  "workspace.writeSafety": fc.constantFrom("off", "warn", "strict"),
  "trust.outsideText": fc.constantFrom("off", "ask", "deny"),
  "guardrails.protectedFiles": fc.subarray(["kept/**", "package-lock.json", "*.ts"]),
  "guardrails.sensitiveFiles": fc.subarray([".env", "kept/b.ts"]),
  "guardrails.blockedCommands": fc.subarray(["push"]),
  "guardrails.codeRules": fc.subarray([{ pattern: "eval", message: "no", severity: "block" as const }]),
  "guardrails.requireTestAfterEdit": fc.boolean(),
  "guardrails.maxFilesModified": fc.constantFrom(undefined, 0, 5),
});

const mostStrict = settingsOf({
  ...{ ...DEFAULTS, loops: "refuse", "workspace.writeSafety": "strict", "trust.outsideText": "deny" },
  ...{ "guardrails.protectedFiles": ["**"], "guardrails.sensitiveFiles": ["**"], "guardrails.blockedCommands": ["."] },
  ...{ "guardrails.requireTestAfterEdit": true, "guardrails.maxFilesModified": 0, "workspace.forbiddenPaths": ["**"] },
  ...{ "guardrails.maxCommandsExecuted": 0, "web.deny": ["example.com"] },
});

test("whoever is not asked about a call would have said nothing", async () => {
  const chosen = fc.oneof(
    fc.constant(mostStrict),
    settings.map((some) => settingsOf({ ...DEFAULTS, ...some })),
  );
  const web = await webPolicies(mostStrict, []);
  fc.assert(
    fc.property(
      chosen,
      fc.array(touch, { maxLength: 2 }),
      fc.array(touch, { maxLength: 30 }),
      fc.constantFrom(...MODES),
      fc.boolean(),
      (given, touches, past, mode, isChild) => {
        const facts = new GateFacts({ mode }, new Session("own"), [], isChild ? [new Session("above")] : []);
        for (const each of past)
          facts.noteEnd({ tool: "thing", input: {}, touches: [each], status: "done", changed: true } as never, "same");
        const call = { ...ready({ touches, danger: dangerOf(touches) }), call: { sessionID: "own" } as never };
        const unasked = [...policies(given, SURROUNDINGS), ...web, unheld].filter(
          ({ speaksOf }) => speaksOf && !touches.some(({ action }) => speaksOf.includes(action)),
        );
        for (const policy of unasked) expect(policy.judge(call, facts), policy.name).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test("no setting of these makes a verdict milder, whatever the call and whatever happened before", () => {
  const before = policies(OFF, SURROUNDINGS);
  fc.assert(
    fc.property(
      settings,
      fc.array(touch, { maxLength: 3 }),
      fc.array(change, { maxLength: 2 }),
      fc.array(touch, { maxLength: 8 }),
      fc.constantFrom(...MODES),
      (chosen, touches, changes, past, mode) => {
        const facts = factsUnder({ mode });
        for (const each of past)
          facts.noteEnd(
            { tool: "thing", input: {}, touches: [each], status: "done", changed: true } as unknown as CallRecord,
            "same",
          );
        const call = { ...ready({ touches, danger: dangerOf(touches) }), changes };
        const after = policies(settingsOf({ ...DEFAULTS, ...chosen }), SURROUNDINGS);
        const [without, with_] = [judge(before, call, facts), judge(after, call, facts)];
        expect(STRICTNESS.indexOf(with_.answer)).toBeGreaterThanOrEqual(STRICTNESS.indexOf(without.answer));
        // a question that only a person's own word answers stays one
        if (without.answer === "ask" && with_.answer === "ask" && !without.grantable)
          expect(with_.grantable).toBeFalsy();
        expect(with_.exclude ?? []).toEqual(
          expect.arrayContaining([...(with_.answer === "deny" ? [] : (without.exclude ?? []))]),
        );
      },
    ),
    { numRuns: 500 },
  );
});
