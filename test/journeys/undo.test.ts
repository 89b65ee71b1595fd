import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench, folder } from "./harness.ts";

type Write = [file: string, content: string, turn: string, session?: string];

/** Each write in its turn and session. */
async function writing({ call }: Bench, writes: readonly Write[]): Promise<void> {
  for (const [path, content, messageID, sessionID = "s1"] of writes)
    expect((await call("write_file", { path, content }, { messageID, sessionID })).success).toBe(true);
}

const all = ({ text }: Bench) => ["a", "b", "c"].map((name) => text(name) ?? "-").join(" ");

describe("taking back a turn", () => {
  type Ask = { args?: object; turn?: string; session?: string };
  type Case = [what: string, writes: Write[], ask: Ask, code: string, files: string];
  const cases: Case[] = [
    [
      "the calling one",
      [
        ["a", "1", "m1"],
        ["b", "2", "m1"],
      ],
      { turn: "m1" },
      "ok",
      "A - -",
    ],
    [
      "all steps of one file at once",
      [
        ["a", "1", "m1"],
        ["a", "2", "m1"],
        ["a", "3", "m1"],
      ],
      { turn: "m1" },
      "ok",
      "A - -",
    ],
    [
      "only that turn",
      [
        ["a", "1", "m1"],
        ["b", "2", "m2"],
      ],
      { turn: "m1" },
      "ok",
      "A 2 -",
    ],
    [
      "of this session only",
      [
        ["a", "1", "m1"],
        ["b", "2", "m1", "s2"],
      ],
      { turn: "m1" },
      "ok",
      "A 2 -",
    ],
    ["nothing in this turn", [["a", "1", "m1"]], { turn: "m2" }, "NOT_FOUND", "1 - -"],
    ["nothing in this session", [["a", "1", "m1", "s2"]], { turn: "m1" }, "NOT_FOUND", "1 - -"],
    [
      "by name",
      [
        ["a", "1", "m1"],
        ["b", "2", "m2"],
      ],
      { args: { turn: "m1" }, turn: "m9" },
      "ok",
      "A 2 -",
    ],
    [
      "by name, the own session's",
      [
        ["a", "1", "m1"],
        ["b", "2", "m1", "s2"],
      ],
      { args: { turn: "m1" }, turn: "m9" },
      "ok",
      "A 2 -",
    ],
    [
      "by name, from another session",
      [["a", "1", "m1"]],
      { args: { turn: "m1" }, turn: "m9", session: "s9" },
      "ok",
      "A - -",
    ],
    [
      "by name, of two other sessions the latest",
      [
        ["a", "1", "m1"],
        ["b", "2", "m1", "s2"],
      ],
      { args: { turn: "m1" }, session: "s9" },
      "ok",
      "1 - -",
    ],
    ["a name that nobody knows", [["a", "1", "m1"]], { args: { turn: "m7" } }, "NOT_FOUND", "1 - -"],
    [
      "the last",
      [
        ["a", "1", "m1"],
        ["b", "2", "m2"],
        ["c", "3", "m2"],
      ],
      { args: { turn: "last" } },
      "ok",
      "1 - -",
    ],
    [
      "a file that a later turn changed again",
      [
        ["a", "1", "m1"],
        ["b", "1", "m1"],
        ["a", "2", "m2"],
      ],
      { turn: "m1" },
      "CONFLICT",
      "2 1 -",
    ],
    [
      "the later of two on one file",
      [
        ["a", "1", "m1"],
        ["a", "2", "m2"],
      ],
      { turn: "m2" },
      "ok",
      "1 - -",
    ],
    [
      "two interleaved on one file",
      [
        ["a", "1", "m1"],
        ["a", "2", "m2"],
        ["a", "3", "m1"],
      ],
      { turn: "m1" },
      "CONFLICT",
      "3 - -",
    ],
    [
      "two interleaved on two files",
      [
        ["a", "1", "m1"],
        ["b", "2", "m2"],
        ["a", "3", "m1"],
      ],
      { turn: "m1" },
      "ok",
      "A 2 -",
    ],
  ];
  test.each(cases)("%s", async (_, writes, { args = {}, turn, session = "s1" }, code, files) => {
    const it = await bench({ a: "A" }, { store: "memory" });
    await writing(it, writes);
    const more = { sessionID: session, ...(turn && { messageID: turn }) };
    const { error } = await it.call("undo_turn", args, more);
    expect(error?.code ?? "ok").toBe(code);
    expect(all(it)).toBe(files);
  });

  test("is all or nothing: one file that was changed from outside stops it", async () => {
    const it = await bench({ a: "A" }, { store: "memory" });
    await writing(it, [
      ["a", "1", "m1"],
      ["b", "2", "m1"],
      ["c", "3", "m1"],
    ]);
    it.put("b", "outside");
    const { error, status } = await it.call("undo_turn", { turn: "m1" });
    expect([status, error?.code]).toEqual(["failed", "CONFLICT"]);
    expect(error?.message).toMatch(/^b was not restored/);
    expect(all(it)).toBe("1 outside 3");
    it.put("b", "2");
    expect((await it.call("undo_turn", { turn: "m1" })).metadata.files).toEqual(["a", "b", "c"]);
    expect(all(it)).toBe("A - -");
  });

  test("again and again goes through the turns, and redo comes back the same way", async () => {
    const it = await bench({ a: "A" }, { store: "memory" });
    await writing(it, [
      ["a", "1", "m1"],
      ["b", "1", "m1"],
      ["a", "2", "m2"],
      ["c", "3", "m3"],
    ]);
    const seen: string[] = [];
    for (const redo of [false, false, true, false, false, false, true, true, true, true]) {
      const { error } = await it.call("undo_turn", { turn: "last", redo });
      seen.push(error?.code ?? all(it));
    }
    expect(seen).toEqual([
      "2 1 -",
      "1 1 -",
      "2 1 -",
      "1 1 -",
      "A - -",
      "NOT_FOUND",
      "1 1 -",
      "2 1 -",
      "2 1 3",
      "NOT_FOUND",
    ]);
  });

  test("a turn that left everything as it was does not stop the way back", async () => {
    const it = await bench({ a: "A" }, { store: "memory" });
    await writing(it, [
      ["a", "1", "m1"],
      ["a", "2", "m2"],
      ["a", "1", "m2"],
      ["b", "2", "m3"],
    ]);
    await it.call("undo_turn", { turn: "last" });
    expect(all(it)).toBe("1 - -");
    await it.call("undo_turn", { turn: "last" });
    expect(all(it)).toBe("A - -");
    await it.call("undo_turn", { turn: "last", redo: true });
    expect(all(it)).toBe("1 - -");
    expect((await it.call("undo_file", { path: "a" })).success).toBe(true);
    expect(all(it)).toBe("2 - -");
  });

  test("redo brings a named turn back, also one that was taken back file by file from another turn", async () => {
    const it = await bench({ a: "A" }, { store: "memory" });
    await writing(it, [
      ["a", "1", "m1"],
      ["a", "2", "m1"],
      ["b", "3", "m1"],
    ]);
    for (const path of ["a", "a", "b"]) await it.call("undo_file", { path }, { messageID: "m2", sessionID: "s1" });
    expect(all(it)).toBe("A - -");
    const { error } = await it.call("undo_turn", { turn: "m1", redo: true }, { messageID: "m3", sessionID: "s1" });
    expect(error).toBeUndefined();
    expect(all(it)).toBe("2 3 -");
    await it.call("undo_file", { path: "a" });
    expect(all(it)).toBe("1 3 -");
  });

  test("is itself a change on record, with every file", async () => {
    const store = memoryStore();
    const it = await bench({}, { store });
    await writing(it, [
      ["a", "1", "m1"],
      ["b", "2", "m1"],
    ]);
    await it.call("undo_turn", {}, { id: "back", messageID: "m1", sessionID: "s1" });
    const rows = (await store.changes({})).filter(({ tool }) => tool === "undo_turn");
    expect(rows.map(({ call, state, shown, after }) => [call, state, shown, after])).toEqual([
      ["back", "done", "a", null],
      ["back", "done", "b", null],
    ]);
    expect(new Set(rows.map(({ record }) => record)).size).toBe(1);
  });
});

