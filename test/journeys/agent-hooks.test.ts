import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { clients } from "../../src/doors/hook/clients.ts";
import { answer } from "../../src/doors/hook/hook.ts";
import { open } from "../../src/open.ts";
import { EVENTS, type Verdict, verdictIn } from "./agents/events.ts";
import { folder } from "./harness.ts";

const FILES = { "a.txt": "one\ntwo\n", ".env": "KEY=1", "sub/b.txt": "b\n" };

async function* piped(...pieces: (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
}

type Options = { config?: object; mode?: "yolo" };

async function tell(name: string, dir: string, event: unknown, options: Options = {}) {
  const client = await clients[name]!();
  const input = typeof event === "string" || event instanceof Uint8Array ? event : JSON.stringify(event);
  return answer(client, piped(input), () => ({ workspace: dir, config: {}, ...options }));
}

const names = Object.keys(EVENTS);

test("every client has recorded events", () => {
  expect(names.sort()).toEqual(Object.keys(clients).sort());
});

test.each<[client: string, tool: string, args: object]>([
  ["claude", "Write", { file_path: "n.py", content: "eval(x)" }],
  ["claude", "Edit", { file_path: "a.txt", old_string: "two", new_string: "eval(x)" }],
  ["claude", "NotebookEdit", { notebook_path: "n.ipynb", new_source: "eval(x)" }],
  ["codex", "apply_patch", { command: "*** Begin Patch\n*** Add File: n\n+eval(x)\n*** End Patch" }],
  ["cline", "editor", { path: "a.txt", new_text: "eval(x)", insert_line: 1 }],
  ["cline", "editor", { path: "a.txt", old_text: "two", new_text: "eval(x)" }],
  ["cline", "editor", { path: "n.txt", new_text: "eval(x)" }],
  ["cline", "replace_in_file", { path: "a.txt", diff: "------- SEARCH\ntwo\n=======\neval(x)\n+++++++ REPLACE" }],
])("a rule about content holds for what %s writes: %s %j", async (name, tool, args) => {
  const dir = folder(FILES);
  const rule = { pattern: "eval\\(", message: "no eval", severity: "block" };
  const { pre } = EVENTS[name]!;
  const tried = async (config: object) => tell(name, dir, pre(dir, tool, args as never), { config, mode: "yolo" });
  expect(verdictIn(name, await tried({}))).toBe("allow");
  const said = await tried({ guardrails: { code_rules: [rule] } });
  expect([verdictIn(name, said), said.stdout]).toEqual(["deny", expect.stringContaining("no eval")]);
});

describe("a patch names files from where the client is", () => {
  const judged = async (lines: string, begin = "*** Begin Patch") => {
    const dir = folder({ ...FILES, "sub/doc.md": "*** Add File: kept/n\nold\n" });
    const command = `${begin}\n${lines}\n*** End Patch`;
    const event = EVENTS.codex!.pre(path.join(dir, "sub"), "apply_patch", { command } as never);
    const said = await tell("codex", dir, event, {
      config: { guardrails: { protected_files: ["sub/kept/**"] } },
      mode: "yolo",
    });
    return verdictIn("codex", said);
  };

  test.each([
    "*** Add File: kept/n\n+x",
    "  *** Add File: kept/n\n+x",
    "\t*** Add File: kept/n\n+x",
    "*** Add File:kept/n\n+x",
    "*** Add File: n\n+x\n *** Add File: kept/n\n+x",
    "*** Update File: b.txt\n*** Move to:kept/b.txt\n@@\n-b\n+c",
  ])("however its headers are padded: %j", async (lines) => expect(await judged(lines)).toBe("deny"));

  test.each([
    "*** Add File: n\n+x",
    " *** Add File: n\n+*** Add File: kept/n",
    "*** Update File: doc.md\n@@\n *** Add File: kept/n\n-old\n+new",
  ])("and what it only contains is none of its files: %j", async (lines) => expect(await judged(lines)).toBe("allow"));

  test("an indented one is asked about, which this client cannot do", async () => {
    expect(await judged("  *** Add File: n\n  +x", "  *** Begin Patch")).toBe("deny");
  });
});

test.each<[client: string, tool: string, args: object]>([
  ["claude", "NotebookEdit", { new_source: "x" }],
  ["claude", "NotebookEdit", { notebook_path: ["/etc/x"], new_source: "x" }],
  ["claude", "WebFetch", { prompt: "x" }],
  ["claude", "WebFetch", { url: { href: "https://example.com" }, prompt: "x" }],
  ["cursor", "Delete", {}],
  ["cursor", "Fetch", { url: 1 }],
  ["cline", "read_files", { files: [{}] }],
  ["cline", "read_files", { files: ["/etc/passwd"] }],
  ["cline", "fetch_web_content", { requests: [{ prompt: "x" }] }],
  ["cline", "run_commands", { commands: [] }],
  ["cline", "run_commands", { commands: ["ls", { command: "rm -rf /" }] }],
  ["cline", "run_commands", { commands: ["echo 'a", "rm -rf / #'"] }],
])("a call of %s that does not say what it is for is never made: %s %j", async (name, tool, args) => {
  const dir = folder(FILES);
  const said = await tell(name, dir, EVENTS[name]!.pre(dir, tool, args as never), { mode: "yolo" });
  expect(verdictIn(name, said)).toBe("deny");
});

/** What is called, what is said of it by default, and in yolo. */
type Row = [what: string, verdict: Verdict, inYolo: Verdict];

describe.each(names)("%s", (name) => {
  const { pre, post, tools, odd, asks } = EVENTS[name]!;
  const refused: Verdict = asks ? "ask" : "deny";
  const rows: Row[] = [
    ["echo", "allow", "allow"],
    ["forbidden", "deny", "deny"],
    ["changes", refused, "allow"],
    ["elsewhere", "deny", "deny"],
    ["read", "allow", "allow"],
    ["secret", refused, "allow"],
    ["outside", "deny", "deny"],
    ["edit", refused, "allow"],
    ["write", refused, "allow"],
    ["ownSettings", refused, refused],
  ];

  test.each(rows.filter(([what]) => what in tools))("%s: %s, in yolo %s", async (what, verdict, inYolo) => {
    const dir = folder(FILES);
    const [tool, args, cwd] = tools[what]!(dir);
    const said = await tell(name, dir, pre(dir, tool, args, cwd));
    expect(verdictIn(name, said)).toBe(verdict);
    const again = await tell(name, dir, pre(dir, tool, args, cwd), { mode: "yolo" });
    expect(verdictIn(name, again)).toBe(inYolo);
  });

  test("a refusal has a reason and says what to do", async () => {
    const dir = folder(FILES);
    const [tool, args] = tools.forbidden!(dir);
    const { stdout = "", stderr = "" } = await tell(name, dir, pre(dir, tool, args));
    expect(stdout + stderr).toContain("it is blocked in every mode");
    expect(stdout + stderr).toContain("Try another approach");
  });

  test.each(odd)("an argument that is not understood is asked about, whatever the mode: %s %j", async (tool, args) => {
    const dir = folder(FILES);
    const config = { workspace: { allow_delete: true } };
    const said = await tell(name, dir, pre(dir, tool, args), { mode: "yolo", config });
    expect(verdictIn(name, said)).toBe(refused);
    expect(`${said.stdout}${said.stderr}`).toMatch(
      /not known here|may be read in several ways|lead out|is taken for|counts as| is /,
    );
  });

  test("an unknown tool is asked about, or passed by the configuration", async () => {
    const dir = folder(FILES);
    const event = pre(dir, "Teleport", { where: "away" });
    expect(verdictIn(name, await tell(name, dir, event, { mode: "yolo" }))).toBe(refused);
    const config = { clients: { unknown_tools: "allow" } };
    expect(verdictIn(name, await tell(name, dir, event, { config }))).toBe("allow");
  });

  test.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["half of it", '{"hook_event_name":'],
    ["a list", "[]"],
    ["another encoding", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ["no event", "{}"],
  ])("what cannot be read is refused with a reason, on standard error alone: %s", async (_, input) => {
    const said = await tell(name, folder(FILES), input);
    expect(said).toEqual(EVENTS[name]!.crash ?? { status: 2, stderr: expect.stringMatching(/refused: \w+/) });
  });

  test.each(["tool", "args", "session", "cwd"])("an event without its %s is refused", async (part) => {
    const dir = folder(FILES);
    const [tool, args] = tools.echo!(dir);
    const event = EVENTS[name]!.without(pre(dir, tool, args), part);
    const said = await tell(name, dir, event, { mode: "yolo" });
    expect(verdictIn(name, said)).toBe("deny");
  });

  test("an event before a tool under a name that is not known is refused, another is passed", async () => {
    const dir = folder(FILES);
    const [tool, args] = tools.forbidden!(dir);
    const { tool_call, preToolUse, ...bare } = pre(dir, tool, args);
    const named = (event: string) => ({ hook_event_name: event, event, hookName: event, agent_action_name: event });
    const renamed = (event: string, from: object) => tell(name, dir, { ...from, ...named(event) });
    expect(verdictIn(name, await renamed("pre_tool_use_v2", pre(dir, tool, args)))).toBe("deny");
    if (name !== "opencode") expect(await renamed("SessionStart", bare)).toEqual({ status: 0 });
  });

  test("the settings of every agent are asked about", async () => {
    const dir = folder(FILES);
    const [tool, args] = tools.ownSettings!(dir);
    const other = name === "claude" ? ".codex/hooks.json" : ".claude/settings.json";
    const elsewhere = JSON.parse(
      JSON.stringify(args).replace(/\.(?:claude|codex|gemini|opencode|github|cursor|cline|windsurf)\/[\w./]+/, other),
    );
    expect(verdictIn(name, await tell(name, dir, pre(dir, tool, elsewhere), { mode: "yolo" }))).toBe(refused);
  });

  test("a call that two hooks tell of is recorded once, and one that nobody announced not at all", async () => {
    const dir = folder(FILES);
    const [tool, args] = tools.edit!(dir);
    const yolo = { mode: "yolo" } as const;
    await tell(name, dir, post(dir, tool, args), yolo);
    await Promise.all([1, 2].map(() => tell(name, dir, pre(dir, tool, args), yolo)));
    writeFileSync(path.join(dir, "a.txt"), "one\n2\n");
    await Promise.all([1, 2].map(() => tell(name, dir, post(dir, tool, args), yolo)));
    const gate = await open({ workspace: dir, config: {}, approve: () => "once" });
    expect((await gate.call({ name: "undo_file", args: { path: "a.txt" } })).status).toBe("done");
    expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("one\ntwo\n");
    expect((await gate.call({ name: "undo_file", args: { path: "a.txt" } })).status).toBe("failed");
    await gate.close();
  });

  test("a configuration that is wrong refuses everything", async () => {
    const dir = folder({ ...FILES, "toolgate.yaml": "mode: sometimes\n" });
    const [tool, args] = tools.echo!(dir);
    const client = await clients[name]!();
    const said = await answer(client, piped(JSON.stringify(pre(dir, tool, args))), () => ({ workspace: dir }));
    expect(verdictIn(name, said)).toBe("deny");
  });

  test("an edit and a command are recorded, and can be taken back", async () => {
    const dir = folder(FILES);
    const at = (file: string) => path.join(dir, file);
    const yolo = { mode: "yolo" } as const;
    const [tool, args] = tools.edit!(dir);
    await tell(name, dir, pre(dir, tool, args), yolo);
    writeFileSync(at("a.txt"), "one\n2\n");
    expect(await tell(name, dir, post(dir, tool, args), yolo)).toEqual(EVENTS[name]!.silence ?? { status: 0 });
    const [shell, line] = tools.script!(dir);
    await tell(name, dir, pre(dir, shell, line, undefined, "second"), yolo);
    writeFileSync(at("made.txt"), "made\n");
    rmSync(at("sub/b.txt"));
    await tell(name, dir, post(dir, shell, line, "second"), yolo);

    const gate = await open({ workspace: dir, config: {}, approve: () => "once" });
    expect((await gate.call({ name: "undo_turn", args: { turn: "last" } })).status).toBe("done");
    expect([existsSync(at("made.txt")), readFileSync(at("sub/b.txt"), "utf8")]).toEqual([false, "b\n"]);
    expect((await gate.call({ name: "undo_file", args: { path: "a.txt" } })).status).toBe("done");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one\ntwo\n");
    await gate.close();
  });
});
