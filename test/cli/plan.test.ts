import { describe, expect, test } from "vitest";
import { workspace } from "./cli.ts";

type Row = { number: number; tool: string; target: string; call: string; status: string; error: unknown };

describe("toolgate plan", () => {
  test("shows, approves, drops and runs what other processes planned", { timeout: 60_000 }, async () => {
    const it = await workspace({ "a.txt": "one\n" });
    const plan = (...words: string[]) => it.run(["plan", ...words]);
    expect(await plan()).toMatchObject({ status: 0, out: "Nothing is planned.\n" });
    expect(await plan("run", "--json")).toMatchObject({ status: 0, out: expect.stringContaining('"calls": []') });
    expect(it.has(".toolgate"), "looking leaves nothing behind").toBe(false);

    const lines = [
      { tool: "edit_file", args: { path: "a.txt", old_str: "one", new_str: "1" } },
      { tool: "write_file", args: { path: "b.txt", content: "new\n" } },
      { tool: "write_file", args: { path: "c.txt", content: "never\n" } },
    ];
    const input = lines.map((each) => `${JSON.stringify(each)}\n`).join("");
    const planned = await it.run(["call", "--jsonl", "--plan"], { input });
    expect(planned.status).toBe(0);
    expect(it.has("b.txt")).toBe(false);

    const rows = JSON.parse((await plan("--json")).out) as Row[];
    expect(rows.map(({ number, tool, target, status, error }) => [number, tool, target, status, error])).toEqual([
      [1, "edit_file", "a.txt", "planned", null],
      [2, "write_file", "b.txt", "planned", null],
      [3, "write_file", "c.txt", "planned", null],
    ]);
    const whole = JSON.parse((await plan("show", "1", "--json")).out);
    expect(whole).toMatchObject({ calls: [{ number: 1 }], conflicts: [], unknown: [] });
    expect(whole.diff).toBe("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n");
    expect((await plan("show", "1", "--diff")).out).toBe(whole.diff);

    expect(await plan("drop", "3")).toMatchObject({ status: 0, out: "Dropped 1 call.\n" });
    expect(await plan("run")).toMatchObject({ status: 2, err: expect.stringContaining("PERMISSION_DENIED") });
    expect(await plan("approve")).toMatchObject({ status: 3, err: expect.stringContaining("--yes") });
    const approved = await plan("approve", rows[0]!.call, "--yes", "--json");
    expect(JSON.parse(approved.out)).toMatchObject([{ number: 1, status: "approved" }]);
    const first = await plan("run", "--json");
    expect(first.status).toBe(2);
    expect(JSON.parse(first.out)).toMatchObject({
      calls: [
        { number: 1, status: "done", result: { status: "done" } },
        { number: 2, status: "planned", error: { code: "PERMISSION_DENIED" } },
      ],
      left: [{ number: 2 }],
    });
    expect(await it.read("a.txt")).toBe("1\n");
    expect(await plan("run", "2", "--yes")).toMatchObject({
      status: 0,
      out: expect.stringContaining("Nothing is left in the plan.\n"),
    });
    expect(await it.read("b.txt")).toBe("new\n");
    expect(it.has("c.txt")).toBe(false);
  });

  test("wants to know which dry run is meant, and what was typed", { timeout: 60_000 }, async () => {
    const it = await workspace();
    for (const name of ["a", "b"])
      await it.run(["call", "write_file", name, "content=x", "--dry-run", "--session", name]);
    const { status, err } = await it.run(["plan", "run", "--yes"]);
    expect([status, err]).toEqual([3, expect.stringContaining("2 sessions have planned something")]);
    expect(await it.run(["plan", "drop", "--session", "a"])).toMatchObject({ status: 0, out: "Dropped 1 call.\n" });
    expect(await it.run(["plan", "runn"])).toMatchObject({
      status: 3,
      err: expect.stringContaining("Did you mean run"),
    });
    expect(await it.run(["plan", "show", "9"])).toMatchObject({
      status: 1,
      err: expect.stringContaining("no planned call 9"),
    });
    expect(await it.run(["plan", "run", "--all", "--yes"])).toMatchObject({ status: 0 });
    expect([it.has("a"), it.has("b")]).toEqual([false, true]);
  });

  test("shows the folder, the variables and the arguments of a call, and what was approved", async () => {
    const it = await workspace({ "sub/a.txt": "one\n" });
    const lines = [
      { tool: "run_command", args: { command: "make x", cwd: "sub", env: { MAKEFILES: "../b.mk" }, background: true } },
      { tool: "memory_store", args: { key: "k", content: "remember this" } },
    ];
    const input = lines.map((each) => `${JSON.stringify(each)}\n`).join("");
    await it.run(["call", "--jsonl", "--plan", "--toolset", "all"], { input });
    const { out } = await it.run(["plan"]);
    for (const each of ["cwd sub", "env MAKEFILES=../b.mk", "in the background", "with {"])
      expect(out).toContain(`\n      ${each}`);
    expect(out).toContain('"content":"remember this"');
    const approved = await it.run(["plan", "approve", "--yes"]);
    expect(approved.out).toMatch(/run_command {2}make x.*env MAKEFILES.*memory_store.*Approved 2 calls/s);
  });
});
