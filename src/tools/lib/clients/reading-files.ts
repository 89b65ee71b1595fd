import { isRecord } from "../../../core/words/route.ts";
import type { Reading } from "../../../core/words/tool.ts";
import { COMMENTS, noEffect, onlyAs, type Readings, refuse, unpacked, wholeNumber } from "./readings.ts";

const START = ["start_line", "startLine", "offset"] as const;

/** The last line that is wanted, counted from 1; -1 means the end of the file. */
const endLine: Reading = (value, { offset, limit }) => {
  const last = wholeNumber(value);
  if (last === undefined) return "it must be the number of the last line";
  if (last === -1) return {};
  const first = wholeNumber(offset) ?? 1;
  if (last < first) return `the last line must not come before line ${first}`;
  const lines = last - first + 1;
  return { limit: Math.min(lines, wholeNumber(limit) ?? lines) };
};

/** [first, last]; -1 as the last line means the end of the file. */
const viewRange: Reading = (value, args) => {
  const range = unpacked(value);
  const [first, last] = Array.isArray(range) ? range.map(wholeNumber) : [];
  if (!Array.isArray(range) || range.length !== 2 || first === undefined || last === undefined || first < 1)
    return "it must be [first line, last line], counted from 1; the last one may be -1 for the end";
  const meant = endLine(last, { ...args, offset: first });
  return typeof meant === "string" ? meant : { offset: first, ...meant };
};

/** A list of files, each with a range of lines. */
const files: Reading = (value) => {
  const list = unpacked(value);
  const [only, ...others] = Array.isArray(list) ? (list as unknown[]) : [list];
  if (others.length > 0) return "one call reads one file; send a call for each of them";
  if (typeof only === "string") return { path: only };
  if (!isRecord(only) || typeof only.path !== "string") return "it must be a list of { path, start_line, end_line }";
  const start = START.map((name) => wholeNumber(only[name])).find((line) => line !== undefined);
  const end = only.end_line ?? only.endLine;
  const meant = end === undefined || end === null ? {} : endLine(end, { offset: start });
  if (typeof meant === "string") return meant;
  return { path: only.path, ...(start !== undefined && { offset: start }), ...meant };
};

export const readFileReadings: Readings = {
  ...COMMENTS,
  end_line: endLine,
  end_line_one_indexed_inclusive: endLine,
  view_range: viewRange,
  files,
  tail: refuse("reading starts at a line, not at the end; use offset and limit"),
  pages: refuse("files are read by lines, not by pages; use offset and limit"),
  mode: onlyAs(["slice"], "files are read by lines; use offset and limit"),
  indentation: refuse("files are read by lines; use offset and limit"),
  encoding: onlyAs(["utf8", "utf-8", "UTF-8"], "the encoding is detected, and the text comes decoded"),
  detail: noEffect,
  should_read_entire_file: noEffect,
  allow_large: noEffect,
  forceReadLargeFiles: noEffect,
};
