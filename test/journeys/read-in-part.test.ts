import { expect, test } from "vitest";
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
