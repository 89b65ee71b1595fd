import { chmodSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Bench, bench, plain } from "../../test/journeys/harness.ts";
import { z } from "../index.ts";
import { memoryStore } from "../stores/memory.ts";

const remover = plain("remover", {
  permissions: { required: ["write"] },
  input: z.object({ path: z.string() }),
  touches: ({ path: target }) => [{ action: "delete", target: target as string }],
  execute: async ({ path: target }, { files }) => {
    await files.remove(target as string);
    return "removed";
  },
});
const deleting = { tools: [remover], config: { workspace: { allow_delete: true } }, store: "memory" } as const;

/** w: write_file, d: remove by a tool, o: write from outside, x: remove from outside, u: undo, r: redo. */
async function act({ call, put, dir }: Bench, step: string): Promise<string> {
  const content = step.slice(1);
  if (step[0] === "o") put("f", content);
  if (step[0] === "x") rmSync(path.join(dir, "f"));
  const tools: Record<string, [string, object]> = {
    w: ["write_file", { path: "f", content }],
    d: ["remover", { path: "f" }],
    u: ["undo_file", { path: "f" }],
    r: ["undo_file", { path: "f", redo: true }],
  };
  const [name, args] = tools[step[0]!] ?? [];
  return name ? ((await call(name, args)).error?.code ?? "ok") : "ok";
}

describe("going back and forth in the history of one file", () => {
  const histories: [steps: string, ends: string][] = [
    ["wA u", "A -"],
    ["wA wB u u u", "A B A - NOT_FOUND"],
    ["wA wB u r", "A B A B"],
    ["wA wB wC u u r r r", "A B C B A B C NOT_FOUND"],
    ["wA wB u u r u r r u", "A B A - A - A B A"],
    ["wA u r u", "A - A -"],
    ["wA wB u wC r u u", "A B A C NOT_FOUND A -"],
    ["wA wB u wB u u", "A B A B A -"],
    ["oA wB u u", "A B A NOT_FOUND"],
    ["u", "NOT_FOUND"],
    ["oA r", "A NOT_FOUND"],
    ["wA oB u", "A B CONFLICT"],
    ["wA oB u oA u", "A B CONFLICT A -"],
    ["wA oB wC u u", "A B C B CONFLICT"],
    ["wA wB u oC r", "A B A C CONFLICT"],
    ["wA x u", "A - CONFLICT"],
    ["wA wB x u", "A B - CONFLICT"],
    ["wA u oB r", "A - B CONFLICT"],
    ["wA d u", "A - A"],
    ["wA d u r u u r", "A - A - A - A"],
    ["wA d wB u u u", "A - B - A -"],
    ["wA d oB u", "A - B CONFLICT"],
    ["wA wB wA u u u", "A B A B A -"],
    ["w u", "(empty) -"],
  ];
  test.each(histories)("%s", async (steps, ends) => {
    const it = await bench({}, deleting);
    const seen: string[] = [];
    for (const step of steps.split(" ")) {
      const before = it.text("f");
      const code = await act(it, step);
      if (code !== "ok") expect(it.text("f")).toBe(before);
      seen.push(code === "ok" ? (it.text("f") ?? "-") || "(empty)" : code);
    }
    expect(seen.join(" ")).toBe(ends);
  });

  test("every change, undo and redo is on record", async () => {
    const store = memoryStore();
    const it = await bench({ f: "0" }, { store });
    for (const step of ["wA", "wB", "u", "r", "u"]) await act(it, step);
    const rows = await store.changes({});
    expect(rows.map(({ tool, state }) => `${tool} ${state}`)).toEqual([
      "write_file done",
      "write_file done",
      "undo_file done",
      "undo_file done",
      "undo_file done",
    ]);
    expect(rows.map(({ undoes, redoes }) => ({ undoes, redoes }))).toMatchObject([
      {},
      {},
      { undoes: [rows[1]?.id] },
      { redoes: [rows[2]?.id] },
      { undoes: [rows[1]?.id] },
    ]);
    await it.gate.close();
    expect((await store.records({ tool: "undo_file" })).map(({ status, target }) => [status, target])).toEqual(
      Array.from({ length: 3 }, () => ["done", "f"]),
    );
  });

  test("a conflict tells what differs, as far as it is known", async () => {
    const { call, put } = await bench({ f: "one\ntwo\n" }, { store: "memory" });
    await call("edit_file", { path: "f", old_str: "two", new_str: "three" });
    put("f", "one\nthree\nfour\n");
    const known = await call("undo_file", { path: "f" });
    expect(known.error?.message).toBe("f was not restored: it was changed after edit_file had changed it.");
    expect(known.output).toContain("-two\n+three\n+four");
    await call("undo_file", { path: "f" });
    await call("write_file", { path: "f", content: "one\nthree\n" });
    put("f", "one\nthree\nfive\n");
    expect((await call("undo_file", { path: "f" })).output).toContain("+five");
  });

  test("what was pruned cannot come back, and that is said", async () => {
    const store = memoryStore();
    const { call, text } = await bench({ f: "old" }, { store });
    await call("write_file", { path: "f", content: "new" });
    await store.tidy({ maxAgeMs: 0, maxBytes: 0, now: Date.now() + 1_000 });
    const { error } = await call("undo_file", { path: "f" });
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.message).toContain("no longer kept");
    expect(error?.hint).toContain("journal.max_age");
    expect(text("f")).toBe("new");
  });

  test("by an ignored file, a file outside git, another spelling and another name of the tool", async () => {
    const { call, text } = await bench({ ".gitignore": "*\n", "a/f": "old" }, { store: "memory" });
    await call("write_file", { path: "a/f", content: "new" });
    expect((await call("undo_file_change", { file_path: "./a/../a/f" })).output).toContain("-new\n");
    expect(text("a/f")).toBe("old");
  });
});

