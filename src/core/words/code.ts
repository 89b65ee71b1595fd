/** A file that decides what a command runs, as the command names it; of some, one part of their JSON alone does. */
export type CodeFile = { readonly target: string; readonly part?: string };

/** The files that decide what a call runs; `open`: there may be others, which are not known before it runs. */
export type Code = { readonly files: readonly CodeFile[]; readonly open?: true };
