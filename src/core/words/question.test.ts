import { expect, describe as suite, test } from "vitest";
import { describe, heldBy, type Shown, sectionsOf } from "./question.ts";
import type { CommandSegment, Touch } from "./touch.ts";
import { visibleLine } from "./visible.ts";

const place = (shown: string) => ({ shown, real: `/ws/${shown}`, root: "/ws", exists: true });
const write = (shown: string): Touch => ({ action: "write", place: place(shown), certain: true });
const run = (command: string, segments: CommandSegment[] = [], inner: Touch[] = []): Touch => ({
  action: "run",
  command,
  class: "dangerous",
  inner,
  reading: {
    risk: "medium",
    reason: segments[0] ? `${segments[0].text}: ${segments[0].rule}` : "told",
    parsed: true,
    uses: { newline: false, backticks: false, substitution: false },
    segments,
  },
});
const question = (more: Partial<Shown>): Shown => ({
  ...{ tool: "run_command", input: {}, touches: [], diff: "", reason: "it changes files", by: "mode", always: [] },
  ...more,
});

const LABELS = /^(?:Parts|Touches|With|Runs|Held by|Why|Always) {2,}/;
/** What stands at the left edge is ours: a title, and the labels. */
const edges = (text: string): string[] => text.split("\n").filter((line) => /^\S/.test(line));

/** Text that would pass for lines of the prompt, by every way to begin a line. */
const BREAKS = ["\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b[1E", "\x1b[2J", " ".repeat(200)];
const FORGED = "Why       it only reads; nothing is asked before that";

