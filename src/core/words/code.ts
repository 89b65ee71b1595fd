/**
 * A file that decides what a command runs, as the command names it; of some, one part of their JSON alone does. Of a
 * folder, the part says what of it: `EVERY_FILE`, `ALL_BELOW` and its kind, or `OBEYED`.
 */
export type CodeFile = { readonly target: string; readonly part?: string };

/** All that lies in a folder. */
export const EVERY_FILE = "*";
/**
 * All that lies below a folder, by what the system says of it, where only the running command knows which of it is run;
 * or, of that, what is called as code is, or what says how packages are built.
 */
export const ALL_BELOW = "**";
export const CODE_BELOW = "**code";
export const PACKAGES_BELOW = "**package.json";
/** What git obeys in a folder: its configuration and hooks, wherever they are. */
export const OBEYED = "*git";

/** The files that decide what a call runs; `open`: there may be others, which are not known before it runs. */
export type Code = { readonly files: readonly CodeFile[]; readonly open?: true };
