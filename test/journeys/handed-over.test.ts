import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Policy } from "../../src/core/contracts/policy.ts";
import type { CallRecord } from "../../src/core/contracts/store/records.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import { type Hook, type OpenOptions, open, type Tool } from "../../src/index.ts";
import { openForOthers } from "../../src/open-for-others.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder, plain } from "./harness.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\n", "sub/c.txt": "c\n", ".env": "KEY=1\n" };
const who = { session: "theirs", agent: "claude", asks: true };

type Given = OpenOptions & { kept?: ReturnType<typeof memoryStore> };

/** A gate for calls that others perform, on a store that a test can look into. */
async function handing({ kept = memoryStore(), config = {}, tools = [], policies = [], ...options }: Given = {}) {
  const dir = folder(FILES);
  const gate = await openForOthers(
    { workspace: dir, store: kept, mode: "yolo", config: { loops: "off", ...(config as object) }, ...options },
    who,
    () => ({ tools, policies }),
  );
  onTestFinished(() => gate.close(false));
  const over = (name: string, args: object, more: { key?: string; asks?: boolean; unique?: boolean } = {}) =>
    gate.handOver({ name, args, id: `call-${more.key ?? "k"}` }, { key: "k", asks: true, ...more });
  const records = async (): Promise<CallRecord[]> => {
    await gate.close(false);
    return kept.records({});
  };
  const put = (name: string, content: string) => writeFileSync(path.join(dir, name), content);
  const handed = () => kept.table("handed").list<{ record: CallRecord; changes: number[]; watched: boolean }>();
  return { gate, dir, store: kept, over, back: gate.handBack, records, put, handed };
}

const write = (file: string, content = "new\n") => ["write_file", { path: file, content }] as const;
const touching = (name: string, touches: readonly object[], more: object = {}): Tool =>
  plain(name, { touches: () => touches as never, ...more });

