import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Proposed, Tool, type Turn } from "../core/words/tool.ts";
import { type Claim, write } from "../core/words/touch.ts";
import { changeDiff } from "../text/change-diff.ts";
import { decode } from "../text/decode.ts";
import { countChanges, unifiedDiff } from "../text/diff.ts";
import type { FileOperation } from "../text/patch/patch-lines.ts";
import { parsingPatch } from "../text/patch.ts";
import { inTurns, type Steps } from "../text/turns.ts";
import { patchReadings } from "./lib/clients/editing.ts";
import { unreadable } from "./lib/hunk-failures.ts";
import { patchedFiles } from "./lib/patched-files.ts";
import { isLikeFolder, PATH_NAMES } from "./lib/path-argument.ts";

const input = () => z.object({ patch: z.string(), path: z.string().optional() });
type Request = z.output<ReturnType<typeof input>>;

const mostShown = 200;

export const applyPatch = Tool.define("apply_patch", {
  description:
    "Change, add, delete or move files by a unified diff, a *** Begin Patch text or SEARCH/REPLACE blocks: all of it, or nothing.",
  permissions: { required: ["write"] },
  aliases: {
    names: ["patch", "applypatch", "apply_diff", "replace_in_file"],
    args: { patch: ["diff", "input", "patch_text", "patchText", "command"], path: PATH_NAMES },
    readings: patchReadings,
  },
  rare: ["path"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: async (request, look) => (await operationsOf(request, look.turn)).flatMap(claims),
  preview: async (request, look) => patchedFiles(await operationsOf(request, look.turn), look),
  async execute(request, { changes, turn }) {
    if (changes.length === 0)
      return {
        title: "Unchanged",
        output: "Nothing to change: the files already look like that.",
        metadata: { files: [], changed: false },
      };
    const told = await inTurns(telling(await operationsOf(request, turn), changes), turn);
    const diff = told.map((each) => each.diff).join("");
    const shown = diff.split("\n").length <= mostShown ? diff.trimEnd() : "";
    const lines = told.map(({ letter, name, added, removed, note }) =>
      [`${letter} ${name} (+${added} -${removed})`, note].filter(Boolean).join(": "),
    );
    return {
      title: `Patched ${told.length === 1 ? told[0]!.name : `${told.length} files`}`,
      output: [lines.join("\n"), shown].filter(Boolean).join("\n\n"),
      metadata: {
        files: told.map(({ letter, path, added, removed }) => ({ letter, path, added, removed })),
        diff,
        changed: true,
      },
    };
  },
});

/** Cached, because one call needs it three times. */
const known = new WeakMap<Request, readonly FileOperation[]>();

async function operationsOf(request: Request, turn: Turn): Promise<readonly FileOperation[]> {
  const before = known.get(request);
  if (before) return before;
  const { patch, path } = request;
  const parsed = await inTurns(parsingPatch(patch, path ? { path } : {}), turn);
  if ("problems" in parsed) throw unreadable(parsed.problems);
  for (const { kind, path: from, newPath = "" } of parsed.operations)
    if ((kind === "delete" || kind === "rename") && (isLikeFolder(from) || isLikeFolder(newPath)))
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `The patch cannot be applied: it would ${kind} ${from}, but a name that ends in a slash names a folder.`,
        "Leave out the slash at its end; folders are not patched.",
      );
  known.set(request, parsed.operations);
  return parsed.operations;
}

/** A deleted or moved file is read only if its content matters. */
function claims({ kind, path, newPath, hunks }: FileOperation): Claim[] {
  if (kind === "update" || kind === "add") return [write(path)];
  const gone: Claim = { action: "delete", target: path };
  const looked: Claim = { action: "read", target: path, itself: true };
  if (kind === "delete") return hunks.length > 0 ? [looked, gone] : [gone];
  return [looked, gone, { action: "write", target: newPath ?? path, itself: true }];
}

type Told = {
  letter: "A" | "M" | "D" | "R";
  path: string;
  name: string;
  added: number;
  removed: number;
  diff: string;
  note: string | undefined;
};

/** Each file once: a move is reported as one change, not as a deletion and an addition. */
function* telling(operations: readonly FileOperation[], changes: readonly Proposed[]): Steps<Told[]> {
  const sources = new Map<Proposed, Proposed>();
  const gone = new Map(changes.filter(({ after }) => after === null).map((change) => [change.place.shown, change]));
  const made = new Map(changes.filter(({ before }) => before === null).map((change) => [change.place.shown, change]));
  for (const { kind, path, newPath = "" } of operations) {
    const from = kind === "rename" ? gone.get(path) : undefined;
    const to = made.get(newPath);
    if (from && to) sources.set(to, from);
  }
  const moved = new Set(sources.values());
  const told: Told[] = [];
  for (const change of changes.filter((each) => !moved.has(each))) {
    const from = sources.get(change);
    const { note, place } = change;
    const path = place.shown;
    const before = (from ?? change).before;
    told.push({
      letter: from ? "R" : before === null ? "A" : change.after === null ? "D" : "M",
      path,
      name: from ? `${from.place.shown} -> ${path}` : path,
      ...countChanges(textOf(before), textOf(change.after)),
      diff: from ? movedDiff(from, change) : changeDiff(path, before, change.after, change),
      note,
    });
    yield;
  }
  return told;
}

const textOf = (bytes: Uint8Array | null): string => (bytes && decode(bytes)?.text) ?? "";

function movedDiff(from: Proposed, to: Proposed): string {
  const names = { from: `a/${from.place.shown}`, to: `b/${to.place.shown}` };
  return unifiedDiff(textOf(from.before), textOf(to.after), names);
}
