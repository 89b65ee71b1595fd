import { describe, expect, test } from "vitest";
import { bench } from "./harness.ts";

const LINES = Array.from({ length: 50 }, (_, index) => `line ${index + 1}\n`).join("");
const EDIT = { name: "edit_file", args: { path: "a.txt", old_str: "line 2\n", new_str: "two\n" } };
const OVERWRITE = { name: "write_file", args: { path: "a.txt", content: "all else is gone\n" } };
const DELETE = { name: "delete_file", args: { path: "a.txt" } };
const COMMAND = { name: "run_command", args: { command: "echo x > a.txt" } };
const APPEND = { name: "write_file", args: { path: "a.txt", content: "more\n", mode: "append" } };
const read = (args: object = {}) => ({ name: "read_file", args: { path: "a.txt", ...args } });

/** How the last of some calls ends where a file has to have been read. */
async function lastOf(calls: { name: string; args: object }[]): Promise<string> {
  const it = await bench({ "a.txt": LINES }, { config: { workspace: { write_safety: "strict", allow_delete: true } } });
  let last = "";
  for (const call of calls) last = (await it.gate.call({ ...call, sessionID: "s" })).status;
  return last;
}

test.each<[what: string, before: { name: string; args: object }[], edits: boolean, replaces: boolean]>([
  ["nothing", [], false, false],
  ["all of it", [read()], true, true],
  ["its first lines", [read({ limit: 5 })], true, false],
  ["two pages that are all", [read({ limit: 30 }), read({ offset: 31 })], true, true],
  ["two pages with a gap", [read({ limit: 30 }), read({ offset: 32 })], true, false],
  ["its first lines, and then edited them", [read({ limit: 5 }), EDIT], true, false],
  ["all of it, and then edited it", [read(), EDIT], true, true],
  ["how large it is", [{ name: "file_info", args: { path: "a.txt" } }], false, false],
  ["all of it, and how large it is", [read(), { name: "file_info", args: { path: "a.txt" } }], true, true],
  ["what is behind its end", [read({ offset: 999 })], false, false],
  ["a search in it", [{ name: "grep", args: { pattern: "line 2" } }], false, false],
])("of a file was read: %s", async (_, before, edits, replaces) => {
  const isEdited = before.includes(EDIT);
  expect(await lastOf([...before, APPEND])).toBe(edits ? "done" : "refused");
  if (!isEdited) expect(await lastOf([...before, EDIT])).toBe(edits ? "done" : "refused");
  for (const call of [OVERWRITE, DELETE, COMMAND])
    expect([call.name, await lastOf([...before, call])]).toEqual([call.name, replaces ? "done" : "refused"]);
});

test("what one session read in part, another one has not read whole for being answered from the cache", async () => {
  const it = await bench({ "a.txt": LINES }, { config: { workspace: { write_safety: "strict" } } });
  // files that were written a moment ago are not kept in the cache
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const sessionID of ["a", "b"]) await it.gate.call({ ...read({ limit: 5 }), sessionID });
  expect((await it.gate.call({ ...OVERWRITE, sessionID: "b" })).status).toBe("refused");
});