describe("later", () => {
  test("another gate on the same folder takes back what the first did, turn by turn and file by file", async () => {
    const dir = folder({ a: "A", b: "B", ".gitignore": "*\n" });
    execFileSync("git", ["init", "-q"], { cwd: dir });
    const first = await bench({}, { dir });
    await writing(first, [
      ["a", "1", "m1"],
      ["a", "2", "m2"],
      ["b", "3", "m2"],
    ]);
    await first.gate.close();
    const second = await bench({}, { dir });
    expect((await second.call("undo_turn", { turn: "last" })).error).toBeUndefined();
    expect(all(second)).toBe("1 B -");
    await second.gate.close();
    const third = await bench({}, { dir });
    expect((await third.call("undo_file", { path: "a" })).error).toBeUndefined();
    expect(all(third)).toBe("A B -");
    expect((await third.call("undo_file", { path: "a", redo: true })).error).toBeUndefined();
    expect((await third.call("undo_turn", { turn: "last", redo: true })).error).toBeUndefined();
    expect(all(third)).toBe("2 3 -");
  });

  test("what was pruned is told, and the other files of the turn stay too", async () => {
    const store = memoryStore();
    const it = await bench({ a: "A" }, { store });
    await writing(it, [
      ["a", "1", "m1"],
      ["b", "2", "m1"],
    ]);
    await store.tidy({ maxAgeMs: 0, maxBytes: 0, now: Date.now() + 1_000 });
    const { error } = await it.call("undo_turn", { turn: "m1" });
    expect(error?.message).toBe("The previous content of a is no longer kept.");
    expect(all(it)).toBe("1 2 -");
  });

  test("a person who must be asked sees what an undo would do", async () => {
    const dir = folder({ a: "A\n" });
    const seen: string[] = [];
    const approve = ({ diff }: { diff: string }) => {
      seen.push(diff);
      return "once";
    };
    const it = await bench({}, { dir, mode: "confirm-sensitive", approve, store: "memory" });
    await writing(it, [["a", "1\n", "m1"]]);
    await it.call("undo_turn", {}, { messageID: "m1", sessionID: "s1" });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain("-1\n+A");
    expect(it.text("a")).toBe("A\n");
  });
});
