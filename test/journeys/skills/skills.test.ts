import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, folder } from "../harness.ts";
import { ownFolder, QUICK, skillText, toolText } from "./shelf.ts";

const PDF = { ".toolgate/skills/pdf/SKILL.md": skillText("pdf", "", "Use forms.md in $SKILL_DIR.") };

describe("the tool skill", () => {
  test("gives the instructions, names the files, and reads them on demand", async () => {
    const it = await bench(
      { ...PDF, ".toolgate/skills/pdf/references/forms.md": "Forms.\n", ".toolgate/skills/pdf/run.sh": "true\n" },
      QUICK,
    );
    const read = await it.call("skill", { name: "pdf" });
    expect(read).toMatchObject({ success: true, metadata: { files: ["references/forms.md", "run.sh"] } });
    expect(read.output).toContain("Use forms.md in .toolgate/skills/pdf.");
    expect(read.output).not.toContain("description:");
    expect((await it.call("Skill", { skill: "/pdf", file: "references/forms.md" })).output).toBe("Forms.\n");
    expect((await it.call("skill", { name: "pdf", file: ".toolgate/skills/pdf/run.sh" })).output).toBe("true\n");
  });

  test("lists all of them without a name, and suggests one for a wrong name", async () => {
    const it = await bench({ ...PDF, ".claude/skills/csv/SKILL.md": skillText("csv") }, QUICK);
    expect((await it.call("skill")).output).toBe("- csv: What csv is for.\n- pdf: What pdf is for.");
    const wrong = await it.call("skill", { name: "pfd" });
    expect([wrong.error?.code, wrong.error?.hint]).toEqual(["NOT_FOUND", "Did you mean pdf?"]);
  });

  test("arguments are filled in", async () => {
    const it = await bench({ ".agents/skills/a/SKILL.md": skillText("a", "", "Look at $ARGUMENTS.") }, QUICK);
    expect((await it.call("skill", { name: "a", args: "$& and it" })).output).toContain("Look at $& and it.");
  });

  test("a skill that models are not told of is not listed", async () => {
    const it = await bench({ ".agents/skills/a/SKILL.md": skillText("a", "disable-model-invocation: true\n") }, QUICK);
    expect((await it.call("skill")).output).toBe("There are no skills here.");
  });

  test.each([
    ["../../secret.txt", "PERMISSION_DENIED"],
    ["../../../etc/passwd", "PERMISSION_DENIED"],
    ["link.md", "PERMISSION_DENIED"],
    ["out.md", "PERMISSION_DENIED"],
    ["missing.md", "NOT_FOUND"],
  ])("reads nothing outside its folder: %s", async (file, code) => {
    const dir = folder({ ...PDF, ".toolgate/secret.txt": "x", "plain.txt": "secret" });
    symlinkSync(path.join(dir, "plain.txt"), path.join(dir, ".toolgate/skills/pdf/link.md"));
    symlinkSync("/etc/passwd", path.join(dir, ".toolgate/skills/pdf/out.md"));
    const it = await bench({}, { ...QUICK, dir });
    const read = await it.call("skill", { name: "pdf", file });
    expect([read.success, read.error?.code]).toEqual([false, code]);
    expect(JSON.stringify(read)).not.toContain("root:");
  });

  test("what may not be read is not read as a skill either", async () => {
    const it = await bench(PDF, { ...QUICK, config: { workspace: { forbidden_paths: [".toolgate/skills/**"] } } });
    expect(await it.call("skill", { name: "pdf" })).toMatchObject({ status: "refused" });
  });
});

