import { describe, expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { connect } from "../../src/stores/lib/connection.ts";
import { workspace } from "./cli.ts";

const YOLO = ["--mode", "yolo"];

describe("log", () => {
  test("verify says whether the record is as it was written", async () => {
    const { run, at } = await workspace();
    expect(await run(["log", "verify"])).toMatchObject({
      status: 0,
      out: "In order: 0 records of 0 writers, as they were written.\n",
    });
    for (const file of ["a", "b"]) await run(["call", "write_file", `path=${file}`, "content=x", "--mode", "yolo"]);
    expect(JSON.parse((await run(["log", "verify", "--json"])).out)).toMatchObject({
      ok: true,
      records: 2,
      writers: 2,
    });
    const connection = await connect(at(".toolgate/store.db"));
    connection.sql("UPDATE pages SET page = replace(page, 'write_file', 'harmless') WHERE last = 1").run();
    connection.close();
    const { status, out } = await run(["log", "verify"]);
    expect(status).toBe(1);
    expect(out).toMatch(/^changed {2}Record 1 was changed\. .*\nNot in order: 2 records of 2 writers, 1 finding\.\n$/);
  });

  test("tells every call, newest first, with how it ended", async () => {
    const { run } = await workspace({ "a.txt": "one\n" });
    await run(["call", "read_file", "a.txt", "--session", "first", "--turn", "t1"]);
    await run(["call", "write_file", "path=b.txt", "content=x"]);
    const rows = JSON.parse((await run(["log", "--json"])).out);
    expect(rows).toMatchObject([
      { tool: "write_file", target: "b.txt", status: "refused", error: { code: "PERMISSION_DENIED" } },
      { tool: "read_file", target: "a.txt", status: "done", error: null, session: "first", turn: "t1" },
    ]);
    expect(rows[0].call).toMatch(/^call_/);
    expect(Date.parse(rows[0].time)).toBeGreaterThanOrEqual(Date.parse(rows[1].time));
    expect(JSON.parse((await run(["log", "--json", "--limit", "1"])).out)).toHaveLength(1);
    expect(JSON.parse((await run(["log", "--json", "--session", "first"])).out)).toHaveLength(1);
    expect((await run(["log"])).out).toMatch(/refused\s+write_file\s+b\.txt\s+call_.+\n.+PERMISSION_DENIED/);
  });

  test("tells what was unusual about a command, under its row", async () => {
    const { run } = await workspace();
    await run(["call", "run_command", "kill -SEGV $$", ...YOLO]);
    await run(["call", "run_command", "exit 1", ...YOLO]);
    const rows = JSON.parse((await run(["log", "--json"])).out);
    expect(rows.map((row: { alerts: { kind: string }[] }) => row.alerts.map(({ kind }) => kind))).toEqual([
      [],
      ["crashed"],
    ]);
    expect((await run(["log"])).out).toMatch(/COMMAND_FAILED: .+\n {2}alert, crashed: .*SIGSEGV/);
  });

  test("tells on whose word a call ran, when they said so, and under which rule", async () => {
    const { run, dir } = await workspace({
      "toolgate.yaml": "rules: { allow: [{ rule: write(src/**), reason: ours }] }",
    });
    await run(["config", "trust", "--yes"]);
    await run(["call", "write_file", "path=src/a", "content=x"]);
    const gate = await open({
      ...{ workspace: dir, config: { loops: "off" } },
      approve: ({ input }) => ({ decision: (input as { path: string }).path === "b" ? "always" : "deny", who: "ann" }),
    });
    for (const path of ["b", "b", "c"]) await gate.call({ name: "write_file", args: { path, content: path } });
    await gate.close();
    const { out } = await run(["log"]);
    expect(out).toMatch(/write_file +c .*\n {2}deny: ann said no \(person\)/);
    expect(out).toMatch(/write_file +b .*\n {2}allow: a person allowed write\(\.\/b\) before \(grant\)/);
    expect(out).toMatch(/write_file +b .*\n {2}allow: ann allowed it \(always\) \(person\)/);
    expect(out).toMatch(
      /write_file +src\/a .*\n {2}allow: the rule "allow: write\(src\/\*\*\)" allows it: ours \(rules\)/,
    );
    const rows = JSON.parse((await run(["log", "--json"])).out);
    expect(rows.map(({ answered }: { answered: { decision: string } | null }) => answered?.decision ?? null)).toEqual([
      "deny",
      null,
      "always",
      null,
    ]);
    expect(Date.parse(rows[2].answered.time)).toBeGreaterThanOrEqual(Date.parse(rows[2].time));
    expect((await run(["log", rows[2].call])).out).toMatch(/^ {2}answered +always, \d{4}-\d\d-\d\d /m);
  });

  test("a target cannot steer the reader's terminal", async () => {
    const { run } = await workspace();
    await run(["call", "read_file", "a\x1b[2Jb"]);
    const { out } = await run(["log"]);
    expect(out).toContain("\\u{1b}");
    expect(out).not.toContain("\x1b");
  });
});

describe("undo and redo", () => {
  test("of a file: back, further back, and forward again", async () => {
    const { run, read } = await workspace({ "a.txt": "zero" });
    for (const content of ["one", "two"])
      await run(["call", "write_file", "path=a.txt", `content=${content}`, ...YOLO]);
    const steps: [string, string][] = [
      ["undo", "one"],
      ["undo", "zero"],
      ["redo", "one"],
      ["redo", "two"],
    ];
    for (const [command, content] of steps) {
      expect((await run([command, "a.txt"])).status).toBe(0);
      expect(await read("a.txt")).toBe(content);
    }
  });

  test("of the last turn: all of its files", async () => {
    const { run, read, has } = await workspace({ "a.txt": "zero" });
    for (const path of ["a.txt", "new.txt"])
      await run(["call", "write_file", `path=${path}`, "content=x", "--session", "s", "--turn", "t", ...YOLO]);
    const undone = await run(["undo", "--json"]);
    expect(JSON.parse(undone.out)).toMatchObject({ success: true, status: "done" });
    expect([await read("a.txt"), has("new.txt")]).toEqual(["zero", false]);
    expect((await run(["redo"])).status).toBe(0);
    expect([await read("a.txt"), await read("new.txt")]).toEqual(["x", "x"]);
  });

  test("a file that somebody changed since is left alone, and the status says so", async () => {
    const { run, read, write } = await workspace({ "a.txt": "zero" });
    await run(["call", "write_file", "path=a.txt", "content=one", ...YOLO]);
    await write("a.txt", "mine");
    const ended = await run(["undo", "a.txt"]);
    expect(ended.err).toContain("CONFLICT");
    expect(ended.status).toBe(1);
    expect(await read("a.txt")).toBe("mine");
    expect((await run(["redo", "a.txt"])).status).toBe(1);
  });
});

describe("config", () => {
  test("a problem is told with its place, by every command", async () => {
    const { run } = await workspace({ "toolgate.yaml": "mode: yolo\nmod: x\n" });
    for (const args of [["config", "check"], ["call", "read_file", "a.txt"], ["tools"], []]) {
      const { out, err, status } = await run(args);
      expect(out + err).toMatch(/toolgate\.yaml:2:1: unknown key "mod"; did you mean mode\?/);
      expect(status).toBe(3);
    }
  });

  test("what a file loosens counts once it is accepted, and a change of it must be accepted again", async () => {
    const { run, write, has } = await workspace({ "toolgate.yaml": "mode: yolo\n" });
    const call = ["call", "write_file", "path=b.txt", "content=x"];
    expect((await run(call)).status).toBe(2);
    expect((await run(["config", "check"])).out).toMatch(/not trusted[\s\S]+ignored: mode[\s\S]+config trust/);
    const trusted = JSON.parse((await run(["config", "trust", "--yes", "--json"])).out);
    expect(trusted).toMatchObject({ trusted: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await run(call)).status).toBe(0);
    expect(has("b.txt")).toBe(true);
    await write("toolgate.yaml", "mode: yolo\nautonomy: full\n");
    expect((await run(call)).status).toBe(2);
  });

  test("nothing is trusted where nobody can be seen to say so", async () => {
    const { run } = await workspace({ "toolgate.yaml": "mode: yolo\n" });
    for (const args of [
      ["config", "trust"],
      ["config", "trust", "--json"],
    ]) {
      const { status, out, err } = await run(args, { input: "y\n" });
      expect([status, (out + err).includes("--yes")], args.join(" ")).toEqual([3, true]);
    }
    const check = async () => JSON.parse((await run(["config", "check", "--json"])).out);
    expect(await check()).toMatchObject({ sources: [{ trusted: false }] });
    expect((await run(["config", "trust", "--yes"])).status).toBe(0);
    expect(await check()).toMatchObject({ sources: [{ trusted: true }] });
  });

  test("a file named by --config is accepted", async () => {
    const { run } = await workspace({ "other.yaml": "mode: yolo\n" });
    expect((await run(["call", "write_file", "path=b", "content=x", "--config", "other.yaml"])).status).toBe(0);
  });
});
