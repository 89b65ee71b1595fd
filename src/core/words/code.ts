/**
 * A file that decides what a command runs, as the command names it; of some, one part of their JSON alone does. Of a
 * folder, the part `EVERY_FILE` is all that lies in it.
 */
export type CodeFile = { readonly target: string; readonly part?: string };

export const EVERY_FILE = "*";

/** The files that decide what a call runs; `open`: there may be others, which are not known before it runs. */
export type Code = { readonly files: readonly CodeFile[]; readonly open?: true };
