import { readFileSync } from "node:fs";
import path from "node:path";

/** Reads a description that lives in a file of its own. */
export const readDescription = (file: string): string => readFileSync(file, "utf8").trim();

/** Puts the places into a description: `${workspace}`, `${directory}`, `${cwd}`. */
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
