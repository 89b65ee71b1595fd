import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import { bytes } from "../../../test/tripping.ts";
import type { Hook } from "../contracts/hook.ts";
import type { Policy } from "../contracts/policy.ts";
import { ToolFailure } from "../words/result.ts";
import type { Claim } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";
import { coveredBy } from "./fingerprints.ts";

const says = (answer: Verdict["answer"], by: string, more: Partial<Verdict> = {}): Policy => ({
  name: by,
  judge: () => ({ answer, by, reason: `${by} says so`, ...more }),
});
const write: Claim = { action: "write", target: "a" };
const writes = tool("writes", {
  touches: () => [write],
  preview: async () => [{ path: "a", after: bytes("new") }],
  execute: () => {
    throw new Error("nothing may run");
  },
});
const MODE = says("allow", "mode");
const silentView = { sights: [], stat: () => undefined, closed: 0, close: () => void silentView.closed++ };
const guard = () => silentView as never;

describe("a call that is explained", () => {
  test("is judged and looked at, and nothing of it is done, kept, told or left open", async () => {
    const events: unknown[] = [];
    const emit = (event: unknown) => void events.push(event);
    silentView.closed = 0;
    const parts = { guard, emit, heard: () => true, diff: () => "the diff" };
    const { gate, store } = gateIn({
      tools: [writes],
      policies: [says("allow", "mode", { notes: ["mind this"] })],
      parts,
    });
    const told = await gate.explain({ name: "writes", id: "c" });
    expect(told).toMatchObject({
      ...{ verdict: "allow", by: "mode", reason: "mode says so", tool: "writes", danger: "moderate", diff: "the diff" },
      ...{
        touches: [{ action: "write", place: { shown: "a" } }],
        notes: ["mind this"],
        leftOut: ["approval", "locks"],
      },
      others: [],
    });
    for (const key of ["always", "class", "risk", "enforcement", "status", "error"])
      expect(told).not.toHaveProperty(key);
    expect(told.trace.map(({ stage }) => stage)).toEqual(["touches", "judged", "preview", "end"]);
    await gate.close();
    expect([events, await store.records({}), await store.changes({}), silentView.closed > 0]).toEqual([
      [],
      [],
      [],
      true,
    ]);
  });

  test("and cannot be read says why, as a no", async () => {
    const { gate } = gateIn({ tools: [writes] });
    expect(await gate.explain({ name: "nothing" })).toMatchObject({
      ...{ verdict: "deny", by: "journey", reason: "There is no tool named nothing.", tool: "nothing", touches: [] },
      ...{ status: "unknown", error: { code: "UNKNOWN_TOOL" } },
    });
    const told = await gate.explain({ name: "nothing" });
    for (const key of ["others", "danger", "diff", "notes"]) expect(told).not.toHaveProperty(key);
  });

  test("knows what others have done in its session, and tells no judgement where there was none", async () => {
    const throws = tool("throws", {
      touches: () => {
        throw new Error("boom");
      },
    });
    const { gate, station } = gateIn({ tools: [throws] });
    let refreshed = 0;
    station.facts.refresh = async () => void refreshed++;
    const told = await gate.explain({ name: "throws" });
    expect([told.verdict, told.tool, refreshed]).toEqual(["deny", "throws", 1]);
    expect(told).not.toHaveProperty("others");
    expect(told).not.toHaveProperty("success");
  });

  test("and is refused says who refused it", async () => {
    const { gate } = gateIn({ tools: [writes], policies: [says("deny", "rules")] });
    expect(await gate.explain({ name: "writes" })).toMatchObject({
      ...{ verdict: "deny", by: "rules", status: "refused", error: { code: "PERMISSION_DENIED" }, others: [] },
    });
  });

  test("and does not fit says so beside the verdict", async () => {
    const fails = tool("fails", {
      touches: () => [write],
      preview: () => Promise.reject(new ToolFailure("NOT_FOUND", "no such text", "")),
    });
    const { gate } = gateIn({ tools: [fails], parts: { guard } });
    expect(await gate.explain({ name: "fails" })).toMatchObject({
      verdict: "allow",
      by: "mode",
      error: { message: "no such text" },
    });
  });
});

describe("what others said beside the one that decided", () => {
  const covers = { covers: new Set() } as never;
  test.each<[string, Policy[], string[]]>([
    ["nothing else", [says("ask", "rules")], []],
    ["as strict", [says("ask", "rules"), says("ask", "paths")], ["ask paths"]],
    ["milder, by no rule", [says("ask", "rules"), says("allow", "mode")], []],
    ["milder, by a rule", [says("ask", "rules"), says("allow", "allowed", covers)], ["allow allowed"]],
    ["all allow", [says("allow", "mode"), says("allow", "allowed", covers)], []],
    ["only a note", [says("ask", "rules"), { name: "n", judge: () => ({ by: "n", notes: ["x"] }) as never }], []],
    [
      "another in the same words",
      [says("ask", "rules", { reason: "so" }), says("ask", "paths", { reason: "so" })],
      ["ask paths"],
    ],
    ["the same again", [says("ask", "rules"), says("ask", "rules")], []],
    [
      "the same policy for another reason",
      [says("ask", "rules"), { name: "r", judge: () => ({ answer: "ask", by: "rules", reason: "other" }) }],
      ["ask rules"],
    ],
  ])("%s", async (_, policies, wanted) => {
    const { gate } = gateIn({ tools: [tool("looks")], policies });
    const { others } = await gate.explain({ name: "looks" });
    expect(others?.map(({ answer, by }) => `${answer} ${by}`)).toEqual(wanted);
  });
});

