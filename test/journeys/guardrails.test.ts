import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench, folder, plain } from "./harness.ts";

const guarded = (guardrails: object, files: Record<string, string> = {}, more: object = {}) =>
  bench(files, { config: { guardrails }, store: "memory", sandbox: "off", ...more });
const write = (path: string, content = "x\n") => ({ name: "write_file", args: { path, content } });
const ends = async ({ gate }: Bench, ...calls: { name: string; args: unknown }[]): Promise<string[]> => {
  const told: string[] = [];
  for (const call of calls) told.push((await gate.call(call)).status);
  return told;
};

describe("files that are guarded", () => {
  test("are out of reach for tools, commands, links and searches, and stay as they are", async () => {
    const it = await guarded(
      { protected_files: ["kept/**"], sensitive_files: [".env"] },
      { "kept/a.txt": "a\n", ".env": "KEY=secret\n", "b.txt": "KEY=none\n" },
    );
    symlinkSync(".env", path.join(it.dir, "link"));
    const run = (command: string) => ({ name: "run_command", args: { command } });
    const refused = [
      ...[write("kept/a.txt"), write("./kept/../kept/new.txt"), { name: "read_file", args: { path: "link" } }],
      ...[
        { name: "read_file", args: { path: ".env" } },
        { name: "file_info", args: { path: ".env" } },
      ],
      ...[
        "cat .env",
        "sed -n p ./.ENV",
        "cp .env c",
        "cat link",
        "grep . .en*",
        "rm -rf kept",
        "echo x > kept/a.txt",
      ].map(run),
      ...["mv kept gone", "tee kept/new < b.txt", "cat < .env", "bash -c 'cat .env'", "sed -i s/a/b/ kept/a.txt"].map(
        run,
      ),
    ];
    for (const call of refused)
      expect([call.args, (await it.gate.call(call)).metadata.by]).toEqual([call.args, "guardrails"]);
    const found = await it.call("grep", { pattern: "KEY" });
    expect(found.output).toContain("b.txt");
    expect(found.output).not.toContain("secret");
    expect(found.output).toContain("left out");
    expect(await ends(it, run("cat b.txt"), { name: "read_file", args: { path: "kept/a.txt" } })).toEqual([
      "done",
      "done",
    ]);
    expect([it.text("kept/a.txt"), it.text("c")]).toEqual(["a\n", undefined]);
  });
});

describe("limits", () => {
  test("of files: one that is changed twice counts once, what was refused not at all", async () => {
    const it = await guarded({ max_files_modified: 2, protected_files: ["no"] }, { a: "1\n" });
    const edit = (old_str: string, new_str: string) => ({ name: "edit_file", args: { path: "a", old_str, new_str } });
    expect(
      await ends(
        it,
        write("no"),
        edit("1", "2"),
        edit("2", "3"),
        edit("missing", "x"),
        write("b"),
        write("b", "y\n"),
        write("c"),
        edit("3", "4"),
      ),
    ).toEqual(["refused", "done", "done", "failed", "done", "done", "refused", "done"]);
  });

  test("hold in a batch, for children, and in another gate on the same store", async () => {
    const dir = folder();
    const store = memoryStore();
    const it = await guarded({ max_files_modified: 3 }, {}, { dir, store });
    const results = await it.gate.callAll(["a", "b", "c", "d", "e"].map((name) => write(name)));
    expect(results.filter(({ success }) => success)).toHaveLength(3);
    expect((await it.gate.child({ agent: "below" }).call(write("f"))).status).toBe("refused");
    const other = await guarded({ max_files_modified: 3 }, {}, { dir, store });
    expect((await other.gate.child({ sessionID: it.gate.sessionID }).call(write("g"))).status).toBe("refused");
    expect((await other.gate.call(write("h"))).status, "another session has its own").toBe("done");
  });

  test("of lines: what is added and what is removed", async () => {
    const it = await guarded({ max_lines_changed: 4 });
    expect(await ends(it, write("a", "1\n2\n3\n"), write("b", "1\n2\n"), write("b", "1\n"), write("c", "1\n"))).toEqual(
      [...["done", "refused", "done", "refused"]],
    );
  });

  test("of commands, and of what commands turned out to have changed", async () => {
    const script = "for n in 1 2 3; do echo $n > file$n; done";
    const it = await guarded({ max_commands_executed: 2, max_files_modified: 2 }, { "gen.sh": script });
    const run = (command: string) => ({ name: "run_command", args: { command } });
    expect(await ends(it, run(script), run("sh gen.sh"), write("a"))).toEqual(["refused", "done", "refused"]);
    expect(await ends(it, run("true"), run("true"))).toEqual(["done", "refused"]);
  });

  test("0 allows none, unlimited and null allow all", async () => {
    expect(await ends(await guarded({ max_files_modified: 0 }), write("a"))).toEqual(["refused"]);
    for (const none of ["unlimited", null])
      expect(await ends(await guarded({ max_files_modified: none, max_lines_changed: none }), write("a"))).toEqual([
        "done",
      ]);
  });
});

