import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Message } from "../../src/agents/crew.ts";
import { type OpenOptions, open } from "../../src/index.ts";
import { type Run, runJobs } from "../../src/scheduler.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { type Bench, bench, folder, plain } from "./harness.ts";

afterEach(() => void vi.useRealTimers());
const at = (time: string): void => void vi.useFakeTimers({ toFake: ["Date"] }).setSystemTime(new Date(time));

const HOURLY = { kind: "cron", expr: "0 * * * *", tz: "UTC" };
const MARK = "echo x >> ran.txt";
const FREE = { toolset: "all", sandbox: "off" } as const satisfies OpenOptions;

/** A gate, and runs of what is due in its folder and store. */
async function planned(options: OpenOptions = {}) {
  const store = memoryStore();
  const made = await bench({}, { ...FREE, store, ...options });
  const run = async (more: OpenOptions = {}): Promise<Run[]> => {
    const runs: Run[] = [];
    const opening = { ...FREE, mode: "yolo" as const, ...more, store, workspace: made.dir };
    await runJobs(opening, { once: true, signal: new AbortController().signal, onRun: (each) => void runs.push(each) });
    return runs;
  };
  const ran = () => (made.text("ran.txt") ?? "").split("x").length - 1;
  return { ...made, store, run, ran };
}
const add = (call: Bench["call"], args: object = {}) =>
  call("cron_add", { name: "mark", schedule: HOURLY, command: MARK, ...args });

describe("planning", () => {
  test("a job is listed with its next run in its zone, and removed", async () => {
    at("2026-03-28T12:00:00Z");
    const { call } = await planned();
    expect((await call("cron_list")).output).toBe("There are no jobs. cron_add plans one.");
    const added = await add(call, { schedule: { kind: "cron", expr: "30  2 * * *", tz: "europe/berlin" } });
    expect(added.output).toBe(
      "Job job_1 (mark): 30 2 * * * (Europe/Berlin), next Sun 2026-03-29 03:00:00 +02:00 Europe/Berlin.\nJobs run only while `toolgate cron run` is running.",
    );
    expect(added.metadata).toMatchObject({ id: "job_1", next: Date.parse("2026-03-29T01:00:00Z"), missed: "once" });
    const list = await call("cron_list");
    expect(list.output).toContain("job_1  mark: 30 2 * * * (Europe/Berlin), next Sun 2026-03-29 03:00:00 +02:00");
    expect(list.metadata).toMatchObject({ jobs: [{ id: "job_1", task: MARK, trusted: true, running: false }] });
    expect((await call("cron_list", { id: "job_1" })).output).toContain("It has not run yet.");
    expect(await call("cron_remove", { job_id: "mark" })).toMatchObject({ success: true, metadata: { id: "job_1" } });
    expect(await call("cron_remove", { id: "job_1" })).toMatchObject({
      status: "failed",
      error: { code: "NOT_FOUND" },
    });
  });

  test("what is left open is said", async () => {
    const { call } = await planned();
    expect((await add(call, { schedule: { kind: "cron", expr: "0 9 * * *" } })).output).toContain(
      "No tz was given: it is UTC.",
    );
    expect((await add(call, { command: undefined, prompt: "tidy up" })).output).toContain("It needs a model");
  });

  test("what cannot be meant is invalid", async () => {
    const { call } = await planned();
    const rows: [args: object, says: RegExp][] = [
      [{ schedule: { kind: "cron", expr: "61 * * * *" } }, /schedule\.expr.*61 is no minute/],
      [
        { schedule: { kind: "cron", expr: "0 9 * * *", tz: "Mars/Olympus" } },
        /schedule\.tz.*no time zone Mars\/Olympus/,
      ],
      [{ schedule: { kind: "cron" } }, /schedule\.expr.*required/],
      [{ schedule: { kind: "every", every_ms: 5 } }, /schedule\.every_ms/],
      [{ schedule: { kind: "at", at: "soon" } }, /schedule\.at/],
      [{ command: undefined }, /command.*required/],
      [{ job_type: "agent" }, /prompt.*required/],
      [{ prompt: "x" }, /command/],
    ];
    for (const [args, says] of rows) {
      const result = await add(call, args);
      expect(result.status, JSON.stringify(args)).toBe("invalid");
      expect(result.error?.message).toMatch(says);
    }
    const over = await add(call, { schedule: { kind: "at", at: "2020-01-01T00:00:00Z" } });
    expect(over).toMatchObject({ status: "failed", error: { message: /is over/ } });
    const secret = await add(call, { command: `curl -H "Authorization: Bearer ghp_${"a1".repeat(20)}" example.com` });
    expect(secret.error?.message).toContain("would hold a secret");
  });

  test("a command that is refused now is not kept, one that would be asked about is, with a word of warning", async () => {
    const { call, gate } = await planned({ mode: "confirm-sensitive", approve: () => "once" });
    expect(await add(call, { command: "sudo reboot" })).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect((await add(call, { command: "make" })).output).toMatch(
      /It will be refused when it runs, unless a person allows it/,
    );
    expect((await add(call, { command: "ls" })).output).not.toContain("refused");
    expect(
      (await gate.explain({ name: "cron_add", args: { name: "a", schedule: HOURLY, command: "ls" } })).verdict,
    ).toBe("ask");
  });

  test("an agent that only reads plans nothing, and after text from outside a person is asked", async () => {
    const fetches = plain("fetch_page", { touches: () => [{ action: "fetch", url: "https://example.com/" }] });
    const { call, gate } = await planned({ tools: [fetches], config: { trust: { outside_text: "ask" } } });
    const args = { name: "a", schedule: HOURLY, command: "ls" };
    expect((await gate.child({ autonomy: "readonly" }).call({ name: "cron_add", args })).status).toBe("refused");
    expect((await gate.child({ permissions: ["read", "write"] }).call({ name: "cron_add", args })).status).toBe(
      "refused",
    );
    await call("fetch_page");
    expect(await call("cron_add", args)).toMatchObject({ status: "refused", error: { message: /text from outside/ } });
    expect((await call("cron_list")).metadata.count).toBe(0);
  });
});