describe("where skills come from", () => {
  test("the workspace before the person's own folder; of two with one name the first is taken, and it says so", async () => {
    ownFolder({
      "skills/own/SKILL.md": skillText("own"),
      "skills/own/more.md": "More.",
      "skills/a/SKILL.md": skillText("a"),
    });
    const it = await bench(
      {
        ".toolgate/skills/a/SKILL.md": skillText("a", "", "First."),
        ".agents/skills/a/SKILL.md": skillText("a", "", "Second."),
        ".claude/skills/b/SKILL.md": skillText("b"),
      },
      QUICK,
    );
    expect((await it.call("skill")).metadata.skills).toEqual(["a", "b", "own"]);
    expect((await it.call("skill", { name: "a" })).output).toContain("First.");
    expect(it.gate.notes.filter((note) => note.includes("has the same name"))).toHaveLength(2);
    expect((await it.call("skill", { name: "own" })).output).toContain("more.md");
    expect((await it.call("skill", { name: "own", file: "more.md" })).output).toBe("More.");
    const out = await it.call("skill", { name: "own", file: "../a/SKILL.md" });
    expect(out.error?.code).toBe("PERMISSION_DENIED");
  });

  test("a link in the person's own skill does not lead out of it", async () => {
    const own = ownFolder({ "skills/own/SKILL.md": skillText("own"), "toolgate.yaml": "{}\n" });
    symlinkSync(path.join(own, "toolgate.yaml"), path.join(own, "skills/own/link.md"));
    const it = await bench({}, QUICK);
    expect((await it.call("skill", { name: "own", file: "link.md" })).error?.code).toBe("PERMISSION_DENIED");
  });

  test("a folder that leads out of the workspace is no skill of it", async () => {
    const outside = folder({ "SKILL.md": skillText("a") });
    const dir = folder({ ".agents/skills/b/SKILL.md": skillText("b") });
    symlinkSync(outside, path.join(dir, ".agents/skills/a"));
    const it = await bench({}, { ...QUICK, dir });
    expect((await it.call("skill")).metadata.skills).toEqual(["b"]);
    expect(it.gate.notes).toContain(".agents/skills/a/SKILL.md:1: it leads out of the workspace.");
  });

  test("skills.folders adds some, skills.disabled leaves out, skills.enabled switches them off", async () => {
    const more = folder({ "extra/SKILL.md": skillText("extra") });
    const names = async (skills: object) =>
      (await (await bench(PDF, { ...QUICK, config: { skills } })).call("skill")).metadata.skills;
    expect(await names({ folders: [more] })).toEqual(["extra", "pdf"]);
    expect(await names({ disabled: ["pdf"] })).toEqual([]);
    expect(await names({ enabled: false })).toEqual([]);
  });
});