describe("a command", () => {
  const run = (more: object = {}): Claim => ({ action: "run", command: "make", class: "dev", ...more });
  const enforcement = { sandbox: "bubblewrap", network: "none" } as const;
  test("is told with its class, its risk and what would hold it", async () => {
    const reading = { risk: "high", reason: "", parsed: true, uses: {}, segments: [] } as never;
    const processes = { enforcement: async () => enforcement } as never;
    const runs = tool("runs", { touches: () => [{ action: "read", target: "a" }, run({ reading })] });
    const plain = tool("plain", { touches: () => [run()] });
    const { gate } = gateIn({ tools: [runs, plain], workspace: { processes } });
    expect(await gate.explain({ name: "runs" })).toMatchObject({
      class: "dev",
      risk: "high",
      enforcement,
      reason: "so",
    });
    const told = await gate.explain({ name: "plain" });
    expect(told).toMatchObject({ class: "dev", enforcement });
    expect(told).not.toHaveProperty("risk");
  });
});

describe("what is left out", () => {
  test("hooks that would be asked, limits that would be counted, tools that would be loaded", async () => {
    const hook: Hook = { name: "careful", before: () => ({ decision: "deny" }) };
    const limit = (key: string) => ({ key, limit: 1 });
    const policies = [MODE, says("allow", "budget", { reserve: [limit("a"), limit("b")] })];
    const resolve = async () => {
      throw new Error("nothing is loaded to explain");
    };
    const { gate, store } = gateIn({ tools: [tool("looks")], policies, parts: { hooks: [hook], resolve } });
    const { leftOut, verdict } = await gate.explain({ name: "looks" });
    expect(leftOut).toEqual(["the hook careful", "approval", "locks", "budget", "tools that are loaded on demand"]);
    expect([verdict, await store.reserved("session budget a")]).toEqual(["allow", 0]);
    expect((await gate.explain({ name: "later" })).status).toBe("unknown");
  });
});

describe("a question", () => {
  const asks = (grantable: boolean): Policy => says("ask", "mode", grantable ? { grantable: true } : {});
  const rules = { propose: async () => ["write(./a)"], covers: async () => undefined } as never;
  const scoped = tool("scoped", { touches: () => [write], scope: () => null } as never);

  test.each<[string, boolean, object, string[] | undefined]>([
    ["that a standing yes may answer names the rule that one would save", true, {}, ["write(./a)"]],
    ["that none may answer names none", false, {}, undefined],
    ["is the same where the store fails", true, { grants: () => Promise.reject(new Error("gone")) }, undefined],
  ])("%s", async (_, grantable, broken, always) => {
    const { gate, store } = gateIn({ tools: [scoped], policies: [asks(grantable)], parts: { rules } });
    Object.assign(store, broken);
    const told = await gate.explain({ name: "scoped" });
    expect([told.verdict, told.always]).toEqual(["ask", always]);
  });

  test("that is none names no rule", async () => {
    const policies = [says("allow", "mode", { grantable: true })];
    const { gate } = gateIn({ tools: [scoped], policies, parts: { rules } });
    expect((await gate.explain({ name: "scoped" })).always).toBeUndefined();
  });

  test("that was answered before is told as allowed", async () => {
    const { gate, store, registry, station } = gateIn({ tools: [scoped], policies: [asks(true)], parts: { rules } });
    const entry = registry.loaded("scoped")!;
    const touch = { action: "write" as const, place: station.workspace.locate("a") as never, certain: true };
    const [covered] = coveredBy({ tool: entry, input: {}, touches: [touch] }, station.parts.hash);
    await store.grant([
      { id: "g", tool: "scoped", covers: covered!.covers, session: null, workspace: "/ws", at: 1, shown: [] },
    ]);
    const told = await gate.explain({ name: "scoped" });
    expect([told.verdict, told.by, told.always]).toEqual(["allow", "grant", undefined]);
  });

  test("of what may become another call names no rule", async () => {
    const code = { code: async () => ({ files: [], open: true }) } as never;
    const open = tool("open", { touches: () => [write], scope: () => null, ...(code as object) } as never);
    const { gate } = gateIn({
      tools: [open],
      policies: [asks(true)],
      parts: { rules },
      workspace: { digest: async () => undefined } as never,
    });
    const told = await gate.explain({ name: "open" });
    expect([told.verdict, told.always]).toEqual(["ask", undefined]);
  });
});
