import { rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bench, bench } from "../../test/journeys/harness.ts";
import type { Code } from "../core/words/result.ts";
import { memoryStore } from "../stores/memory.ts";

type Row = { id: number; turn: string; before: string | null; after: string | null };
type Undo = { rows: Row[]; before: string | null; after: string | null };

/** What undo promises, said in the plainest way: one stack of changes a file, and one of what was taken back. */
class Model {
  readonly files = new Map<string, { content: string | null; done: Row[]; undone: Undo[] }>();
  #made = 0;
  of(file: string) {
    const found = this.files.get(file) ?? { content: null, done: [], undone: [] };
    this.files.set(file, found);
    return found;
  }

  write(file: string, content: string, turn: string): Code | "ok" {
    const it = this.of(file);
    if (it.content === content) return "ok";
    it.done.push({ id: this.#made++, turn, before: it.content, after: content });
    it.undone = [];
    it.content = content;
    return "ok";
  }

  undo(file: string): Code | "ok" {
    const it = this.of(file);
    const row = it.done.at(-1);
    if (!row) return "NOT_FOUND";
    if (row.after !== it.content) return "CONFLICT";
    this.#takeBack(file, [row]);
    return "ok";
  }

  redo(file: string): Code | "ok" {
    const it = this.of(file);
    const undo = it.undone.at(-1);
    if (!undo) return "NOT_FOUND";
    if (undo.after !== it.content) return "CONFLICT";
    it.undone.pop();
    it.done = [...it.done, ...undo.rows].sort((a, b) => a.id - b.id);
    it.content = undo.before;
    return "ok";
  }

  undoTurn(turn: string): Code | "ok" {
    const wanted = [...this.files].map(([file, { done }]) => [file, done.filter((row) => row.turn === turn)] as const);
    const due = wanted.filter(([, rows]) => rows.length > 0);
    if (due.length === 0) return "NOT_FOUND";
    const clean = due.every(
      ([file, rows]) =>
        rows.every((row, n) => n === 0 || rows[n - 1]!.after === row.before) &&
        rows.at(-1)!.after === this.of(file).content,
    );
    if (!clean) return "CONFLICT";
    for (const [file, rows] of due) if (rows[0]!.before !== this.of(file).content) this.#takeBack(file, rows);
    return "ok";
  }

  #takeBack(file: string, rows: Row[]): void {
    const it = this.of(file);
    const after = rows[0]!.before;
    it.undone.push({ rows, before: it.content, after });
    it.done = it.done.filter((row) => !rows.includes(row));
    it.content = after;
  }
}

describe("whatever happens in whatever order", () => {
  const file = fc.constantFrom("f", "g", "h");
  const content = fc.constantFrom("A\n", "B\n", "C\n", "D\n");
  const turn = fc.constantFrom("m1", "m2");
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), file, content, turn }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), file, content, turn }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("outside" as const), file, content }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("outside removal" as const), file }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("undo" as const), file }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("redo" as const), file }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo turn" as const), turn }) },
  );
  type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

  async function happen({ call, put, dir }: Bench, model: Model, step: Action): Promise<[Code | "ok", Code | "ok"]> {
    const told = async (name: string, args: object, messageID = "other") =>
      (await call(name, args, { messageID, sessionID: "s" })).error?.code ?? "ok";
    switch (step.kind) {
      case "write":
        return [
          await told("write_file", { path: step.file, content: step.content }, step.turn),
          model.write(step.file, step.content, step.turn),
        ];
      case "edit": {
        const now = model.of(step.file).content;
        const args = { path: step.file, old_str: now ?? "nothing", new_str: step.content };
        const code = await told("edit_file", args, step.turn);
        if (now === null) return [code, "NOT_FOUND"];
        if (now === step.content) return [code, "VALIDATION_ERROR"];
        return [code, model.write(step.file, step.content, step.turn)];
      }
      case "outside":
        put(step.file, step.content);
        model.of(step.file).content = step.content;
        return ["ok", "ok"];
      case "outside removal":
        rmSync(path.join(dir, step.file), { force: true });
        model.of(step.file).content = null;
        return ["ok", "ok"];
      case "undo":
        return [await told("undo_file", { path: step.file }), model.undo(step.file)];
      case "redo":
        return [await told("undo_file", { path: step.file, redo: true }), model.redo(step.file)];
      case "undo turn":
        return [await told("undo_turn", { turn: step.turn }), model.undoTurn(step.turn)];
    }
  }

  test("the files are what a simple model says, and undoing to the end loses nothing", async () => {
    const it = await bench({}, { store: "memory" });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (steps) => {
        // every run has a history of its own
        const here = await bench({}, { store: memoryStore(), dir: it.dir });
        for (const name of ["f", "g", "h"]) rmSync(path.join(it.dir, name), { force: true });
        const model = new Model();
        for (const step of steps) {
          const [code, due] = await happen(here, model, step);
          expect({ step, code }).toEqual({ step, code: due });
          for (const [name, { content: now }] of model.files) expect(here.text(name) ?? null).toBe(now);
        }
        for (const name of model.files.keys()) {
          let code: Code | "ok" = "ok";
          while (code === "ok") {
            const before = here.text(name);
            code = ((await here.call("undo_file", { path: name })).error?.code ?? "ok") as Code | "ok";
            expect(code).toBe(model.undo(name));
            if (code !== "ok") expect(here.text(name)).toBe(before);
          }
          expect(here.text(name) ?? null).toBe(model.of(name).content);
        }
      }),
      { numRuns: 60 },
    );
  });
});