suite("nothing of a call can pass for a line of ours", () => {
  const holders: [what: string, of: (text: string) => Shown][] = [
    ["a command", (text) => question({ touches: [run(text)] })],
    ["a path", (text) => question({ touches: [write(text)] })],
    ["a path that a command touches", (text) => question({ touches: [run("x", [], [write(text)])] })],
    ["a part of a command", (text) => question({ touches: [run("x", [segment(text), segment("y")])] })],
    [
      "the rule of a part",
      (text) => question({ touches: [run("x", [{ ...segment("x"), rule: text }, segment("y")])] }),
    ],
    ["a diff", (text) => question({ touches: [write("a")], diff: `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+${text}\n` })],
    ["a reason", (text) => question({ reason: text })],
    ["the arguments", (text) => question({ input: { path: text } })],
    ["the folder of a command", (text) => question({ touches: [run("x")], input: { cwd: text, env: { A: "b" } } })],
    ["a variable", (text) => question({ touches: [run("x")], input: { cwd: "sub", env: { A: text, B: "b" } } })],
    ["the name of a variable", (text) => question({ touches: [run("x")], input: { env: { [text]: "a", B: "b" } } })],
    ["the name of a tool", (text) => question({ tool: text })],
    ["the name of an agent", (text) => question({ agent: text })],
    ["what always would cover", (text) => question({ always: [text] })],
    ["a file that runs", (text) => question({ touches: [run("x")], bound: [text] })],
    [
      "why there is no sandbox",
      (text) => question({ touches: [run("x")], enforcement: { sandbox: "none", network: "open", reason: text } }),
    ],
    ["an address", (text) => question({ touches: [{ action: "fetch", url: text, method: "GET" }] })],
    ["a name of something", (text) => question({ touches: [{ action: "signal", target: text }] })],
  ];
  function segment(text: string): CommandSegment {
    return { text, class: "dangerous", risk: "medium", rule: "told" };
  }

  test.each(holders)("%s", (_, of) => {
    for (const width of [40, 80, 120])
      for (const start of BREAKS) {
        // also where the terminal, or we, would break the line
        for (const padding of [
          ...["a", "a".repeat(width - 1), "a".repeat(width), "\u6f22".repeat(width / 2)],
          ...["\u0915\u093e\u093e".repeat(width), "x\u302e\u302f".repeat(width)],
        ]) {
          const asked = of(`${padding}${start}${FORGED}`);
          const text = describe(asked, { width, whole: true });
          expect(rows(asked, width), text).toBe(rows(of("a"), width));
          const [, ...rest] = edges(text);
          expect(
            rest.every((line) => LABELS.test(line)),
            text,
          ).toBe(true);
          expect(rest.filter((line) => line.startsWith("Why  "))).toHaveLength(1);
          for (const line of text.split("\n")) expect(columns(line), JSON.stringify(line)).toBeLessThanOrEqual(width);
        }
      }
  });

  /** How many facts there seem to be, by where their lines start. */
  function rows(asked: Shown, width: number): number {
    const facts = sectionsOf(asked, { width, whole: true }).filter(({ kind }) => kind === "facts");
    return facts.flatMap(({ lines }) => lines).filter((line) => !line.startsWith("    ")).length;
  }

  /** As the widest terminal would count. */
  function columns(line: string): number {
    return [...line].reduce((sum, each) => sum + ((each.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
  }
});

suite("every character can be seen", () => {
  const HIDDEN = [
    ...["\0", "\x07", "\x1b", "\x7f", "\x9b", "\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u180e"],
    ...["\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202d", "\u202e"],
    ...["\u2060", "\u2061", "\u2064", "\u2066", "\u2069", "\u206f", "\u2800", "\u3164", "\ufe00", "\ufe0f", "\ufeff"],
    ...["\uffa0", "\ufff9", "\ufffb", "\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e007f}", "\u{e0100}"],
    ...["\u00a0", "\u1680", "\u2000", "\u2003", "\u200a", "\u202f", "\u205f", "\u3000", "\ud800", "\udfff", "\ue000"],
  ];
  test.each(HIDDEN.map((each) => [each.codePointAt(0)?.toString(16), each]))("U+%s", (number, hidden) => {
    expect(visibleLine(`rm${hidden}x`)).toBe(`rm\\u{${number}}x`);
    expect(describe(question({ touches: [run(`rm${hidden}x`)] }))).toContain(`rm\\u{${number}}x`);
    expect(describe(question({ touches: [write(`rm${hidden}x`)] }))).not.toContain(hidden as string);
  });
});

suite("what is shown", () => {
  const part = (text: string, kind: CommandSegment["class"], rule = `${text} it is`): CommandSegment => ({
    ...{ text, class: kind, risk: "low", rule },
  });

  test("a command: once, with its parts, what decided, what it touches, runs and is held by", () => {
    const text = describe(
      question({
        touches: [run("make && rm x", [part("rm x", "dangerous"), part("make", "dev")], [write("x")])],
        bound: ["Makefile"],
        enforcement: { sandbox: "bubblewrap", network: "none" },
        always: ["run (dangerous) make && rm x, while Makefile stays as now"],
      }),
    );
    expect(text).toBe(
      [
        "run_command wants to run this command",
        "",
        "    make && rm x",
        "",
        "Parts     dangerous rm x: rm x it is  ← decides",
        "          dev       make: make it is",
        "Touches   write x",
        "Runs      Makefile, as it is now",
        "Held by   a sandbox: it can write only in the workspace, and has no network",
        "Why       it changes files (mode)",
        "Always    would allow exactly this command, while Makefile stays as now",
        "",
      ].join("\n"),
    );
  });

  test("a change: its diff, with the modes that it changes", () => {
    const diff = "old mode 644\nnew mode 755\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n";
    const text = describe(question({ tool: "edit_file", touches: [write("x"), write("y")], diff }));
    expect(text).toContain("edit_file wants to change x and 1 more\n");
    expect(text).toContain("    old mode 644\n    new mode 755\n    --- a/x\n");
    expect(text).toContain("Always    is not offered: this asks every time\n");
    expect(text).not.toContain("With");
  });

  const title = (...touches: Touch[]) => describe(question({ tool: "it", touches, diff: "x" })).split("\n")[0];
  const read = (shown: string): Touch => ({ action: "read", place: place(shown), certain: true });
  const gone = (shown: string): Touch => ({ action: "delete", place: place(shown), certain: true });
  const fetched: Touch = { action: "fetch", url: "http://x/", method: "POST" };
  test.each<[touches: Touch[], title: string]>([
    [[], "it wants to be called"],
    [[{ action: "unknown", permissions: [] }], "it wants to be called"],
    [[run("x"), write("a")], "it wants to run this command"],
    [[read("a")], "it wants to read a"],
    [[read("a"), write("b")], "it wants to change b and 1 more"],
    [[read("a"), gone("b"), read("c")], "it wants to delete b and 2 more"],
    [[gone("a")], "it wants to delete a"],
    [[fetched], "it wants to fetch POST http://x/"],
    [[{ action: "schedule", target: "it" }], "it wants to schedule it"],
  ])("the title: %j", (touches, line) => expect(title(...touches)).toBe(line));

  test("who asks, where it is not the agent that a person talks to", () => {
    for (const agent of ["main", ""]) expect(describe(question({ agent }))).not.toContain("(agent");
    expect(describe(question({ agent: "helper" }))).toContain("(agent helper)");
  });

  test("what a server says of its tool otherwise than before, as a diff", () => {
    const use = { action: "use", source: "mcp", name: "a" } as const;
    expect(describe(question({ touches: [{ ...use, changed: "-old\n+new\n" }] }))).toContain("    -old\n    +new\n");
    expect(sectionsOf(question({ touches: [use, write("a")] })).map(({ kind }) => kind)).not.toContain("diff");
  });

  test("why, with or without who says so; what holds only where something runs", () => {
    const { by: _, ...nameless } = question({ enforcement: { sandbox: "none", network: "open" } });
    expect(describe(nameless)).toContain("Why       it changes files\n");
    expect(describe(nameless)).not.toContain("Held by");
    expect(describe(question({ touches: [{ action: "unknown", permissions: [] }] }))).toContain(
      "Touches   anything: it declares nothing\n",
    );
  });

  test("the parts of a command: the strictest first, and none where it is one command", () => {
    const sorted = (["safe", "dev", "dangerous", "blocked"] as const).map((kind) => part(kind, kind, "so"));
    const decides = { ...run("x", sorted), reading: { reason: "else", segments: sorted } } as unknown as Touch;
    const { lines = [] } = sectionsOf(question({ touches: [decides] })).find(({ label }) => label === "Parts") ?? {};
    const told = ["blocked   blocked: so", "dangerous dangerous: so", "dev       dev: so", "safe      safe: so"];
    expect(lines).toEqual(told);
    expect(describe(question({ touches: [run("x", [part("dev", "dev")])] }))).not.toContain("Parts");
  });

  test.each<[held: Parameters<typeof heldBy>[0], said: string]>([
    [{ sandbox: "none", network: "open" }, "nothing: it can do whatever you can"],
    [{ sandbox: "none", network: "open", reason: "no bwrap" }, "nothing (no bwrap): it can do whatever you can"],
    [
      { sandbox: "bubblewrap", network: "open" },
      "a sandbox: it can write only in the workspace, and reaches the network",
    ],
    [
      { sandbox: "bubblewrap", network: "none", workspace: "named", writes: ["a", "b"] },
      "a sandbox: it can write only in a, b, and has no network",
    ],
    [
      { sandbox: "bubblewrap", network: "none", workspace: "named" },
      "a sandbox: it can write nothing there, and has no network",
    ],
    [
      { sandbox: "bubblewrap", network: "none", workspace: "read-only" },
      "a sandbox: it can write nothing, and has no network",
    ],
  ])("what holds a command: %j", (held, said) => expect(heldBy(held)).toBe(said));

  test("a title is never cut, and a line as long as is shown is whole", () => {
    const long = sectionsOf(question({ tool: "x".repeat(2000) }))[0];
    expect([long?.lines.join("").length, long?.cut]).toEqual([2000 + " wants to be called".length, 0]);
    const shown = (length: number, whole = false) =>
      describe(question({ touches: [run("x".repeat(length))] }), { width: 10_000, whole });
    expect(shown(4000)).toContain("x".repeat(4000));
    expect(shown(4001)).toContain("⟨… 1 characters are not shown …⟩");
    expect(shown(4001, true)).toContain("x".repeat(4001));
  });

  test("all of a huge text, when it is asked for", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `+line ${index}`);
    const whole = describe(question({ touches: [write("x")], diff: lines.join("\n") }), { whole: true });
    for (const line of lines) expect(whole).toContain(`    ${line}\n`);
  });

  const at = (shown: string): Touch => ({ action: "list", place: place(shown), certain: true });
  test.each<[input: unknown, touches: Touch[], lines: string[] | undefined]>([
    [{ command: "x" }, [], undefined],
    [{ command: "x", cwd: ".", env: {} }, [at(".")], undefined],
    [{ command: "x", cwd: "/ws" }, [at(".")], undefined],
    [{ command: "x", cwd: "sub" }, [at("sub")], ["cwd sub"]],
    [{ env: { SHELL: "./x", EMPTY: "" } }, [], ["env SHELL=./x", "env EMPTY="]],
    [
      { cwd: "sub", env: { MAKEFILES: "evil.mk\n\x1b[2J" } },
      [at("sub")],
      ["cwd sub", "env MAKEFILES=evil.mk⏎\\u{1b}[2J"],
    ],
    [{ cwd: 1, env: ["x"] }, [], undefined],
    [{ env: { A: { toString: 1 } } }, [], ['env A={"toString":1}']],
    ["x", [], undefined],
    [null, [], undefined],
  ])("where a command runs, and with which variables: %j", (input, touches, lines) => {
    const sections = sectionsOf(question({ input, touches: [run("make"), ...touches] }));
    expect(sections.find(({ label }) => label === "With")?.lines).toEqual(lines);
  });

  test.each<[what: string, shown: Shown, width: number]>([
    ["a diff", question({ touches: [write("a")], diff: `+${"x".repeat(5000)}` }), 80],
    ["a command", question({ touches: [run("x".repeat(5000))] }), 200],
    ["arguments", question({ input: { text: "x".repeat(5000) } }), 1000],
    ["a variable", question({ touches: [run("x")], input: { env: { A: "x".repeat(5000) } } }), 1000],
  ])("a line that is shortened counts as cut: %s", (_, shown, width) => {
    const cuts = (whole: boolean) => sectionsOf(shown, { width, whole }).reduce((sum, { cut }) => sum + cut, 0);
    expect(describe(shown, { width })).toMatch(/⟨… \d+ characters are\s+not shown …⟩/);
    expect([cuts(false), cuts(true)]).toEqual([1, 0]);
  });

  test("anything else: its arguments", () => {
    const touches: Touch[] = [{ action: "unknown", permissions: ["execute", "network"] }];
    const text = describe(question({ tool: "deploy", input: { to: "live" }, touches, agent: "helper" }));
    expect(text).toContain("deploy wants to be called (agent helper)\n");
    expect(text).toContain('With      {"to":"live"}\n');
    expect(text).toContain("Touches   more than its words tell: it may run other programs, reach the network\n");
  });

  test("the middle of what is long is left out, and told; the whole of it is there when asked for", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `echo ${index}`);
    const shown = question({ touches: [run(lines.join("\n"))] });
    const cut = describe(shown);
    expect(cut).toContain("    echo 0\n");
    expect(cut).toContain("    echo 99\n");
    expect(cut).not.toContain("    echo 50\n");
    expect(cut).toMatch(/⟨… 60 more lines are not shown …⟩/);
    const whole = describe(shown, { whole: true });
    for (const line of lines) expect(whole).toContain(`    ${line}\n`);
  });
});

test("a huge text is not looked at as a whole, and nothing of what is said about it is wrong", () => {
  const lines = Array.from({ length: 500_000 }, (_, index) => `+line ${index}`).join("\n");
  const text = describe(question({ touches: [write("x")], diff: lines }));
  expect(text).toContain("    +line 0\n");
  expect(text).toContain("    +line 499999\n");
  expect(text).toContain("⟨… 499800 more lines are not shown …⟩");
  const long = describe(question({ touches: [run(`echo ${"x".repeat(10_000_000)}; rm y`)] }));
  expect(long).toMatch(/⟨… \d+ characters are[\s]+not shown …⟩/);
  expect(long).toContain("; rm y");
});
