import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Tool, write, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { FILES, FORMATTER, GENERATOR, git, limited, picture, python, repository } from "./commanded.ts";
import { bench, folder, sleep } from "./harness.ts";

const COMMANDS: [what: string, command: string, changed: number][] = [
  ["sed -i", "sed -i s/alpha/omega/ a.txt", 1],
  ["mv", "mv a.txt moved.txt", 2],
  ["mv over another file", "mv a.txt b.txt", 2],
  ["mv of a folder", "mv src lib", 6],
  ["rm", "rm a.txt local.env", 2],
  ["rm -r of a folder", "rm -r src", 3],
  ["rm of a pattern", "rm *.txt", 2],
  [">", "echo new > a.txt", 1],
  ["> of a new file", "echo new > new.txt", 1],
  [">>", "echo more >> b.txt", 1],
  ["chmod", "chmod 755 a.txt src/one.js", 2],
  ["chmod and sed", "chmod +x a.txt && sed -i s/alpha/omega/ a.txt", 1],
  ["a formatter", FORMATTER, 3],
  ["a code generator", GENERATOR, 50],
  ["cp -r", "cp -r src copy", 3],
  ["find -delete", "find . -name '*.js' -delete", 3],
  ["in another folder", "cd src && echo x > one.js && rm deep/three.js", 2],
  ["a variable", 'target=a.txt; echo x > "$target"', 1],
  ["a failing command", "rm a.txt; echo x > b.txt; false", 2],
];

describe.each([
  ["outside git", async () => folder(FILES)],
  ["inside git", () => repository(FILES)],
])("undo_turn after a command, %s", (_, make) => {
  test.each(COMMANDS)("%s", async (_, command, changed) => {
    const dir = await make();
    chmodSync(path.join(dir, "b.txt"), 0o640);
    const { call } = await bench({}, { dir, approve: () => "once" });
    const before = picture(dir);
    const { metadata } = await call("run_command", { command }, { messageID: "turn" });
    const after = picture(dir);
    expect(after).not.toEqual(before);
    expect(metadata).toMatchObject({ undo: "full", changedCount: changed });
    expect(await call("undo_turn", {}, { messageID: "turn" })).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
    expect(await call("undo_turn", { redo: true }, { messageID: "turn" })).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(after);
  });

  test("git's own objects give back what is not kept; ignored and changed files are kept", async () => {
    const dir = await make();
    writeFileSync(path.join(dir, "b.txt"), "changed since the commit\n");
    const isGit = readdirSync(dir).includes(".git");
    const { call, close } = await limited(dir, { keptFiles: isGit ? 2 : 100 });
    const before = picture(dir);
    const { metadata } = await call("run_command", { command: python(REWRITE_ALL) });
    expect(metadata).toMatchObject({ undo: "full", changedCount: Object.keys(FILES).length });
    expect(await call("undo_turn", {})).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
    await close();
  });
});

const REWRITE_ALL = `
import os
for folder, folders, files in os.walk("."):
    folders[:] = [each for each in folders if each not in (".git", ".toolgate")]
    for name in files:
        open(os.path.join(folder, name), "w").write("all the same\\n")
`;

describe("in git", () => {
  test("a checkout is taken back, file by file", async () => {
    const dir = await repository(FILES);
    writeFileSync(path.join(dir, "a.txt"), "second version\n");
    writeFileSync(path.join(dir, "extra.txt"), "extra\n");
    await sleep(30);
    git(dir, "add", ".");
    git(dir, "commit", "-qm", "second");
    const before = picture(dir);
    const { call, close } = await limited(dir, { keptFiles: 1 });
    const { metadata, output } = await call("run_command", { command: "git checkout -q HEAD~1" });
    expect(metadata).toMatchObject({ exitCode: 0, undo: "partial" });
    expect(output).toContain("Cannot be undone: .git (of 3 changed).");
    expect(picture(dir)["a.txt"]).toContain("alpha");
    expect(await call("undo_turn", {})).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
    await close();
  });

  test("what git converts on its way is not taken for what the file was", async () => {
    const dir = folder({ "a.txt": "ABC\n", ".gitattributes": "a.txt filter=turned\n" });
    await sleep(30);
    git(dir, "init", "-q");
    git(dir, "config", "filter.turned.clean", "tr A-Z N-ZA-M");
    git(dir, "config", "filter.turned.smudge", "tr N-ZA-M A-Z");
    git(dir, "add", ".");
    const { call, close } = await limited(dir, { keptFiles: 0 });
    const { metadata } = await call("run_command", { command: python("open('a.txt', 'w').write('new')") });
    expect(metadata).toMatchObject({ undo: "none", changed: ["a.txt"] });
    await close();
  });
});

