import { describe, expect, test } from "vitest";
import type { Exit } from "../core/contracts/process.ts";
import type { Code, Status } from "../core/words/result.ts";
import {
  COOLDOWN_MS,
  CommandAnomalies,
  MOST_ALERTS_A_MINUTE,
  MOST_COMMANDS_A_MINUTE,
  MOST_REFUSED_A_MINUTE,
} from "./anomalies.ts";

/** A watch whose time is what the test says. */
function watching() {
  let now = 0;
  const watch = new CommandAnomalies({ ticks: () => now });
  const look = (status: Status, { session = "s", code, exits = [] }: Look = {}) =>
    watch.look({ session, status, code, processes: exits.map((exit) => ({ exit })) }).map(({ kind }) => kind);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { watch, look, pass };
}
type Look = { session?: string; code?: Code; exits?: (Exit | undefined)[] };

const by = (signal: string): Exit => ({ code: null, signal });
const ended = (code: number): Exit => ({ code, signal: null });

describe("how a command ended", () => {
  const table: [what: string, exit: Exit | undefined, status: Status, kinds: string[]][] = [
    ["well", ended(0), "done", []],
    ["with a failure", ended(1), "failed", []],
    ["not found", ended(127), "failed", []],
    ["128 is no signal", ended(128), "failed", []],
    ["a high code that is no signal", ended(255), "failed", []],
    ["still running", undefined, "done", []],
    ["by SIGKILL", by("SIGKILL"), "failed", ["killed"]],
    ["by SIGKILL, as bubblewrap says it", ended(137), "failed", ["killed"]],
    ["by SIGKILL, in a call that went well", by("SIGKILL"), "done", ["killed"]],
    ["over its time on the processor", ended(152), "failed", ["killed"]],
    ["over the size of a file", by("SIGXFSZ"), "failed", ["killed"]],
    ["by SIGSYS", by("SIGSYS"), "failed", ["forbidden-syscall"]],
    ["by SIGSYS, as bubblewrap says it", ended(159), "failed", ["forbidden-syscall"]],
    ["by SIGSEGV", by("SIGSEGV"), "failed", ["crashed"]],
    ["by SIGSEGV, as bubblewrap says it", ended(139), "failed", ["crashed"]],
    ["by SIGABRT", ended(134), "failed", ["crashed"]],
    ["by SIGTERM", by("SIGTERM"), "failed", []],
    ["by SIGINT", ended(130), "failed", []],
    ["by SIGPIPE", ended(141), "failed", []],
    ["by us, at the time limit", by("SIGKILL"), "timed-out", []],
    ["by us, at a person's word", ended(137), "cancelled", []],
  ];
  test.each(table)("%s", (_, exit, status, kinds) => {
    expect(watching().look(status, { exits: [exit] })).toEqual(kinds);
  });

  test.each<[Code | undefined, Status, string[]]>([
    ["CONFIG_ERROR", "failed", ["not-started"]],
    ["VALIDATION_ERROR", "failed", []],
    ["CONFIG_ERROR", "refused", []],
    [undefined, "planned", []],
  ])("with %s, and %s", (code, status, kinds) => {
    expect(watching().look(status, { ...(code && { code }) })).toEqual(kinds);
  });

  test("the message tells the signal and, later on, how many there were", () => {
    const { watch, pass } = watching();
    const crash = {
      session: "s",
      status: "failed",
      code: "COMMAND_FAILED",
      processes: [{ exit: ended(139) }],
    } as const;
    expect(watch.look(crash)).toEqual([
      { kind: "crashed", message: "The command was ended by SIGSEGV (exit code 139): it crashed." },
    ]);
    pass(10_000);
    expect(watch.look(crash)).toEqual([]);
    pass(10_000);
    expect(watch.look(crash)[0]?.message).toMatch(/ There were 3 of these within a minute\.$/);
    pass(60_000);
    expect(watch.look(crash)[0]?.message).toMatch(/: it crashed\.$/);
  });
});

