import type { Code, CodeFile } from "../words/code.ts";
import type { Part } from "../words/sight.ts";
import { isPathTouch, type PathTouch, type Place, type RunTouch, type Touch } from "../words/touch.ts";
import type { Network } from "./network.ts";
import type { Pages } from "./pages.ts";
import type { Processes } from "./process.ts";
import type { FileQuery, Findings, FoundFile, FoundLine, Search, TextQuery } from "./search.ts";

export type Bytes = Uint8Array;

/** Identifies one state of a file without reading it. */
export type Stamp = { size: number; mtimeMs: number; ctimeMs: number; ino: number };

export type FileInfo = { kind: "file" | "folder" | "link" | "other"; mode: number; stamp: Stamp };
export type FileRead = { bytes: Bytes; mode: number; stamp: Stamp };
export type Entry = { name: string; kind: "file" | "folder" | "link" | "other" };
/** `path` is shown from the root on, however the folder was spelled. */
export type ListedEntry = Entry & { path: string };

/** The mode of a symbolic link, as in git. The content of a link is the path that it leads to. */
export const LINK_MODE = 0o120777;
export const isLinkMode = (mode: number | undefined): boolean => ((mode ?? 0) & 0o170000) === (LINK_MODE & 0o170000);

/** One file or link as it is and as it will be; null means absent. Every write is a Change. */
export type Change = {
  place: Place;
  before: Bytes | null;
  after: Bytes | null;
  modeBefore?: number;
  mode?: number;
  /** The stamp of the file before the change. */
  stamp?: Stamp;
};

/** A file and the hash of its content. */
export type Digest = { place: Place; hash: string };

/** Paths as git has them, from its working tree on; the same list as long as nothing was added or taken. */
export type Tracked = { readonly names: readonly string[]; isChanged(name: string): boolean };

/**
 * Where the work happens. `locate` throws ToolFailure for a path that leaves the roots; on a local disk it answers
 * synchronously, elsewhere it may not. `itself`: a link at the end of the path is not followed. Every method of `files`
 * checks again what is really open.
 */
export interface Workspace {
  readonly roots: readonly string[];
  locate(path: string, itself?: boolean): Place | Promise<Place>;
  /** Where a path that a command names leads, inside the roots or not. Outside them, `root` is empty. */
  trace(path: string, itself?: boolean): Place | Promise<Place>;
  /**
   * Hash of what a command would find at a path, inside the roots or not: of the whole file and whether it is
   * executable, or of one part. Returns undefined if there is no file. Absent: nobody can tell what commands run here.
   * To ask about many files, pass the same `folders`, a cache of which folders exist.
   */
  digest?(path: string, part?: string, folders?: Map<string, boolean>): Promise<Digest | undefined>;
  /** Further files that this one leads to: what git obeys in a folder, or what runs for a package. */
  behind?(file: CodeFile): Code;
  /** What git keeps of the working tree around a folder. undefined: there is none, or nobody can tell. */
  tracked?(folder: Place): Promise<Tracked | undefined>;
  /**
   * The files that git names for these words, some commands of them; `cat-file` reads all but its first option from its
   * input. undefined: nobody can tell, as for a content that has no name.
   */
  namedByGit?(folder: Place, asked: readonly (readonly string[])[]): Promise<readonly string[] | undefined>;
  readonly files: Files;
  readonly search: Search;
  /** Absent if nothing can be run. */
  readonly processes?: Processes;
  /** Absent if nothing can be fetched. */
  readonly network?: Network;
  /** Absent if no page can be opened. */
  readonly pages?: Pages;
  /** Looks at all files before something runs that may change any. Absent: changes cannot be found afterwards. */
  watch?(touches: readonly PathTouch[], hash: (bytes: Bytes) => string): Promise<Watch>;
  /** Continues a watch that another process began. Returns undefined if its picture cannot be read. */
  rewatch?(picture: Bytes, hash: (bytes: Bytes) => string): Watch | undefined;
  /**
   * Tries a command out on a copy of the files with `above` applied, for a plan only, and returns what it changed
   * there. Returns undefined if this command cannot be tried. Absent: none can, as on every machine so far; the plan
   * then says that what the command would change is not known.
   */
  rehearse?(run: RunTouch, above?: readonly Change[]): Promise<Rehearsed | undefined> | undefined;
  /** Absent if the machine has no such program. */
  readonly patch?: SystemPatch;
  close(): Promise<void>;
}

/** What a command changed in a rehearsal. `whole`: that is everything it changed. */
export type Rehearsed = { readonly changes: readonly Change[]; readonly whole: boolean };

/**
 * Applies a diff with a program of the machine, away from the files, at exactly the lines that it names or not at all.
 * Everything is UTF-8.
 */
