import { realpathSync } from "node:fs";
import { clients } from "../../hook/clients.ts";
import {
  commandFor,
  diffOf,
  type Edit,
  type Installing,
  installing,
  setupOf,
  uninstalling,
  write,
} from "../../hook/install/install.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { workspaceOf } from "./opening.ts";
import { suggestion } from "./suggestion.ts";
import { colouredDiff, colours, documentOf, print } from "./terminal.ts";
import { aPerson } from "./workspace-store.ts";

/** Writes the hook into a client's settings, or takes it back. */
export async function setUp(invocation: Invocation, verb: "install" | "uninstall"): Promise<number> {
  const { words, flags, json } = invocation;
  const [, client, ...more] = words;
  if (client === undefined || more.length > 0 || !Object.hasOwn(clients, client)) throw whichClient(client, verb);
  if (flags.has("user") && flags.has("project"))
    throw new UsageFailure("--user and --project name different settings.", "Give one of them.");
  aPerson(invocation, `${verb} a hook`);
  const about: Installing = {
    client,
    scope: flags.has("user") ? "user" : "project",
    workspace: workspaceOf(invocation),
  };
  const edits = planned(about, verb);
  for (const edit of edits) write(edit);
  const notes = verb === "install" ? setupOf(client).notes(about.scope) : [];
  await tellSetup({ ...about, noun: "hook", what: `hook of ${client}`, verb, edits, notes }, json);
  return 0;
}

function planned(about: Installing, verb: "install" | "uninstall"): Edit[] {
  try {
    const program = realpathSync(process.argv[1] ?? "");
    return verb === "install" ? installing(about, commandFor(about.client, program)) : uninstalling(about);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageFailure(`${error.message}.`, "Nothing was changed.");
    throw error;
  }
}

const whichClient = (client: string | undefined, verb: string): UsageFailure => {
  const names = Object.keys(clients);
  return new UsageFailure(
    client === undefined ? `toolgate hook ${verb} needs a client.` : `There is no client ${client}.`,
    suggestion(client ?? "", names) ?? `The clients are ${names.join(", ")}.`,
  );
};

export type SetupTold = Pick<Installing, "client" | "scope"> & {
  /** In words: "hook", and "hook of claude". */
  readonly noun: string;
  readonly what: string;
  readonly verb: "install" | "uninstall";
  readonly edits: readonly Edit[];
  readonly notes: readonly string[];
};

/** Says what was changed, as a diff. */
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
