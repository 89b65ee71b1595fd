import * as z from "zod";
import type { FileQuery, Findings, FoundLine, TextQuery } from "../../core/contracts/search.ts";
import type { FileView } from "../../core/contracts/workspace.ts";
import { type Returned, ToolFailure } from "../../core/words/result.ts";
import { type Aliases, Tool } from "../../core/words/tool.ts";
import { counted } from "../../text/counted.ts";
import { allowedBy } from "../../text/glob.ts";
import { grepReadings } from "./clients/search-readings.ts";
import { globsOfType, typeNames } from "./file-types.ts";
import { below, FOLDER_NAMES, globList, globs, limitOf, refuseMissing } from "./search-input.ts";
import { byPath, leftOut, withNotes } from "./search-notes.ts";
import { shownLines } from "./search-shown.ts";

const input = () =>
  z.object({
    pattern: z.string(),
    path: z.string().optional(),
    glob: globs().optional(),
    literal: z.boolean().optional(),
    case_sensitive: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
    recursive: z.boolean().optional(),
    context_lines: z.int().optional(),
    before: z.int().optional(),
    after: z.int().optional(),
    type: z.string().optional(),
    multiline: z.boolean().optional(),
    no_ignore: z.boolean().optional(),
    mode: z.enum(["content", "files", "count"]).optional(),
    output_mode: z.enum(["content", "files_with_matches", "count"]).optional(),
    max_results: z.int().optional(),
  });
type Request = z.output<ReturnType<typeof input>>;
type Defaults = { names: NonNullable<Aliases["names"]>; context: number; limit: number; rare: readonly string[] };

const MOST_CONTEXT = 50;

/** The tools that find lines differ only in descriptions and defaults. */
export const lineSearch = (name: string, description: string, { names, context, limit, rare }: Defaults): Tool =>
  Tool.define(name, {
    description,
    permissions: { required: ["read"] },
    aliases: {
      names,
      args: {
        pattern: ["query", "text", "search", "search_term"],
        path: [...FOLDER_NAMES, "file_path", "file"],
        glob: ["file_pattern", "include", "globs", "include_pattern", "includes", "glob_pattern"],
        literal: ["fixed_strings"],
        ignore_case: ["-i", "case_insensitive"],
        context_lines: ["-C", "context"],
        before: ["-B", "context_before", "before_context"],
        after: ["-A", "context_after", "after_context"],
        type: ["file_type"],
        multiline: ["-U"],
        max_results: ["head_limit", "limit", "max_matches", "total_max_matches"],
      },
      readings: grepReadings,
    },
    rare: [
      ...["literal", "ignore_case", "recursive", "output_mode", "before", "after", "type", "multiline", "no_ignore"],
      ...rare,
    ],
    get input() {
      return input();
    },
    scope: () => null,
    touches: ({ path }) => below(path),
    async execute(request, { files }) {
      const { path = "." } = request;
      await refuseMissing(path, files);
      const around = contextOf(request, context);
      const wanted = wantedFiles(request);
      const query = queryOf(request, wanted.globs, Math.max(around.before, around.after));
      const most = limitOf(request.max_results, limit);
      const findings = onlyIn(files.findLines(path, query), wanted.isToo);
      const mode = request.output_mode ?? request.mode;
      if (mode === "count") return countsOf(request, findings, most, files);
      if (mode === "files" || mode === "files_with_matches") return filesOf(request, findings, most, files);
      return linesOf(request, findings, most, around, files);
    },
  });

type Around = { before: number; after: number };

function contextOf({ context_lines, before, after }: Request, usual: number): Around {
  const within = (lines: number): number => Math.min(Math.max(0, lines), MOST_CONTEXT);
  // a request for lines on one side only wants none on the other
  const otherwise = context_lines ?? (before === undefined && after === undefined ? usual : 0);
  return { before: within(before ?? otherwise), after: within(after ?? otherwise) };
}

type WantedFiles = { globs: readonly string[]; isToo?: (path: string) => boolean };

/** By type, by glob, or by both: then the search uses the glob, and the type is checked afterwards. */
function wantedFiles({ type, glob }: Request): WantedFiles {
  const globs = globList(glob);
  if (type === undefined || type === "") return { globs };
  const ofType = globsOfType(type);
  if (!ofType)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `There is no file type ${brief(type)}.`,
      `Use a glob, or one of ${typeNames().join(", ")}.`,
    );
  if (globs.every((each) => each.startsWith("!"))) return { globs: [...ofType, ...globs] };
  const fits = allowedBy(ofType.map((each) => `**/${each}`));
  return { globs, isToo: fits };
}

