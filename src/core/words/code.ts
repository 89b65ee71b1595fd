/**
 * A file that decides what a command runs, as the command names it. `part`: only this part of its JSON decides; for a
 * folder, one of the constants below says which part.
 */
export type CodeFile = { readonly target: string; readonly part?: string };

/** Everything directly in a folder. */
export const EVERY_FILE = "*";
/**
 * Everything below a folder, by file metadata, if only the running command knows which of it runs; or only files that
 * are named like code, or that say how packages are built.
 */
export const ALL_BELOW = "**";
export const CODE_BELOW = "**code";
export const PACKAGES_BELOW = "**package.json";
/** What git obeys in a folder: its configuration and hooks, wherever they are. */
export const OBEYED = "*git";

/** The files that decide what a call runs. `open`: there may be others, which are not known before it runs. */
export type Code = { readonly files: readonly CodeFile[]; readonly open?: true };
