import type { Place } from "../words/touch.ts";

/**
 * Which files: globs as in .gitignore (a name without a slash matches at any depth). `exclude` always wins. `noIgnore`
 * disregards .gitignore.
 */
export type FileQuery = {
  globs?: readonly string[];
  exclude?: readonly string[];
  recursive?: boolean;
  noIgnore?: boolean;
};

export type TextQuery = FileQuery & {
  pattern: string;
  /** The pattern is text, not a regular expression. */
  literal?: boolean;
  ignoreCase?: boolean;
  /** A match may span several lines, all of which are hits; `.` also matches a line break. */
  multiline?: boolean;
  /** Lines of context before and after each hit. */
  context?: number;
};

export type FoundFile = { path: string; size: number; mtimeMs: number };
/**
 * A line that matches, or (`hit: false`) one of its neighbours. Paths are shown paths. For a long line `at` is where in
 * `text` the first match begins, and `left` how much of a huge line is not in `text`.
 */
export type FoundLine = { path: string; line: number; text: string; hit: boolean; at?: number; left?: number };

/** What a search learnt besides its findings. Complete when the iteration has ended or was stopped. */
export type SearchReport = {
  engine: string;
  /** The pattern was not a valid regular expression and was taken as text. */
  tookAsText: boolean;
  /** Files left out because the caller may not read them. */
  excluded: number;
  /** Files and folders that the system did not let us read. */
  unreadable: number;
};

export type Findings<T> = AsyncIterable<T> & { readonly report: SearchReport };

/**
 * Finds files and lines below a place. Honours .gitignore outside git too (unless asked not to), shows hidden files
 * except in `.git` and `.toolgate`, skips binary files, follows no links. Stopping the iteration stops the work.
 */
export interface Search {
  files(place: Place, query: FileQuery, signal?: AbortSignal): Findings<FoundFile>;
  lines(place: Place, query: TextQuery, signal?: AbortSignal): Findings<FoundLine>;
}
