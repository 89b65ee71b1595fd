import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Gate, type IncomingCall, type OpenOptions, open, type Result, type Store } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { expectWellFormed } from "../faults/audit.ts";
import { folder } from "../journeys/harness.ts";
import { lateWorkspace } from "./late.ts";

/** Two gates of one workspace, and how to look at it; with one gate both are the same. */
type Pair = { gates: [Gate, Gate]; root: string; text(file: string): string; close(): Promise<void> };

async function pairOf(root: string, options: OpenOptions[], stores: Store[]): Promise<Pair> {
  const gates = await Promise.all(options.map((each) => open({ mode: "yolo", config: {}, ...each })));
  return {
    gates: [gates[0]!, gates.at(-1)!],
    root,
    text: (file) => readFileSync(path.join(root, file), "utf8"),
    async close() {
      for (const gate of gates) await gate.close();
      for (const store of stores) await store.close();
    },
  };
}

const doubles: Record<string, (files: Record<string, string>, more?: OpenOptions) => Promise<Pair>> = {
  async "a workspace whose paths resolve later"(files, more) {
    const root = folder(files);
    return pairOf(root, [{ workspace: lateWorkspace(localWorkspace({ root })), ...more }], []);
  },
  async "a store that is shared by two handles"(files, more) {
    const root = folder(files);
    const file = path.join(root, ".toolgate/store.db");
    const stores = await Promise.all([sqliteStore(file), sqliteStore(file)]);
    return pairOf(
      root,
      stores.map((store) => ({ workspace: root, store, ...more })),
      stores,
    );
  },
  async "both at once"(files, more) {
    const root = folder(files);
    const file = path.join(root, ".toolgate/store.db");
    const stores = await Promise.all([sqliteStore(file), sqliteStore(file)]);
    const options = stores.map((store) => ({ workspace: lateWorkspace(localWorkspace({ root })), store, ...more }));
    return pairOf(root, options, stores);
  },
};

const call = async (gate: Gate, name: string, args: object, more: Partial<IncomingCall> = {}): Promise<Result> => {
  const result = await gate.call({ name, args, ...more });
  expectWellFormed(result);
  return result;
};

describe.each(Object.entries(doubles))("the journeys on %s", (_, make) => {
  test("what one writes the other edits, reads and takes back", async () => {
    const { gates, text, close } = await make({});
    const [one, other] = gates;
    expect(await call(one, "write_file", { path: "new/a.txt", content: "one\ntwo\n" })).toMatchObject({
      status: "done",
    });
    const edit = { path: "new/a.txt", old_str: "two", new_str: "2" };
    expect(await call(other, "edit_file", edit)).toMatchObject({ status: "done" });
    expect((await call(one, "read_file", { path: "new/a.txt" })).output).toContain("2");
    expect(await call(one, "undo_file", { path: "new/a.txt" })).toMatchObject({ status: "done" });
    expect(text("new/a.txt")).toBe("one\ntwo\n");
    expect(await call(other, "undo_file", { path: "new/a.txt" })).toMatchObject({ status: "done" });
    expect(() => text("new/a.txt")).toThrow("ENOENT");
    expect(await call(one, "undo_file", { path: "new/a.txt" })).toMatchObject({ error: { code: "NOT_FOUND" } });
    await close();
  });

  test("a turn is taken back whole, and brought back", async () => {
    const { gates, text, close } = await make({ "a.txt": "a\n", "b.txt": "b\n" });
    const [one, other] = gates;
    const turn = { messageID: "turn", sessionID: "shared" };
    await call(one, "write_file", { path: "a.txt", content: "new a\n" }, turn);
    await call(one, "write_file", { path: "b.txt", content: "new b\n" }, turn);
    expect(await call(other, "undo_turn", {}, turn)).toMatchObject({ status: "done" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["a\n", "b\n"]);
    expect(await call(one, "undo_turn", { turn: "turn", redo: true })).toMatchObject({ status: "done" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["new a\n", "new b\n"]);
    await close();
  });

  test("what the other changed while a person thought is a conflict, and nothing is lost", async () => {
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const approve = async ({ input }: { input: unknown }) => {
      if (JSON.stringify(input).includes("first")) await meanwhile();
      return "once";
    };
    const { gates, text, close } = await make({ "a.txt": "a\n" }, { mode: "confirm-sensitive", approve });
    const [one, other] = gates;
    meanwhile = () => call(other, "write_file", { path: "a.txt", content: "second\n" });
    const result = await call(one, "write_file", { path: "a.txt", content: "first\n" });
    expect(result).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(text("a.txt")).toBe("second\n");
    await close();
  });

  test("edits of one file by both, all at once, all arrive", async () => {
    const { gates, text, close } = await make({ "a.txt": "" });
    const append = (line: string) => ({
      name: "write_file",
      args: { path: "a.txt", content: `${line}\n`, mode: "append" },
    });
    const lines = gates.map((_gate, n) => Array.from({ length: 20 }, (_each, m) => `${n} ${m}`));
    const results = await Promise.all(
      gates.map((gate, n) => Promise.all(lines[n]!.map((line) => gate.call(append(line))))),
    );
    expect(results.flat().map(({ status }) => status)).toEqual(Array(40).fill("done"));
    expect(text("a.txt").trimEnd().split("\n").sort()).toEqual(lines.flat().sort());
    await close();
  });

  test("a batch keeps its order where calls meet, and one failure stops nothing", async () => {
    const { gates, text, close } = await make({ "a.txt": "one\n" });
    const results = await gates[0].callAll([
      { name: "edit_file", args: { path: "a.txt", old_str: "one", new_str: "two" } },
      { name: "write_file", args: { path: "b.txt", content: "b\n" } },
      { name: "edit_file", args: { path: "a.txt", old_str: "missing", new_str: "x" } },
      { name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "three" } },
      { name: "read_file", args: { path: "a.txt" } },
      { name: "read_file", args: { path: "../outside.txt" } },
    ]);
    for (const result of results) expectWellFormed(result);
    expect(results.map(({ status }) => status)).toEqual(["done", "done", "failed", "done", "done", "refused"]);
    expect(results[4]?.output).toContain("three");
    expect([text("a.txt"), text("b.txt")]).toEqual(["three\n", "b\n"]);
    await close();
  });
});
