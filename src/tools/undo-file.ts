import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, type Proposal, Tool } from "../core/words/tool.ts";
import { restore } from "../core/words/touch.ts";
import { PATH_NAMES } from "./lib/path-argument.ts";
import { currentOf, readHistory, redoing, told, undoing } from "./lib/taking-back.ts";

const input = () => z.object({ path: z.string(), redo: z.boolean().optional() });

export const undoFile = Tool.define("undo_file", {
  description:
    "Take back the last change that a tool made to a file. Again goes further back. Never overwrites later edits.",
  permissions: { required: ["write"] },
  aliases: { names: ["undo_file_change"], args: { path: PATH_NAMES } },
  rare: ["redo"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: async ({ path }, look) => [restore(path, await isOwn(path, look))],
  preview: async (request, look) => [await proposal(request, look)],
  execute: async ({ path, redo = false }, { changes }) =>
    changes.length > 0
      ? told(changes, redo)
      : { title: `Unchanged ${path}`, output: `${path} is already as it was then.`, metadata: { path } },
});

/** If a tool changed the link itself, the link is meant; otherwise its target. */
async function isOwn(path: string, { realPath, journal }: Look): Promise<boolean> {
  return (await journal.changes({ real: await realPath(path, true) })).length > 0;
}

async function proposal({ path, redo }: z.output<ReturnType<typeof input>>, look: Look): Promise<Proposal> {
  const current = await currentOf(path, look);
  const { done, undone } = await readHistory(await look.realPath(path, await isOwn(path, look)), current, look);
  const row = redo ? undone.at(-1) : done.at(-1);
  if (!row)
    throw new ToolFailure(
      "NOT_FOUND",
      `Nothing to ${redo ? "redo" : "undo"} for ${path}: no ${redo ? "undone " : ""}change of it by a tool is on record.`,
      "Only changes made through this gate can be undone; use version control for others.",
    );
  return redo ? redoing(path, [row], current, look) : undoing(path, [row], current, look);
}
