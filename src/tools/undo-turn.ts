import * as z from "zod";
import type { ChangeRow } from "../core/contracts/store/changes.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type JournalView, type Look, type Proposal, Tool } from "../core/words/tool.ts";
import { restore } from "../core/words/touch.ts";
import { historyOf } from "./lib/history.ts";
import { currentOf, readHistory, redoing, told, undoing } from "./lib/taking-back.ts";

const input = () =>
  z.object({
    turn: z.string().optional(),
    call: z.string().optional(),
    redo: z.boolean().optional(),
  });
type Request = z.output<ReturnType<typeof input>>;

export const undoTurn = Tool.define("undo_turn", {
  description: "Take back every change that tools made to files in this turn: all of them, or none if one conflicts.",
  permissions: { required: ["write"] },
  rare: ["turn", "call", "redo"],
  get input() {
    return input();
  },
  touches: async (request, look) => (await filesOf(request, look)).map((real) => restore(real, true)),
  async preview(request, look) {
    const proposals: Proposal[] = [];
    for (const real of await filesOf(request, look)) {
      const proposal = await proposalFor(real, request, look);
      if (proposal) proposals.push(proposal);
    }
    if (proposals.length === 0) throw nothingToDo(request);
    return proposals;
  },
  execute: async ({ redo = false }, { changes }) =>
    changes.length > 0
      ? told(changes, redo)
      : { title: "Unchanged", output: "All files are already as they were then.", metadata: { files: [] } },
});

/** The files of the turn that is meant: the calling one, a named one, or `last`, the latest with something to do. */
async function filesOf(request: Request, look: Look): Promise<string[]> {
  const wanted = await wantedRows(request, look);
  const files = [...new Set(wanted.map(({ real }) => real))];
  if (files.length > 0) return files;
  throw nothingToDo(request);
}

function nothingToDo(request: Request): ToolFailure {
  const verb = request.redo ? "redo" : "undo";
  const last = request.turn === "last";
  const why = last
    ? request.redo
      ? "nothing on record was undone"
      : "no change that can be undone is on record"
    : `${request.call ? `the call ${request.call}` : request.turn ? "that turn" : "this turn"} changed no file`;
  const earlier = last
    ? "Only changes made by a tool in this workspace can be undone."
    : "To undo an earlier change of a file, undo that file by its path.";
  const hint = request.redo ? "Only what was undone and not changed since can be redone." : earlier;
  return new ToolFailure("NOT_FOUND", `Nothing to ${verb}: ${why}.`, hint);
}

async function wantedRows(request: Request, look: Look): Promise<ChangeRow[]> {
  const { turn, call: one, redo = false } = request;
  const { journal, call } = look;
  if (turn === "last") {
    const rows = await journal.changes({});
    const open = openRows([...byFile(rows).values()], redo);
    return redo ? open.filter(({ record }) => record === open.at(-1)?.record) : lastTurn(open);
  }
  const rows =
    one === undefined
      ? ofOneSession(await journal.changes({ message: turn ?? call.messageID }), call.sessionID, turn !== undefined)
      : ofLatestRecord(await rowsOfCall(one, journal));
  const ids = new Set(rows.map(({ id }) => id));
  const files = await Promise.all([...byFile(rows).keys()].map((real) => journal.changes({ real })));
  const open = openRows(files, redo);
  const takenBack = redo ? open.filter(({ undoes }) => undoes?.some((id) => ids.has(id))) : [];
  return takenBack.length > 0 ? takenBack : open.filter(({ id }) => ids.has(id));
}

/** By the id that the client gave to the call, or by that of its record. */
async function rowsOfCall(id: string, journal: JournalView): Promise<ChangeRow[]> {
  const rows = [...(await journal.changes({ call: id })), ...(await journal.changes({ record: id }))];
  // a custom store may ignore the `call` query and return all rows
  const wanted = rows.filter((row) => row.call === id || row.record === id);
  return [...new Map(wanted.map((row) => [row.id, row])).values()].sort((a, b) => a.id - b.id);
}

/** Sessions may use the same turn names: the caller's own turn is meant, or else the latest. */
function ofOneSession(rows: readonly ChangeRow[], own: string, orLatest: boolean): ChangeRow[] {
  const session = orLatest && !rows.some((row) => row.session === own) ? rows.at(-1)?.session : own;
  return rows.filter((row) => row.session === session);
}

/** Clients may use the same call ids: the latest is meant. */
const ofLatestRecord = (rows: readonly ChangeRow[]): ChangeRow[] =>
  rows.filter(({ record }) => record === rows.at(-1)?.record);

/** The latest turn. One that left every file unchanged is taken together with the one before. */
function lastTurn(open: readonly ChangeRow[]): ChangeRow[] {
  const latest = open.at(-1);
  if (!latest) return [];
  const isOfTurn = (row: ChangeRow) => row.message === latest.message && row.session === latest.session;
  const turn = open.filter(isOfTurn);
  const leftSomething = [...byFile(turn).values()].some((rows) => {
    const [first, last] = [rows[0], rows.at(-1)];
    return first?.before !== last?.after || (last?.after !== null && first?.modeBefore !== last?.modeAfter);
  });
  return leftSomething ? turn : [...lastTurn(open.filter((row) => !isOfTurn(row))), ...turn];
}

function byFile(rows: readonly ChangeRow[]): Map<string, ChangeRow[]> {
  const files = new Map<string, ChangeRow[]>();
  for (const row of rows) {
    const known = files.get(row.real);
    if (known) known.push(row);
    else files.set(row.real, [row]);
  }
  return files;
}

/** What can still be undone, or redone, of these files. */
function openRows(files: readonly ChangeRow[][], redo: boolean): ChangeRow[] {
  const open = files.flatMap((all) => {
    const { done, undone } = historyOf(all, all.at(-1)?.after ?? null);
    return redo ? undone : done;
  });
  return open.sort((a, b) => a.id - b.id);
}

/** Returns undefined if the change intended for this file never happened. */
async function proposalFor(real: string, request: Request, look: Look): Promise<Proposal | undefined> {
  const current = await currentOf(real, look);
  const { done, undone } = await readHistory(real, current, look);
  const open = (await wantedRows(request, look)).filter((row) => row.real === real);
  const wanted = new Set(open.map(({ id }) => id));
  const rows = (request.redo ? undone : done).filter(({ id }) => wanted.has(id));
  if (rows.length === 0 && open.every(({ state }) => state === "intended")) return undefined;
  if (rows.length === 0)
    throw new ToolFailure(
      "CONFLICT",
      `${real} was changed in the meantime, so nothing was ${request.redo ? "brought" : "taken"} back.`,
      "Nothing was changed. Call again to start from what is there now.",
    );
  return request.redo ? redoing(real, rows, current, look) : undoing(real, rows, current, look);
}
