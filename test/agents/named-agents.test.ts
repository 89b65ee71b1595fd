import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { crewAt } from "../../src/crew.ts";
import { agentFiles, agentOf, instructionsOf } from "../../src/sources/agent-files.ts";
import { bench, folder } from "../journeys/harness.ts";

const agent = (head: string): string => `---\ndescription: An agent.\n${head}\n---\nDo it.\n`;

const FILES = {
  "a.txt": "one\n",
  ".toolgate/agents/reader.md": agent("name: reader\ntools: [Read, grep]"),
  ".toolgate/agents/careful.md": agent("policy: [Finalize]"),
  ".claude/agents/free.md": agent("tools: '*'"),
  ".claude/agents/bare.md": agent("tools: *"),
  ".toolgate/agents/broken.md": agent("policy: [Everything]"),
};

test.each([
  ["reader", "Read", { path: "a.txt" }, "done"],
  ["reader", "grep", { pattern: "one" }, "done"],
  ["reader", "Write", { path: "b.txt", content: "x" }, /write_file is not among the tools of this agent/],
  ["reader", "run_command", { command: "true" }, /run_command is not among the tools of this agent/],
  ["careful", "write_file", { path: "b.txt", content: "x" }, /Patch is not among its gates/],
  ["careful", "read_file", { path: "a.txt" }, "done"],
  ["free", "write_file", { path: "b.txt", content: "x" }, "done"],
  ["bare", "write_file", { path: "b.txt", content: "x" }, "done"],
  ["broken", "read_file", { path: "a.txt" }, /read_file is not among the tools of this agent/],
  ["somebody", "write_file", { path: "b.txt", content: "x" }, "done"],
] as const)("a call in the name of %s: %s %o", async (name, tool, args, wanted) => {
  const it = await bench(FILES, { mode: "yolo" });
  const calls = [
    it.gate.call({ name: tool, args, agent: name }),
    it.gate.child({ agent: name }).call({ name: tool, args }),
  ];
  for (const result of await Promise.all(calls))
    if (wanted === "done") expect(result).toMatchObject({ status: "done" });
    else expect(result).toMatchObject({ status: "refused", error: { message: expect.stringMatching(wanted) } });
  const { verdict } = await it.gate.explain({ name: tool, args, agent: name });
  expect(verdict).toBe(wanted === "done" ? "allow" : "deny");
});

test("a file that nobody can understand is named when the gate opens", async () => {
  const { gate } = await bench(FILES, {});
  expect(gate.notes.join("\n")).toContain(".toolgate/agents/broken.md was left out: policy has Everything");
});

test.each<[head: string, tools: string[] | undefined]>([
  ["tools: *", undefined],
  ["tools: * # all of them\nname: x", undefined],
  ["tools:\n  - *\n  - Read", undefined],
  ["tools: [Read, *]", undefined],
  ["tools: &a [Read]\nother: *a", ["Read"]],
  ["tools: Read\ndescription: |\n  - *", ["Read"]],
])("a lone star without quotes is a star: %j", (head, tools) => {
  expect(agentOf(`---\n${head}\n---\nDo it.\n`, "a").definition.tools).toEqual(tools);
});

test.each([
  ["tools: *none", /alias/i],
  ["policy: *", /policy has \*/],
])("%j still makes no agent", (head, message) => {
  expect(() => agentOf(`---\n${head}\n---\nDo it.\n`, "a")).toThrow(message);
});

test("what leads out of the workspace, or never ends, makes no agent and no instructions", async () => {
  const dir = folder({ "own/AGENTS.md": "inside", "secret.txt": "outside", "ws/.claude/agents/a.md": agent("") });
  fs.symlinkSync("../secret.txt", `${dir}/ws/AGENTS.md`);
  fs.symlinkSync("/dev/zero", `${dir}/ws/.claude/agents/endless.md`);
  execFileSync("mkfifo", [`${dir}/ws/.claude/agents/fifo.md`]);
  expect(await instructionsOf(`${dir}/ws`)).toBeUndefined();
  expect(await instructionsOf(`${dir}/own`)).toBe("inside");
  const { definitions, broken } = await agentFiles(`${dir}/ws`);
  expect([definitions.map(({ name }) => name), broken.sort()]).toEqual([["a"], ["endless", "fifo"]]);
});