test("what goes on after its call is told by its end, as often as anything else", () => {
  const { watch, pass } = watching();
  expect(watch.lookLater("s", ended(0))).toEqual([]);
  expect(watch.lookLater("s", by("SIGSYS"))).toEqual([
    { kind: "forbidden-syscall", message: "The command was ended by SIGSYS: it made a system call that is forbidden." },
  ]);
  expect(watch.lookLater("s", by("SIGSYS"))).toEqual([]);
  expect(watch.lookLater("other", by("SIGSYS"))).toHaveLength(1);
  pass(COOLDOWN_MS);
  expect(watch.lookLater("s", by("SIGSYS"))[0]?.message).toMatch(/ There were 4 of these within a minute\.$/);
});

test("of very many no more than a thousand are counted", () => {
  const { watch, pass } = watching();
  for (let n = 0; n < 1_005; n++) watch.lookLater("s", by("SIGKILL"));
  pass(COOLDOWN_MS);
  expect(watch.lookLater("s", by("SIGKILL"))[0]?.message).toContain("There were 1000 of these");
});

describe("how many there were", () => {
  test("refusals: the most is not too many, one more is", () => {
    const { look } = watching();
    for (let n = 0; n < MOST_REFUSED_A_MINUTE; n++) expect(look("refused")).toEqual([]);
    expect(look("refused")).toEqual(["refused-rate"]);
  });

  test("commands: the most is not too many, one more is", () => {
    const { look } = watching();
    for (let n = 0; n < MOST_COMMANDS_A_MINUTE; n++) expect(look("done", { exits: [ended(0)] })).toEqual([]);
    expect(look("done")).toEqual([]);
    expect(look("done", { exits: [ended(0)] })).toEqual(["command-rate"]);
  });

  test("spread over minutes there are never too many", () => {
    const { look, pass } = watching();
    for (let n = 0; n < 10 * MOST_REFUSED_A_MINUTE; n++) {
      expect(look("refused")).toEqual([]);
      pass(60_000 / MOST_REFUSED_A_MINUTE);
    }
  });

  test("other calls between them count for nothing", () => {
    const { look } = watching();
    for (let n = 0; n < 20; n++) expect(look(n % 5 === 0 ? "refused" : "failed")).toEqual([]);
  });
});

describe("how often it is told", () => {
  const crash = { exits: [by("SIGSEGV")] };

  test("a kind once in a while, other kinds and other sessions all the same", () => {
    const { look, pass } = watching();
    expect(look("failed", crash)).toEqual(["crashed"]);
    expect(look("failed", crash)).toEqual([]);
    expect(look("failed", { exits: [by("SIGSYS")] })).toEqual(["forbidden-syscall"]);
    expect(look("failed", { ...crash, session: "other" })).toEqual(["crashed"]);
    pass(COOLDOWN_MS - 1);
    expect(look("failed", crash)).toEqual([]);
    pass(1);
    expect(look("failed", crash)).toEqual(["crashed"]);
  });

  test("one call with many crashes tells one", () => {
    const exits = [by("SIGSEGV"), ended(139), by("SIGKILL"), by("SIGABRT")];
    expect(watching().look("failed", { exits })).toEqual(["crashed", "killed"]);
  });

  test("never more than so many a minute", () => {
    const { look, pass } = watching();
    const sessions = Array.from({ length: 2 * MOST_ALERTS_A_MINUTE }, (_, n) => `s${n}`);
    const told = () => sessions.flatMap((session) => look("failed", { ...crash, session })).length;
    expect(told()).toBe(MOST_ALERTS_A_MINUTE);
    pass(COOLDOWN_MS);
    expect(told()).toBe(0);
    pass(60_000 - COOLDOWN_MS);
    expect(told()).toBe(MOST_ALERTS_A_MINUTE);
  });
});