describe("tools of skills", () => {
  const files = (cmd: string, args?: string) => ({
    ".toolgate/skills/s/SKILL.md": skillText("s", toolText("say", cmd, args)),
    ".toolgate/skills/s/run.sh": 'echo "ran $1"\n',
    "a.txt": "one\ntwo\n",
  });

  test("run the line that their arguments make", async () => {
    const it = await bench(files('bash "$SKILL_DIR/run.sh" {{what}}', "{what: {type: string}}"), QUICK);
    const ran = await it.call("say", { what: "it's $HOME" });
    expect(ran).toMatchObject({ success: true, output: "ran it's $HOME", metadata: { exitCode: 0, skill: "s" } });
    expect(it.gate.schemas({ format: "mcp", names: ["say"] })[0]).toMatchObject({
      name: "say",
      inputSchema: { properties: { what: { type: "string" } }, required: ["what"] },
    });
  });

  test.each([
    ["a number", "echo {{n}}", "{n: {type: integer}}", { n: "3" }, "3"],
    ["a default", "echo {{n}}", "{n: {default: five}}", {}, "five"],
    ["nothing for what is not given", "echo a {{n}} b", "{n: {required: false}}", {}, "a b"],
    ["several words", "printf '[%s]' {{n}}", "{n: {type: array}}", { n: ["a b", "c"] }, "[a b][c]"],
    ["an object as JSON", "echo {{n}}", "{n: {type: object}}", { n: { a: "it's" } }, '{"a":"it\'s"}'],
    ["a switch", "echo {{n}}", "{n: {type: boolean}}", { n: true }, "true"],
    ["a name alone", "echo {{n}}", "[n]", { n: "x" }, "x"],
    ["a list of descriptions", "echo {{n}}", "[{name: n, type: string}]", { n: "x" }, "x"],
    ["double quotes", 'echo "<{{n}}>"', "[n]", { n: '$(id) `id` " $HOME' }, '<$(id) `id` " $HOME>'],
    ["single quotes", "echo '<{{n}}>'", "[n]", { n: "'; id; '" }, "<'; id; '>"],
    ["line breaks", "echo {{n}}", "[n]", { n: "a\nb" }, "a\nb"],
  ])("take %s", async (_what, cmd, args, given, output) => {
    const it = await bench(files(cmd, args), QUICK);
    expect(await it.call("say", given)).toMatchObject({ success: true, output });
  });

  test.each([
    ["a missing argument", "echo {{n}}", "[n]", {}],
    ["a wrong choice", "echo {{n}}", "{n: {enum: [a, b]}}", { n: "c" }],
    ["an empty list that is required", "echo {{n}}", "{n: {type: array}}", { n: [] }],
    ["NUL", "echo {{n}}", "[n]", { n: "a\0b" }],
    ["a number that is none", "echo {{n}}", "{n: {type: integer}}", { n: "1; touch b.txt" }],
    ["a value that an inner shell would run", 'bash -c "echo {{n}}"', "[n]", { n: "x; touch b.txt" }],
    ["a value that let would run", "let {{n}}", "[n]", { n: "a[$(touch b.txt)]" }],
    ["a value that unset would run", "a=(1); unset {{n}}", "[n]", { n: "a[$(touch b.txt)]" }],
    ["a value that a later subscript would run", "x={{n}}; a[x]=1", "[n]", { n: "b[$(touch b.txt)]" }],
    ["a value that find would run", "find . {{n}}", "{n: {type: array}}", { n: ["-exec", "touch", "b.txt", ";"] }],
  ])("refuse %s", async (_what, cmd, args, given) => {
    const it = await bench(files(cmd, args), QUICK);
    const result = await it.call("say", given);
    expect([result.success, result.error?.code]).toEqual([false, "VALIDATION_ERROR"]);
    expect(it.text("b.txt")).toBeUndefined();
  });

  test("are judged as a run_command of the same line, whatever they are called", async () => {
    for (const [line, cmd] of [
      ["ls", "ls"],
      ["rm a.txt", "rm a.txt"],
      ["curl http://127.0.0.1:1/", "curl http://127.0.0.1:1/"],
      ["sudo ls", "sudo ls"],
      ["cat /etc/hostname", "cat /etc/hostname"],
      ["touch toolgate.yaml", "touch toolgate.yaml"],
    ] as const)
      for (const mode of ["yolo", "confirm-sensitive", "confirm-all"] as const) {
        const it = await bench(files(cmd), { ...QUICK, mode });
        const own = await it.gate.explain({ name: "say" });
        const run = await it.gate.explain({ name: "run_command", args: { command: line } });
        expect([line, mode, own.verdict, own.class]).toEqual([line, mode, run.verdict, run.class]);
      }
  });

  test("are not there where commands are switched off, and not shown to agents without them", async () => {
    const it = await bench(files("ls"), { ...QUICK, commands: false });
    expect((await it.call("say")).status).toBe("unknown");
    const other = await bench(files("ls"), QUICK);
    const below = other.gate.child({ tools: ["read_file", "run_command"] });
    expect((await below.call({ name: "say" })).status).toBe("refused");
    expect(below.schemas({ format: "mcp" }).map(({ name }) => name)).not.toContain("say");
  });
});

