import * as z from "zod";
import type { Entry, FileView, ListedEntry } from "../core/contracts/workspace.ts";
import { STATE_FOLDER } from "../core/words/governing.ts";
import { ToolFailure } from "../core/words/result.ts";
import { Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { globMatcher, globTest } from "../text/glob.ts";
import { choicesOf } from "../text/glob-braces.ts";
import { isTooComplicated } from "../text/wildcards.ts";
import { listReadings } from "./lib/clients/search-readings.ts";
import { below, FOLDER_NAMES, globList, globs, limitOf, refuseFile } from "./lib/search-input.ts";
import { byPath, leftOut, sizeOf, withNotes } from "./lib/search-notes.ts";

const LIMIT = 200;
const SIMPLER = "Use fewer stars and braces.";

const input = () =>
  z.object({
    path: z.string().optional(),
    pattern: z.string().optional(),
    recursive: z.boolean().optional(),
    no_ignore: z.boolean().optional(),
    exclude: globs().optional(),
    max_entries: z.int().optional(),
  });

type Listing = { rows: string[]; total: number; excluded: number; unreadable: number; noun: string; order?: string };

export const listFiles = Tool.define("list_files", {
  description: "List a folder: folders first, files with their sizes. Recursive lists all files that are not ignored.",
  permissions: { required: ["read"] },
  aliases: {
    names: ["list", "ls", "LS", "List", "list_directory", "list_dir", "directory_list"],
    args: {
      path: [...FOLDER_NAMES, "file_path"],
      pattern: ["glob", "file_pattern", "filter"],
      max_entries: ["limit", "max_results"],
    },
    readings: listReadings,
  },
  rare: ["max_entries", "exclude", "no_ignore"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: ({ path }) => below(path),
  async execute({ path = ".", pattern, recursive, no_ignore, exclude, max_entries }, { files }) {
    await refuseFile(path, files);
    const most = limitOf(max_entries, LIMIT);
    const isDeep = recursive || pattern?.includes("/") || pattern?.includes("**");
    const wanted = {
      pattern,
      unwanted: globList(exclude),
      ...(recursive === false && { recursive }),
      ...(no_ignore && { noIgnore: true }),
    };
    const listing = isDeep ? await deep(files, path, wanted, most) : await flat(files, path, wanted, most);
    const { rows, total, excluded, unreadable, noun, order = "" } = listing;
    const notes = [
      ...(rows.length < total ? [`${rows.length} of ${total} ${noun}${order}: narrow it or raise max_entries.`] : []),
      ...leftOut(listing),
    ];
    const empty = pattern === undefined ? "(the folder is empty)" : `(nothing matches ${pattern})`;
    return {
      title: `Listed ${path}`,
      output: withNotes(rows.length > 0 ? rows.join("\n") : empty, notes),
      metadata: { path, shown: rows.length, total, excluded, unreadable },
    };
  },
});

const rank = ({ kind }: Entry): number => (kind === "folder" ? 0 : 1);

type Wanted = {
  pattern: string | undefined;
  unwanted: readonly string[];
  recursive?: boolean;
  noIgnore?: boolean;
};

async function flat(files: FileView, path: string, { pattern, unwanted }: Wanted, most: number): Promise<Listing> {
  const fits = pattern === undefined ? undefined : nameTest(pattern);
  const isUnwanted = unwantedTest(unwanted);
  const entries = (await files.list(path))
    .filter(({ name }) => name !== STATE_FOLDER && isUnwanted(name) === undefined)
    .filter(({ name }) => !fits || fits(name))
    .sort((a, b) => rank(a) - rank(b) || byPath({ path: a.name }, { path: b.name }));
  const rows: string[] = [];
  let excluded = 0;
  for (const entry of entries) {
    if (rows.length === most) break;
    const row = await rowOf(files, entry);
    if (row === undefined) excluded += 1;
    else rows.push(row);
  }
  return { rows, total: entries.length - excluded, excluded, unreadable: 0, noun: "entries" };
}

function unwantedTest(globs: readonly string[]): ReturnType<typeof globMatcher> {
  try {
    return globMatcher(globs);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolFailure("VALIDATION_ERROR", error.message, SIMPLER);
  }
}

function nameTest(pattern: string): (name: string) => boolean {
  const globs = choicesOf(pattern);
  if (globs === undefined || globs.some(isTooComplicated))
    throw new ToolFailure("VALIDATION_ERROR", `The pattern ${pattern.slice(0, 80)} is too complicated.`, SIMPLER);
  const tests = globs.map((glob) => globTest(glob, { nocase: false, noext: true, nonegate: true, nobrace: true }));
  return (name) => tests.some((fits) => fits(name));
}

/** Returns undefined if the call may not look at it. */
async function rowOf(files: FileView, { path, kind }: ListedEntry): Promise<string | undefined> {
  if (kind === "link") return `${path} (link)`;
  try {
    const info = await files.stat(path);
    return kind === "folder" ? `${path}/` : kind === "file" && info ? `${path}\t${sizeOf(info.stamp.size)}` : path;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "PERMISSION_DENIED") return undefined;
    throw error;
  }
}

const depthOf = (path: string): number => path.split("/").length;

async function deep(
  files: FileView,
  path: string,
  { pattern, unwanted, ...how }: Wanted,
  most: number,
): Promise<Listing> {
  const globs = [...(pattern === undefined ? [] : [pattern]), ...unwanted.map((glob) => `!${glob}`)];
  const findings = files.findFiles(path, { globs, ...how });
  const found: { path: string; size: number }[] = [];
  for await (const file of findings) found.push(file);
  const total = found.length;
  // of too many files, the shallowest give the best overview
  const shown =
    total > most ? found.sort((a, b) => depthOf(a.path) - depthOf(b.path) || byPath(a, b)).slice(0, most) : found;
  const rows = shown.sort(byPath).map((file) => `${file.path}\t${sizeOf(file.size)}`);
  return {
    rows,
    total,
    excluded: findings.report.excluded,
    unreadable: findings.report.unreadable,
    noun: counted(total, "file").replace(/^\d+ /, ""),
    order: ", the shallowest",
  };
}