describe("a call that somebody else performs", () => {
  test("is answered with who decided and why, and nothing else", async () => {
    const { over } = await handing({ mode: "confirm-sensitive" });
    expect(await over("read_file", { path: "a.txt" })).toEqual({
      answer: "allow",
      by: expect.any(String),
      reason: expect.any(String),
    });
  });

  test("is not made here", async () => {
    const { over, dir } = await handing();
    expect(await over(...write("a.txt"))).toMatchObject({ answer: "allow" });
    expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("one\n");
  });

  test.each<[string, object, readonly [string, object], object]>([
    [
      "a rule",
      { rules: { deny: ["write(a.txt)"] } },
      write("a.txt"),
      { by: "rules", reason: expect.stringContaining("write(a.txt)"), next: expect.stringContaining("Try another") },
    ],
    [
      "arguments that nobody can read",
      {},
      ["write_file", { content: "x" }],
      { by: "journey", reason: expect.stringContaining("path is required") },
    ],
    ["an unknown tool", {}, ["nowhere", {}], { by: "journey", reason: "There is no tool named nowhere." }],
    [
      "a change that does not fit",
      {},
      ["edit_file", { path: "a.txt", old_str: "zero", new_str: "x" }],
      { by: "journey", next: expect.any(String) },
    ],
  ])("is refused because of %s, and nothing is kept of it but its record", async (_, config, [name, args], told) => {
    const { over, handed, store, records, back } = await handing({ config });
    expect(await over(name, args)).toMatchObject({ answer: "deny", ...told });
    expect(await handed()).toEqual([]);
    expect(await store.changes({})).toEqual([]);
    expect(await back("k")).toBeUndefined();
    expect(await records()).toHaveLength(1);
  });

  describe("that has to be asked about", () => {
    const ask = { rules: { ask: ["write(a.txt)"] } };
    test("is asked about by whoever can ask, and counts as handed over", async () => {
      const { over, handed } = await handing({ config: ask });
      expect(await over(...write("a.txt"))).toMatchObject({ answer: "ask", by: "rules" });
      expect(await handed()).toMatchObject([{ value: { record: { verdict: { answer: "ask", by: "rules" } } } }]);
    });

    test("is refused where nobody can: the message says what a person could write down", async () => {
      const { over, handed } = await handing({ mode: "confirm-sensitive" });
      const said = await over(...write("a.txt"), { asks: false });
      expect(said).toMatchObject({ answer: "deny", reason: expect.stringMatching(/needs a person's approval \(.+\)/) });
      expect(said.reason).toContain("nobody can be asked here");
      expect(said.next).toBe(
        'Go on without it, or ask the person to allow it in toolgate.yaml, below rules.allow: "write(./a.txt)".',
      );
      expect(await handed()).toEqual([]);
    });

    test("is refused without such advice where a rule of their own asks", async () => {
      const { over } = await handing({ config: ask });
      expect(await over(...write("a.txt"), { asks: false })).toMatchObject({
        answer: "deny",
        next: "Go on without it, or ask the person to do it.",
      });
    });

    test("is refused without such advice where no rule could say it", async () => {
      const { over } = await handing({ tools: [plain("looks")], mode: "confirm-all" });
      expect(await over("looks", {}, { asks: false })).toMatchObject({
        answer: "deny",
        next: "Go on without it, or ask the person to do it.",
      });
    });

    test("is answered by a standing yes", async () => {
      const kept = memoryStore();
      const { over, dir } = await handing({ kept, mode: "confirm-sensitive" });
      const asking = await open({ workspace: dir, store: kept, config: {}, approve: () => "always" });
      await asking.call({ name: "write_file", args: { path: "a.txt", content: "x\n" } });
      await asking.close();
      expect(await over(...write("a.txt"), { asks: false })).toMatchObject({ answer: "allow", by: "grant" });
      expect(await over(...write("b.txt"), { asks: false })).toMatchObject({ answer: "deny" });
    });

    test("is put to the gate's own approver, whose answer counts", async () => {
      const answers = ["once", "deny"];
      const { over } = await handing({ config: ask, approve: () => answers.shift() ?? "deny" });
      expect(await over(...write("a.txt"), { asks: false })).toMatchObject({ answer: "allow", by: "person" });
      expect(await over(...write("a.txt"), { asks: false, key: "l" })).toMatchObject({ answer: "deny", by: "person" });
    });

    test("is refused when a person wants other arguments than those that were sent", async () => {
      const args = { path: "a.txt", content: "theirs\n" };
      const approve = (question: { args: unknown }) =>
        JSON.stringify(question.args).includes("theirs") ? "once" : { decision: "edit", args };
      const { over, handed } = await handing({ config: ask, approve: approve as never });
      expect(await over(...write("a.txt"))).toMatchObject({
        answer: "deny",
        reason: expect.stringContaining("The arguments were changed on their way here"),
        next: `Call again with: ${JSON.stringify(args)}`,
      });
      expect(await handed()).toEqual([]);
      expect(await over("write_file", args), "as they were wanted").toMatchObject({ answer: "allow" });
    });
  });

  test("is refused when a hook changed its arguments, and not when it gave back the same", async () => {
    let args: object = { path: "a.txt", content: "new\n" };
    const hook: Hook = { name: "rewrites", before: () => ({ args: args as never }) };
    const { over } = await handing({ hooks: [hook] });
    expect(await over(...write("a.txt"))).toMatchObject({ answer: "allow" });
    args = { path: "b.txt", content: "new\n" };
    expect(await over(...write("a.txt"), { key: "l" })).toMatchObject({ answer: "deny" });
  });

  test("that would be taken for another tool here is asked about, whatever the mode", async () => {
    const meant = plain("meant");
    const sent = plain("sent", { aliases: { instead: () => ({ name: "meant", args: {} }) } } as never);
    const { over } = await handing({ tools: [meant, sent] });
    expect(await over("sent", {})).toEqual({
      answer: "ask",
      by: "journey",
      reason: "it counts as meant here, but the agent may run it as a command",
    });
    expect(await over("meant", {}, { key: "l" })).toMatchObject({ answer: "allow" });
  });

  test.each<[why: string, config: object, path: string, answer: string]>([
    ["a rule that asks about a file in it", { rules: { ask: ["read(.env)"] } }, ".", "ask"],
    ["a rule that forbids a file in it", { rules: { deny: ["read(.env)"] } }, ".", "ask"],
    ["a forbidden path in it", { workspace: { forbidden_paths: [".env"] } }, ".", "ask"],
    ["a rule that forbids all of it", { rules: { deny: ["read(sub/**)"] } }, "sub", "deny"],
    ["a rule about another folder", { rules: { ask: ["read(other/**)"] } }, "sub", "allow"],
  ])("a search, of which nothing can be left out there: %s", async (_, config, where, answer) => {
    const { over } = await handing({ config, mode: "confirm-sensitive" });
    expect(await over("grep", { pattern: "KEY", path: where })).toMatchObject({ answer });
  });

  describe("is judged like a command that reads all of it", () => {
    type Said = ReturnType<Policy["judge"]>;
    const searching = (search: Said, command: Said): Policy => ({
      name: "mine",
      judge: ({ touches: [touch] }) => (touch?.action === "run" ? command : search),
    });
    const says = (answer: "allow" | "ask" | "deny", by: string, more: object = {}) => ({
      answer,
      by,
      reason: by,
      ...more,
    });
    const exclude = [".env"];
    test.each<[string, Said, Said, object]>([
      [
        "refused as a command",
        says("allow", "one", { exclude }),
        says("deny", "two"),
        { answer: "deny", reason: "Refused by two: two." },
      ],
      ["asked about as a command", says("allow", "one", { exclude }), says("ask", "two"), { answer: "ask", by: "two" }],
      ["asked about as a search", says("ask", "one", { exclude }), says("allow", "two"), { answer: "ask", by: "one" }],
      ["asked about as both", says("ask", "one", { exclude }), says("ask", "two"), { answer: "ask", by: "one" }],
      ["nothing to be left out", says("allow", "one"), says("deny", "two"), { answer: "allow" }],
      ["allowed as both", says("allow", "one", { exclude }), says("allow", "two"), { answer: "allow" }],
    ])("%s", async (_, search, command, told) => {
      const { over } = await handing({ policies: [searching(search, command)] });
      expect(await over("grep", { pattern: "KEY", path: "sub" })).toMatchObject(told);
    });
  });

  test("a command, of which the same holds anyway, is not judged as a search", async () => {
    const policy: Policy = {
      name: "mine",
      judge: ({ touches: [touch] }) =>
        touch?.action === "run" && touch.inner.some(({ action }) => action === "run")
          ? { answer: "deny", by: "mine", reason: "a command in a command" }
          : { answer: "allow", by: "mine", reason: "", exclude: [".env"] },
    };
    const { over } = await handing({ policies: [policy] });
    expect(await over("run_command", { command: "cat a.txt" })).toMatchObject({ answer: "allow" });
  });

  test("of a search, what is only read is judged as it is", async () => {
    const scoped: (string | undefined)[] = [];
    const policy: Policy = {
      name: "mine",
      judge: ({ touches: [touch] }) => {
        if (touch?.action !== "run") return { answer: "allow", by: "mine", reason: "", exclude: [".env"] };
        for (const each of touch.inner) if ("scope" in each || "place" in each) scoped.push(each.scope);
        return undefined;
      },
    };
    const both = touching("both", [
      { action: "list", target: "sub" },
      { action: "read", target: "a.txt" },
      { action: "list", target: ".", scope: "*.txt" },
    ]);
    const { over } = await handing({ policies: [policy], tools: [both] });
    await over("both", {});
    expect(scoped).toEqual(["*", undefined, "*.txt"]);
  });

  test("under another's lock is refused", async () => {
    const kept = memoryStore();
    const { over, dir } = await handing({ kept });
    const lock = { resources: [path.join(dir, "a.txt")], shown: "a.txt", mode: "exclusive" as const };
    await kept.hold("paths", [lock], { session: "another", agent: "main" }, 60_000);
    expect(await over(...write("a.txt"))).toMatchObject({
      answer: "deny",
      reason: expect.stringContaining("is locked"),
    });
    expect(await over(...write("b.txt"))).toMatchObject({ answer: "allow" });
  });

  test("that is only planned here is not handed over", async () => {
    const { over, handed } = await handing({ plan: true });
    expect(await over(...write("a.txt"))).toEqual({
      answer: "deny",
      by: "journey",
      reason: expect.stringMatching(/^Planned: write_file\([^)]*\) would run; nothing was changed/),
    });
    expect(await handed()).toEqual([]);
  });

  test("counts against the limits once, however often it is told, and not at all where it was refused", async () => {
    const config = { budget: { max_changes: 2 } };
    const { over, store } = await handing({ config });
    expect(await over(...write("a.txt"), { unique: true })).toMatchObject({ answer: "allow" });
    expect(await over(...write("a.txt"), { unique: true })).toMatchObject({ answer: "allow" });
    const states = (await store.changes({})).map(({ state }) => state);
    expect(states.sort(), "the second one left nothing behind").toEqual(["intended", "void"]);
    expect(await over(...write("b.txt"), { key: "b", unique: true })).toMatchObject({ answer: "allow" });
    expect(await over(...write("n.txt"), { key: "n", unique: true })).toMatchObject({ answer: "deny" });
  });

  test("what was kept for a command that is told twice is kept once", async () => {
    const { over, dir, back } = await handing();
    const state = path.join(dir, ".toolgate");
    const kept = () =>
      existsSync(state)
        ? readdirSync(state, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
        : [];
    const told = () => over("run_command", { command: "node make.js" }, { unique: true });
    await told();
    const once = kept().length;
    await told();
    expect(kept()).toHaveLength(once);
    await back("k");
    expect(kept()).toHaveLength(once - 1);
  });

  test("a tool that cannot say what it would do is refused with a reason", async () => {
    const silent = plain("silent", {
      touches: () => {
        throw new Error("");
      },
    });
    const { over } = await handing({ tools: [silent] });
    expect((await over("silent", {})).reason).not.toBe("");
  });

  test("gives back what it counted where it could not be kept", async () => {
    const kept = memoryStore();
    let broken = true;
    const failing = (work: keyof Store) =>
      new Proxy(kept, {
        get: (target, name) =>
          name === work && broken
            ? () => Promise.reject(new Error("the disk is full"))
            : Reflect.get(target, name, target),
      });
    const config = { budget: { max_changes: 1 } };
    const { over, handed } = await handing({ kept: failing("intend") as typeof kept, config });
    expect(await over(...write("a.txt"))).toMatchObject({ answer: "deny", by: "journey" });
    expect(await handed()).toEqual([]);
    broken = false;
    expect(await over(...write("b.txt"))).toMatchObject({ answer: "allow" });
  });
});

describe("what is kept before it is performed", () => {
  const rows: [string, Tool | undefined, readonly [string, object], Record<string, string | null>][] = [
    ["a file that is changed", undefined, write("a.txt"), { "a.txt": "one\n" }],
    ["a file that is new", undefined, write("n.txt"), { "n.txt": null }],
    [
      "files that it only says it writes or removes",
      touching("says", [
        { action: "write", target: "a.txt" },
        { action: "delete", target: "b.txt" },
        { action: "read", target: "sub/c.txt" },
        { action: "write", target: "n.txt" },
      ]),
      ["says", {}],
      { "a.txt": "one\n", "b.txt": "two\n", "n.txt": null },
    ],
    ["not what is below a folder", touching("says", [{ action: "delete", target: "sub" }]), ["says", {}], {}],
    [
      "not what it names by a pattern",
      touching("says", [{ action: "write", target: "later", scope: "**" }]),
      ["says", {}],
      {},
    ],
    [
      "a file that is removed",
      undefined,
      ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch" }],
      { "b.txt": "two\n" },
    ],
    ["nothing for a command that only reads", undefined, ["run_command", { command: "cat a.txt" }], {}],
    ["nothing for what only reads", undefined, ["read_file", { path: "a.txt" }], {}],
  ];
  test.each(rows)("%s", async (_, tool, [name, args], wanted) => {
    const config = { workspace: { allow_delete: true } };
    const { over, store, handed } = await handing({ ...(tool && { tools: [tool] }), config });
    expect((await over(name, args)).answer).not.toBe("deny");
    const found = await store.changes({ states: ["intended"] });
    const contents = found.map(async ({ shown, before }) => [shown, before && decoded(await store.content(before))]);
    expect(Object.fromEntries(await Promise.all(contents))).toEqual(wanted);
    for (const { modeBefore, before } of found) expect(modeBefore !== undefined).toBe(before !== null);
    expect(await handed()).toMatchObject([{ value: { watched: false, changes: found.map(({ id }) => id) } }]);
  });

  test.each<[string, readonly object[], boolean]>([
    ["a command", [{ action: "run", command: "make", class: "dev" }], true],
    [
      "a command beside other things",
      [
        { action: "read", target: "a.txt" },
        { action: "run", command: "make", class: "dev" },
      ],
      true,
    ],
    ["another's server", [{ action: "use", source: "mcp", name: "x" }], true],
    [
      "what nobody knows, beside what it reads",
      [
        { action: "unknown", permissions: ["write"] },
        { action: "read", target: "a.txt" },
      ],
      true,
    ],
    ["a command that only reads", [{ action: "run", command: "ls", class: "safe" }], false],
    ["a file that it names", [{ action: "write", target: "a.txt" }], false],
  ])("how all files are, where any of them may be changed: %s", async (_, touches, watched) => {
    const { over, back, handed, put, store } = await handing({ tools: [touching("says", touches)] });
    expect((await over("says", {})).answer).not.toBe("deny");
    expect(await handed()).toMatchObject([{ value: { watched } }]);
    put("b.txt", "changed\n");
    await back("k");
    expect((await store.changes({ states: ["done"] })).map(({ shown }) => shown)).toEqual(watched ? ["b.txt"] : []);
  });

  const decoded = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

  test("what is not known before is told apart from what is", async () => {
    const says = touching("says", [{ action: "write", target: "a.txt" }]);
    const { over, store } = await handing({ tools: [says] });
    await over("says", {}, { key: "says" });
    await over(...write("b.txt"), { key: "write" });
    const afters = Object.fromEntries((await store.changes({})).map(({ shown, after }) => [shown, after]));
    expect(afters).toEqual({ "a.txt": "untold", "b.txt": expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

describe("when it has been performed", () => {
  test("the record says what became of it, and a second end is not heard", async () => {
    const { over, back, put, records, store, handed } = await handing();
    await over(...write("a.txt"));
    put("a.txt", "new\n");
    expect(await back("k", { output: "It is written." })).toBe("");
    expect(await back("k", { output: "It is written." })).toBeUndefined();
    expect(await handed()).toEqual([]);
    const [record, ...more] = await records();
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      ...{ call: "call-k", session: "theirs", agent: "claude", tool: "write_file", status: "done", changed: true },
      output: { bytes: 14, head: "It is written." },
      answer: expect.any(String),
      seen: [{ real: expect.stringContaining("a.txt") }],
    });
    expect(record).not.toHaveProperty("error");
    expect(record!.microseconds).toBeGreaterThanOrEqual(0);
    const stages = record!.trace.map(({ stage, verdict }) => [stage, verdict]);
    expect(stages.slice(-2)).toEqual([
      ["handed over", "allow"],
      ["handed back", undefined],
    ]);
    expect(await store.changes({})).toMatchObject([{ state: "done", shown: "a.txt", record: record!.id }]);
  });

  test("that nothing was changed is told, too, and leaves nothing to be taken back", async () => {
    const { over, back, records, store } = await handing({ tools: [plain("looks")] });
    await over("looks", {}, { key: "looks" });
    await back("looks");
    for (const file of ["a.txt", "n.txt"]) {
      await over(...write(file));
      await back("k");
    }
    for (const record of await records()) {
      expect(record).not.toHaveProperty("changed");
      expect(record).not.toHaveProperty("output");
      expect(record, "nobody said how it was answered").not.toHaveProperty("answer");
    }
    expect((await store.changes({ states: ["intended", "done", "void"] })).map(({ state }) => state)).toEqual([
      "void",
      "void",
    ]);
  });

  test("a failure is told as one, and long output only by its beginning", async () => {
    const { over, back, records } = await handing();
    await over("read_file", { path: "a.txt" });
    await back("k", { failed: "exit 1", output: "x".repeat(1000) });
    expect(await records()).toMatchObject([
      {
        status: "failed",
        error: { code: "COMMAND_FAILED", message: "exit 1" },
        output: { bytes: 1000, head: "x".repeat(400) },
      },
    ]);
  });

  test("the same answer has the same mark, another one another, and so has a failure", async () => {
    const { over, back, records } = await handing();
    const told = [{ output: "x" }, { output: "x" }, { output: "y" }, { failed: "x" }, { failed: "x", output: "x" }];
    for (const [index, each] of told.entries()) {
      await over("read_file", { path: "a.txt" }, { key: `k${index}` });
      await back(`k${index}`, each);
    }
    const marks = (await records()).sort((a, b) => (a.call < b.call ? -1 : 1)).map(({ answer }) => answer);
    expect(marks[0]).toBe(marks[1]);
    expect(new Set(marks).size).toBe(4);
  });

  test("calls of one key end oldest first", async () => {
    const { over, back, put, records } = await handing();
    await over(...write("a.txt", "1\n"));
    put("a.txt", "1\n");
    await over(...write("b.txt", "2\n"));
    put("b.txt", "2\n");
    await back("k", { failed: "first" });
    await back("k", {});
    expect(await back("k", {})).toBeUndefined();
    const ends = (await records()).map(({ touches, status }) => [JSON.stringify(touches).includes("a.txt"), status]);
    expect(ends).toEqual(expect.arrayContaining([[expect.any(Boolean), "failed"]]));
    expect(ends).toHaveLength(2);
  });

  test("files that it read or wrote are known to the session, and no others", async () => {
    const config = { workspace: { write_safety: "strict", allow_delete: true } };
    const tools = [
      touching("searches", [{ action: "read", target: "b.txt", scope: "*" }]),
      touching("removes", [{ action: "delete", target: "b.txt" }]),
    ];
    const { over, back, put } = await handing({ config, tools });
    expect(await over("edit_file", { path: "a.txt", old_str: "one", new_str: "1" })).toMatchObject({ answer: "deny" });
    await over("read_file", { path: "a.txt" }, { key: "r" });
    await back("r");
    const edit = (file: string, from: string, to: string, key: string) =>
      over("edit_file", { path: file, old_str: from, new_str: to }, { key });
    expect(await edit("a.txt", "one", "1", "e")).toMatchObject({ answer: "allow" });
    put("a.txt", "1\n");
    await back("e");
    expect(await edit("a.txt", "1", "eins", "f"), "what it wrote itself").toMatchObject({ answer: "allow" });
    for (const name of ["searches", "removes"]) {
      await over(name, {}, { key: name });
      await back(name);
    }
    expect(await edit("b.txt", "two", "2", "h"), "what a search met is not read").toMatchObject({ answer: "deny" });
  });

  test("what a hook says about it is given back without secrets, and one that fails is told of", async () => {
    const secret = `sk-${"a1B2".repeat(12)}`;
    const heard: unknown[] = [];
    const hooks: Hook[] = [
      {
        name: "after",
        after: (_, result) => {
          heard.push([result.status, result.error?.message, result.output]);
          return { text: `the key is ${secret}` };
        },
      },
    ];
    const { over, back } = await handing({ hooks });
    await over("read_file", { path: "a.txt" });
    const said = await back("k", { output: "text" });
    expect(said).toContain("the key is");
    expect(said).not.toContain(secret);
    await over("read_file", { path: "a.txt" }, { key: "l" });
    await back("l", { failed: "no", output: "out" });
    expect(heard).toEqual([
      ["done", undefined, "text"],
      ["failed", "no", "out"],
    ]);
  });

  test("what a command changed without saying so is found and can be taken back", async () => {
    const { over, back, put, dir, store, records } = await handing();
    await over("run_command", { command: "node make.js" });
    put("b.txt", "changed\n");
    rmSync(path.join(dir, "sub/c.txt"));
    mkdirSync(path.join(dir, "more"));
    put("more/d.txt", "d\n");
    await back("k");
    const done = await store.changes({ states: ["done"] });
    expect(done.map(({ shown }) => shown).sort()).toEqual(["b.txt", "more/d.txt", "sub/c.txt"]);
    const [record] = await records();
    expect(record).toMatchObject({ changed: true, status: "done" });
    expect(record!.trace.at(-1)?.stage).toBe("handed back");
  });

  test("where the picture of the files is gone, the record says that not all was looked at", async () => {
    const { over, back, handed, records, store } = await handing();
    await over("run_command", { command: "node make.js" });
    const [row] = await handed();
    expect(row!.value.watched).toBe(true);
    await store.table("handed").put(row!.key, { ...row!.value, record: { ...row!.value.record, id: "lost" } });
    await back("k");
    expect((await records()).at(-1)?.trace.at(-1)?.stage).toBe("handed back; not every file was checked");
  });
});
