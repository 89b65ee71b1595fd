import { describe, expect, test } from "vitest";
import { workspace } from "./cli.ts";

describe("what people type", () => {
  test("a first word needs no name, and @ takes the text from a file", async () => {
    const { run, read } = await workspace({ "a.txt": "one\ntwo\n", "lib/b.txt": "b\n" });
    expect((await run(["call", "read_file", "a.txt", "limit=1"])).out).toMatch(/^1\tone\n/);
    expect((await run(["call", "list_files", "lib"])).out).toContain("b.txt");
    const args = ["call", "write_file", "c.txt", "content=@a.txt", "--yes"];
    expect((await run(args)).status).toBe(0);
    expect(await read("c.txt")).toBe("one\ntwo\n");
    const twice = await run(["call", "read_file", "a.txt", "path=b.txt"]);
    expect([twice.status, twice.err]).toEqual([3, expect.stringContaining("path is given twice")]);
  });

  test.each([
    [["read_file", "a b.txt"], "toolgate call read_file 'a b.txt'"],
    [["Bash", "ls"], "toolgate call Bash ls"],
    [["lgo"], "Did you mean log?"],
  ])("%j suggests what was meant", async (args, hint) => {
    const { run } = await workspace();
    const { status, err } = await run(args);
    expect([status, err]).toEqual([3, expect.stringContaining(hint)]);
  });

  test.each([
    ...["sessions", "tasks", "grants", "memory", "locks", "cron", "dead-letters", "approvals", "skills"].map(
      (command): [string, string] => [`${command} list extra`, `Write: toolgate ${command} list\n`],
    ),
    ["config rules list extra", "Write: toolgate config rules list\n"],
    ["config rules test extra", "Write: toolgate config rules test\n"],
    ["config rules minimise extra", "Write: toolgate config rules minimise\n"],
    ["config import claude extra", "Write: toolgate config import claude\n"],
    ["mcp install claude extra", "Write: toolgate mcp install claude\n"],
    ["hook install claude extra", "Write: toolgate hook install claude\n"],
    ["hook install clude extra", "Did you mean claude?"],
  ])("%s has a word too many", async (typed, hint) => {
    const { run } = await workspace();
    const { status, err, out } = await run(typed.split(" "));
    expect([status, out, err]).toEqual([3, "", expect.stringContaining(hint)]);
  });

  test("a denied call is not explained as if it would run", async () => {
    const { run } = await workspace();
    const { out, status } = await run(["explain", "run_command", "sudo ls"]);
    expect([out, status]).toEqual([expect.stringContaining("would be refused: nothing would run"), 2]);
    expect(out).not.toContain("would also pass");
  });
});

describe("one call of the record", () => {
  test("is told whole, and taken back alone", async () => {
    const { run, has } = await workspace();
    for (const name of ["a", "b"]) await run(["call", "write_file", name, "content=x", "--yes", "--turn", "t"]);
    const rows = JSON.parse((await run(["log", "--turn", "t", "--json"])).out) as { call: string; target: string }[];
    expect(rows.map(({ target }) => target)).toEqual(["b", "a"]);
    const id = rows[1]?.call as string;
    const whole = JSON.parse((await run(["log", id, "--json"])).out);
    expect(whole).toMatchObject({
      call: id,
      target: "a",
      verdict: { by: "caller", reason: "nobody was asked: the call was made with --yes" },
      changes: [{ file: "a", state: "done", before: null }],
    });
    expect((await run(["log", id])).out).toContain(`toolgate undo --call ${id}`);
    expect((await run(["undo", "--call", id])).status).toBe(0);
    expect([has("a"), has("b")]).toEqual([false, true]);
    expect((await run(["redo", "--call", id])).status).toBe(0);
    expect(has("a")).toBe(true);
    expect((await run(["undo"])).status).toBe(0);
    expect([has("a"), has("b")], "a turn that was named alone is one turn").toEqual([false, false]);
    expect((await run(["log", "nothing"])).status).toBe(3);
  });
});

describe("config", () => {
  test("check finds tools, dialects and folders that are not there, and tells keys as they are written", async () => {
    const { run, write } = await workspace({
      "toolgate.yaml": "dialect: clade\ntoolset: [files, reed_file]\nworkspace: { allowed_paths: [nowhere] }\n",
    });
    const { err, status } = await run(["config", "check"]);
    expect(status).toBe(3);
    expect(err).toMatch(/toolgate\.yaml: toolset: .*reed_file; did you mean read_file\?/);
    expect(err).toMatch(/toolgate\.yaml: dialect: .*clade; did you mean claude\?/);
    expect(err).toMatch(/toolgate\.yaml: workspace\.allowed_paths: there is no folder .*nowhere/);
    await write("toolgate.yaml", "commands: { max_output_lines: 7, blocked_patterns: [push] }\n");
    const checked = await run(["config", "check"]);
    expect(checked.out).toMatch(/commands\.max_output_lines: +7 {2}\(set\)/);
    expect(checked.out).not.toContain("maxOutputLines");
    const { keys } = JSON.parse((await run(["config", "check", "--json"])).out);
    expect(keys).toMatchObject({ "commands.blocked_patterns": ["push"], mode: "confirm-sensitive" });
  });
});
