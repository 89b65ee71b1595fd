/**
 * What a sandbox does about a name that is missing when a command starts:
 * - `held`: a placeholder keeps the command from making it;
 * - `removed`: a placeholder would make git fail, so it is taken away again if the command made it;
 * - `left`: the command may make it;
 * - `shared`: git itself writes there all day; the sandbox looks at each entry by itself.
 */
export type WhenMissing = "held" | "removed" | "left" | "shared";

/** Where a workspace keeps its own state: the store, outputs, staged files. */
export const STATE_FOLDER = ".toolgate";
/** In there, outputs that were too long to be shown: a folder for each session. */
export const OUTPUT_FOLDER = "output";
export const SKILLS_OF_STATE = "skills";
/** What people put there for commands and agents to read. */
export const SHOWN_OF_STATE: readonly string[] = ["agents", SKILLS_OF_STATE];
export const outputFolderOf = (session: string): string => session.replace(/[^\w-]/g, "_").slice(0, 100) || "_";
export const CONFIG_FILE = "toolgate.yaml";

/** Files by which a workspace governs itself, in any of its folders. */
export const GOVERNING_FILES: Readonly<Record<string, WhenMissing>> = {
  [CONFIG_FILE]: "held",
  "toolgate.yml": "left",
  ".mcp.json": "held",
};

export const GIT_FOLDER = ".git";

/** What git obeys or runs in its folder, also when a person calls it outside of every sandbox. */
export const OBEYED_BY_GIT: Readonly<Record<string, WhenMissing>> = {
  hooks: "held",
  config: "held",
  "config.worktree": "removed",
  commondir: "removed",
  gitdir: "removed",
  modules: "left",
  worktrees: "shared",
};

/** The names of a table for which a sandbox does one of these. */
export const namesThat = (table: Readonly<Record<string, WhenMissing>>, ...does: WhenMissing[]): string[] =>
  Object.keys(table).filter((name) => does.includes(table[name] as WhenMissing));
