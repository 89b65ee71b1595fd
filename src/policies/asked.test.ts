import { describe, expect, test } from "vitest";
import { at, ready, run } from "../../test/judging.ts";
import type { Policy } from "../core/contracts/policy.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import { GateFacts, Session } from "../core/journey/facts.ts";
import { judge } from "../core/journey/opinions.ts";
import { dangerOf, type Touch } from "../core/words/touch.ts";
import { blockedCommands } from "./blocked-commands.ts";
import { changeLimits } from "./change-limits.ts";
import { changedTools } from "./changed-tools.ts";
import { commands } from "./commands.ts";
import { guardedFiles } from "./guarded-files.ts";
import { paths } from "./paths.ts";
import { protection } from "./protection.ts";
import { records } from "./records.ts";
import { secretFiles } from "./secret-files.ts";
import { testsAfterEdits } from "./tests-after-edits.ts";
import { trust } from "./trust.ts";
import { unheld } from "./unheld.ts";
import { web } from "./web.ts";
import { writeSafety } from "./write-safety.ts";

const fetched: Touch = { action: "fetch", url: "http://denied.example/", method: "GET" };
const used: Touch = { action: "use", source: "mcp", name: "a/b", changed: "-a\n+b\n" };
const tryPatterns = (patterns: readonly string[]) => (text: string) => {
  const pattern = patterns.find((each) => text.includes(each));
  return pattern === undefined ? undefined : { pattern };
};
const COMMANDS = {
  ...{ enabled: false, blockedPatterns: [], tryPatterns, allowedOnly: false, workspaceOnly: false, tempFolders: [] },
  ...{ blockHighRisk: false, approveMediumRisk: false },
};
const others = at("read", ".toolgate/output/other");

/** A child's session in which text came from outside, and twenty files were changed. */
function facts(): GateFacts {
  const made = new GateFacts({ mode: "confirm-all" }, new Session("own"), [], [new Session("above")]);
  const past = { tool: "t", input: {}, status: "done", changed: true };
  for (let n = 0; n < 20; n++) made.noteEnd({ ...past, touches: [fetched, at("write", "a")] } as unknown as CallRecord);
  return made;
}

describe("each policy is asked about every touch that it has a word on", () => {
  const guarded = guardedFiles({ protectedFiles: ["**"], sensitiveFiles: ["**"] });
  const protects = protection({ userFolders: [], governed: true });
  const forbids = paths({ allowDelete: false, forbidden: ["**"] });
  const carries = trust({ outsideText: "deny", commandsOffline: false });
  const kept = web({ rate: 1, deny: ["denied.example"], allowPrivateHosts: [] });
  const place = { shown: "a", real: "/ws/a", root: "/ws", exists: true };

  test.each<[policy: Policy, ...touches: Touch[]]>([
    [guarded, at("read", "a"), at("list", "a"), at("write", "a"), at("delete", "a"), run(at("read", "a"))],
    [forbids, at("read", "a"), at("list", "a"), at("write", "a"), at("delete", "a"), run(at("read", "a"))],
    [protects, at("write", "toolgate.yaml"), at("delete", "toolgate.yaml"), run(at("write", "toolgate.yaml"))],
    [secretFiles(), at("read", ".env"), at("list", ".env"), run(at("read", ".env"))],
    [records(), others, { ...others, action: "list" } as Touch, run(others)],
    [testsAfterEdits(true), at("write", "a"), at("delete", "a")],
    [carries, run(), fetched, used, { action: "schedule", target: "x" }, { action: "unknown", permissions: [] }],
    [changedTools, used],
    [kept, fetched, run(fetched)],
    [unheld, run()],
    [commands(COMMANDS), run()],
    [blockedCommands({ blockedCommands: ["x"], tryPatterns }), run()],
    [changeLimits({ maxCommandsExecuted: 0 }), run()],
  ])("$name", (policy, ...touches) => {
    for (const touch of touches) {
      const call = { ...ready({ touches: [touch], danger: dangerOf([touch]) }), call: { sessionID: "own" } as never };
      const said = judge([policy], call, facts());
      const hasSpoken = said.by === policy.name || said.reserve !== undefined;
      expect(hasSpoken, `${policy.name} about ${JSON.stringify(touch)}`).toBe(true);
    }
  });

  test("policies about one kind of touch say nothing of others", () => {
    const said = (policy: Policy, touch: Touch) => policy.judge(ready({ touches: [touch] }), facts());
    expect(said(unheld, at("write", "a"))).toBeUndefined();
    expect(said(changedTools, { action: "use", source: "mcp", name: "a/b" })).toBeUndefined();
    expect(said(changedTools, { ...at("read", "a"), changed: "x" } as Touch)).toBeUndefined();
  });

  test("what a command would replace is looked at before it runs", () => {
    const call = { ...ready({ touches: [run()] }), replaces: [{ place, stamp: {} }] } as never;
    expect(judge([writeSafety("strict", "describe")], call, facts()).by).toBe("write-safety");
  });

  test("all of them are asked about a call of different touches, and about changes", () => {
    const asked: Policy = { name: "asked", speaksOf: [], judge: () => ({ answer: "deny", by: "asked", reason: "" }) };
    const said = (more: object) => judge([asked], { ...ready({}), ...more }, facts()).by;
    expect(said({ touches: [at("read", "a"), run()] })).toBe("asked");
    expect(said({ touches: [at("read", "a")], changes: [{}] })).toBe("asked");
    expect(said({ touches: [at("read", "a"), at("read", "b")] })).toBe("silence");
  });
});
