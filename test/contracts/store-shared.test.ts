import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { KeptEvent } from "../../src/core/contracts/store/events.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { approvalOf, begunOf, holderOf } from "./store-samples.ts";

describe("one SQLite file, many processes", () => {
  let tools: string;
  let script: string;
  let folder: string;
  let file: string;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    tools = await mkdtemp(join(tmpdir(), "toolgate-process-"));
    script = join(tools, "store-process.mjs");
    await symlink(resolve("node_modules"), join(tools, "node_modules"), "junction");
    await build({
      entryPoints: [resolve(import.meta.dirname, "store-process.ts")],
      ...{ outfile: script, bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" },
    });
  });
  afterAll(() => rm(tools, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolgate-shared-"));
    file = join(folder, "toolgate.db");
  });
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  type Task = { child: ChildProcess; output: () => string; ended: Promise<{ code: number | null; errors: string }> };

  const start = (task: string, name: string): Task => {
    const child = spawn(process.execPath, [script, task, file, name], { stdio: ["ignore", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    running.add(child);
    const ended = once(child, "close").then(([code]) => {
      running.delete(child);
      return { code, errors };
    });
    return { child, output: () => output, ended };
  };

  const spoken = async ({ child, output, ended }: Task, enough: (text: string) => boolean): Promise<void> => {
    while (!enough(output())) {
      const dead = await Promise.race([once(child.stdout!, "data").then(() => undefined), ended]);
      if (dead) throw new Error(`the process ended early: ${dead.errors}`);
    }
  };

  test("opening a new file at the same moment succeeds for all", { timeout: 30_000 }, async () => {
    const moment = String(Date.now() + 700);
    const ends = await Promise.all([1, 2, 3, 4].map(() => start("open", moment).ended));
    expect(ends).toEqual(Array(4).fill({ code: 0, errors: "" }));
    const store = await sqliteStore(file);
    expect(await store.records({})).toHaveLength(4);
    await store.close();
  });

  test("locks are never held twice, and no intent is lost", { timeout: 60_000 }, async () => {
    const names = ["one", "two", "three", "four"];
    const ends = await Promise.all(names.map((name) => start("compete", name).ended));
    expect(ends).toEqual(Array(4).fill({ code: 0, errors: "" }));
    const store = await sqliteStore(file);
    for (const session of names) expect(await store.changes({ session, states: ["done"] }), session).toHaveLength(200);
    expect(await store.locks()).toEqual([]);
    await store.close();
    expect((await readdir(folder)).filter((name) => name.endsWith("witness"))).toEqual([]);
  });

  test("writers that are killed at any moment leave chains in order", { timeout: 60_000 }, async () => {
    const tasks = ["one", "two", "three"].map((name) => start("write", name));
    await Promise.all(tasks.map((task) => spoken(task, (text) => text.includes("writing"))));
    for (const { child, ended } of tasks) {
      child.kill("SIGKILL");
      await ended;
    }
    const store = await sqliteStore(file);
    const { records, writers, findings } = await store.verify();
    expect([writers, findings]).toEqual([3, []]);
    expect(records).toBeGreaterThanOrEqual(36);
    await store.close();
  });

  test("a killed holder's locks and holds are free at once", { timeout: 30_000 }, async () => {
    const store = await sqliteStore(file);
    const task = start("hold", "killed");
    await spoken(task, (text) => text.includes("held"));
    expect(await store.lock(["/held"], holderOf("next"))).toMatchObject({ call: "killed" });
    const change = { resources: ["/w/src/a.ts"], mode: "write" as const };
    const other = { session: "next", agent: "main" };
    expect(await store.holdOver("paths", change, other)).toMatchObject({ session: "killed" });
    expect(await store.lock(["/tree/leaf"], holderOf("next"))).toMatchObject({ path: "/tree/**" });
    task.child.kill("SIGKILL");
    // blocks on purpose: the dead process is not collected yet, and counts as dead all the same
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(await store.lock(["/held", "/tree/leaf"], holderOf("next"))).toBeUndefined();
    expect(await store.holdOver("paths", change, other)).toBeUndefined();
    expect(await store.holds()).toEqual([]);
    expect((await store.locks()).map(({ call }) => call)).toEqual(["next", "next"]);
    await task.ended;
    await store.close();
  });

  test("one who waits gets what a killed holder held", { timeout: 30_000 }, async () => {
    const store = await sqliteStore(file);
    const task = start("hold", "killed");
    await spoken(task, (text) => text.includes("held"));
    const waiting = store.lock(["/held"], holderOf("next"), { milliseconds: 25_000 });
    task.child.kill("SIGKILL");
    expect(await waiting).toBeUndefined();
    await task.ended;
    await store.close();
  });

  test("a killed process's bound rows are orphaned, and those of a closed store are not", {
    timeout: 30_000,
  }, async () => {
    const store = await sqliteStore(file);
    const orphaned = async () =>
      (await store.table("t").list()).filter((row) => row.orphaned === true).map(({ key }) => key);
    const task = start("bind", "killed");
    await spoken(task, (text) => text.includes("bound"));
    expect(await orphaned()).toEqual([]);
    task.child.kill("SIGKILL");
    await task.ended;
    expect(await orphaned()).toEqual(["bound"]);
    // the next store tidies up behind dead processes
    const other = await sqliteStore(file);
    await other.interrupted();
    await other.close();
    expect(await orphaned()).toEqual(["bound"]);
    expect(await store.table("t").put("bound", "mine", { bound: true })).not.toHaveProperty("orphaned");
    expect(await orphaned()).toEqual([]);
    await store.close();
  });

  test("a killed process's questions are over, and its calls are told as interrupted, once", {
    timeout: 30_000,
  }, async () => {
    const store = await sqliteStore(file);
    const task = start("begin", "killed");
    await store.ask(approvalOf("mine"));
    await store.begin([begunOf("mine")]);
    await spoken(task, (text) => text.includes("begun"));
    expect((await store.pending()).map(({ id }) => id).sort()).toEqual(["killed", "mine"]);
    expect((await store.underWay()).map(({ id }) => id).sort()).toEqual(["killed-1", "killed-2", "mine"]);
    expect(await store.interrupted()).toEqual([]);
    task.child.kill("SIGKILL");
    await task.ended;
    expect((await store.pending()).map(({ id }) => id)).toEqual(["mine"]);
    expect(await store.answer("killed", "once")).toBe(false);
    expect(await store.approval("killed")).toEqual(approvalOf("killed"));
    expect((await store.underWay()).map(({ id }) => id)).toEqual(["mine"]);
    const other = await sqliteStore(file);
    const told = await Promise.all([store.interrupted(), other.interrupted()]);
    expect(told.flat()).toEqual([begunOf("killed-1"), begunOf("killed-2")]);
    expect(await store.interrupted()).toEqual([]);
    await store.tidy({ maxAgeMs: 1, maxBytes: 1, now: 1 });
    expect((await store.pending()).map(({ id }) => id)).toEqual(["mine"]);
    await other.close();
    await store.close();
  });

  test("no limit is passed by many who reserve at once", { timeout: 60_000 }, async () => {
    const tasks = ["one", "two", "three"].map((name) => start("reserve", name));
    expect(await Promise.all(tasks.map(({ ended }) => ended))).toEqual(Array(3).fill({ code: 0, errors: "" }));
    const tokens = tasks.flatMap(({ output }) => output().trim().split("\n").filter(Boolean));
    const store = await sqliteStore(file);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(await store.reserved("total")).toBe(tokens.length);
    expect(await store.reserved("hourly", 3_600_000)).toBe(tokens.length);
    // what one gave back another may have found full: it is never more than the limit, and was full at some time
    expect(tokens.length).toBeLessThanOrEqual(120);
    expect(tokens.length).toBeGreaterThan(100);
    for (const token of tokens) await store.giveBack(token);
    expect(await store.reserved("total")).toBe(0);
    await store.close();
  });

  test("no change of a row is lost by many who change it at once", { timeout: 60_000 }, async () => {
    const ends = await Promise.all(["one", "two", "three"].map((name) => start("count", name).ended));
    expect(ends).toEqual(Array(3).fill({ code: 0, errors: "" }));
    const store = await sqliteStore(file);
    expect(await store.table("counts").get("sum")).toMatchObject({ value: 300, version: 300 });
    await store.close();
  });

  test("whoever follows misses nothing that others tell and record meanwhile", { timeout: 60_000 }, async () => {
    const store = await sqliteStore(file);
    let running = true;
    const tasks = ["one", "two"].map((name) => start("tell", name).ended);
    const ended = Promise.all(tasks).finally(() => {
      running = false;
    });
    const seen: KeptEvent[] = [];
    for (let last = false; ; ) {
      seen.push(...(await store.events({ after: seen.at(-1)?.seq ?? 0, limit: 50 })));
      if (last) break;
      last = !running;
      await new Promise((done) => setTimeout(done, 1));
    }
    expect(await ended).toEqual(Array(2).fill({ code: 0, errors: "" }));
    seen.push(...(await store.events({ after: seen.at(-1)?.seq ?? 0 })));
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 360 }, (_, index) => index + 1));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(360);
    expect(await store.events({})).toEqual(seen);
    await store.close();
  });

  test("kill -9 amid intents leaves a whole store, with all that was promised", { timeout: 60_000 }, async () => {
    const tasks: Task[] = [];
    for (const round of [1, 2, 3]) {
      const pair = ["a", "b"].map((name) => start("intend", `${name}${round}`));
      await Promise.all(pair.map((task) => spoken(task, (text) => text.split("\n").length > 8)));
      for (const { child } of pair) child.kill("SIGKILL");
      await Promise.all(pair.map(({ ended }) => ended));
      tasks.push(...pair);
    }
    const store = await sqliteStore(file);
    const rows = await store.changes({});
    const promised = tasks.flatMap(({ output }) => output().trim().split(/\s+/).map(Number));
    expect(promised.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
    expect(rows.length % 3, "intents of three rows are there whole").toBe(0);
    for (const row of rows) {
      const text = row.real.slice(1);
      const content = await store.content(row.before!);
      expect(content?.length, text).toBe(150_000);
      expect(content?.every((byte) => byte === text.length)).toBe(true);
    }
    await store.close();
  });
});
