import { realpathSync } from "node:fs";
import { write } from "../../hook/install/install.ts";
import type { Scope } from "../../hook/install/setups.ts";
import { installing, startOf, uninstalling } from "../../mcp/install/install.ts";
import { servers } from "../../mcp/install/servers.ts";
import { clientNamed, planned, tellSetup } from "./client-settings.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { workspaceOf } from "./opening.ts";
import { aPerson } from "./workspace-store.ts";

/** Options of serving that are stored in the client's settings. */
const KEPT = ["tools", "toolset", "dialect", "approvals", "mode", "config"];

/** Adds our server to a client's settings, or removes it. */
export async function setUpServer(invocation: Invocation, verb: "install" | "uninstall"): Promise<number> {
  const { flags, values, json } = invocation;
  const { client, found: setup } = clientNamed(invocation, "mcp", servers);
  aPerson(invocation, `${verb} an MCP server`);
  const scope: Scope = flags.has("user") || (!flags.has("project") && !setup.file("project")) ? "user" : "project";
  const about = { client, scope, workspace: workspaceOf(invocation) };
  const options = KEPT.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const edits = planned(() =>
    verb === "install" ? installing(about, startOf(realpathSync(process.argv[1] ?? ""), options)) : uninstalling(about),
  );
  if (!edits) throw new UsageFailure(`${client} has no project settings for MCP servers.`, "Leave --project out.");
  for (const edit of edits) write(edit);
  const notes = verb === "install" ? setup.notes(scope) : [];
  await tellSetup({ client, scope, noun: "MCP server", what: `MCP server for ${client}`, verb, edits, notes }, json);
  return 0;
}
