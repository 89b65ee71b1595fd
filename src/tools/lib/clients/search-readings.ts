import { isRecord } from "../../../core/words/route.ts";
import type { Reading } from "../../../core/words/tool.ts";
import {
  as,
  COMMENTS,
  noEffect,
  onlyAs,
  type Readings,
  refuse,
  single,
  textsIn,
  unpacked,
  wholeNumber,
  yes,
} from "./readings.ts";

const ONE_PLACE = "one call searches one folder; send a call for each, or narrow a folder above them by a glob";

const paths = single("path", ONE_PLACE);

/** Globs to exclude, in addition to those that are wanted; one text may contain several, separated by commas. */
const excludedIn =
  (argument: string, mark = "!"): Reading =>
  (value, args) => {
    const texts = textsIn(value);
    if (!texts) return "it must be a glob or a list of globs";
    const globs = texts.flatMap((text) => (text.includes("{") ? [text] : text.split(","))).map((glob) => glob.trim());
    const unwanted = globs.filter((glob) => glob !== "").map((glob) => mark + glob);
    return unwanted.length > 0 ? { [argument]: [...(textsIn(args[argument] ?? []) ?? []), ...unwanted] } : {};
  };

const gitIgnore: Reading = (value) => ({ no_ignore: !yes(value) });

const otherIgnore = onlyAs([false, "false"], "only .gitignore is honoured; leave it out");

/** Hidden files are shown unless they are unwanted. */
const hiddenIn =
  (argument: string, mark?: string): Reading =>
  (value, args) =>
    yes(value) ? {} : excludedIn(argument, mark)([".*"], args);

const filtering: Reading = (value) => {
  const options = unpacked(value);
  if (!isRecord(options)) return "it must be an object";
  if (yes(options.respect_gemini_ignore)) return "respect_gemini_ignore: only .gitignore is honoured";
  return options.respect_git_ignore === undefined ? {} : { no_ignore: !yes(options.respect_git_ignore) };
};

/** `argument` takes the exclusion globs, each with `mark` as a prefix. */
const whereBy = (argument: string, mark?: string): Readings => ({
  ...COMMENTS,
  paths,
  target_directories: paths,
  exclude: excludedIn(argument, mark),
  ignore: excludedIn(argument, mark),
  excludes: excludedIn(argument, mark),
  exclude_patterns: excludedIn(argument, mark),
  respect_git_ignore: gitIgnore,
  respect_gitignore: gitIgnore,
  respect_gemini_ignore: otherIgnore,
  file_filtering_options: filtering,
  include_hidden: hiddenIn(argument, mark),
});

export const listReadings: Readings = {
  ...whereBy("exclude", ""),
  depth: (value) =>
    wholeNumber(value) === 1 ? { recursive: false } : "either one level is listed, or all of them with recursive: true",
  offset: onlyAs([0, 1, "0", "1"], "a listing starts at its beginning; narrow it by a pattern or raise max_entries"),
};

/** Matches each letter in both cases, because globs are case-sensitive. */
const insensitive = (glob: string): string =>
  glob.replace(/\[[^[\]]*\]|\\.|\p{L}/gu, (piece) =>
    piece.length === 1 && piece.toLowerCase() !== piece.toUpperCase()
      ? `[${piece.toLowerCase()}${piece.toUpperCase()}]`
      : piece,
  );

/** A part of a name or path, as typed into a search box; a glob stays as it is. */
const partOfName: Reading = (value, { pattern }) => {
  if (pattern !== undefined) return pattern === value ? {} : "pattern was sent too, and differs from it";
  if (typeof value !== "string" || /[*?[\]{}]/.test(value)) return { pattern: value };
  return { pattern: insensitive(`**/*${value.replace(/^[./]+/, "")}*`) };
};

export const findReadings: Readings = {
  ...whereBy("pattern"),
  query: partOfName,
  exclude_pattern: excludedIn("pattern"),
  case_sensitive: (value, { pattern }) =>
    yes(value) || pattern === undefined ? {} : { pattern: (textsIn(pattern) ?? []).map(insensitive) },
  offset: onlyAs([0, "0"], "the newest files come first; narrow the pattern or raise max_results"),
  type: onlyAs(["f", "file"], "only files are found; folders are listed by list_files"),
};

/** A boolean says how to read the pattern; a text is the pattern itself. */
const regex: Reading = (value, { pattern }) => {
  if (typeof value === "boolean" || value === "true" || value === "false") return { literal: !yes(value) };
  return pattern === undefined || pattern === value ? { pattern: value } : "pattern was sent too, and differs from it";
};

/** Some clients mean a glob of files by it, others a regular expression for lines. */
const excludePattern: Reading = (value, args) =>
  typeof value === "string" && /[\\^$+()|]|\.\*/.test(value)
    ? "lines cannot be left out by a regular expression; give a glob of files"
    : excludedIn("glob")(value, args);

/** Matches any of several patterns. */
const queries: Reading = (value) => {
  const texts = textsIn(value);
  if (!texts) return "it must be a list of patterns";
  return texts.length === 1 ? { pattern: texts[0] } : { pattern: texts.map((text) => `(?:${text})`).join("|") };
};

export const grepReadings: Readings = {
  ...whereBy("glob"),
  regex,
  is_regexp: regex,
  is_regex: regex,
  queries,
  exclude_pattern: excludePattern,
  names_only: (value) => (yes(value) ? { mode: "files" } : {}),
  match_per_line: noEffect,
  "-n": noEffect,
  "-o": onlyAs([false, "false"], "whole lines are shown"),
  "-v": onlyAs([false, "false"], "lines that do not match cannot be searched for"),
  "-w": (value, { pattern }) => (yes(value) ? { pattern: `\\b(?:${String(pattern)})\\b` } : {}),
  "-l": (value) => (yes(value) ? { mode: "files" } : {}),
  "-c": (value) => (yes(value) ? { mode: "count" } : {}),
  "-F": as("literal", yes),
  offset: onlyAs([0, "0"], "matches are shown from the first one; narrow the pattern or raise max_results"),
  max_matches_per_file: refuse("matches are counted over all files; use max_results"),
  max_count: (value) => (wholeNumber(value) === undefined ? "it must be a whole number" : { max_results: value }),
};