describe("mode bits", () => {
  const modeOf = (it: Bench) => statSync(path.join(it.dir, "f")).mode & 0o777;

  test("come back with a removed file, also through redo", async () => {
    const it = await bench({ f: "A" }, deleting);
    chmodSync(path.join(it.dir, "f"), 0o750);
    for (const step of ["d", "u"]) await act(it, step);
    expect(modeOf(it)).toBe(0o750);
    for (const step of ["r", "u"]) await act(it, step);
    expect(modeOf(it)).toBe(0o750);
    for (const step of ["d", "wB", "u", "u"]) await act(it, step);
    expect([it.text("f"), modeOf(it)]).toEqual(["A", 0o750]);
  });

  test("stay as a person set them after the change", async () => {
    const it = await bench({ f: "A" }, deleting);
    chmodSync(path.join(it.dir, "f"), 0o644);
    await act(it, "wB");
    chmodSync(path.join(it.dir, "f"), 0o755);
    expect(await act(it, "u")).toBe("ok");
    expect([it.text("f"), modeOf(it)]).toEqual(["A", 0o755]);
    expect(await act(it, "r")).toBe("ok");
    expect([it.text("f"), modeOf(it)]).toEqual(["B", 0o755]);
  });

  test("that a tool changed are taken back with the rest", async () => {
    const changer = plain("changer", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "f" }],
      preview: async () => [{ path: "f", after: new TextEncoder().encode("B"), mode: 0o700 }],
    });
    const it = await bench({ f: "A" }, { tools: [changer], store: "memory" });
    chmodSync(path.join(it.dir, "f"), 0o640);
    await it.call("changer");
    expect(modeOf(it)).toBe(0o700);
    await act(it, "u");
    expect([it.text("f"), modeOf(it)]).toEqual(["A", 0o640]);
    await act(it, "r");
    expect([it.text("f"), modeOf(it)]).toEqual(["B", 0o700]);
  });
});
