import { bareName, isRecord } from "../../../core/words/route.ts";
import type { Reading } from "../../../core/words/tool.ts";
import { COMMENTS, noEffect, onlyAs, type Readings, refuse, unpacked, wholeNumber, yes } from "./readings.ts";

const DRY_RUN = onlyAs([false, "false"], "a call is never a dry run; explain shows what it would change");

export const editReadings: Readings = {
  ...COMMENTS,
  code_edit: refuse("only exact text is replaced; send old_str and new_str"),
  expected_replacements: (value) => {
    const count = wholeNumber(value);
    if (count === undefined || count < 1) return "it must be a whole number from 1";
    return count === 1 ? {} : "send one edit for each place, or set replace_all to change all of them";
  },
  use_regex: onlyAs([false, "false"], "only exact text is replaced"),
  ignore_case: onlyAs([false, "false"], "only exact text is replaced"),
  dry_run: DRY_RUN,
};

const ENTRY_READINGS = new Map(Object.entries(editReadings).map(([name, reading]) => [bareName(name), reading]));

/** The entries of a list accept, and refuse, the same names as the call itself. */
export const entriesBy =
  (args: Readonly<Record<string, readonly string[]>>): Reading =>
  (value) => {
    const given = unpacked(value);
    const list = isRecord(given) ? [given] : given;
    if (!Array.isArray(list)) return { edits: value };
    const refused: string[] = [];
    const edits = list.map((entry: unknown, index) => {
      if (!isRecord(entry)) return entry;
      const left = new Map(Object.entries(entry).filter(([, each]) => each !== null && each !== undefined));
      const named = Object.entries(args).flatMap(([argument, others]) => {
        const keys = [...left.keys()].filter((key) => [argument, ...others].some((name) => isSame(name, key)));
        const winner = [argument, ...others].flatMap((name) => keys.find((key) => isSame(name, key)) ?? [])[0];
        const found = winner === undefined ? [] : [[argument, left.get(winner)] as const];
        for (const key of keys) left.delete(key);
        return found;
      });
      for (const [key, each] of left) {
        const meant = ENTRY_READINGS.get(bareName(key))?.(each, {});
        if (typeof meant === "string") refused.push(`${key} of entry ${index + 1}: ${meant}`);
        if (meant !== undefined) left.delete(key);
      }
      return Object.fromEntries([...named, ...left]);
    });
    return refused.length > 0 ? refused.join("; ") : { edits };
  };

const isSame = (one: string, other: string): boolean => bareName(one) === bareName(other);

export const writeReadings: Readings = {
  ...COMMENTS,
  line_count: noEffect,
  append: (value) =>
    yes(value)
      ? { mode: "append" }
      : [false, "false", 0, "0"].includes(value as never)
        ? {}
        : "it must be true or false",
  overwrite: onlyAs([true, "true"], "a file that is there is replaced; look whether it exists first"),
  ...Object.fromEntries(["create_dirs", "create_directories", "make_dirs", "mkdir"].map((name) => [name, noEffect])),
  encoding: onlyAs(["utf8", "utf-8", "UTF-8"], "a new file is UTF-8, and a file that is there keeps its encoding"),
  dry_run: DRY_RUN,
};

/** The operation of a patch tool that has no text format of its own. */
const operation: Reading = (value) => {
  const given = unpacked(value);
  if (!isRecord(given) || typeof given.path !== "string") return "it must be { type, path, diff }";
  const { type, path, diff } = given;
  if (/[\r\n]/.test(path)) return "its path must be one line";
  if (type === "delete_file") return { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` };
  if (typeof diff !== "string") return "its diff is required";
  if (type !== "create_file" && type !== "update_file")
    return "its type must be create_file, update_file or delete_file";
  const head = type === "create_file" ? "Add" : "Update";
  return { patch: `*** Begin Patch\n*** ${head} File: ${path}\n${diff.replace(/\n$/, "")}\n*** End Patch` };
};

export const patchReadings: Readings = {
  ...COMMENTS,
  operation,
  dry_run: DRY_RUN,
};
