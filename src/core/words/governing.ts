/**
 * What a sandbox does about a name that does not exist when a command starts:
 * - `held`: a placeholder keeps the command from creating it;
 * - `removed`: a placeholder would make git fail, so it is deleted again if the command created it;
 * - `left`: the command may create it;
 * - `shared`: git itself writes there all the time, so the sandbox checks each entry on its own.
 */
export type WhenMissing = "held" | "removed" | "left" | "shared";

/** Where a workspace keeps its own state: the store, outputs, staged files. */
export const STATE_FOLDER = ".toolgate";
/** Below it, outputs that were too long to be shown, in a folder for each session. */
export const OUTPUT_FOLDER = "output";
export const SKILLS_OF_STATE = "skills";
/** What people put there for commands and agents to read. */
export const SHOWN_OF_STATE: readonly string[] = ["agents", SKILLS_OF_STATE];

/** The folder name of a session. Unsafe characters are escaped, and a very long name becomes a checksum. */
export function outputFolderOf(session: string): string {
  const spelled = session.replace(/[^\w-]/g, (unit) => `~${unit.charCodeAt(0).toString(16)}~`) || "~";
  return spelled.length <= 200 ? spelled : `~~${[1, 2, 3, 4].map((seed) => summed(spelled, seed)).join("")}`;
}

function summed(text: string, seed: number): string {
  let [one, other] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  return (one >>> 0).toString(16).padStart(8, "0");
}

export const CONFIG_FILE = "toolgate.yaml";

/** Files by which a workspace governs itself, in any of its folders. */
export const GOVERNING_FILES: Readonly<Record<string, WhenMissing>> = {
  [CONFIG_FILE]: "held",
  "toolgate.yml": "left",
  ".mcp.json": "held",
};

export const GIT_FOLDER = ".git";

/** What git obeys or runs in its folder, even when a person calls git outside every sandbox. */
export const OBEYED_BY_GIT: Readonly<Record<string, WhenMissing>> = {
  hooks: "held",
  config: "held",
  "config.worktree": "removed",
  commondir: "removed",
  gitdir: "removed",
  modules: "left",
  worktrees: "shared",
};

/** What git runs if it lies among its hooks; `update`, which serves pushes alone, is too common a name to count. */
export const GIT_HOOKS: readonly string[] = [
  ...["applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg"],
  ...["commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive"],
  ...["proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc"],
  ...["post-rewrite", "sendemail-validate", "fsmonitor-watchman", "post-index-change"],
];

/** The names in the table that a sandbox treats in one of these ways. */
export const namesThat = (table: Readonly<Record<string, WhenMissing>>, ...does: WhenMissing[]): string[] =>
  Object.keys(table).filter((name) => does.includes(table[name] as WhenMissing));
