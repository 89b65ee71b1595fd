import { describe, expect, test, vi } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import type { Claim } from "../words/touch.ts";

const RUNS: Claim = { action: "run", command: "make", class: "dev" };
const ONLY_READS: Claim = { action: "run", command: "ls", class: "safe" };
const FETCHES: Claim = { action: "fetch", url: "https://x.test/" };
const WRITES: Claim = { action: "write", target: "a" };
const READS: Claim = { action: "read", target: "a" };
const SIGNALS: Claim = { action: "signal", target: "1" };

/** Makes a call, and tells in which order it was told of and made. */
async function order(claims: Claim[], fails = false) {
  const log: string[] = [];
  const execute = () => {
    log.push("made");
    return "ran";
  };
  const { gate, station } = gateIn({ tools: [tool("does", { touches: () => claims, execute })] });
  vi.spyOn(station.parts.recorder, "begun").mockImplementation(async (_, durably) => {
    await Promise.resolve();
    if (fails) throw new Error("the disk is full");
    log.push(durably ? "on the disk" : "told");
  });
  const { error } = await gate.call({ name: "does" });
  return error ? [...log, error.message] : log;
}

describe("what takes its host along leaves behind that it began", () => {
  test.each<[what: string, claims: Claim[], log: string[]]>([
    ["a command is on the disk before it begins", [RUNS], ["on the disk", "made"]],
    ["also beside what only reads", [ONLY_READS, READS, RUNS], ["on the disk", "made"]],
    ["so is a request", [FETCHES], ["on the disk", "made"]],
    ["a write is told: its file has an intent", [WRITES], ["told", "made"]],
    ["so is what changes anything else", [SIGNALS], ["told", "made"]],
    ["a command that only reads costs nothing", [ONLY_READS], ["made"]],
    ["nor does a read", [READS], ["made"]],
    ["nor does what touches nothing", [], ["made"]],
  ])("%s", async (_, claims, log) => {
    expect(await order(claims)).toEqual(log);
  });

  test("where that cannot be kept, nothing is begun", async () => {
    expect(await order([RUNS], true)).toEqual(["the disk is full"]);
  });
});
