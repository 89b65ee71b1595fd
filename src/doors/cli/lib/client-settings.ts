import { diffOf, type Edit, type Installing } from "../../hook/install/install.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { suggestion } from "./suggestion.ts";
import { colouredDiff, colours, documentOf, print } from "./terminal.ts";

/** The client that `toolgate DOOR install CLIENT` names. Throws if it is unknown. */
export function clientNamed<C>({ words, flags }: Invocation, door: string, known: Readonly<Record<string, C>>) {
  const [verb, client = "", ...more] = words;
  const names = Object.keys(known);
  const found = names.includes(client) ? known[client] : undefined;
  if (!found)
    throw new UsageFailure(
      client === "" ? `toolgate ${door} ${verb} needs a client.` : `There is no client ${client}.`,
      suggestion(client, names) ?? `The clients are ${names.join(", ")}.`,
    );
  if (more.length > 0) throw oneClient(`${door} ${verb}`, client);
  if (flags.has("user") && flags.has("project"))
    throw new UsageFailure("--user and --project name different settings.", "Give one of them.");
  return { client, found };
}

export const oneClient = (command: string, client: string): UsageFailure =>
  new UsageFailure(`toolgate ${command} takes one client.`, `Write: toolgate ${command} ${client}`);

/** Settings that cannot be parsed are left unchanged. */
export function planned<T>(plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageFailure(`${error.message}.`, "Nothing was changed.");
    throw error;
  }
}

export type SetupTold = Pick<Installing, "client" | "scope"> & {
  /** In words: "hook", and "hook of claude". */
  readonly noun: string;
  readonly what: string;
  readonly verb: "install" | "uninstall";
  readonly edits: readonly Edit[];
  readonly notes: readonly string[];
};

/** Shows what was changed, as a diff. */
export async function tellSetup(told: SetupTold, json: boolean): Promise<void> {
  await print(json ? documentOf(report(told)) : page(told));
}

const report = ({ client, scope, edits, notes }: SetupTold) => ({
  client,
  scope,
  changed: edits.length > 0,
  files: edits.map((edit) => ({ file: edit.file, diff: diffOf(edit) })),
  notes,
});

function page({ client, noun, what, verb, edits, notes }: SetupTold): string {
  const paint = colours();
  const already =
    verb === "install" ? `The ${what} is there already.` : `There is no ${noun} of ours for ${client} here.`;
  const done = `${verb === "install" ? "Installed" : "Removed"} the ${what}.`;
  const parts = [
    ...edits.map((edit) => colouredDiff(diffOf(edit).trimEnd(), paint)),
    edits.length > 0 ? done : already,
    ...notes.map((note) => `- ${note}`),
  ];
  return `${parts.join("\n")}\n`;
}
