import { afterEach, describe, expect, test, vi } from "vitest";
import type { Claim, Context, OpenOptions } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain } from "./harness.ts";

afterEach(() => void vi.restoreAllMocks());

const bytes = new TextEncoder().encode("new\n");
const changing: Claim[] = [{ action: "write", target: "a.txt" }];
const boom = () => {
  throw new Error("boom");
};
const writing = async (_: unknown, { files }: Context) => files.write("a.txt", bytes);

/** Each spends, or does not, by how far it came. */
const tools = [
  plain("looks", { execute: async () => "looked" }),
  plain("changes", { permissions: { required: ["write"] }, touches: () => changing }),
  plain("throws", { permissions: { required: ["write"] }, touches: () => changing, execute: boom }),
  plain("changes_then_throws", {
    permissions: { required: ["write"] },
    touches: () => changing,
    execute: (input, context) => writing(input, context).then(boom),
  }),
  plain("says_that_it_failed", {
    permissions: { required: ["write"] },
    touches: () => changing,
    execute: () => ({ output: "", error: "no" }),
  }),
  plain("previews_then_throws", {
    permissions: { required: ["write"] },
    touches: () => changing,
    preview: async () => [{ path: "a.txt", after: new Uint8Array([Math.random() * 256]) }],
    execute: boom,
  }),
];

const spending = async (config: object, options: OpenOptions = {}) => {
  const it = await bench({ "a.txt": "old\n" }, { tools, store: "memory", config, ...options });
  const spend = async (name: string, args: object = {}) => (await it.call(name, args)).error?.code ?? "ok";
  return { ...it, spend };
};

describe("a budget of two changes", () => {
  const cases: [what: string, calls: string[], ends: string[]][] = [
    ["is spent by what was changed", ["changes", "changes", "changes"], ["ok", "ok", "RATE_LIMITED"]],
    ["is not spent by looking", ["looks", "looks", "looks", "changes"], ["ok", "ok", "ok", "ok"]],
    [
      "is not spent by what failed before it changed anything",
      ["throws", "throws", "throws", "changes", "changes", "changes"],
      ["UNKNOWN", "UNKNOWN", "UNKNOWN", "ok", "ok", "RATE_LIMITED"],
    ],
    [
      "is spent by what changed a file and then failed",
      ["changes_then_throws", "changes_then_throws", "changes_then_throws"],
      ["UNKNOWN", "UNKNOWN", "RATE_LIMITED"],
    ],
    [
      "is spent by a preview that was made and then failed",
      ["previews_then_throws", "previews_then_throws", "previews_then_throws"],
      ["UNKNOWN", "UNKNOWN", "RATE_LIMITED"],
    ],
    [
      "is spent by a tool that ran and says that it failed",
      ["says_that_it_failed", "says_that_it_failed", "changes"],
      ["UNKNOWN", "UNKNOWN", "RATE_LIMITED"],
    ],
    [
      "leaves looking free when it is used up",
      ["changes", "changes", "changes", "looks"],
      ["ok", "ok", "RATE_LIMITED", "ok"],
    ],
  ];
  test.each(cases)("%s", async (_, calls, ends) => {
    const { spend } = await spending({ budget: { max_changes: 2 } });
    const told = [];
    for (const name of calls) told.push(await spend(name));
    expect(told).toEqual(ends);
  });

  test("is not spent by what is refused, invalid, planned or cancelled", async () => {
    const { gate, spend } = await spending({ budget: { max_changes: 1 } });
    const args = { path: "../out", content: "" };
    expect(await spend("write_file", args)).toBe("PERMISSION_DENIED");
    expect(await spend("write_file", {})).toBe("VALIDATION_ERROR");
    expect((await gate.call({ name: "changes" }, { signal: AbortSignal.abort() })).status).toBe("cancelled");
    expect((await gate.child({ plan: true }).call({ name: "changes" })).status).toBe("planned");
    expect([await spend("changes"), await spend("changes")]).toEqual(["ok", "RATE_LIMITED"]);
  });

  test("says what is used up and who can raise it", async () => {
    const { call } = await spending({ budget: { max_changes: 1 } });
    await call("changes");
    const { status, error } = await call("changes");
    expect(status).toBe("refused");
    expect(error?.message).toContain("all 1 changes of this session");
    expect(error?.hint).toMatch(/raise the budget/);
  });
});

