import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../../core/words/finding.ts";
import { baseOf, type Installing, setupOf, startsSomething, uninstalling } from "./install.ts";
import { type Scope, setups } from "./setups.ts";

const SCOPES: readonly Scope[] = ["project", "user"];

/** Which agents ask Toolgate here, and whether the hook that they would start exists. */
export function hookFindings(workspace: string): Finding[] {
  return Object.keys(setups).flatMap((client) =>
    SCOPES.flatMap((scope) => findingOf({ client, scope, workspace }) ?? []),
  );
}

function findingOf(about: Installing): Finding | undefined {
  const { client, scope } = about;
  const what = `hook of ${client}`;
  const files = setupOf(client)
    .parts(scope, "")
    .map(({ file }) => join(baseOf(about), file));
  const shown = files.join(", ");
  let ours: ReturnType<typeof uninstalling>;
  try {
    ours = uninstalling(about);
  } catch (error) {
    return { what, state: "partly", says: (error as Error).message };
  }
  if (ours.length === 0) return undefined;
  const again = `toolgate hook install ${client}${scope === "user" ? " --user" : ""}`;
  if (ours.length < files.length)
    return { what, state: "partly", says: `only a part of it is in ${shown}`, get: again };
  if (!ours.every(({ before }) => startsSomething(before ?? "")))
    return { what, state: "missing", says: `${shown} starts a toolgate that is not there`, get: again };
  if (client === "codex" && !ours.every(({ file }) => isTrusted(file)))
    return {
      what,
      state: "partly",
      says: `${shown}; codex skips it until a person trusts it`,
      get: "type /hooks in codex",
    };
  return { what, state: "holds", says: shown };
}

/** Codex notes which hooks a person has trusted, by the file that they are in. */
function isTrusted(file: string): boolean {
  const settings = join(process.env.CODEX_HOME ?? join(homedir(), ".codex"), "config.toml");
  return existsSync(settings) && readFileSync(settings, "utf8").includes(`${file}:pre_tool_use:`);
}