describe("running", () => {
  test("a job runs when it is due, once, and its history tells", async () => {
    at("2026-11-16T00:30:00Z");
    const { call, run, ran } = await planned();
    await add(call);
    expect(await run()).toEqual([]);
    at("2026-11-16T01:00:10Z");
    expect(await run()).toMatchObject([{ job: "job_1", status: "done", due: Date.parse("2026-11-16T01:00:00Z") }]);
    expect(await run()).toEqual([]);
    expect(ran()).toBe(1);
    at("2026-11-16T02:00:00Z");
    expect(await run()).toHaveLength(1);
    const { output, metadata } = await call("cron_list", { id: "job_1" });
    expect(metadata.runs).toHaveLength(2);
    expect(output).toContain("Mon 2026-11-16 02:00:00 +00:00 UTC  done");
    expect(output).toContain("next Mon 2026-11-16 03:00:00");
  });

  test("what runs once is gone afterwards", async () => {
    at("2026-11-16T00:00:00Z");
    const { call, run, ran } = await planned();
    await add(call, { schedule: { kind: "at", at: "2026-11-16T05:00:00+01:00" } });
    at("2026-11-16T04:00:00Z");
    expect(await run()).toMatchObject([{ status: "done" }]);
    at("2026-11-17T04:00:00Z");
    expect(await run()).toEqual([]);
    expect([ran(), (await call("cron_list")).metadata.count]).toEqual([1, 0]);
  });

  test.each<[missed: string, after: string, statuses: string[], lost: (number | undefined)[]]>([
    ["once", "2026-11-16T05:30:00Z", ["done"], [4]],
    ["once", "2026-11-16T01:00:00Z", ["done"], [undefined]],
    ["skip", "2026-11-16T05:30:00Z", ["skipped"], [4]],
    ["skip", "2026-11-16T05:00:30Z", ["done"], [4]],
    ["all", "2026-11-16T03:30:00Z", ["done", "done", "done"], [undefined, undefined, undefined]],
    ["all", "2026-12-16T03:30:00Z", ["done"], [722]],
  ])("missed runs: %s, at %s", async (missed, after, statuses, lost) => {
    at("2026-11-16T00:30:00Z");
    const { call, run, ran } = await planned();
    await add(call, { missed });
    at(after);
    const runs = await run();
    expect(runs.map(({ status }) => status)).toEqual(statuses);
    expect(runs.map((each) => each.missed)).toEqual(lost);
    expect(ran()).toBe(statuses.filter((status) => status === "done").length);
    expect(await run(), "and not again").toEqual([]);
  });

  test("clocks that are put back a little are waited for, those that are put back far are believed", async () => {
    at("2026-11-16T10:30:00Z");
    const { call, run } = await planned();
    await add(call);
    at("2026-11-16T11:00:00Z");
    expect(await run()).toHaveLength(1);
    at("2026-11-16T10:00:00Z");
    expect(await run()).toEqual([]);
    expect((await call("cron_list")).output).toContain("next Mon 2026-11-16 12:00:00");
    at("2026-11-10T10:59:00Z");
    expect(await run()).toEqual([]);
    expect((await call("cron_list")).output).toContain("next Tue 2026-11-10 11:00:00");
  });

  test("each run is judged again, under what its maker was allowed and what is allowed here", async () => {
    at("2026-11-16T00:30:00Z");
    const { gate, call, run, ran } = await planned({ approve: () => "once" });
    const below = (ceiling: object) => (name: string, args: object) => gate.child(ceiling).call({ name, args });
    await add(call, { name: "free" });
    await add(below({ mode: "confirm-sensitive" }) as Bench["call"], { name: "careful" });
    await add(below({ commands: ["safe"] }) as Bench["call"], { name: "safe only", command: "ls" });
    await add(below({ paths: ["docs/**"] }) as Bench["call"], { name: "looks", command: "ls docs" });
    at("2026-11-16T01:00:00Z");
    const runs = Object.fromEntries((await run()).map(({ name, status }) => [name, status]));
    expect(runs).toEqual({
      free: "done",
      careful: "refused",
      "safe only": "done",
      looks: expect.stringMatching(/done|failed/),
    });
    expect(ran()).toBe(1);
    const { output } = await call("cron_list", { id: "careful" });
    expect(output).toMatch(/refused: .*confirm-sensitive/);
    at("2026-11-16T02:00:00Z");
    const strict = Object.fromEntries((await run({ mode: "confirm-all" })).map(({ name, status }) => [name, status]));
    expect(strict).toEqual({ free: "refused", careful: "refused", "safe only": "refused", looks: "refused" });
    at("2026-11-16T03:00:00Z");
    const ruled = await run({ config: { rules: { deny: ["run(echo *)"] } } });
    expect(ruled.find(({ name }) => name === "free")?.status).toBe("refused");
    expect(ran()).toBe(1);
  });

  test("an agent's job is done by a model, under the ceiling that it was made with", async () => {
    at("2026-11-16T00:30:00Z");
    const { call, gate, run, ran, text } = await planned();
    const job = { command: undefined, prompt: "tidy up" };
    await add(call, { ...job, name: "free" });
    const paths = gate.child({ paths: ["kept/**"], commands: ["safe"] });
    await add((name, args) => paths.call({ name, args }), { ...job, name: "kept" });
    at("2026-11-16T01:00:00Z");
    expect(await run()).toMatchObject([
      { status: "refused", message: /need a model: start `toolgate cron run` with --model/ },
      { status: "refused" },
    ]);
    at("2026-11-16T02:00:00Z");
    const seen = new Map<string, string[]>();
    const model = {
      name: "scripted",
      async turn({ messages, session = "" }: { messages: readonly Message[]; session?: string }) {
        const answers = messages.flatMap((each) => (each.role === "tool" ? each.answers.map(({ text }) => text) : []));
        seen.set(session, answers);
        const calls = [
          { id: "1", name: "run_command", args: { command: MARK } },
          { id: "2", name: "write_file", args: { path: "b.txt", content: `${session}\n` } },
        ];
        return answers.length > 0 ? { text: "tidied", calls: [] } : { text: "", calls };
      },
    };
    const runs = await run({ model });
    expect(runs.map(({ name, status, message }) => [name, status, message])).toEqual(
      expect.arrayContaining([
        ["free", "done", "tidied"],
        ["kept", "done", "tidied"],
      ]),
    );
    const [free = "", kept = ""] = ["free", "kept"].map((name) => runs.find((each) => each.name === name)?.session);
    expect(seen.get(kept)?.every((answer) => /^Error/.test(answer))).toBe(true);
    expect(ran()).toBe(1);
    expect(text("b.txt")).toBe(`${free}\n`);
  });

  test("a run spends no more than its maker might", async () => {
    at("2026-11-16T00:30:00Z");
    const { call, gate, run, ran } = await planned();
    const job = { command: undefined, prompt: "go on and on" };
    const bounded = gate.child({ budget: { maxCalls: 3, maxCost: 1 } }).child({ budget: { maxCalls: 5 } });
    await add((name, args) => bounded.call({ name, args }), { ...job, name: "bounded" });
    await add(call, { ...job, name: "free" });
    at("2026-11-16T01:00:00Z");
    const turns = new Map<string, number>();
    const model = {
      name: "scripted",
      async turn({ session = "" }: { session?: string }) {
        const turn = (turns.get(session) ?? 0) + 1;
        turns.set(session, turn);
        return turn > 6
          ? { text: "done", calls: [] }
          : { text: "", calls: [{ id: `${turn}`, name: "run_command", args: { command: MARK } }] };
      },
    };
    await run({ model });
    expect(ran()).toBe(3 + 6);
  });

  test("an agent's job that the model does not finish has failed", async () => {
    at("2026-11-16T00:30:00Z");
    const { call, run } = await planned();
    await add(call, { command: undefined, prompt: "tidy up" });
    at("2026-11-16T01:00:00Z");
    const broken = { name: "broken", turn: () => Promise.reject(new Error("no service")) };
    expect(await run({ model: broken })).toMatchObject([{ status: "failed", message: /no service/ }]);
  });

  test("what came due while a run lasted is left out, and said", async () => {
    at("2026-11-16T00:30:00Z");
    const { call, run, dir, text } = await planned();
    await add(call, {
      schedule: { kind: "every", every_ms: 60_000 },
      command: "touch begun; while [ ! -e go ]; do sleep 0.05; done",
    });
    at("2026-11-16T00:31:00Z");
    const running = run();
    await vi.waitFor(() => expect(text("begun")).toBe(""), 10_000);
    expect(await run(), "nobody else runs it meanwhile").toEqual([]);
    expect((await call("cron_list")).output).toContain("runs now");
    at("2026-11-16T00:33:30Z");
    await (await import("node:fs/promises")).writeFile(path.join(dir, "go"), "");
    expect(await running).toMatchObject([{ status: "done", message: /came due 2 times while it ran/ }]);
    expect(await run()).toEqual([]);
  });

  test("a service goes on until it is told to stop, and stops what it runs", async () => {
    const { call, dir, store, text } = await planned();
    await add(call, { schedule: { kind: "every", every_ms: 1000 }, command: "touch begun; sleep 60" });
    const stop = new AbortController();
    const runs: Run[] = [];
    const service = runJobs(
      { ...FREE, mode: "yolo", workspace: dir, store },
      { signal: stop.signal, onRun: (each) => void runs.push(each) },
    );
    await vi.waitFor(() => expect(text("begun")).toBe(""), 20_000);
    stop.abort();
    await service;
    expect(runs).toMatchObject([{ status: "cancelled" }]);
  });
});