export type SystemPatch = (
  content: Bytes,
  diff: Bytes,
  format: "context" | "normal",
) => Promise<{ content: Bytes } | { refusal: string }>;

/** A file as it was before something ran; null if it did not exist. */
export type Before = { place: Place; before: Bytes | null; modeBefore?: number };
/** The same with what became of the file, by hash. */
export type Found = Before & { after: string | null; modeAfter?: number };

export interface Watch {
  /** The files that the touches name, to be saved durably before anything runs. */
  readonly known: readonly Before[];
  /** A snapshot of everything, for `rewatch` in another process. Returns undefined if nothing is known. */
  picture?(): Bytes | undefined;
  /** Compares once everything has ended. Changes that others made meanwhile cannot be told apart. */
  end(): Promise<Aftermath>;
}

/**
 * `found` leaves out what is in `known`. `lost`: shown names of files that changed but whose earlier content nobody
 * kept. `whole`: every file was looked at.
 */
export type Aftermath = { found: readonly Found[]; lost: readonly string[]; whole: boolean };

/** Keeps snapshots between processes. */
export interface Pictures {
  keep(id: string, picture: Bytes): Promise<void>;
  /** Removes and returns it; undefined if there is none. */
  take(id: string): Promise<Bytes | undefined>;
}

export type NewStamps = readonly (Stamp | undefined)[];

export interface Files {
  /** Returns undefined if nothing is there. */
  stat(place: Place): FileInfo | undefined | Promise<FileInfo | undefined>;
  /** Reads regular files, and links if a link is meant. Refuses a FIFO or a device at once. */
  read(place: Place): Promise<FileRead>;
  /** The same in pieces, from a byte offset. A piece holds only until the next one, so huge files cost no memory. */
  chunks(place: Place, from?: number): AsyncIterable<Bytes>;
  list(place: Place): Promise<Entry[]>;
  /** Existing paths whose names resemble a missing one. A bounded search, never outside the roots. */
  near(place: Place): Promise<string[]>;
  /**
   * Stages every change, then calls `intend`, then makes each change visible atomically. Fails with CONFLICT and
   * changes nothing if a file is no longer what `before` says. If a later file fails, the earlier ones are put back.
   * Returns the stamps of the new files, in order, where they are known without looking again.
   */
  commit(changes: readonly Change[], intend: () => Promise<void>): Promise<NewStamps | undefined>;
}

export const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;

/** A tool's view of the files: only the paths that it declared. Only `execute` may write. */
export interface FileView {
  stat(path: string): Promise<FileInfo | undefined>;
  read(path: string): Promise<FileRead>;
  chunks(path: string, from?: number): AsyncIterable<Bytes>;
  list(path: string): Promise<ListedEntry[]>;
  near(path: string): Promise<string[]>;
  /** Searches below a declared folder. What the call may not read is left out and counted. */
  findFiles(path: string, query: FileQuery): Findings<FoundFile>;
  findLines(path: string, query: TextQuery): Findings<FoundLine>;
  /** Says which lines of a file that it has read the answer shows; no parts: nothing of it. Unsaid: all of it. */
  shows?(path: string, parts: readonly Part[]): Promise<void>;
  write(path: string, content: Bytes, mode?: number): Promise<void>;
  remove(path: string): Promise<void>;
}

/** What a guarded view saw: `bytes` is null for a missing file, and absent if it was not read whole. */
export type Sight = { place: Place; stamp?: Stamp; mode?: number; bytes?: Bytes | null; parts?: readonly Part[] };

/** A view that records what it saw. After `close` it refuses everything, so that an abandoned tool can do no more. */
export type GuardedView = FileView & { readonly sights: readonly Sight[]; close(): void };

/** Without `commit` a view is read-only. `exclude` are globs that it hides. */
export type GuardOptions = {
  commit?: (change: Change) => Promise<void>;
  exclude?: readonly string[];
  signal?: () => AbortSignal;
};

/** Makes the file view of one call. */
export type Guard = (workspace: Workspace, touches: readonly Touch[], options?: GuardOptions) => GuardedView;

/**
 * Resolves a path in a call with these touches. A link that was declared is not followed. Where none was, a declared
 * place is not resolved again: whoever opens it checks that nothing else has come there.
 */
export function placesAmong(touches: readonly Touch[], workspace: Workspace): (path: string) => Promise<Place> {
  const places = touches.filter(isPathTouch).map(({ place }) => place);
  const links = new Set(places.filter(({ link }) => link).map(({ real }) => real));
  const known = new Map(places.filter(({ root }) => root !== "").map((place) => [place.shown, place]));
  return async (path) => {
    if (links.size === 0) return known.get(path) ?? workspace.locate(path);
    const own = await workspace.locate(path, true);
    return links.has(own.real) ? own : workspace.locate(path);
  };
}