/** Drops what was found in other files. */
function onlyIn(findings: Findings<FoundLine>, isToo: WantedFiles["isToo"]): Findings<FoundLine> {
  if (!isToo) return findings;
  async function* chosen() {
    for await (const line of findings) if (isToo?.(line.path.replace(/^\.\//, ""))) yield line;
  }
  return { report: findings.report, [Symbol.asyncIterator]: chosen };
}

function queryOf(request: Request, wanted: readonly string[], context: number): TextQuery {
  const { pattern, literal, case_sensitive, ignore_case, recursive, multiline, no_ignore, mode, output_mode } = request;
  const showsLines = (output_mode ?? mode ?? "content") === "content";
  return {
    pattern,
    ...(literal && { literal }),
    ...((ignore_case ?? case_sensitive === false) && { ignoreCase: true }),
    ...(recursive === false && { recursive }),
    ...(multiline && { multiline }),
    ...(no_ignore && { noIgnore: true }),
    ...(wanted.length > 0 && { globs: wanted }),
    ...(showsLines && context > 0 && { context }),
  };
}

async function linesOf(
  request: Request,
  findings: Findings<FoundLine>,
  most: number,
  around: Around,
  files: FileView,
): Promise<Returned> {
  const lines: FoundLine[] = [];
  let hits = 0;
  let more = false;
  for await (const line of findings) {
    more = line.hit && hits === most;
    if (more) break;
    lines.push(line);
    if (line.hit) hits += 1;
  }
  if (hits === 0) return nothing(request, findings, files);
  const { text, paths, cut } = shownLines(lines, around);
  const summary = more
    ? `First ${counted(hits, "hit")}; more exist: narrow the pattern or raise max_results.`
    : `${counted(hits, "hit")} in ${counted(paths, "file")}.`;
  const notes = [summary, ...(cut > 0 ? [`${counted(cut, "long line")} cut around the hit.`] : [])];
  return told(request, findings, { body: text, notes, hits, files: paths, more });
}

async function filesOf(
  request: Request,
  findings: Findings<FoundLine>,
  most: number,
  files: FileView,
): Promise<Returned> {
  const paths = new Set<string>();
  let more = false;
  for await (const { path } of findings) {
    more = paths.size === most && !paths.has(path);
    if (more) break;
    paths.add(path);
  }
  if (paths.size === 0) return nothing(request, findings, files);
  const summary = more
    ? `First ${counted(paths.size, "file")}; more exist: narrow the pattern or raise max_results.`
    : `${counted(paths.size, "file")}.`;
  return told(request, findings, { body: [...paths].sort().join("\n"), notes: [summary], files: paths.size, more });
}

async function countsOf(
  request: Request,
  findings: Findings<FoundLine>,
  most: number,
  files: FileView,
): Promise<Returned> {
  const counts = new Map<string, number>();
  let hits = 0;
  for await (const { path } of findings) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
    hits += 1;
  }
  if (hits === 0) return nothing(request, findings, files);
  const rows = [...counts].map(([path, count]) => ({ path, count })).sort(byPath);
  const shown = rows.slice(0, most);
  const more = shown.length < rows.length;
  const summary = `${counted(hits, "hit")} in ${counted(rows.length, "file")}${more ? `; ${shown.length} of them shown: raise max_results` : ""}.`;
  const body = shown.map(({ path, count }) => `${path}:${count}`).join("\n");
  return told(request, findings, { body, notes: [summary], hits, files: rows.length, more });
}

type Told = { body: string; notes: string[]; hits?: number; files: number; more: boolean };

function told(
  { pattern, path = "." }: Request,
  { report }: Findings<FoundLine>,
  { body, notes, more, ...counts }: Told,
): Returned {
  const { engine, tookAsText, excluded, unreadable } = report;
  const all = [
    ...notes,
    ...(tookAsText ? ["The pattern is not a valid regular expression and was searched for as text."] : []),
    ...leftOut(report, more),
  ];
  return {
    title: `${brief(pattern)}: ${counts.hits === undefined ? counted(counts.files, "file") : counted(counts.hits, "hit")}${more ? " and more" : ""}`,
    output: withNotes(body, all),
    metadata: { pattern, path, ...counts, more, excluded, unreadable, tookAsText, engine },
  };
}

/** Reports that nothing was found, and whether there was anything to search. */
async function nothing(request: Request, findings: Findings<FoundLine>, files: FileView): Promise<Returned> {
  const { pattern, path = ".", recursive = true, no_ignore = false } = request;
  const wanted = [...wantedFiles(request).globs];
  const where = path === "." ? "the workspace" : path;
  const kind = wanted.length > 0 ? ` in files that match ${wanted.join(", ")}` : "";
  const isEmpty = wanted.length > 0 && !(await anyFile(files, path, { globs: wanted, recursive, noIgnore: no_ignore }));
  const body = isEmpty
    ? `No file in ${where} matches ${wanted.join(", ")}, so nothing was searched.`
    : `No line matches ${brief(pattern)} in ${where}${kind}. ${no_ignore ? "Binary" : "Ignored (.gitignore) and binary"} files were not searched.`;
  return told(request, findings, { body, notes: [], hits: 0, files: 0, more: false });
}

async function anyFile(files: FileView, path: string, query: FileQuery): Promise<boolean> {
  for await (const _ of files.findFiles(path, query)) return true;
  return false;
}

const brief = (pattern: string): string => (pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern);
