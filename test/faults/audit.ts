import path from "node:path";
import { expect } from "vitest";
import type { ChangeRow } from "../../src/core/contracts/store/changes.ts";
import { type Gate, open, type Result, type Store } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { sha256 } from "../../src/workspaces/machine.ts";
import { contentOf, namesBelow, outsideIsUntouched, type World } from "./world.ts";

const STATUSES = ["done", "planned", "unknown", "invalid", "refused", "cancelled", "timed-out", "failed"];
const PROMPT_MS = 5_000;
export const ALREADY_MADE = /already been made/;

const hashOf = (content: string | null): string | null => (content === null ? null : sha256(Buffer.from(content)));

export function expectWellFormed(result: Result): void {
  expect(result).toMatchObject({ title: expect.any(String), output: expect.any(String), metadata: expect.any(Object) });
  expect(STATUSES).toContain(result.status);
  expect(result.success).toBe(result.status === "done" || result.status === "planned");
  if (result.success) expect(result.error).toBeUndefined();
  else
    expect(result.error).toMatchObject({
      code: expect.stringMatching(/./),
      message: expect.stringMatching(/./),
      hint: expect.stringMatching(/./),
    });
}

export type Ended = {
  world: World;
  /** How the files were when things began to go wrong. */
  start: Record<string, string | null>;
  /** What somebody else left in the first file. */
  foreign?: string | null;
  /** None if the process was killed. */
  results?: readonly Result[];
};

/** Looks at what is left with a fresh gate, as if a new process had come. Nothing may be missing, held or broken. */
export async function audit(ended: Ended): Promise<void> {
  const { world, results } = ended;
  for (const result of results ?? []) expectWellFormed(result);
  expect(outsideIsUntouched(world), "the folder outside was touched").toBe(true);
  expectNothingLeftOver(world);
  const store = await sqliteStore(path.join(world.root, ".toolgate/store.db"));
  const gate = await open({ workspace: world.root, mode: "yolo", config: {}, store });
  try {
    expect(await store.locks(), "locks that are still held").toEqual([]);
    for (const file of world.targets) await auditFile(file, ended, store);
    for (const file of world.targets) await auditUndo(file, ended, store, gate);
    await expectFree(world.targets[0]!, world, gate);
    expect(outsideIsUntouched(world), "the folder outside was touched afterwards").toBe(true);
  } finally {
    await gate.close();
    await store.close();
  }
}

function expectNothingLeftOver({ root, scenario, targets }: World): void {
  const known = new Set(["sub", "sub/deep", ...Object.keys(scenario.files), ...targets]);
  expect(namesBelow(root).filter((name) => !known.has(name))).toEqual([]);
}

const isForeign = (file: string, { world, foreign }: Ended, content: string | null): boolean =>
  foreign !== undefined && file === world.targets[0] && content === foreign;

async function rowsOf(file: string, world: World, store: Store): Promise<ChangeRow[]> {
  return store.changes({ real: path.join(world.root, file) });
}

/** The file is one of its versions; if the gate made it so, there is a row that says so and can take it back. */
async function auditFile(file: string, ended: Ended, store: Store): Promise<void> {
  const { world, start, results } = ended;
  const { after, between = {} } = world.scenario;
  const content = contentOf(world, file);
  if (isForeign(file, ended, content)) return;
  expect([start[file], after[file], ...(between[file] ?? [])], `${file} is whole`).toContain(content);
  const rows = (await rowsOf(file, world, store)).filter(({ state }) => state !== "void");
  const last = rows.at(-1);
  if (content !== start[file]) {
    const made = rows.findLast((row) => row.after === hashOf(content));
    expect(made, `${file} was changed without an intent`).toBeDefined();
    await expectKept(made!, store);
    const told = results?.some((result) => result.success || ALREADY_MADE.test(result.error?.message ?? ""));
    if (results) expect(told, `${file} was changed and no result says so`).toBe(true);
  } else if (last?.state === "done" && ended.foreign === undefined) {
    expect(last.after, `a row says that ${file} was changed`).toBe(hashOf(content));
  }
  if (results?.every(({ success }) => success) && ended.foreign === undefined)
    expect(content, `all went well, so ${file} is changed`).toBe(after[file]);
}

async function expectKept(row: ChangeRow, store: Store): Promise<void> {
  if (row.before === null) return;
  const kept = await store.content(row.before);
  expect(kept && sha256(kept), "what was there before is kept").toBe(row.before);
}

/** Gives back what was there where the change happened; says that there is nothing to undo where it did not. */
async function auditUndo(file: string, ended: Ended, store: Store, gate: Gate): Promise<void> {
  const { world, start } = ended;
  const content = contentOf(world, file);
  const rows = (await rowsOf(file, world, store)).filter(({ state }) => state !== "void");
  const undone = await gate.call({ name: "undo_file", args: { path: file } });
  expectWellFormed(undone);
  const now = contentOf(world, file);
  const happened = content !== start[file];
  if (isForeign(file, ended, content)) {
    expect(undone.success, "what somebody else left is not overwritten").toBe(false);
    expect(now).toBe(content);
  } else if (happened === Boolean(world.scenario.takesBack)) {
    expect(undone.error, `${file} has nothing to undo`).toMatchObject({ code: "NOT_FOUND" });
    expect(undone.error?.message).toMatch(/[Nn]othing to undo/);
    expect(now).toBe(content);
  } else {
    expect(undone, `${file} can be taken back`).toMatchObject({ status: "done" });
    const made = rows.findLast((row) => row.after === hashOf(content));
    expect(hashOf(now), `${file} is what it was before`).toBe(made?.before);
    const { between = {}, files } = world.scenario;
    expect([start[file], files[file] ?? null, ended.foreign, ...(between[file] ?? [])]).toContain(now);
  }
}

async function expectFree(file: string, world: World, gate: Gate): Promise<void> {
  const began = performance.now();
  const result = await gate.call({ name: "write_file", args: { path: file, content: "fresh\n" } });
  expect(result, `${file} can be written afresh`).toMatchObject({ status: "done" });
  expect(performance.now() - began).toBeLessThan(PROMPT_MS);
  expect(contentOf(world, file)).toBe("fresh\n");
}
