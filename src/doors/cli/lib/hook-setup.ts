import { realpathSync } from "node:fs";
import { clients } from "../../hook/clients.ts";
import { commandFor, type Installing, installing, setupOf, uninstalling, write } from "../../hook/install/install.ts";
import { clientNamed, planned, tellSetup } from "./client-settings.ts";
import type { Invocation } from "./command.ts";
import { workspaceOf } from "./opening.ts";
import { aPerson } from "./workspace-store.ts";

/** Adds the hook to a client's settings, or removes it. */
export async function setUp(invocation: Invocation, verb: "install" | "uninstall"): Promise<number> {
  const { flags, json } = invocation;
  const { client } = clientNamed(invocation, "hook", clients);
  aPerson(invocation, `${verb} a hook`);
  const about: Installing = {
    client,
    scope: flags.has("user") ? "user" : "project",
    workspace: workspaceOf(invocation),
  };
  const edits = planned(() =>
    verb === "install"
      ? installing(about, commandFor(client, realpathSync(process.argv[1] ?? "")))
      : uninstalling(about),
  );
  for (const edit of edits) write(edit);
  const notes = verb === "install" ? setupOf(client).notes(about.scope) : [];
  await tellSetup({ ...about, noun: "hook", what: `hook of ${client}`, verb, edits, notes }, json);
  return 0;
}
