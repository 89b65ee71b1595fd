import type { Finding } from "../../../core/words/finding.ts";
import { type Installing, startsSomething } from "../../hook/install/install.ts";
import type { Scope } from "../../hook/install/setups.ts";
import { uninstalling } from "./install.ts";
import { servers } from "./servers.ts";

const SCOPES: readonly Scope[] = ["project", "user"];

/** Which clients start our server here, and whether what they would start exists. */
export function installedFindings(workspace: string): Finding[] {
  return Object.keys(servers).flatMap((client) =>
    SCOPES.flatMap((scope) => findingOf({ client, scope, workspace }) ?? []),
  );
}

function findingOf(about: Installing): Finding | undefined {
  const { client, scope } = about;
  const what = `MCP server of ${client}`;
  let ours: ReturnType<typeof uninstalling>;
  try {
    ours = uninstalling(about);
  } catch (error) {
    return { what, state: "partly", says: (error as Error).message };
  }
  const [edit] = ours ?? [];
  if (!edit) return undefined;
  if (startsSomething(edit.before ?? "")) return { what, state: "holds", says: edit.file };
  const get = `toolgate mcp install ${client}${scope === "user" ? " --user" : ""}`;
  return { what, state: "missing", says: `${edit.file} starts a toolgate that is not there`, get };
}
