import { describe, expect, test } from "vitest";
import { type Reading, readAnswer, type ScriptEnd } from "./answer.ts";

const ended = (code: number | null, stdout: unknown = "", stderr = ""): ScriptEnd => ({
  code,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr,
});
const nested = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const exit = (what: string, grave = false) => ({ failure: { what, grave } });
const odd = (what: string) => exit(`it answered with ${what}`, true);
const BROKEN = exit("it printed JSON that cannot be read", true);

describe("what a script said", () => {
  const cases: [what: string, end: ScriptEnd, reading: Reading][] = [
    ["nothing", ended(0), {}],
    ["blanks", ended(0, " \n"), {}],
    ["text", ended(0, "hello\n"), { context: "hello" }],
    ["what it warns of while all is well", ended(0, "", "deprecated"), {}],
    ["a list", ended(0, [1]), { context: "[1]" }],
    ["no", ended(2, "", "no"), { decision: "deny", reason: "no", blocked: "no" }],
    ["no, in stdout", ended(2, "no"), { decision: "deny", reason: "no", blocked: "no" }],
    ["no, without a word", ended(2), { decision: "deny", blocked: "" }],
    [
      "no, and an answer that allows",
      ended(2, nested({ permissionDecision: "allow" }), "no"),
      {
        decision: "deny",
        reason: "no",
        blocked: `${JSON.stringify(nested({ permissionDecision: "allow" }))}\nno`,
      },
    ],
    ["another code", ended(1, "out", "err"), { ...exit("exit 1"), context: "out\nerr" }],
    ["that it was not found", ended(127), exit("exit 127", true)],
    ["that it may not be run", ended(126), exit("exit 126", true)],
    ["nothing, killed", ended(null), exit("it was killed", true)],
    [
      "trouble",
      { ...ended(0, { decision: "allow" }), trouble: "timed out" },
      { ...exit("timed out", true), context: '{"decision":"allow"}' },
    ],
    ["another code and deny", ended(1, { decision: "block", reason: "r" }), { decision: "deny", reason: "r" }],
    ["another code and ask", ended(1, { decision: "ask" }), { decision: "ask" }],
    ["another code and allow", ended(1, { decision: "allow" }), { ...exit("exit 1"), context: '{"decision":"allow"}' }],
    ["half an object", ended(0, '{"decision":'), { ...BROKEN, context: '{"decision":' }],
    ["an object and more", ended(0, '{"decision":"allow"} bye'), { ...BROKEN, context: '{"decision":"allow"} bye' }],
    ["a log and then an object", ended(0, 'starting\n {"decision":"block"}\n'), { decision: "deny" }],
    [
      "a log of objects and then an answer",
      ended(0, `start\n${'{"level":"info"}\n'.repeat(30_000)}{"decision":"block"}`),
      { decision: "deny" },
    ],
    ["what a linter prints", ended(0, { errors: [] }), { context: '{"errors":[]}' }],
    ["text, and what a linter prints", ended(0, 'a\n{"errors":[]}'), { context: 'a\n{"errors":[]}' }],
    ["a log with braces", ended(0, "starting\n{x} done"), { context: "starting\n{x} done" }],
    ["an object of many lines", ended(0, JSON.stringify({ decision: "block" }, null, 2)), { decision: "deny" }],
  ];
  test.each(cases)("%s", (_, end, reading) => expect(readAnswer(end)).toEqual(reading));

  test("a long text keeps its head and its tail", () => {
    const { context = "" } = readAnswer(ended(0, `begin ${"x".repeat(50_000)} end`));
    expect(context.length).toBeLessThan(8_200);
    expect(context).toMatch(/^begin x+\n\[left out here: 42010 characters\]\nx+ end$/);
  });
});

describe("answers in JSON", () => {
  const cases: [answer: object, reading: Reading][] = [
    [{}, {}],
    [{ suppressOutput: true, systemMessage: "hi" }, {}],
    [nested({ permissionDecision: "allow" }), { decision: "allow" }],
    [nested({ permissionDecision: "ask", permissionDecisionReason: "sure?" }), { decision: "ask", reason: "sure?" }],
    [nested({ permissionDecision: "deny", permissionDecisionReason: "no" }), { decision: "deny", reason: "no" }],
    [nested({ permissionDecision: "defer" }), { decision: "ask" }],
    [nested({ permissionDecision: "DENY" }), { decision: "deny" }],
    [nested({ permissionDecision: "perhaps" }), odd("a decision that is not known")],
    [nested({ permissionDecision: true }), odd("a decision that is not known")],
    [
      { permissionDecision: "deny", permissionDecisionReason: "no" },
      { decision: "deny", reason: "no" },
    ],
    [
      { decision: "block", reason: "no" },
      { decision: "deny", reason: "no" },
    ],
    [{ decision: "deny" }, { decision: "deny" }],
    [{ decision: "approve" }, { decision: "allow" }],
    [{ decision: null }, {}],
    [{ decision: "constructor" }, odd("a decision that is not known")],
    [{ decision: "block", ...nested({ permissionDecision: "allow" }) }, { decision: "deny" }],
    [{ decision: "approve", ...nested({ permissionDecision: "ask" }) }, { decision: "ask" }],
    [{ decision: "block", permission: "perhaps" }, { decision: "deny" }],
    [
      { permission: "deny", agent_message: "no" },
      { decision: "deny", reason: "no" },
    ],
    [
      { cancel: true, errorMessage: "no" },
      { decision: "deny", reason: "no" },
    ],
    [{ cancel: false, continue: true }, {}],
    [{ continue: false }, { decision: "deny", stop: "" }],
    [
      { continue: false, stopReason: "enough" },
      { decision: "deny", reason: "enough", stop: "enough" },
    ],
    [nested({ updatedInput: { command: "ls" } }), { replaces: { command: "ls" } }],
    [{ updatedInput: { command: "ls" } }, { changes: { command: "ls" } }],
    [nested({ tool_input: { command: "ls" } }), { changes: { command: "ls" } }],
    [{ modifiedArgs: { command: "ls" } }, { replaces: { command: "ls" } }],
    [{ overrideInput: { command: "ls" } }, { replaces: { command: "ls" } }],
    [{ updated_input: { command: "ls" } }, { changes: { command: "ls" } }],
    [{ updatedInput: "ls" }, odd("no input")],
    [nested({ updatedInput: ["ls"] }), odd("no input")],
    [{ decision: "block", updatedInput: "ls" }, { decision: "deny" }],
    [{ additionalContext: "know" }, { context: "know" }],
    [nested({ additionalContext: "know" }), { context: "know" }],
    [{ hookSpecificOutput: "x", additional_context: " know " }, { context: "know" }],
  ];
  test.each(cases)("%j", (answer, reading) => expect(readAnswer(ended(0, answer))).toEqual(reading));
});