describe("code rules", () => {
  const rules = {
    code_rules: [
      { pattern: "eval\\(", message: "no eval", severity: "block" },
      { pattern: "TODO", message: "do it now" },
    ],
  };
  const late = plain("late", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "late.js" }],
    execute: async (_, { files }) => {
      await files.write("late.js", new TextEncoder().encode("eval(1) // TODO\n"));
      return "written";
    },
  });
  test.each<[string, unknown]>([
    ["write_file", { path: "a.js", content: "eval(1)" }],
    ["edit_file", { path: "b.js", old_str: "x", new_str: "eval(1)" }],
    ["apply_patch", { patch: "--- a/b.js\n+++ b/b.js\n@@ -1 +1 @@\n-x\n+eval(1)\n" }],
    ["late", {}],
  ])("hold for %s, whatever it shows beforehand", async (name, args) => {
    const it = await guarded(rules, { "b.js": "x\n" }, { tools: [late] });
    expect(await it.call(name, args)).toMatchObject({ status: "refused", metadata: { by: "guardrails" } });
    expect([it.text("a.js"), it.text("b.js"), it.text("late.js")]).toEqual([undefined, "x\n", undefined]);
  });

  test("a warning reaches the model, and what was there before is nobody's fault", async () => {
    const it = await guarded(rules, { "old.js": "eval(1)\nTODO\nx\n" });
    const told = await it.call("write_file", { path: "a.js", content: "// TODO\n" });
    expect(told.output).toContain("[Code rule: a.js:1: do it now (pattern: TODO)]");
    const edited = await it.call("edit_file", { path: "old.js", old_str: "x", new_str: "y" });
    expect([edited.status, edited.metadata.notes]).toEqual(["done", undefined]);
  });
});

describe("finishing", () => {
  const change = write("a.js", "1\n");
  test("in a dry run quality gates are not run, and that is told", async () => {
    const config = { guardrails: { quality_gates: [{ name: "tests", command: "touch x && false" }] } };
    const { gate, text } = await bench({}, { dryRun: true, store: "memory", config });
    const { done, output, checks } = await gate.finish();
    expect([done, text("x"), checks[0]?.passed]).toEqual([true, undefined, false]);
    expect(output).toBe(
      "Quality gates that were not run, because nothing may be changed here:\n- tests: planned, not run",
    );
  });

  test("quality gates are run by the gate; one that is not required is only told", async () => {
    const quality_gates = [
      { name: "good", command: "true" },
      { name: "style", command: "echo ugly; false", required: false },
      { name: "types", command: "echo wrong type; exit 3" },
    ];
    const it = await guarded({ quality_gates });
    const { done, output, checks } = await it.gate.finish();
    expect([done, checks.map(({ name, passed }) => [name, passed])]).toEqual([
      false,
      [
        ["good", true],
        ["style", false],
        ["types", false],
      ],
    ]);
    expect(output).toMatch(
      /Required quality gates not passed:\n- types: [\s\S]*wrong type[\s\S]*not required failed:\n- style/,
    );
    const passing = await guarded({ quality_gates: quality_gates.slice(0, 2) });
    expect((await passing.gate.finish()).done).toBe(true);
    const blocked = await guarded({ quality_gates, blocked_commands: ["true"] });
    expect((await blocked.gate.finish()).checks[0], "judged like any command").toMatchObject({ passed: false });
  });

  test("changes need a run of the tests, by whoever works for the session", async () => {
    const it = await guarded({ require_test_after_edit: true });
    expect((await it.gate.finish()).done).toBe(true);
    await it.gate.child().call(change);
    expect(await it.gate.finish()).toMatchObject({ done: false, output: expect.stringContaining("since 1 change.") });
    await it.gate.child().call({ name: "run_command", args: { command: "sh ./run-tests.sh; true" } });
    expect((await it.gate.finish()).done).toBe(true);
    expect(await it.gate.child({ gates: ["Patch"] }).finish()).toMatchObject({ done: false, checks: [] });
  });

  test("after twenty changes the next waits for the tests", async () => {
    const it = await guarded({ require_test_after_edit: true });
    const results = [];
    for (let n = 0; n < 21; n++) results.push(await it.call("write_file", { path: "a.js", content: `${n}\n` }));
    expect(results.map(({ status }) => status).filter((status) => status === "done")).toHaveLength(20);
    expect(results[4]?.metadata.notes).toBeUndefined();
    expect(results[5]?.output).toContain("[5 changes were made since the tests ran.");
    expect(results[20]?.error?.hint).toBe("Run the tests, for example npm test or pytest, then continue.");
    await it.call("run_command", { command: "sh test.sh; true" });
    expect((await it.gate.call(change)).status).toBe("done");
  });
});

test("the files in the documents are accepted as they are written", async () => {
  const blocks = [...readFileSync("docs/policies.md", "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(1);
  const by: unknown[] = [];
  for (const [, text] of blocks) {
    const dir = folder({ "toolgate.yaml": text as string });
    const it = await bench({}, { dir, config: path.join(dir, "toolgate.yaml"), store: "memory" });
    by.push((await it.call("write_file", { path: "migrations/1.sql", content: "" })).metadata.by);
  }
  expect(by).toEqual(["guardrails", undefined]);
});

test("a change can be taken back though what it replaced breaks a code rule; it cannot be written again", async () => {
  const code_rules = [{ pattern: "\\beval\\(", message: "no eval", severity: "block" }];
  const it = await guarded({ code_rules }, { "a.js": "eval(1)\n" });
  expect(await ends(it, write("a.js", "safe()\n"))).toEqual(["done"]);
  const undone = await it.call("undo_file", { path: "a.js" });
  expect([undone.status, it.text("a.js")]).toEqual(["done", "eval(1)\n"]);
  expect(undone.output).toContain("[Code rule: a.js:1: no eval");
  expect(await ends(it, write("b.js", "eval(1)\n"))).toEqual(["refused"]);
});
