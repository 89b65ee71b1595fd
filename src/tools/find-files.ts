import * as z from "zod";
import type { FoundFile } from "../core/contracts/search.ts";
import { Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { findReadings } from "./lib/clients/search-readings.ts";
import { below, FOLDER_NAMES, globList, globs, limitOf, refuseFile } from "./lib/search-input.ts";
import { leftOut, withNotes } from "./lib/search-notes.ts";

const LIMIT = 100;
/** How many are collected before those that will not be shown are dropped. */
const HELD = 10_000;

const NOT_SEARCHED = " Ignored files (.gitignore) were not searched; no_ignore: true searches them too.";

type Dated = { path: string; mtimeMs: number };

const input = () =>
  z
    .object({
      pattern: globs().optional(),
      path: z.string().optional(),
      recursive: z.boolean().optional(),
      no_ignore: z.boolean().optional(),
      max_results: z.int().optional(),
    })
    // shown as required, because a model does well to give one
    .meta({ required: ["pattern"] });

export const findFiles = Tool.define("find_files", {
  description: "Find files by glob (**/*.ts, *.{js,css}, a name), newest first. Honours .gitignore unless no_ignore.",
  permissions: { required: ["read"] },
  aliases: {
    names: ["Glob", "glob", "search_files", "glob_search", "file_search", "glob_file_search", "find_by_name"],
    args: {
      pattern: ["globs", "glob", "glob_pattern", "patterns"],
      path: FOLDER_NAMES,
      max_results: ["limit", "head_limit"],
    },
    readings: findReadings,
  },
  rare: ["recursive", "no_ignore", "max_results"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: ({ path }) => below(path),
  async execute({ pattern, path = ".", recursive, no_ignore, max_results }, { files }) {
    const wanted = globList(pattern);
    await refuseFile(path, files);
    const most = limitOf(max_results, LIMIT);
    const findings = files.findFiles(path, {
      globs: wanted,
      ...(recursive === false && { recursive }),
      ...(no_ignore && { noIgnore: true }),
    });
    const { newest, total } = await newestOf(findings, most);
    const { excluded, unreadable, engine } = findings.report;
    const what = wanted.join(", ") || "**";
    const summary =
      total > newest.length
        ? `${newest.length} of ${counted(total, "file")}, newest first: narrow the pattern or raise max_results.`
        : `${counted(total, "file")}${total > 1 ? ", newest first" : ""}.`;
    const body =
      total === 0
        ? `No file in ${path === "." ? "the workspace" : path} matches ${what}.${no_ignore ? "" : NOT_SEARCHED}`
        : newest.map((file) => file.path).join("\n");
    return {
      title: `${what}: ${counted(total, "file")}`,
      output: withNotes(body, [...(total === 0 ? [] : [summary]), ...leftOut(findings.report)]),
      metadata: { pattern: what, path, files: newest.map((file) => file.path), total, excluded, unreadable, engine },
    };
  },
});

const newestFirst = (a: Dated, b: Dated): number =>
  b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

async function newestOf(findings: AsyncIterable<FoundFile>, most: number): Promise<{ newest: Dated[]; total: number }> {
  let newest: Dated[] = [];
  let total = 0;
  for await (const { path, mtimeMs } of findings) {
    total += 1;
    newest.push({ path, mtimeMs });
    if (newest.length >= most + HELD) newest = newest.sort(newestFirst).slice(0, most);
  }
  return { newest: newest.sort(newestFirst).slice(0, most), total };
}
