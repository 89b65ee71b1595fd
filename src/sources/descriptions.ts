import { readFileSync } from "node:fs";
import path from "node:path";

/** Reads a description from a file of its own. */
export const readDescription = (file: string): string => readFileSync(file, "utf8").trim();

/** Replaces `${workspace}`, `${directory}` and `${cwd}` in a description. */
export function fillIn(workspace: string): (text: string) => string {
  return (text) =>
    text.includes("${")
      ? text.replace(/\$\{(workspace|directory|cwd)\}/g, (_, name: string) =>
          name === "workspace"
            ? (process.env.TOOLGATE_WORKSPACE ?? process.env.AGENT_WORKSPACE_ROOT ?? path.resolve(workspace))
            : process.cwd(),
        )
      : text;
}
