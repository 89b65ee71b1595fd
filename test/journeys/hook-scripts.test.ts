import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { trust } from "../../src/config/trust.ts";
import { scriptsToTrust } from "../../src/doctor.ts";
import { type OpenOptions, open } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { bench, folder, onPath } from "./harness.ts";

type Written = Record<string, unknown>;

async function hooked(hooks: Written, files: Record<string, string> = {}, options: OpenOptions = {}) {
  const asked: string[] = [];
  const dir = folder(files);
  for (const name of Object.keys(files)) if (files[name]?.startsWith("#!")) chmodSync(path.join(dir, name), 0o755);
  const it = await bench(
    {},
    {
      dir,
      store: "memory",
      approve: (_call, { by, reason }) => {
        asked.push(`${by}: ${reason}`);
        return "once";
      },
      ...options,
      config: { ...(options.config as object), hooks },
    },
  );
  return { ...it, asked };
}
const guard = (command: string, more: Written = {}): Written => ({
  pre_tool_use: [{ name: "guard", command, ...more }],
});

/** Written for Claude Code: reads its fields on standard input and answers in its words. */
const BLOCKER = `#!/usr/bin/env python3
import json, sys
data = json.load(sys.stdin)
if data["hook_event_name"] != "PreToolUse" or data["tool_name"] != "Bash":
    sys.exit(1)
if "rm " in data["tool_input"]["command"]:
    print("removing is not for you", file=sys.stderr)
    sys.exit(2)
`;
const REWRITER = `#!/bin/bash
input=$(cat)
command=$(sed -E 's/.*"command":"([^"]*)".*/\\1/' <<<"$input")
printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"%s --version"}}}' "$command"
`;