describe("a budget of calls", () => {
  test("is spent by a command that was started and a request that was sent, however the call ended", async () => {
    const runs = plain("runs", {
      touches: () => [{ action: "run", command: "true", class: "safe" }],
      execute: (_, { commands }) => commands.start({ command: "true", cwd: "." }).then(boom),
    });
    const { spend } = await spending({ budget: { max_calls: 1 } }, { tools: [runs], sandbox: "off" });
    expect([await spend("runs"), await spend("runs")]).toEqual(["UNKNOWN", "RATE_LIMITED"]);
    const dir = folder();
    const network = { request: () => Promise.reject(new Error("no answer came")) };
    const fetches = plain("fetches", {
      permissions: { required: ["network"] },
      touches: () => [{ action: "fetch", url: "http://example.com:8001/" }],
      execute: (_, { network }) => network.request({ url: "http://example.com:8001/" }).then(boom),
    });
    const workspace = { ...localWorkspace({ root: dir }), network };
    const sent = await spending({ budget: { max_calls: 1 } }, { workspace, tools: [fetches] });
    expect([await sent.spend("fetches"), await sent.spend("fetches")]).toEqual(["UNKNOWN", "RATE_LIMITED"]);
  });

  test("counts every call that ran, and gives back what a failed one reserved", async () => {
    const { spend } = await spending({ budget: { max_calls: 3 } });
    const ends = [];
    for (const name of ["looks", "throws", "changes", "changes_then_throws", "looks"]) ends.push(await spend(name));
    expect(ends).toEqual(["ok", "UNKNOWN", "ok", "UNKNOWN", "RATE_LIMITED"]);
  });

  test("what a child gave back is given back to everybody above", async () => {
    const { gate, spend } = await spending({ budget: { max_calls: 1, max_changes: 1 } });
    const child = gate.child({ budget: { maxCalls: 1, maxChanges: 1 } });
    expect((await child.call({ name: "throws" })).status).toBe("failed");
    expect((await child.call({ name: "changes" })).status).toBe("done");
    expect((await child.call({ name: "looks" })).error?.code).toBe("RATE_LIMITED");
    expect(await spend("looks")).toBe("RATE_LIMITED");
  });

  test("what the parent has not, the child does not spend of its own", async () => {
    const { gate } = await spending({ budget: { max_changes: 1 } });
    const child = gate.child({ budget: { maxCalls: 2 } });
    for (const [name, code] of [
      ["changes", undefined],
      ["changes", "RATE_LIMITED"],
      ["changes", "RATE_LIMITED"],
      ["looks", undefined],
      ["looks", "RATE_LIMITED"],
    ] as const)
      expect((await child.call({ name })).error?.code).toBe(code);
  });
});

describe("a budget of two actions an hour", () => {
  test("comes back, action by action, an hour after each", async () => {
    const MINUTE = 60_000;
    let now = 1_700_000_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const { spend } = await spending({ security: { max_actions_per_hour: 2 } });
    const at = async (minutes: number, name: string, code: string) => {
      now = 1_700_000_000_000 + minutes * MINUTE;
      expect(await spend(name), `${name} after ${minutes} minutes`).toBe(code);
    };
    await at(0, "changes", "ok");
    await at(10, "throws", "UNKNOWN");
    await at(20, "changes", "ok");
    await at(30, "changes", "RATE_LIMITED");
    await at(30, "looks", "ok");
    await at(60 - 1 / MINUTE, "changes", "RATE_LIMITED");
    await at(60, "changes", "ok");
    await at(61, "changes", "RATE_LIMITED");
    await at(80, "changes", "ok");
  });
});