const STRICT = { config: { workspace: { write_safety: "strict", allow_delete: true } } };
const at = (path: string) => ({
  read: (args: object = {}) => ({ name: "read_file", args: { path, ...args } }),
  info: { name: "file_info", args: { path } },
  overwrite: { name: "write_file", args: { path, content: "all else is gone\n" } },
  replace: (from: string, to: string) => ({ name: "edit_file", args: { path, old_str: from, new_str: to } }),
  remove: { name: "delete_file", args: { path } },
});
const a = at("a.txt");
const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}\n`).join("");

/** How each of some calls of one session ends. */
async function endsOf(
  files: Record<string, string | Uint8Array>,
  calls: { name: string; args: object }[],
  options: object = STRICT,
) {
  const it = await bench(files, options);
  const ends: string[] = [];
  for (const call of calls) {
    const { status, error } = await it.gate.call({ ...call, sessionID: "s" });
    ends.push(error ? `${status}: ${error.message} ${error.hint}` : status);
  }
  return ends;
}

const IN_PART = expect.stringContaining("a.txt was read only in part");

describe("a file that the session has changed itself", () => {
  test("and then read to its end can be replaced, though it has fewer lines than before", async () => {
    const shorter = a.replace(numbered(1, 10), "");
    const pages = [a.read({ limit: 20 }), shorter, a.read({ offset: 11, limit: 20 }), a.read({ offset: 31 })];
    expect(await endsOf({ "a.txt": LINES }, [...pages, a.overwrite])).toEqual(Array(5).fill("done"));
  });

  test("has no more known lines than before, though others are where known ones were", async () => {
    const calls = [a.read({ limit: 10 }), a.replace(numbered(1, 5), ""), a.replace("line 6\n", "x\n".repeat(6))];
    expect(await endsOf({ "a.txt": numbered(1, 20) }, [...calls, a.read({ offset: 12 }), a.overwrite])).toEqual([
      ...Array(4).fill("done"),
      IN_PART,
    ]);
    expect(await endsOf({ "a.txt": numbered(1, 20) }, [...calls, a.read({ offset: 11 }), a.overwrite])).toEqual(
      Array(5).fill("done"),
    );
  });

  test("as a whole is known, whatever was read of it", async () => {
    const it = await bench({ "a.txt": LINES, "b.txt": LINES }, { config: { workspace: { write_safety: "warn" } } });
    const notes = async (name: string, args: object) =>
      (await it.gate.call({ name, args, sessionID: "s" })).metadata.notes;
    await it.gate.call({ ...a.read({ limit: 3 }), sessionID: "s" });
    await it.gate.call({ ...at("b.txt").info, sessionID: "s" });
    for (const path of ["a.txt", "b.txt"]) {
      expect(await notes("write_file", { path, content: "one\n" })).toHaveLength(1);
      expect(await notes("edit_file", { path, old_str: "one", new_str: "two" })).toBeUndefined();
      expect(await notes("write_file", { path, content: "three\n" })).toBeUndefined();
    }
  });

  test.each<[what: string, create: { name: string; args: object }]>([
    ["write_file", a.overwrite],
    ["edit_file", a.replace("", "one\n")],
    [
      "apply_patch",
      { name: "apply_patch", args: { patch: "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n" } },
    ],
  ])("is known if it was created by %s", async (_, create) => {
    expect(await endsOf({}, [create, a.overwrite, a.remove])).toEqual(["done", "done", "done"]);
  });

  test("by a command and then brought back by undo has to be read before it is replaced", async () => {
    const undo = { name: "undo_file", args: { path: "a.txt" } };
    const remove = { name: "run_command", args: { command: "rm a.txt" } };
    const ends = await endsOf({ "a.txt": LINES }, [remove, undo, a.overwrite, a.read(), a.overwrite]);
    expect(ends).toEqual(["done", "done", IN_PART, "done", "done"]);
  });
});

test.each<[what: string, size: number]>([
  ["", 0],
  ["large ", 5 * 1024 * 1024],
])("a %sfile that is not text counts as read once it was described", async (_, size) => {
  const file = at("bin.dat");
  const content = new Uint8Array(11 + size).map((_, index) => index % 7);
  const hint = "bin.dat is not text: look at it with file_info first.";
  const ends = await endsOf({ "bin.dat": content }, [file.remove, file.read(), file.remove, file.info, file.remove]);
  expect(ends).toEqual([
    expect.stringContaining(hint),
    expect.stringContaining("file_info describes it"),
    expect.stringContaining(hint),
    "done",
    "done",
  ]);
});

describe("of a file that is too large to hold", () => {
  const LARGE = "line of text\n".repeat(400_000);

  test("some lines are a part", async () => {
    expect(await endsOf({ "a.txt": LARGE }, [a.read({ limit: 3 }), a.overwrite])).toEqual(["done", IN_PART]);
  });

  test("a description shows nothing", async () => {
    expect(await endsOf({ "a.txt": LARGE }, [a.info, APPEND])).toEqual([
      "done",
      expect.stringContaining("a.txt was not read"),
    ]);
  });
});

test("a line that was cut is not known, and enough for an edit", async () => {
  const long = `${"x".repeat(5_000)}\n`;
  for (const text of [long, `one\n${long}three\n`, `${long}two\n`, `one\n${long}`])
    expect(await endsOf({ "a.txt": text }, [a.read(), a.overwrite, APPEND])).toEqual(["done", IN_PART, "done"]);
});

test("a cell of a notebook is no line of its file", async () => {
  const cell = (text: string) => ({ cell_type: "code", metadata: {}, outputs: [], source: [text] });
  const book = JSON.stringify(
    { cells: ["x = 1", "y = 2", "z = 3"].map(cell), metadata: {}, nbformat: 4 },
    undefined,
    1,
  );
  const file = at("a.ipynb");
  const edit = file.replace("x = 1", "x = 2");
  const ends = await endsOf({ "a.ipynb": book }, [
    file.read({ limit: 3 }),
    edit,
    file.read({ offset: 4 }),
    file.overwrite,
  ]);
  expect(ends.at(-1)).toContain("a.ipynb was read only in part");
  expect((await endsOf({ "a.ipynb": book }, [file.read({ limit: 3 }), edit, file.read(), file.overwrite])).at(-1)).toBe(
    "done",
  );
});

test("a planned edit of a file that was read in part leaves it known in part", async () => {
  const planning = await bench({ "a.txt": LINES }, { ...STRICT, plan: true });
  for (const call of [a.read({ limit: 5 }), EDIT]) await planning.gate.call({ ...call, sessionID: "s" });
  await planning.gate.close();
  const running = await bench({}, { ...STRICT, dir: planning.dir });
  expect((await running.gate.plans.run()).map(({ result }) => result.status)).toEqual(["done"]);
  for (const [call, status] of [
    [a.overwrite, "refused"],
    [APPEND, "done"],
  ] as const)
    expect((await running.gate.call({ ...call, sessionID: "s" })).status).toBe(status);
});
