import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clients } from "../../src/doors/hook/clients.ts";
import { answer } from "../../src/doors/hook/hook.ts";
import { open } from "../../src/open.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { EVENTS, verdictIn } from "./agents/events.ts";
import { folder } from "./harness.ts";

afterEach(() => void vi.useRealTimers());

const { pre, post, tools } = EVENTS.claude!;

async function tellIn(name: string, dir: string, event: unknown, config: object, more: { mode?: "yolo" } = {}) {
  async function* input() {
    yield new TextEncoder().encode(JSON.stringify(event));
  }
  return answer(await clients[name]!(), input(), () => ({ workspace: dir, config, ...more }));
}

const tell = (name: string, dir: string, event: unknown, config: object = {}) =>
  tellIn(name, dir, event, config, { mode: "yolo" });

const SEVEN_HOURS = 7 * 3_600_000;

test("a client that was killed before it told the end leaves a record, also behind many that are under way", async () => {
  const dir = folder({ "a.txt": "one\ntwo\n" });
  const [tool, args] = tools.edit!(dir);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - SEVEN_HOURS });
  await tell("claude", dir, pre(dir, tool, args, undefined, "z-killed"));
  writeFileSync(path.join(dir, "a.txt"), "one\n2\n");
  vi.useRealTimers();
  // as many as a look at them takes at once, all of them before the one that was left
  const store = await sqliteStore(path.join(dir, ".toolgate/store.db"));
  const handed = store.table("handed");
  const [left] = await handed.list<{ record: object }>();
  for (let index = 0; index < 120; index++)
    await handed.put(`["a${index}"]`, { ...left!.value, record: { ...left!.value.record, id: `young-${index}` } });
  await store.close();

  const gate = await open({ workspace: dir, config: {}, approve: () => "once" });
  await gate.close();
  const after = await sqliteStore(path.join(dir, ".toolgate/store.db"));
  expect(await after.records({})).toMatchObject([
    {
      call: "z-killed",
      status: "failed",
      error: { message: "The agent that made this call did not report how it ended." },
    },
  ]);
  expect(await after.table("handed").list()).toHaveLength(120);
  await after.close();
  const later = await open({ workspace: dir, config: {}, approve: () => "once" });
  expect((await later.call({ name: "undo_file", args: { path: "a.txt" } })).status).toBe("done");
  expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("one\ntwo\n");
  await later.close();
});

describe("a client's calls that go round in circles are refused", () => {
  const again = async (name: string, told: (index: number) => object) => {
    const dir = folder({ "a.txt": "one\n" });
    const { pre, post, tools } = EVENTS[name]!;
    const [tool, args] = tools.echo!(dir);
    const verdicts: unknown[] = [];
    for (let index = 0; index < 5; index++) {
      const id = `call-${index}`;
      verdicts.push(verdictIn(name, await tell(name, dir, pre(dir, tool, args, undefined, id), { loops: "refuse" })));
      await tell(name, dir, { ...post(dir, tool, args, id), ...told(index) });
    }
    return verdicts;
  };

  test.each(["claude", "codex"])("%s", async (name) => {
    const verdicts = await again(name, () => ({}));
    expect(verdicts.slice(0, 4)).not.toContain("deny");
    expect(verdicts[4]).toBe("deny");
  });

  test("unless they are answered differently", async () => {
    expect(await again("claude", (index) => ({ tool_response: { stdout: `${index}` } }))).not.toContain("deny");
    expect(await again("codex", (index) => ({ tool_response: `${index}` }))).not.toContain("deny");
  });
});

test("post-hooks of the configuration hear of a client's calls, and what they change is taken back with them", async () => {
  const dir = folder({ "a.txt": "one\ntwo\n" });
  const at = path.join(dir, "a.txt");
  const hooks = {
    post_tool_use: [
      { name: "format", matcher: "Edit", command: "echo formatted; echo more >> a.txt" },
      { name: "check", matcher: "Edit", command: "echo broken; exit 1" },
      { name: "other", matcher: "Bash", command: "echo never" },
    ],
  };
  const [tool, args] = tools.edit!(dir);
  await tell("claude", dir, pre(dir, tool, args), { hooks });
  writeFileSync(at, "one\n2\n");
  const { status, stdout = "" } = await tell("claude", dir, post(dir, tool, args), { hooks });
  const { hookSpecificOutput: told } = JSON.parse(stdout) as { hookSpecificOutput: Record<string, string> };
  expect([status, told.hookEventName]).toEqual([0, "PostToolUse"]);
  expect(told.additionalContext).toMatch(/\[format\] formatted[\s\S]*\[Hook check: FAILED \([^)]*1\)\]\nbroken/);
  expect(told.additionalContext).not.toContain("never");
  expect(readFileSync(at, "utf8")).toBe("one\n2\nmore\n");
  const gate = await open({ workspace: dir, config: {}, approve: () => "once" });
  expect((await gate.call({ name: "undo_file", args: { path: "a.txt" } })).status).toBe("done");
  expect(readFileSync(at, "utf8")).toBe("one\ntwo\n");
  await gate.close();
});

