import type {
  ChangeQuery,
  ChangeRow,
  Changes,
  Hash,
  NewChange,
  Outcome,
} from "../../../core/contracts/store/changes.ts";
import type { UnderWay } from "../../../core/contracts/store/records.ts";
import type { Bytes } from "../../../core/contracts/workspace.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";
import type { MemoryContents } from "./contents.ts";

function intended({ content, replaced: _, ...change }: NewChange, id: number): { row: ChangeRow; bytes?: Bytes } {
  return { row: { ...copy(change), id, state: "intended" }, ...(content && { bytes: content.slice() }) };
}

const meets = (row: ChangeRow, { real, session, message, call, record, states }: ChangeQuery): boolean =>
  (real === undefined || row.real === real) &&
  (session === undefined || row.session === session) &&
  (message === undefined || row.message === message) &&
  (call === undefined || row.call === call) &&
  (record === undefined || row.record === record) &&
  (states === undefined || states.includes(row.state));

/** Concludes rows. */
export type NoteEnd = (ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]) => void;

/** `planned` returns the contents that plans need; `begin` notes that a call is under way. */
export function memoryChanges(
  using: Using,
  contents: MemoryContents,
  planned: () => readonly Hash[],
  begin: (call: UnderWay) => void,
): Changes & { noteEnd: NoteEnd } {
  const changes: ChangeRow[] = [];

  const needed = (): Set<Hash | null> => {
    const open = changes.filter(({ state }) => state === "intended");
    return new Set([...open.map(({ before }) => before), ...planned()]);
  };

  const noteEnd: NoteEnd = (ids, state, outcomes) => {
    for (const [index, id] of ids.entries()) {
      const row = changes[id - 1];
      if (row?.state === "intended") Object.assign(row, { state }, copy(outcomes?.[index] ?? {}));
    }
  };

  return {
    noteEnd,
    intend: (added, begun) =>
      using(() => {
        const staged = added.map((change, index) => intended(change, changes.length + index + 1));
        if (begun) begin(begun);
        for (const { row, bytes } of staged) {
          changes.push(row);
          if (row.before !== null && bytes) contents.keep(row.before, bytes, row.at);
        }
        return staged.map(({ row }) => row.id);
      }),
    conclude: (...end) => using(() => noteEnd(...end)),
    changes: (query) => using(() => changes.filter((row) => meets(row, query)).map(copy)),
    content: (hash) => using(() => contents.read(hash)),
    // nothing is compressed: it is in memory already
    tidy: (bounds) => using(() => ({ compressed: 0, pruned: contents.prune(bounds, needed()) })),
  };
}
