import type { Code, CodeFile } from "../words/code.ts";
import { isPathTouch, type PathTouch, type Place, type RunTouch, type Touch } from "../words/touch.ts";
import type { Network } from "./network.ts";
import type { Pages } from "./pages.ts";
import type { Processes } from "./process.ts";
import type { FileQuery, Findings, FoundFile, FoundLine, Search, TextQuery } from "./search.ts";

export type Bytes = Uint8Array;

/** What identifies one state of one file without reading it. */
export type Stamp = { size: number; mtimeMs: number; ctimeMs: number; ino: number };

export type FileInfo = { kind: "file" | "folder" | "link" | "other"; mode: number; stamp: Stamp };
export type FileRead = { bytes: Bytes; mode: number; stamp: Stamp };
export type Entry = { name: string; kind: "file" | "folder" | "link" | "other" };
/** `path` is shown: from the root on, however the folder was spelled. */
export type ListedEntry = Entry & { path: string };

/** The mode of a symbolic link, as git has it: its content is the path that it leads to. */
export const LINK_MODE = 0o120777;
export const isLinkMode = (mode: number | undefined): boolean =>
  mode !== undefined && (mode & 0o170000) === (LINK_MODE & 0o170000);

/** One file or link as it is and as it will be; null means absent. All writes are made of these. */
export type Change = {
  place: Place;
  before: Bytes | null;
  after: Bytes | null;
  modeBefore?: number;
  mode?: number;
  /** Of what is there before. */
  stamp?: Stamp;
};

/** A file by what it holds. */
export type Digest = { place: Place; hash: string };

/** Paths as git has them, from its working tree on; the same list as long as nothing was added or taken. */
export type Tracked = { readonly names: readonly string[]; isChanged(name: string): boolean };

/**
 * Where the work happens. `locate` throws ToolFailure for a path that leaves the roots; it answers at once on a
 * local disk and may answer later elsewhere. `itself`: a link at the end of the path is not followed. Every method of
 * `files` looks again at what is really open.
 */
export interface Workspace {
  readonly roots: readonly string[];
  locate(path: string, itself?: boolean): Place | Promise<Place>;
  /** Where a path leads, inside or not, for what a command names: outside the roots its `root` is empty. */
  trace(path: string, itself?: boolean): Place | Promise<Place>;
  /**
   * What a command would find by a path, inside the roots or not, as a hash: of the whole file and whether it may be
   * run, or of one part. undefined: there is no file. Absent: nobody can tell what commands run here. Whoever asks about
   * many files at once gives the same `folders` with each, to remember which of them are there.
   */
  digest?(path: string, part?: string, folders?: Map<string, boolean>): Promise<Digest | undefined>;
  /** The files that one of them leads to, by what it holds: what git obeys in a folder, what a package starts with. */
  behind?(file: CodeFile): Code;
  /** What git keeps of the working tree around a folder. undefined: there is none, or nobody can tell. */
  tracked?(folder: Place): Promise<Tracked | undefined>;
  readonly files: Files;
  readonly search: Search;
  /** Absent where nothing can be run. */
  readonly processes?: Processes;
  /** Absent where nothing can be fetched. */
  readonly network?: Network;
  /** Absent where no page can be opened. */
  readonly pages?: Pages;
  /** Looks before something runs that may change any file. Absent: what it changes cannot be told afterwards. */
  watch?(touches: readonly PathTouch[], hash: (bytes: Bytes) => string): Promise<Watch>;
  /** Goes on with a watch that another process began; undefined: what it left cannot be read. */
  rewatch?(picture: Bytes, hash: (bytes: Bytes) => string): Watch | undefined;
  /**
   * Where a command can be tried out: it runs on a copy of the files that has `above` in it, for nobody but a plan, and
   * what it changed there is told. undefined: this one cannot be tried. Absent: none can, as on every machine so far;
   * then the plan says that what the command would change is not known.
   */
  rehearse?(run: RunTouch, above?: readonly Change[]): Promise<Rehearsed | undefined> | undefined;
  /** Absent where there is no such program. */
  readonly patch?: SystemPatch;
  close(): Promise<void>;
}

/** What a command changed where nothing stays; `whole`: that is all that it changed. */
export type Rehearsed = { readonly changes: readonly Change[]; readonly whole: boolean };