test("a client whose model does not read it gets it on standard error", async () => {
  const dir = folder({ "a.txt": "one\ntwo\n" });
  const { pre, post, tools } = EVENTS.gemini!;
  const hooks = { post_tool_use: [{ name: "format", command: "echo formatted" }] };
  const [tool, args] = tools.edit!(dir);
  await tell("gemini", dir, pre(dir, tool, args), { hooks });
  writeFileSync(path.join(dir, "a.txt"), "one\n2\n");
  expect(await tell("gemini", dir, post(dir, tool, args), { hooks })).toEqual({
    status: 0,
    stderr: "[format] formatted",
  });
});

describe("clients.ask: queue", () => {
  const config = { clients: { ask: "queue" }, approval: { timeout: "20s" } };
  const edited = (name: string, given: object) => {
    const dir = folder({ "a.txt": "one\ntwo\n" });
    const { pre, tools } = EVENTS[name]!;
    const [tool, args] = tools.edit!(dir);
    return { dir, said: tellIn(name, dir, pre(dir, tool, args), given) };
  };
  async function answered(dir: string, decision: string): Promise<void> {
    const gate = await open({ workspace: dir, config: {} });
    for (;;) {
      const [row] = await gate.approvals.pending();
      if (row && (await gate.approvals.answer(row.id, decision))) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await gate.close();
  }

  test.each<[name: string, decision: string, verdict: string]>([
    ["codex", "once", "allow"],
    ["codex", "deny", "deny"],
    ["gemini", "once", "allow"],
  ])("%s waits for a person, who says %s", async (name, decision, verdict) => {
    const { dir, said } = edited(name, config);
    await answered(dir, decision);
    expect(verdictIn(name, await said)).toBe(verdict);
  });

  test("nobody answers in time: refused", async () => {
    const { said } = edited("codex", { ...config, approval: { timeout: "50ms" } });
    const told = await said;
    expect(verdictIn("codex", told)).toBe("deny");
    expect(`${told.stdout}${told.stderr}`).toContain("nobody answered within 50 milliseconds");
  });

  test("a client that asks by itself does so at once, and without the key others are refused at once", async () => {
    expect(verdictIn("claude", await edited("claude", config).said)).toBe("ask");
    expect(verdictIn("codex", await edited("codex", {}).said)).toBe("deny");
  });
});

describe("what a client was shown of a file", () => {
  const LINES = "one\ntwo\nthree\nfour\n";
  const EDIT: [string, object] = ["Edit", { old_string: "one\n", new_string: "1\n" }];
  const WRITE: [string, object] = ["Write", { content: "all else is gone\n" }];
  type Call = readonly [tool: string, args: object];

  /** The verdict on the last of some calls of Claude Code, after the others were performed. */
  async function lastOf(calls: readonly Call[], { failed = false, becomes = LINES } = {}) {
    const dir = folder({ "a.txt": LINES });
    const config = { workspace: { write_safety: "strict" } };
    let verdict: unknown;
    for (const [index, [tool, rest]] of calls.entries()) {
      const args = { file_path: path.join(dir, "a.txt"), ...rest };
      verdict = verdictIn("claude", await tell("claude", dir, pre(dir, tool, args, undefined, `c${index}`), config));
      if (verdict === "deny" || index === calls.length - 1) break;
      if (tool !== "Read") writeFileSync(path.join(dir, "a.txt"), becomes);
      const end = post(dir, tool, args, `c${index}`);
      await tell("claude", dir, failed ? { ...end, hook_event_name: "PostToolUseFailure", error: "no" } : end, config);
    }
    return verdict;
  }

  test.each<[what: string, calls: Call[], edit: string, write: string]>([
    ["nothing", [], "deny", "deny"],
    ["all of it", [["Read", {}]], "allow", "allow"],
    ["some lines", [["Read", { limit: 2 }]], "allow", "deny"],
    ["lines from an offset on", [["Read", { offset: 2 }]], "allow", "deny"],
    [
      "two parts that are all",
      [
        ["Read", { limit: 2 }],
        ["Read", { offset: 3, limit: 2 }],
      ],
      "allow",
      "allow",
    ],
    ["lines that cannot be told", [["Read", { offset: "2" }]], "allow", "deny"],
    ["pages of it", [["Read", { pages: "1" }]], "allow", "deny"],
  ])("%s", async (_, calls, edit, write) => {
    expect([await lastOf([...calls, EDIT]), await lastOf([...calls, WRITE])]).toEqual([edit, write]);
  });

  test("nothing by a call that failed", async () => {
    expect(await lastOf([["Read", {}], EDIT], { failed: true })).toBe("deny");
  });

  test("what it wrote is known as far as the file is as it was to be", async () => {
    const part: Call = ["Read", { limit: 2 }];
    const edited = { becomes: LINES.replace("one", "1") };
    const again: Call = ["Edit", { old_string: "two\n", new_string: "2\n" }];
    expect(await lastOf([part, EDIT, ["Read", { offset: 3 }], WRITE], edited)).toBe("allow");
    expect(await lastOf([part, EDIT, ["Read", { offset: 4 }], WRITE], edited)).toBe("deny");
    const otherwise = { becomes: `${LINES}five\n` };
    expect(await lastOf([["Read", {}], EDIT, WRITE], edited)).toBe("allow");
    expect(await lastOf([["Read", {}], EDIT, WRITE], otherwise)).toBe("deny");
    expect(await lastOf([["Read", {}], EDIT, again], otherwise)).toBe("allow");
  });
});