describe("what people say of commands holds for the tools of skills", () => {
  const files = {
    ".toolgate/skills/s/SKILL.md": skillText("s", toolText("say", "touch {{f}}", "[f]")),
  };
  const verdict = async (rules: object) => {
    const it = await bench(files, { ...QUICK, mode: "confirm-sensitive", config: { rules } });
    return (await it.gate.explain({ name: "say", args: { f: "b.txt" } })).verdict;
  };
  test.each([
    ["nothing", {}, "ask"],
    ["a rule about the tool that runs commands", { deny: ["Bash(touch *)"] }, "deny"],
    ["a rule about all commands", { deny: ["run_command"] }, "deny"],
    ["a rule about what is run", { deny: ["run(touch *)"] }, "deny"],
    ["a rule about the skill", { deny: ["skill(s)"] }, "deny"],
    ["a rule about the tool itself", { deny: ["say"] }, "deny"],
    ["an allow by the name of the tool", { allow: ["say", "s*", "run_command", "Bash(touch *)"] }, "ask"],
    ["an allow of what is run", { allow: ["run(touch b.txt)", "write(./b.txt)"] }, "allow"],
  ])("%s: %j is %s", async (_what, rules, expected) => expect(await verdict(rules)).toBe(expected));

  test("a rule about a skill holds for its text, too", async () => {
    const it = await bench(files, { ...QUICK, config: { rules: { deny: ["skill(s)"] } } });
    expect(await it.call("skill", { name: "s" })).toMatchObject({ status: "refused" });
  });

  test.each([
    ["Bash", '{"tool_name":"Bash"', '"command":"touch'],
    ["run_command", '"tool_name":"run_command"', '"command":"touch'],
    ["^Bash$", '"tool_name":"Bash"', '"command":"touch'],
    ["*", '"tool_name":"say"', '"command":"touch'],
    ["say", '"tool_name":"say"', '"command":"touch'],
  ])("a hook for %s hears of it", async (matcher, name, command) => {
    const it = await bench(files, {
      ...QUICK,
      config: { hooks: { pre_tool_use: [{ name: "no", command: "cat > heard.json; exit 2", matcher }] } },
    });
    expect(await it.call("say", { f: "b.txt" })).toMatchObject({ status: "refused" });
    expect(it.text("heard.json")).toContain(name.replace("{", ""));
    expect(it.text("heard.json")).toContain(command);
    expect(it.text("b.txt")).toBeUndefined();
  });

  test("a hook for other tools does not, and one that changes a command refuses one that is fixed", async () => {
    const change = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"true"}}}'`;
    const hook = (matcher: string, command: string) => ({
      ...QUICK,
      config: { hooks: { pre_tool_use: [{ name: "no", command, matcher }] } },
    });
    const other = await bench(files, hook("Edit|Write", "exit 2"));
    expect(await other.call("say", { f: "b.txt" })).toMatchObject({ success: true });
    const it = await bench(files, hook("Bash", change));
    expect(await it.call("say", { f: "b.txt" })).toMatchObject({ status: "refused" });
  });
});

describe("names that are taken", () => {
  test.each([
    "run_command",
    "bash",
    "Bash",
    "ReadFile",
    "read-file",
    "memory_store",
    "MemoryStore",
    "tool_search",
    "files",
    "all",
    "Task",
  ])("a skill's tool cannot be called %s", async (name) => {
    const it = await bench(
      { ".agents/skills/s/SKILL.md": skillText("s", toolText(name, "touch b.txt")), "a.txt": "one\n" },
      QUICK,
    );
    expect(it.gate.notes.join("\n")).toContain(`The tool ${name} of the skill s was left out`);
    await it.call(name, { path: "a.txt", command: "ls" });
    expect(it.text("b.txt")).toBeUndefined();
  });

  test("of two skills with the same tool the first has it", async () => {
    const it = await bench(
      {
        ".agents/skills/a/SKILL.md": skillText("a", toolText("say", "echo first")),
        ".agents/skills/b/SKILL.md": skillText("b", toolText("say", "echo second")),
      },
      QUICK,
    );
    expect((await it.call("say")).output).toBe("first");
    expect(it.gate.notes).toContain("The tool say of the skill b was left out: the name is taken.");
  });

  test("a tool that open() was given comes first", async () => {
    const own = { name: "say", description: "Ours.", parameters: { type: "object" }, execute: () => "ours" };
    const it = await bench(
      { ".agents/skills/a/SKILL.md": skillText("a", toolText("say", "echo first")) },
      { ...QUICK, tools: [own] },
    );
    expect((await it.call("say")).output).toBe("ours");
  });
});