const WRITE = { name: "write_file", args: { path: "b.txt", content: "x" } };
const BAD = "tools: [read_file\npolicy: }";

describe("an agent whose file cannot be understood may do nothing", () => {
  const big = `name: docs\n${"# filler\n".repeat(20_000)}`;
  test.each<[what: string, files: Record<string, string>, agent: string]>([
    ["by the file's name", { ".toolgate/agents/docs.md": agent(BAD) }, "docs"],
    ["by the name in it", { ".toolgate/agents/01-docs.md": agent(`name: docs\n${BAD}`) }, "docs"],
    ["in quotes", { ".toolgate/agents/1.md": agent(`"name": 'docs'  # ours\n${BAD}`) }, "docs"],
    ["of several words", { ".toolgate/agents/1.md": agent(`name: the docs # ours\n${BAD}`) }, "the docs"],
    ["on the next line", { ".toolgate/agents/1.md": agent(`name: >-\n  docs\n${BAD}`) }, "docs"],
    ["in braces", { ".toolgate/agents/1.md": "---\n{ name: docs, tools: [\n---\nDo it.\n" }, "docs"],
    ["twice", { ".toolgate/agents/1.md": agent("name: docs\nname: other") }, "docs"],
    ["as a number", { ".toolgate/agents/1.md": agent("name: 7\ntools: [read_file]") }, "7"],
    ["with no end", { ".toolgate/agents/1.md": "---\nname: docs\ntools: [read_file]\n" }, "docs"],
    ["with no beginning", { ".toolgate/agents/1.md": "name: docs\ntools: [read_file]\n---\nDo it.\n" }, "docs"],
    ["with \\r\\n", { ".toolgate/agents/1.md": agent(`name: docs\n${BAD}`).replaceAll("\n", "\r\n") }, "docs"],
    ["too large", { ".toolgate/agents/1.md": agent(big) }, "docs"],
    ["a built-in one", { ".toolgate/agents/build.md": agent(BAD) }, "build"],
    [
      "and another file of its name stands in",
      { ".toolgate/agents/docs.md": agent(BAD), ".claude/agents/zz.md": agent("name: docs") },
      "docs",
    ],
    [
      "and another file of its folder stands in",
      { ".claude/agents/docs.md": agent(BAD), ".claude/agents/zz.md": agent("name: docs") },
      "docs",
    ],
  ])("%s", async (_, files, name) => {
    const it = await bench(files, { mode: "yolo" });
    expect(await it.gate.call({ ...WRITE, agent: name })).toMatchObject({ status: "refused" });
    const { definitions, broken } = await agentFiles(it.dir);
    expect([definitions.map((each) => each.name), broken]).toEqual([
      expect.not.arrayContaining([name]),
      expect.arrayContaining([name]),
    ]);
    const model = { name: "none", turn: async () => ({ text: "done", calls: [] }) };
    const crew = await crewAt(it.dir, model, it.gate.registry);
    const signal = new AbortController().signal;
    await expect(crew.lead({ gate: it.gate, agent: name, task: "go", signal })).rejects.toThrow(/cannot be understood/);
    expect(crew.definitions.map((each) => each.name)).not.toContain(name);
  });

  test("what a person wrote comes before a broken file that others may write, and names in prose hold nobody", async () => {
    const it = await bench(
      {
        ".claude/agents/docs.md": agent(BAD),
        ".toolgate/agents/docs.md": agent(""),
        ".toolgate/agents/x.md": `${agent(BAD)}\nname: other\n`,
        ".toolgate/agents/set.md": agent(BAD),
      },
      { mode: "yolo", config: { agents: { set: { prompt: "Do it." } } } },
    );
    for (const name of ["docs", "other", "set"])
      expect(await it.gate.call({ ...WRITE, agent: name })).toMatchObject({ status: "done" });
    expect(await it.gate.call({ ...WRITE, agent: "x" })).toMatchObject({ status: "refused" });
  });

  test("more files than are read", async () => {
    const many = Array.from({ length: 203 }, (_, index) => [`.toolgate/agents/a${1000 + index}.md`, agent("")]);
    const it = await bench(Object.fromEntries(many), { mode: "yolo" });
    expect(await it.gate.call({ ...WRITE, agent: "a1199" })).toMatchObject({ status: "done" });
    expect(await it.gate.call({ ...WRITE, agent: "a1202" })).toMatchObject({ status: "refused" });
    expect(it.gate.notes).toContain(".toolgate/agents: only 200 files are read; 3 were left out.");
  });
});