describe("on disk", () => {
  const SEAL = (text: string) => `seal of ${text.length}`;

  test("of two services that share a store, one runs a job", async () => {
    at("2026-11-16T00:30:00Z");
    const dir = folder();
    const file = path.join(folder(), "store.db");
    const stores = await Promise.all([0, 1].map(() => sqliteStore(file, SEAL)));
    const gate = await open({ ...FREE, mode: "yolo", workspace: dir, store: stores[0]! });
    for (let each = 0; each < 6; each++)
      await gate.call({
        name: "cron_add",
        args: { name: `mark ${each}`, schedule: HOURLY, command: `echo x >> ran-${each}.txt` },
      });
    at("2026-11-16T01:00:00Z");
    const runs: Run[] = [];
    const signal = new AbortController().signal;
    await Promise.all(
      stores.map((store) =>
        runJobs(
          { ...FREE, mode: "yolo", workspace: dir, store },
          { once: true, signal, onRun: (each) => void runs.push(each) },
        ),
      ),
    );
    expect(runs.map(({ name, status }) => `${name} ${status}`).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((each) => `mark ${each} done`),
    );
    await gate.close();
    for (const store of stores) await store.close();
  });

  test("a job that was changed in the store, or put there, is not run", async () => {
    at("2026-11-16T00:30:00Z");
    const dir = folder();
    const file = path.join(folder(), "store.db");
    const store = await sqliteStore(file, SEAL);
    const gate = await open({ ...FREE, mode: "yolo", workspace: dir, store });
    for (const name of ["one", "two"])
      await gate.call({ name: "cron_add", args: { name, schedule: HOURLY, command: "echo fine" } });
    const table = store.table("cron/");
    const row = await table.get<object>("job_1");
    await table.put("job_1", { ...row?.value, task: "touch owned" });
    await table.put("job_9", { ...row?.value, task: "touch owned" });
    at("2026-11-16T01:00:00Z");
    const [runs, doubts]: [Run[], string[]] = [[], []];
    await runJobs(
      { ...FREE, mode: "yolo", workspace: dir, store },
      {
        once: true,
        signal: new AbortController().signal,
        onRun: (each) => void runs.push(each),
        onDoubt: ({ id }) => void doubts.push(id),
      },
    );
    expect(runs.map(({ name }) => name)).toEqual(["two"]);
    expect(doubts.sort()).toEqual(["job_1", "job_9"]);
    expect((await gate.call({ name: "cron_list", args: {} })).output).toContain(
      "job_1  one: 0 * * * * (UTC), is not run",
    );
    await gate.close();
    await store.close();
  });
});
