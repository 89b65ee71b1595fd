import { describe, expect, test } from "vitest";
import { at, factsUnder, ready } from "../../test/judging.ts";
import type { Ceiling } from "../core/words/ceiling.ts";
import type { CommandClass, CommandReading, RunTouch, Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { boundedPatterns } from "../workspaces/bounded-patterns.ts";
import { type CommandSettings, commands } from "./commands.ts";

const OPEN: CommandSettings = {
  enabled: true,
  blockedPatterns: [],
  tryPatterns: boundedPatterns,
  allowedOnly: false,
  allowlist: undefined,
  workspaceOnly: false,
  allowedCommands: undefined,
  blockHighRisk: false,
  approveMediumRisk: true,
  tempFolders: ["/tmp"],
};

type Reading = Partial<Omit<CommandReading, "segments">> & { programs?: (string | undefined)[] };

function reading({ programs = ["ls"], ...more }: Reading = {}): CommandReading {
  const segments = programs.map((program) => ({
    text: `${program ?? "$it"} a`,
    class: "dev" as const,
    risk: "low" as const,
    rule: "",
    ...(program && { program }),
  }));
  const uses = { newline: false, backticks: false, substitution: false };
  return { risk: "low", reason: "told", parsed: true, uses, segments, ...more };
}

const line = (command: string, kind: CommandClass, read: Reading = {}, ...inner: Touch[]): RunTouch => ({
  action: "run",
  command,
  class: kind,
  inner,
  reading: reading(read),
});
/** What a tool of somebody else declares: a command, and nothing of how it is to be understood. */
const unread: RunTouch = { action: "run", command: "anything", class: "safe", inner: [] };
const beyond = (action: "read" | "list" | "write" | "delete", real: string): Touch =>
  at(action, real, { place: { shown: real, real, root: "", exists: true } });

const judged = (settings: Partial<CommandSettings>, touches: Touch[], ceiling: Partial<Ceiling> = {}) =>
  commands({ ...OPEN, ...settings }).judge(ready({ touches }), factsUnder({ mode: "yolo", ...ceiling }));

type Row = [what: string, settings: Partial<CommandSettings>, touch: Touch, reason: string | undefined];

describe("what no mode lets through", () => {
  test.each<Row>([
    ["nothing is set", {}, line("make", "dangerous", { risk: "high" }), undefined],
    ["nothing is set, and nobody read it", {}, unread, undefined],
    ["switched off", { enabled: false }, line("ls", "safe"), "commands are switched off (commands.enabled)"],
    ["blocked", {}, line("sudo x", "blocked"), "it is blocked in every mode: told"],
    ["blocked inside another", {}, line("x", "safe", {}, line("sudo x", "blocked")), "it is blocked in every mode"],
    ["a pattern", { blockedPatterns: ["z", "de+ploy"] }, line("make deeploy", "dev"), "blocked_patterns (de+ploy)"],
    ["a pattern in capitals", { blockedPatterns: ["DEPLOY"] }, line("make deploy", "dev"), "blocked_patterns"],
    ["capitals against a pattern", { blockedPatterns: ["deploy"] }, line("make DePLOY", "dev"), "blocked_patterns"],
    ["a pattern, asked again", { blockedPatterns: ["deploy"] }, line("deploy; deploy", "dev"), "blocked_patterns"],
    [
      "a pattern, not valid shell",
      { blockedPatterns: ["deploy"] },
      line("deploy (", "dev", { parsed: false }),
      "blocked",
    ],
    ["a pattern, a line nobody read", { blockedPatterns: ["thing$"] }, unread, "blocked_patterns"],
    ["a pattern inside", { blockedPatterns: ["b c"] }, line("a", "dev", {}, line("b c", "dev")), "blocked_patterns"],
    [
      "a pattern that takes forever",
      { blockedPatterns: ["(a+)+$"] },
      line(`${"a".repeat(40)}!`, "dev"),
      "it takes too long to match against commands.blocked_patterns",
    ],
    ["a pattern that does not match", { blockedPatterns: ["deploy"] }, line("make", "dev"), undefined],
    ["allowed_only, dangerous", { allowedOnly: true }, line("x", "dangerous"), "it is dangerous (told) and commands.a"],
    ["allowed_only, dev", { allowedOnly: true }, line("x", "dev"), undefined],
    ["allowed_only, safe", { allowedOnly: true }, line("x", "safe"), undefined],
    [
      "high risk",
      { blockHighRisk: true },
      line("x", "dev", { risk: "high" }),
      "its risk is high (told) and security.b",
    ],
    ["high risk, medium", { blockHighRisk: true }, line("x", "dangerous", { risk: "medium" }), undefined],
    ["high risk, nobody read it", { blockHighRisk: true }, unread, "its risk is high (nobody read it)"],
  ])("%s", (_, settings, touch, reason) => {
    const verdict = judged(settings, [touch]);
    expect(verdict?.answer).toBe(reason && "deny");
    if (reason) expect(verdict).toEqual({ answer: "deny", by: "commands", reason: expect.stringContaining(reason) });
  });
});

describe("a list of what alone may run", () => {
  const rows: [what: string, list: string[], touch: Touch, lets: { allowlist: boolean; allowed: boolean }][] = [
    ["every program listed", ["ls", "wc"], line("ls | wc", "safe", { programs: ["ls", "wc"] }), both(true)],
    ["one of them not", ["ls"], line("ls | wc", "safe", { programs: ["ls", "wc"] }), both(false)],
    ["an empty list", [], line("ls", "safe"), both(false)],
    ["a program that is not named plainly", ["ls"], line("$it", "safe", { programs: [undefined] }), both(false)],
    ["the empty name does not help it", ["ls", ""], line("$it", "safe", { programs: [undefined] }), both(false)],
    ["another case is another program", ["LS"], line("ls", "safe"), both(false)],
    ["not valid shell", ["ls"], line("ls (", "safe", { parsed: false }), both(false)],
    ["not valid shell, without a program", ["ls"], line("(", "safe", { parsed: false, programs: [] }), both(false)],
    ["nobody read it", ["ls", "anything"], unread, both(false)],
    ["nobody read it, inside another", ["ls"], line("ls", "safe", {}, unread), both(false)],
    ["a star", ["*"], line("wc", "safe", { programs: ["wc"] }), both(true)],
    ["a star among others", ["ls", "*"], line("wc", "safe", { programs: ["wc"] }), both(true)],
    ["a star, not valid shell", ["*"], line("(", "safe", { parsed: false }), { allowlist: false, allowed: true }],
    ["a star, nobody read it", ["*"], unread, { allowlist: false, allowed: true }],
    ["more than one line", ["ls"], line("ls\nls", "safe", using("newline")), { allowlist: false, allowed: true }],
    ["backticks", ["ls"], line("ls `ls`", "safe", using("backticks")), { allowlist: false, allowed: true }],
    ["a substitution", ["ls"], line("ls $(ls)", "safe", using("substitution")), { allowlist: false, allowed: true }],
  ];
  test.each(rows)("%s", (_, list, touch, lets) => {
    const answers = {
      allowlist: judged({ allowlist: list }, [touch]),
      allowed: judged({ allowedCommands: list }, [touch]),
    };
    expect(answers.allowlist?.answer).toBe(lets.allowlist ? undefined : "deny");
    expect(answers.allowed?.answer).toBe(lets.allowed ? undefined : "deny");
    if (answers.allowlist) expect(answers.allowlist.reason).toContain("(commands.allowlist)");
    if (answers.allowed) expect(answers.allowed.reason).toContain("security.allowed_commands");
  });

  test("the program that is not on it is named", () => {
    const reason = (programs: (string | undefined)[]) =>
      judged({ allowedCommands: ["ls"] }, [line("x", "safe", { programs })])?.reason;
    expect(reason(["ls", "wc"])).toBe("wc is not among security.allowed_commands");
    expect(reason([undefined])).toBe("$it a is not among security.allowed_commands");
  });
});

function both(lets: boolean) {
  return { allowlist: lets, allowed: lets };
}
function using(what: keyof CommandReading["uses"]): Reading {
  return { uses: { newline: false, backticks: false, substitution: false, [what]: true } };
}

describe("what a command does outside the workspace", () => {
  type Answer = Verdict["answer"] | undefined;
  test.each<[touch: Touch, yolo: Answer, asking: Answer, only: Answer]>([
    [at("write", "a"), undefined, undefined, undefined],
    [at("delete", "a"), undefined, undefined, undefined],
    [at("read", "a"), undefined, undefined, undefined],
    [beyond("write", "/etc/motd"), "deny", "deny", "deny"],
    [beyond("delete", "/etc/motd"), "deny", "deny", "deny"],
    [beyond("read", "/etc/motd"), undefined, "ask", "deny"],
    [beyond("list", "/etc"), undefined, "ask", "deny"],
    [beyond("write", "/tmp"), undefined, undefined, undefined],
    [beyond("write", "/tmp/a/b"), undefined, undefined, undefined],
    [beyond("delete", "/tmp/a"), undefined, undefined, undefined],
    [beyond("write", "/tmpX"), "deny", "deny", "deny"],
    [beyond("delete", "/tmpX/a"), "deny", "deny", "deny"],
    [beyond("write", "/tm"), "deny", "deny", "deny"],
    [beyond("write", "/a/tmp/b"), "deny", "deny", "deny"],
    [beyond("read", "/tmp/a"), undefined, "ask", "deny"],
    [{ action: "fetch", url: "http://x", method: "GET" }, undefined, undefined, undefined],
  ])("%j", (touch, yolo, asking, only) => {
    const inside = [line("x", "safe", {}, touch)];
    const nested = [line("y", "safe", {}, line("x", "safe", {}, touch))];
    for (const touches of [inside, nested]) {
      expect(judged({}, touches)?.answer, "yolo").toBe(yolo);
      for (const mode of ["confirm-sensitive", "confirm-all"] as const)
        expect(judged({}, touches, { mode })?.answer, mode).toBe(asking);
      expect(judged({ workspaceOnly: true }, touches)?.answer, "workspace_only").toBe(only);
    }
    // a tool's own touch is confined by the workspace itself
    expect(judged({ workspaceOnly: true }, [touch])).toBeUndefined();
  });

  test("a refusal further on is not hidden by a question before it", () => {
    const touches = [line("x", "safe", {}, beyond("read", "/etc/a"), beyond("write", "/etc/b"))];
    expect(judged({}, touches, { mode: "confirm-all" })?.reason).toBe("it would write /etc/b, outside the workspace");
    const two = [line("x", "safe", {}, beyond("read", "/etc/a")), line("sudo x", "blocked")];
    expect(judged({}, two, { mode: "confirm-all" })?.answer).toBe("deny");
  });

  test("a question names what is asked about, and a standing yes answers it", () => {
    const ask = judged({}, [line("x", "safe", {}, beyond("read", "/etc/a"))], { mode: "confirm-all" });
    const reason = "it would read /etc/a, outside the workspace";
    expect(ask).toMatchObject({ answer: "ask", by: "commands", reason, grantable: true });
    const only = judged({ workspaceOnly: true }, [line("x", "safe", {}, beyond("list", "/etc"))]);
    expect(only?.reason).toBe("it would list /etc, outside the workspace (security.workspace_only)");
  });

  test("one question is about all that is asked", () => {
    const [one, two] = [beyond("read", "/etc/a"), beyond("list", "/srv")];
    const touch = { ...line("x", "safe", {}, one, two), exposed: "it may run a helper" };
    const ask = judged({}, [touch], { mode: "confirm-all" });
    expect(ask).toMatchObject({ answer: "ask", reason: "it may run a helper", grantable: true });
    expect(ask?.about).toEqual([touch, one, two]);
    const single = judged({}, [line("x", "safe", {}, one)], { mode: "confirm-all" });
    expect(single?.about).toEqual([one]);
  });

  test("what may do more than it was judged to is asked about, but in yolo", () => {
    const touch = { ...line("x", "safe"), exposed: "it may run a helper" };
    for (const mode of ["confirm-sensitive", "confirm-all"] as const)
      expect(judged({}, [touch], { mode })).toMatchObject({ answer: "ask", reason: "it may run a helper" });
    expect(judged({}, [touch])).toBeUndefined();
    expect(judged({}, [line("x", "safe")], { mode: "confirm-all" })).toBeUndefined();
  });

  test("every temp folder counts, by each of its names", () => {
    const settings = { tempFolders: ["/tmp", "/private/tmp"] };
    const answer = (real: string) => judged(settings, [line("x", "safe", {}, beyond("write", real))])?.answer;
    expect([answer("/tmp/a"), answer("/private/tmp/a"), answer("/private/a")]).toEqual([undefined, undefined, "deny"]);
  });
});

describe("supervised", () => {
  test.each<[risk: "low" | "medium" | "high", approveMediumRisk: boolean, answer: "ask" | undefined]>([
    ["low", true, undefined],
    ["medium", true, "ask"],
    ["high", true, "ask"],
    ["low", false, undefined],
    ["medium", false, undefined],
    ["high", false, "ask"],
  ])("%s risk, medium to be approved: %s", (risk, approveMediumRisk, answer) => {
    const touches = [line("x", "safe", { risk })];
    const verdict = judged({ approveMediumRisk }, touches, { autonomy: "supervised" });
    expect(verdict?.answer).toBe(answer);
    if (answer) expect(verdict?.reason).toBe(`its risk is ${risk} and autonomy is supervised`);
    for (const autonomy of ["full", undefined] as const)
      expect(judged({ approveMediumRisk }, touches, autonomy && { autonomy })).toBeUndefined();
  });

  test("a command that nobody read is of high risk", () => {
    expect(judged({ approveMediumRisk: false }, [unread], { autonomy: "supervised" })?.answer).toBe("ask");
  });

  test("the second of two commands counts as well", () => {
    const touches = [line("x", "safe"), line("y", "dev", { risk: "high" })];
    expect(judged({}, touches, { autonomy: "supervised" })?.answer).toBe("ask");
  });
});

test("calls without a command are none of its business", () => {
  expect(judged({ enabled: false, allowlist: [], workspaceOnly: true }, [at("write", "a")])).toBeUndefined();
  expect(judged({ enabled: false }, [])).toBeUndefined();
});