describe("scripts that were written for Claude Code", () => {
  test.each(["run_command", "Bash", "shell", "exec_command"])(
    "a Python script blocks a command, however %s names its arguments",
    async (name) => {
      const { call, text } = await hooked(guard(".claude/hooks/block.py", { matcher: "Bash" }), {
        ".claude/hooks/block.py": BLOCKER,
        kept: "x",
      });
      for (const args of [{ command: "rm kept" }, { cmd: "rm kept" }]) {
        const { status, error } = await call(name, args);
        expect([status, error?.message]).toEqual(["refused", "Refused by the hook guard: removing is not for you"]);
      }
      expect([(await call(name, { command: "true" })).status, text("kept")]).toEqual(["done", "x"]);
    },
  );

  test("a shell script rewrites the command, which is judged anew and heard of once", async () => {
    const { call, asked } = await hooked(
      { pre_tool_use: [{ name: "rewrite", command: "$CLAUDE_PROJECT_DIR/rewrite.sh", matcher: "Bash" }] },
      { "rewrite.sh": REWRITER },
    );
    const { output } = await call("run_command", { command: "bash" });
    expect([output.split("\n")[0], asked]).toEqual([expect.stringContaining("GNU bash"), []]);
  });

  test("what it rewrites a command to is refused where that is blocked", async () => {
    const { call, asked } = await hooked(guard(`echo '{"updatedInput":{"command":"sudo ls"}}'`));
    const { error } = await call("run_command", { command: "ls" });
    expect([error?.message, asked]).toEqual([expect.stringContaining("it runs as another user"), []]);
  });

  test("its allow answers no refusal, no rule and no question", async () => {
    const says = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`;
    const config = {
      rules: { ask: ["read(asked)"], deny: ["read(denied)"] },
      guardrails: { sensitive_files: ["guarded"] },
    };
    const files = { asked: "x", denied: "x", guarded: "x", plain: "x" };
    const { call, asked } = await hooked(guard(says), files, { config, mode: "confirm-sensitive" });
    const read = async (name: string) => (await call("read_file", { path: name })).status;
    expect([await read("denied"), await read("guarded"), await read("asked"), await read("plain")]).toEqual([
      ...["refused", "refused", "done", "done"],
    ]);
    expect((await call("write_file", { path: "plain", content: "y" })).status).toBe("done");
    expect(asked).toHaveLength(2);
  });

  test("paths are absolute and arguments have Claude's names; what it answers is understood", async () => {
    const edits = `cat > seen.json; echo '{"hookSpecificOutput":{"updatedInput":{"file_path":"b.txt","old_string":"two","new_string":"2"}}}'`;
    const { call, dir, text } = await hooked(guard(edits, { matcher: "Edit|MultiEdit|Write" }), {
      "a.txt": "one two\n",
      "b.txt": "two\n",
    });
    expect((await call("edit_file", { path: "a.txt", old_str: "one", new_str: "1" })).status).toBe("done");
    expect([text("a.txt"), text("b.txt")]).toEqual(["one two\n", "2\n"]);
    expect(JSON.parse(text("seen.json") ?? "")).toMatchObject({
      tool_name: "Edit",
      tool_input: { file_path: path.join(dir, "a.txt"), old_string: "one", new_string: "1" },
      cwd: dir,
      permission_mode: "default",
    });
  });
});

describe("seed 000's hooks", () => {
  const YAML = `
pre_tool_use:
  - name: validate-secrets
    command: "bash scripts/check.sh"
    matcher: "write_file|edit_file"
    file_patterns: ["*.py"]
    timeout: 5
post_tool_use:
  - name: python-lint
    command: "ruff check {file} --no-fix"
    file_patterns: ["*.py"]
    timeout: 15
`;
  const CHECK = `grep -q SECRET && { echo "a secret in $ARCHITECT_FILE_PATH" >&2; exit 2; }; exit 0`;
  const RUFF = `#!/bin/bash\n[ "$1 $3" = "check --no-fix" ] || exit 9\necho "\${2##*/}:15:5: F841 unused"; exit 1\n`;

  test("work as they are written", async () => {
    onPath({ ruff: RUFF, grep: `#!/bin/bash\nexec /bin/grep "$@"\n` });
    const { call, dir, gate } = await hooked(parse(YAML), { "scripts/check.sh": CHECK });
    expect(gate.notes).toEqual([]);
    const secret = await call("write_file", { path: "src/a.py", content: "SECRET" });
    expect(secret.error?.message).toBe(`Refused by the hook “validate-secrets”: a secret in ${dir}/src/a.py`);
    const { output } = await call("write_file", { path: "src/a.py", content: "x" });
    expect(output).toMatch(/\n\n\[Hook python-lint: FAILED \(exit 1\)\]\na.py:15:5: F841 unused$/);
    expect((await call("write_file", { path: "a.txt", content: "SECRET" })).output).not.toContain("Hook");
  });

  test("updatedInput changes what it names, additionalContext reaches the model, and changes chain", async () => {
    const { call, text } = await hooked({
      pre_tool_use: [
        { name: "one", command: `echo '{"updatedInput":{"path":"b"},"additionalContext":"moved"}'` },
        { name: "two", command: `[ "$TOOLGATE_FILE_PATH" = "$PWD/b" ] && echo '{"updatedInput":{"content":"2"}}'` },
      ],
    });
    const { output } = await call("write_file", { path: "a", content: "1" });
    expect([text("a"), text("b")]).toEqual([undefined, "2"]);
    expect(output).toContain("[one] moved");
  });

  test("post_edit runs for edits alone", async () => {
    const { call } = await hooked({ post_edit: [{ name: "f", command: "echo seen {file}" }] }, { a: "x" });
    const said = async (name: string, args: object) => (await call(name, args)).output.includes("[f] seen");
    expect([
      await said("Write", { path: "a", content: "y" }),
      await said("edit_file", { path: "a", old_str: "y", new_str: "z" }),
      await said("read_file", { path: "a" }),
      await said("run_command", { command: "cat a" }),
    ]).toEqual([true, true, false, false]);
  });

  test("variables have both prefixes, and none of the host's secrets are among them", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-never-shown");
    try {
      const { call, text, dir } = await hooked(guard("env > seen"));
      await call("run_command", { command: "true" });
      const seen = text("seen") ?? "";
      for (const prefix of ["TOOLGATE", "ARCHITECT"])
        for (const value of ["EVENT=pre_tool_use", `WORKSPACE=${dir}`, "TOOL_NAME=run_command", "COMMAND=true"])
          expect(seen).toContain(`${prefix}_${value}\n`);
      expect(seen).not.toContain("never-shown");
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("a file's name is never read as shell", () => {
  const NAMES = [
    "a b.py",
    "$(touch pwned).py",
    "`touch pwned`.py",
    "a;touch pwned;.py",
    "'\"&|<>*.py",
    "-rf.py",
    "n\nl.py",
  ];
  const COMMANDS = [
    "printf %s {file} > out",
    'printf %s "{file}" > out',
    "printf %s '{file}' > out",
    "printf %s x={file} > out",
  ];
  test("whatever it is called and wherever it stands", async () => {
    for (const command of COMMANDS) {
      const { call, text, dir } = await hooked({ post_edit: [{ command }] });
      for (const name of NAMES) {
        await call("write_file", { path: name, content: "x" });
        expect([text("out"), text("pwned")]).toEqual([
          `${command.includes("x=") ? "x=" : ""}${dir}/${name}`,
          undefined,
        ]);
      }
    }
  });

  test("in a longer quoted text it is refused, and said when the gate opens", async () => {
    const { call, gate, text } = await hooked({ post_edit: [{ name: "f", command: `bash -c "cat {file} > out"` }] });
    expect(gate.notes.join()).toContain(
      "The hook f (post_tool_use) cannot be started: {file} is inside a longer quoted text",
    );
    expect((await call("write_file", { path: "a", content: "x" })).output).toContain(
      "[Hook f: FAILED ({file} is inside",
    );
    expect(text("out")).toBeUndefined();
  });
});

describe("what cannot be started is told when the gate opens, and asks", () => {
  const cases: [command: string, note: RegExp][] = [
    ["./no-bit.sh", /no-bit\.sh may not be run; try: chmod \+x/],
    ["./missing.sh", /there is no file .*missing\.sh/],
    ["bash missing.sh", /there is no file .*missing\.sh/],
    ["python3 ./missing.py --strict", /there is no file .*missing\.py/],
    ["no-such-program-here x", /there is no program no-such-program-here on the PATH/],
    ["if then", /the command is not valid shell/],
  ];
  test.each(cases)("%s", async (command, note) => {
    const { gate, call, asked } = await hooked(guard(command), { "no-bit.sh": "echo hi" });
    expect(gate.notes).toEqual([expect.stringMatching(note)]);
    expect(gate.notes[0]).toMatch(/^The hook guard \(pre_tool_use\) cannot be started: /);
    const { status } = await call("read_file", { path: "no-bit.sh" });
    // bash and Python themselves end with the code for no
    if (/^if|python/.test(command)) expect(status).toBe("refused");
    else expect([status, asked.length]).toEqual(["done", 1]);
  });
  test.each(["true", "echo a && ./missing", "[ -f x ]", "bash -c 'exit 0'", "cat | grep x", "X=1 env", "node -e 0"])(
    "nothing is said of %s",
    async (command) => expect((await hooked(guard(command))).gate.notes).toEqual([]),
  );
});

describe("nothing is left behind", () => {
  test("a daemon that a hook left is ended with it", async () => {
    const { call, text } = await hooked(guard("setsid sleep 300 & echo $! > pid"), {});
    await call("read_file", { path: "pid" });
    const pid = Number(text("pid"));
    expect(pid).toBeGreaterThan(1);
    // what nobody has fetched yet is dead all the same
    const state = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] : "Z";
    expect(state).toBe("Z");
  });

  test("a hook nobody waits for has its time, and closing the gate waits for it", async () => {
    const { call, gate, text } = await hooked(guard("sleep 0.3; echo late > late", { async: true }));
    expect((await call("list_files", {})).status).toBe("done");
    expect(text("late")).toBeUndefined();
    await gate.close();
    expect(text("late")).toBe("late\n");
  });
});

describe("scripts of the workspace", () => {
  test("one that was changed meanwhile is not run: a person is asked, whatever on_failure says", async () => {
    const { call, asked, put, text } = await hooked(guard("bash check.sh", { on_failure: "allow" }), {
      "check.sh": "echo ran >> log",
    });
    await call("list_files", {});
    put("check.sh", "echo evil >> log");
    const { status } = await call("list_files", {});
    expect([status, text("log"), asked]).toEqual([
      "done",
      "ran\n",
      [expect.stringMatching(/^hook guard: it failed \(it was not run: check\.sh has changed since it was accepted/)],
    ]);
  });

  test.each([
    ["write_file", { path: "check.sh", content: "true" }],
    ["run_command", { command: "echo true > check.sh" }],
    ["run_command", { command: "rm -r hooks" }],
  ])("%s %j asks in every mode", async (name, args) => {
    const hooks = guard("bash check.sh && bash hooks/b.sh");
    const { gate } = await hooked(hooks, { "check.sh": "true", "hooks/b.sh": "true" });
    const { verdict, by } = await gate.explain({ name, args });
    expect([verdict, by]).toEqual(["ask", "protection"]);
  });

  test("count once the file was trusted, and are asked about again once they changed", async () => {
    const user = folder();
    vi.stubEnv("XDG_CONFIG_HOME", user);
    try {
      const dir = folder({
        "toolgate.yaml": "mode: yolo\nhooks:\n  pre_tool_use:\n    - name: guard\n      command: bash check.sh\n",
        "check.sh": "echo no >&2; exit 2",
      });
      const tryOnce = async () => {
        await using gate = await open({ workspace: dir, mode: "yolo", store: "memory" });
        const { status, error } = await gate.call({ name: "list_files", args: {} });
        return [status, error?.message ?? "", gate.notes.join()];
      };
      expect(await tryOnce()).toEqual(["done", "", expect.stringContaining("hooks.pre_tool_use")]);
      const accept = async () => trust(path.join(dir, "toolgate.yaml"), await scriptsToTrust({ workspace: dir }));
      await accept();
      expect(await tryOnce()).toEqual(["refused", "Refused by the hook guard: no", ""]);
      writeFileSync(path.join(dir, "check.sh"), "true");
      const [status, message, notes] = await tryOnce();
      expect([status, message]).toEqual([
        "refused",
        expect.stringContaining("check.sh has changed since it was accepted"),
      ]);
      expect(notes).toContain("The hook guard (pre_tool_use) cannot be started: check.sh has changed");
      await accept();
      expect(await tryOnce()).toEqual(["done", "", ""]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("where nothing may be changed", () => {
  const MARK = { command: "echo x > changed; echo seen", name: "mark" };
  const hooks = {
    pre_tool_use: [MARK],
    post_tool_use: [{ ...MARK, name: "after" }],
    on_error: [MARK],
    session_start: [MARK],
  };

  test.each([{ plan: true }, { dryRun: true }])("in %j hooks are off, and the result says so", async (options) => {
    const { call, text } = await hooked(hooks, { a: "x" }, options);
    for (const [name, args] of [
      ["write_file", { path: "b", content: "y" }],
      ["read_file", { path: "a" }],
      ["read_file", { path: "none" }],
    ] as const) {
      const { output, error } = await call(name, args);
      if (!error) expect(output).toContain("[Not run, because nothing may be changed here: the hooks mark, after.]");
    }
    expect(text("changed")).toBeUndefined();
  });

  test("with in_dry_run they run in the sandbox and change nothing", needs("bubblewrap"), async () => {
    const { call, text, gate } = await hooked({ ...hooks, in_dry_run: true }, { a: "x" }, { dryRun: true });
    const { status, output } = await call("write_file", { path: "b", content: "y" });
    expect([status, text("changed")]).toEqual(["planned", undefined]);
    expect(output).toContain("[mark] seen");
    const child = gate.child({ plan: true });
    await child.call({ name: "read_file", args: { path: "a" } });
    expect(text("changed")).toBeUndefined();
  });

  test("with in_dry_run and without a sandbox they do not run, and that is a question", async () => {
    const { call, text, asked } = await hooked(
      { ...hooks, in_dry_run: true },
      { a: "x" },
      { dryRun: true, sandbox: "off" },
    );
    const { output } = await call("read_file", { path: "a" });
    expect([text("changed"), asked.length]).toEqual([undefined, 1]);
    expect(output).toContain("it was not run: nothing may be changed here");
  });

  test("under a read-only child a hook changes nothing either", async () => {
    const { gate, text } = await hooked({ pre_tool_use: [MARK], post_tool_use: [MARK] }, { a: "x" });
    await gate.child({ autonomy: "readonly" }).call({ name: "read_file", args: { path: "a" } });
    expect(text("changed")).toBeUndefined();
    await gate.call({ name: "read_file", args: { path: "a" } });
    expect(text("changed")).toBe("x\n");
  });
});

test("a formatter's changes are told, and undone with the call", async () => {
  const hooks = { post_edit: [{ name: "fmt", command: "sed -i s/x/X/ {file}" }] };
  const { call, text } = await hooked(hooks, { a: "old\n" });
  const { output } = await call("write_file", { path: "a", content: "x\n" }, { messageID: "turn" });
  expect([text("a"), output.endsWith("[Changed by hooks: a.]")]).toEqual(["X\n", true]);
  // it is no stranger's change to the one who made the call
  expect((await call("edit_file", { path: "a", old_str: "X", new_str: "y" }, { messageID: "turn" })).status).toBe(
    "done",
  );
  expect([(await call("undo_turn", {}, { messageID: "turn" })).status, text("a")]).toEqual(["done", "old\n"]);
});
