import * as z from "zod";
import { visibleLine } from "../../core/words/visible.ts";
import { redact } from "../../text/redact.ts";
import type { Scope } from "./memories.ts";

/** A key is one line that people can read and type, and that is shown in lists: nothing may hide in it. */
export const memoryKey = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((key) => visibleLine(key) === key, "has invisible characters; use letters, digits and signs")
    .refine((key) => redact(key) === key, "looks like a secret; choose a name that says what it is about");

export const memoryCategory = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(40)
    .refine(
      (name) => visibleLine(name) === name && !/[[\]]/.test(name),
      "has invisible characters or brackets; use letters, digits and signs",
    );

/** The form that rules use: remember(memory:project/KEY). */
export const memoryTarget = (scope: Scope, key: string): string => `memory:${scope}/${key}`;
