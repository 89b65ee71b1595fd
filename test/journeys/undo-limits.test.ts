import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { open, type Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { type LocalOptions, localWorkspace } from "../../src/workspaces/local.ts";
import { localProcesses } from "../../src/workspaces/processes.ts";
import { FILES, GENERATOR, limited, picture, python } from "./commanded.ts";
import { bench, folder } from "./harness.ts";

describe("what cannot be taken back is said", () => {
  const scribble = python("open('a.txt', 'w').write('new'); open('new.txt', 'w').write('new')");
  const table: [
    what: string,
    limits: NonNullable<LocalOptions["watch"]>,
    command: string,
    undo: string,
    says: RegExp,
  ][] = [
    ["too many files", { files: 3 }, "rm b.txt; ./x; echo", "partial", /Not every file could be looked at/],
    ["too many files, nothing known", { files: 3 }, scribble, "partial", /Not every file could be looked at/],
    ["nothing kept", { keptFiles: 0 }, scribble, "partial", /Cannot be undone: a\.txt \(of 2 changed\)/],
    ["only names", { lookedFiles: 0 }, scribble, "partial", /Cannot be undone: a\.txt \(of 2 changed\)/],
    ["too large to keep", { keptEach: 4 }, scribble, "partial", /Cannot be undone: a\.txt/],
    ["too large to save", { knownEach: 4, keptFiles: 0 }, "rm a.txt", "none", /Cannot be undone: a\.txt\./],
    ["too many changes", { changes: 10 }, GENERATOR, "partial", /and 37 more \(of 50 changed\)/],
    ["a link", {}, "ln -s a.txt link", "none", /Cannot be undone: link/],
    ["another folder's packages", {}, "mkdir -p node_modules/x && echo y > b.txt", "partial", /node_modules/],
  ];
  test.each(table)("%s", async (_, limits, command, undo, says) => {
    const dir = folder(FILES);
    const { call, close } = await limited(dir, limits);
    const { metadata, output } = await call("run_command", { command });
    expect(metadata.undo).toBe(undo);
    expect(output).toMatch(says);
    await close();
  });

  test("a file beyond the budget is still found, and what was named is given back", async () => {
    const dir = folder(FILES);
    const before = picture(dir);
    const { call, close } = await limited(dir, { files: 3 });
    await call("run_command", { command: "rm -r src; echo x > a.txt" });
    expect(await call("undo_turn", {})).toMatchObject({ status: "done" });
    expect(picture(dir)).toEqual(before);
    await close();
  });

  test("a command in the background", async () => {
    const { call } = await bench(FILES);
    const { metadata, output } = await call("run_command", { command: "sleep 1; rm a.txt", background: true });
    expect(metadata.undo).toBe("none");
    expect(output).toContain("cannot be undone");
  });

  test("a command that is proven to change nothing is not looked after", async () => {
    const dir = folder(FILES);
    const local = localWorkspace({ root: dir });
    const processes = localProcesses({ roots: local.roots, state: `${dir}/.toolgate`, sandbox: "off", network: false });
    const watch = () => Promise.reject(new Error("looked"));
    const gate = await open({ workspace: { ...local, processes, watch }, mode: "yolo", config: {}, store: "memory" });
    const run = (command: string) => gate.call({ name: "run_command", args: { command } });
    expect(await run("ls")).toMatchObject({ success: true, metadata: { undo: "full" } });
    expect(await run("touch x")).toMatchObject({ success: false });
    await gate.close();
    await processes.close();
  });
});

describe("a store that fails", () => {
  test.each(["intend", "conclude"] as const)("%s", async (method) => {
    const dir = folder(FILES);
    const store: Store = { ...memoryStore(), [method]: () => Promise.reject(new Error("disk full")) };
    const { call, close } = await limited(dir, {}, { store });
    const result = await call("run_command", { command: "rm a.txt" });
    const isThere = readdirSync(dir).includes("a.txt");
    if (method === "intend") expect([isThere, result.success]).toEqual([true, false]);
    else expect([isThere, result.metadata.undo]).toEqual([false, "none"]);
    await close();
  });
});
