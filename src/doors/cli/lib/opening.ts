import { existsSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Gate } from "../../../core/gate.ts";
import type { Mode } from "../../../core/words/ceiling.ts";
import { STATE_FOLDER } from "../../../core/words/governing.ts";
import type { OpenOptions } from "../../../open.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { interruption } from "./interruption.ts";
import { errorColours, visible } from "./terminal.ts";

/** The workspace folder. Throws if it does not exist. */
export function workspaceOf({ values }: Pick<Invocation, "values">): string {
  const folder = absolute(values.workspace ?? ".");
  const info = look(folder);
  if (!info) throw new UsageFailure(`There is no folder ${folder}.`, "Give a folder that exists: --workspace DIR.");
  if (!info.isDirectory())
    throw new UsageFailure(`${folder} is not a folder.`, "Give the folder that calls may touch: --workspace DIR.");
  return folder;
}

function absolute(folder: string): string {
  try {
    return resolve(folder);
  } catch {
    throw new UsageFailure("The current folder no longer exists.", "Change to one that does, or give --workspace DIR.");
  }
}

function look(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UsageFailure(
      `The folder ${folder} cannot be opened (${code}).`,
      "Give a folder that you may read: --workspace DIR.",
    );
  }
}

export const hasStore = (workspace: string): boolean => existsSync(join(workspace, STATE_FOLDER, "store.db"));

/** For read-only commands: leaves no store behind in a folder that has none. */
export const storeForLooking = (workspace: string): Pick<OpenOptions, "store"> =>
  hasStore(workspace) ? {} : { store: "memory" };

/** The options of open() that every command takes. */
export function openingOf(invocation: Invocation): OpenOptions & { workspace: string } {
  const { config, mode, toolset } = invocation.values;
  const names = toolset?.split(",").map((name) => name.trim());
  return {
    workspace: workspaceOf(invocation),
    ...(config && { config }),
    ...(mode && { mode: mode as Mode }),
    ...(names && { toolset: names }),
  };
}

/** The same, with the options of commands that make calls. */
export function openingForCalls(invocation: Invocation): ReturnType<typeof openingOf> {
  const { flags } = invocation;
  return {
    ...openingOf(invocation),
    ...(flags.has("dry-run") && { dryRun: true }),
    ...(flags.has("plan") && { plan: true }),
    ...(flags.has("allow-commands") && { commands: true }),
    // given both, the stricter one counts
    ...(flags.has("no-commands") && { commands: false }),
  };
}

/** A person at a terminal is always told which settings of the workspace do not count. */
function tellNotes(notes: readonly string[]): void {
  if (!process.stderr.isTTY) return;
  for (const note of notes) process.stderr.write(`${errorColours().yellow("Note:")} ${visible(note)}\n`);
}

/** Opens a gate for one command and always closes it. */
export async function withGate(
  options: OpenOptions,
  work: (gate: Gate, signal: AbortSignal) => Promise<number>,
  { tellsNotes = true } = {},
): Promise<number> {
  interruption();
  const { open } = await import("../../../open.ts");
  const gate = await open(options);
  return tended(gate, (signal) => work(gate, signal), { tellsNotes });
}

/** Works with a gate, then closes it. */
export async function tended(
  gate: Gate,
  work: (signal: AbortSignal) => Promise<number>,
  { tellsNotes = true } = {},
): Promise<number> {
  const signal = interruption();
  if (tellsNotes) tellNotes(gate.notes);
  gate.on("event", (event) => {
    if (event.type === "unrecorded") process.stderr.write(`Warning: the record could not be kept: ${event.message}\n`);
  });
  try {
    const status = await work(signal);
    return signal.aborted ? 130 : status;
  } finally {
    await gate.close();
  }
}