describe("together with others", () => {
  test("a turn of edits and commands, and only that turn", async () => {
    const dir = folder(FILES);
    const { call } = await bench({}, { dir });
    await call("run_command", { command: "echo earlier > earlier.txt" }, { messageID: "first" });
    const before = picture(dir);
    const turn = { messageID: "second" };
    await call("edit_file", { path: "a.txt", old_str: "alpha", new_str: "edited" }, turn);
    await call("run_command", { command: "sed -i s/edited/sedded/ a.txt && mv b.txt c.txt" }, turn);
    await call("write_file", { path: "c.txt", content: "written\n" }, turn);
    await call("execute_code", { language: "python", code: "open('a.txt', 'a').write('and more\\n')" }, turn);
    await call("run_command", { command: "echo last >> c.txt" }, turn);
    expect(await call("undo_turn", {}, turn)).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
    expect(await call("undo_turn", {}, { messageID: "first" })).toMatchObject({ status: "done" });
    expect(picture(dir)["earlier.txt"]).toBeUndefined();
  });

  test("undo_file goes back command by command", async () => {
    const { call, text } = await bench(FILES);
    await call("run_command", { command: "echo 1 > a.txt" });
    await call("run_command", { command: "echo 2 > a.txt" });
    await call("undo_file", { path: "a.txt" });
    expect(text("a.txt")).toBe("1\n");
    await call("undo_file", { path: "a.txt" });
    expect(text("a.txt")).toBe(FILES["a.txt"]);
  });

  test("a later edit by somebody else is a conflict", async () => {
    const { call, put, text } = await bench(FILES);
    await call("run_command", { command: "echo new > a.txt; rm b.txt" }, { messageID: "turn" });
    put("a.txt", "somebody else's\n");
    const result = await call("undo_turn", {}, { messageID: "turn" });
    expect(result).toMatchObject({ status: "failed", error: { code: "CONFLICT" } });
    expect(text("a.txt")).toBe("somebody else's\n");
    expect(text("b.txt")).toBeUndefined();
  });

  test("a stopped command leaves rows for what it did", async () => {
    const { call, text } = await bench(FILES);
    const result = await call("run_command", { command: "rm a.txt; sleep 20", timeout: 1 });
    expect(result).toMatchObject({ status: "timed-out", metadata: { undo: "full", changed: ["a.txt"] } });
    await call("undo_file", { path: "a.txt" });
    expect(text("a.txt")).toBe(FILES["a.txt"]);
  });

  test("what is only touched is no change", async () => {
    const { call } = await bench(FILES);
    const { metadata } = await call("run_command", { command: "touch a.txt; mv b.txt x; mv x b.txt" });
    expect(metadata).toMatchObject({ undo: "full", changedCount: 0, changed: [] });
    expect((await call("undo_file", { path: "a.txt" })).error?.code).toBe("NOT_FOUND");
  });

  test("what a call below, or the tool itself, wrote is told once", async () => {
    const command = "echo by command > own.txt";
    const mixed = Tool.define("mixed", {
      description: "A tool of the tests which runs a command, writes and calls.",
      permissions: { required: ["execute", "write"] },
      input: z.object({}),
      touches: () => [write("a.txt"), { action: "run", command, class: "dangerous" }],
      async execute(_, { files, gate, commands }) {
        await files.write("a.txt", new TextEncoder().encode("by the tool\n"));
        await gate.call({ name: "write_file", args: { path: "b.txt", content: "by a call below\n" } });
        await (await commands.start({ command, cwd: "." })).exited;
        return "mixed";
      },
    });
    const dir = folder(FILES);
    const store = memoryStore();
    const { call } = await bench({}, { dir, tools: [mixed], store });
    const before = picture(dir);
    const { metadata } = await call("mixed", {}, { messageID: "turn" });
    expect(metadata).toMatchObject({ undo: "full", changed: ["own.txt"] });
    const rows = await store.changes({ states: ["done"] });
    expect(rows.map(({ shown, tool }) => [shown, tool])).toEqual([
      ["a.txt", "mixed"],
      ["b.txt", "write_file"],
      ["own.txt", "mixed"],
    ]);
    expect(await call("undo_turn", {}, { messageID: "turn" })).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
  });

  test("a link in the place of a folder leads nowhere", async () => {
    const outside = folder({ "kept.txt": "outside\n" });
    const dir = folder({ ...FILES });
    mkdirSync(path.join(dir, "sub"));
    symlinkSync(outside, path.join(dir, "link"));
    const { call } = await bench({}, { dir });
    const { metadata } = await call("run_command", { command: python("open('link/../a.txt', 'a').write('x')") });
    expect(metadata.changed).not.toContain("link/kept.txt");
  });
});
