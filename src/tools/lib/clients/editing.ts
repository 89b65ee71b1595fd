import type { Reading } from "../../../core/words/tool.ts";
import { COMMENTS, isObject, noEffect, onlyAs, type Readings, refuse, unpacked, wholeNumber } from "./readings.ts";

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

export const writeReadings: Readings = {
  ...COMMENTS,
  line_count: noEffect,
  encoding: onlyAs(["utf8", "utf-8", "UTF-8"], "a new file is UTF-8, and a file that is there keeps its encoding"),
  dry_run: DRY_RUN,
};

/** The operation of a patch tool that has no text format of its own. */
const operation: Reading = (value) => {
  const given = unpacked(value);
  if (!isObject(given) || typeof given.path !== "string") return "it must be { type, path, diff }";
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