/**
 * Applies a diff by a program of the machine, away from the files: at the very lines it names, or not at all.
 * All of it is UTF-8.
 */
export type SystemPatch = (
  content: Bytes,
  diff: Bytes,
  format: "context" | "normal",
) => Promise<{ content: Bytes } | { refusal: string }>;

/** A file as it was before something ran; null: nothing was there. */
export type Before = { place: Place; before: Bytes | null; modeBefore?: number };
/** And what became of it, by its hash. */
export type Found = Before & { after: string | null; modeAfter?: number };

export interface Watch {
  /** Of the files that the touches name: what has to be kept durably before anything runs. */
  readonly known: readonly Before[];
  /** How everything was, for `rewatch` in another process; undefined: nothing is known. */
  picture?(): Bytes | undefined;
  /** Compares, once everything has ended. What others changed meanwhile cannot be told apart. */
  end(): Promise<Aftermath>;
}

/**
 * `found` leaves out what is known. `lost` changed as well, but what it was is known to nobody, as it is shown.
 * `whole`: every file was looked at.
 */
export type Aftermath = { found: readonly Found[]; lost: readonly string[]; whole: boolean };

/** Keeps pictures between processes. */
export interface Pictures {
  keep(id: string, picture: Bytes): Promise<void>;
  /** Once; undefined: there is none. */
  take(id: string): Promise<Bytes | undefined>;
}

export interface Files {
  /** undefined: nothing is there. */
  stat(place: Place): FileInfo | undefined | Promise<FileInfo | undefined>;
  /** Regular files, and links where a link is meant; a FIFO or device is refused at once. */
  read(place: Place): Promise<FileRead>;
  /** The same in pieces, from a byte offset. A piece holds until the next is asked for, so a huge file costs no memory. */
  chunks(place: Place, from?: number): AsyncIterable<Bytes>;
  list(place: Place): Promise<Entry[]>;
  /** Existing paths whose names may have been meant by one that is missing; a bounded look, never outside the roots. */
  near(place: Place): Promise<string[]>;
  /**
   * Stages every change, then calls `intend`, then makes the changes visible, each at once and whole.
   * Fails with CONFLICT and changes nothing if a file is no longer what `before` says; if a later file fails,
   * the earlier ones are put back.
   */
  commit(changes: readonly Change[], intend: () => Promise<void>): Promise<void>;
}

export const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;

/** What a tool sees of the files: by the paths it declared and by no others. Writing is for `execute` alone. */
export interface FileView {
  stat(path: string): Promise<FileInfo | undefined>;
  read(path: string): Promise<FileRead>;
  chunks(path: string, from?: number): AsyncIterable<Bytes>;
  list(path: string): Promise<ListedEntry[]>;
  near(path: string): Promise<string[]>;
  /** Below a declared folder; what the call may not read is left out and counted. */
  findFiles(path: string, query: FileQuery): Findings<FoundFile>;
  findLines(path: string, query: TextQuery): Findings<FoundLine>;
  write(path: string, content: Bytes, mode?: number): Promise<void>;
  remove(path: string): Promise<void>;
}

/** What a guarded view noticed: `bytes` null for a file that was missing, absent where it was not read whole. */
export type Sight = { place: Place; stamp?: Stamp; bytes?: Bytes | null };

/** A view with what it saw; after `close` it refuses everything, so that an abandoned tool can do no more. */
export type GuardedView = FileView & { readonly sights: readonly Sight[]; close(): void };

/** Without `commit` a view is for looking only; `exclude` are globs that it hides. */
export type GuardOptions = {
  commit?: (change: Change) => Promise<void>;
  exclude?: readonly string[];
  signal?: () => AbortSignal;
};

/** Makes the view of one call. */
export type Guard = (workspace: Workspace, touches: readonly Touch[], options?: GuardOptions) => GuardedView;

/** What a path means in a call with these touches: a link that was declared is not followed. */
export function placesAmong(touches: readonly Touch[], workspace: Workspace): (path: string) => Promise<Place> {
  const links = new Set(touches.flatMap((touch) => (isPathTouch(touch) && touch.place.link ? [touch.place.real] : [])));
  return async (path) => {
    if (links.size > 0) {
      const own = await workspace.locate(path, true);
      if (own.link && links.has(own.real)) return own;
    }
    return workspace.locate(path);
  };
}