describe("the built-in agents have their ceilings without a model in the loop too", () => {
  const files = [
    {},
    { ".toolgate/agents/explore.md": agent("tools: '*'"), ".claude/agents/test.md": agent("") },
    { ".toolgate/agents/other.md": agent("") },
  ];
  test.each(
    files.flatMap((each) =>
      (
        [
          ["explore", WRITE, "refused"],
          ["explore", { name: "run_command", args: { command: "ls" } }, "refused"],
          ["explore", { name: "Read", args: { path: "a.txt" } }, "done"],
          ["plan", WRITE, "refused"],
          ["review", { name: "Edit", args: { path: "a.txt", old_str: "one", new_str: "two" } }, "refused"],
          ["test", WRITE, "refused"],
          ["test", { name: "run_command", args: { command: "ls" } }, "done"],
          ["test", { name: "run_command", args: { command: "curl -d @a.txt http://127.0.0.1:1/" } }, "refused"],
          ["build", WRITE, "done"],
          ["explorer", WRITE, "done"],
          [undefined, WRITE, "done"],
        ] as const
      ).map(([name, call, wanted]) => [Object.keys(each).join(" ") || "no files", name, call, wanted, each] as const),
    ),
  )("%s: %s %o is %s", async (_, name, call, wanted, written) => {
    const it = await bench({ "a.txt": "one\n", ...written }, { mode: "yolo", sandbox: "off", store: "memory" });
    expect(await it.gate.call({ ...call, ...(name && { agent: name }) })).toMatchObject({ status: wanted });
    expect(await it.gate.child(name ? { agent: name } : {}).call(call)).toMatchObject({ status: wanted });
  });

  test("an agent below one may not do more, by whatever name", async () => {
    const it = await bench({ ".toolgate/agents/reader.md": agent("tools: [read_file]") }, { mode: "yolo" });
    for (const name of ["explore", "reader"]) {
      const child = it.gate.child({ agent: name });
      const all = [child.child({ agent: "build" }), child.child({ agent: "x" }).child({}), child.child({})];
      for (const gate of all) expect(await gate.call(WRITE)).toMatchObject({ status: "refused" });
      expect(await child.call({ ...WRITE, agent: "build" })).toMatchObject({ status: "refused" });
    }
  });

  test("a file or the configuration narrows them further, and never widens", async () => {
    const it = await bench(
      { "a.txt": "one\n", ".claude/agents/explore.md": agent("tools: Read, Glob, Write") },
      { mode: "yolo", config: { agents: { build: { prompt: "Do it.", tools: ["read_file"] } } } },
    );
    const read = { name: "read_file", args: { path: "a.txt" } };
    const grep = { name: "grep", args: { pattern: "one" } };
    const status = async (call: typeof WRITE | typeof read | typeof grep, name: string) =>
      (await it.gate.call({ ...call, agent: name })).status;
    for (const name of ["explore", "build"])
      expect([await status(read, name), await status(grep, name), await status(WRITE, name)]).toEqual([
        ...["done", "refused", "refused"],
      ]);
  });
});

test("a front matter that would take long is not parsed, and notes stay short", async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1`).join("\n");
  const it = await bench(
    {
      ".toolgate/agents/bomb.md": agent(`name: bang\n${keys(9000)}`),
      ".toolgate/agents/tall.md": agent(keys(600)),
      ".toolgate/agents/odd.md": agent(keys(400)),
    },
    { mode: "yolo" },
  );
  expect(it.gate.notes).toEqual([
    expect.stringMatching(/bomb\.md was left out: its front matter has \d+ characters; at most 32000 are read/),
    expect.stringMatching(/odd\.md: k0, .*, k9, and 390 more means nothing here and is ignored\.$/),
    expect.stringMatching(/tall\.md was left out: its front matter has 601 lines; at most 500 are read/),
  ]);
  for (const name of ["bomb", "bang", "tall"])
    expect(await it.gate.call({ ...WRITE, agent: name })).toMatchObject({ status: "refused" });
});
