import * as z from "zod";
import { ToolFailure } from "../core/result.ts";
import type { ChangeRow } from "../core/store.ts";
import { type Look, type Proposal, Tool } from "../core/tool.ts";
import { restore } from "../core/touch.ts";
import { historyOf } from "./lib/history.ts";
import { currentOf, readHistory, redoing, told, undoing } from "./lib/taking-back.ts";

const input = z.object({
  turn: z.string().optional(),
  redo: z.boolean().optional(),
});
type Request = z.output<typeof input>;

export const undoTurn = Tool.define("undo_turn", {
  description: "Take back every change that tools made to files in this turn: all of them, or none if one conflicts.",
  permissions: { required: ["write"] },
  rare: ["turn", "redo"],
  input,
  touches: async (request, look) => (await filesOf(request, look)).map(restore),
  async preview(request, look) {
    const proposals: Proposal[] = [];
    for (const real of await filesOf(request, look)) proposals.push(await proposalFor(real, request, look));
    return proposals;
  },
  execute: async ({ redo = false }, { changes }) =>
    changes.length > 0
      ? told(changes, redo)
      : { title: "Unchanged", output: "All files already are as they were then.", metadata: { files: [] } },
});

/** The files of the turn that is meant: the calling one, a named one, or `last`, the latest with something to do. */
async function filesOf(request: Request, look: Look): Promise<string[]> {
  const wanted = await wantedRows(request, look);
  const files = [...new Set(wanted.map(({ real }) => real))];
  if (files.length > 0) return files;
  const verb = request.redo ? "redo" : "undo";
  const hint = request.redo
    ? "Only what was undone, and not changed since, can come again."
    : "To take back a change of an earlier turn use undo_file with its path.";
  throw new ToolFailure(
    "NOT_FOUND",
    `There is nothing to ${verb}: ${request.turn ? "that turn" : "this turn"} left no change of a file behind.`,
    hint,
  );
}

async function wantedRows(request: Request, look: Look): Promise<ChangeRow[]> {
  const { journal, call } = look;
  const { turn = call.messageID, redo = false } = request;
  if (turn !== "last") {
    const rows = await journal.changes(request.turn ? { message: turn } : { message: turn, session: call.sessionID });
    const reals = new Set(rows.map(({ real }) => real));
    const all = await Promise.all([...reals].map((real) => journal.changes({ real })));
    return openRows(rows, redo, all);
  }
  const rows = await journal.changes({});
  const open = openRows(rows, redo, [...byFile(rows).values()]);
  const latest = open.at(-1);
  return open.filter((row) =>
    redo ? row.record === latest?.record : row.message === latest?.message && row.session === latest.session,
  );
}

function byFile(rows: readonly ChangeRow[]): Map<string, ChangeRow[]> {
  const files = new Map<string, ChangeRow[]>();
  for (const row of rows) files.set(row.real, [...(files.get(row.real) ?? []), row]);
  return files;
}

/** Of these rows, those that can still be taken back, or brought back. */
function openRows(rows: readonly ChangeRow[], redo: boolean, files: readonly ChangeRow[][]): ChangeRow[] {
  const wanted = new Set(rows.map(({ id }) => id));
  const open = files.flatMap((all) => {
    const { done, undone } = historyOf(all, all.at(-1)?.after ?? null);
    return redo ? undone : done;
  });
  return open.filter(({ id }) => wanted.has(id)).sort((a, b) => a.id - b.id);
}

async function proposalFor(real: string, request: Request, look: Look): Promise<Proposal> {
  const current = await currentOf(real, look);
  const { done, undone } = await readHistory(real, current, look);
  const wanted = new Set((await wantedRows(request, look)).map(({ id }) => id));
  if (!request.redo)
    return undoing(
      real,
      done.filter(({ id }) => wanted.has(id)),
      current,
      look,
    );
  const undo = undone.filter(({ id }) => wanted.has(id)).at(-1);
  if (!undo)
    throw new ToolFailure(
      "CONFLICT",
      `${real} was changed since, so nothing was brought back.`,
      "Nothing was changed.",
    );
  return redoing(real, undo, current, look);
}
