import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type * as zod from "zod";
import type { QualityGate } from "../core/contracts/quality-gate.ts";
import type { Price } from "../core/words/model-spending.ts";
import { patternProblem } from "../text/regex.ts";
import { isTooComplicated } from "../text/wildcards.ts";
import { spellings } from "./forbidden.ts";
import { bytes, DURATION, milliseconds, SIZE } from "./units.ts";

type Zod = typeof zod;

/** What may be written for a key, and how it is read. */
export type Kind<Written = unknown, Value = Written> = {
  /** What is accepted, in words. Ends every message about an invalid value. */
  readonly accepts: string;
  /** Takes zod as a parameter: loading it costs more than all else here, and most workspaces have no file to check. */
  schema(z: Zod): zod.ZodType;
  /** Converts to our own units, fully resolved; relative folders start at the workspace. */
  read(written: Written, workspace: string): Value;
  /** A value as it could be written; by default unchanged. */
  write?(value: Value): unknown;
};

const same = <Value>(written: Value): Value => written;

export const oneOf = <const Name extends string>(names: readonly Name[]): Kind<Name> => {
  const accepts = `one of ${names.join(", ")}`;
  return { accepts, schema: (z) => z.enum(names, { error: accepts }), read: same };
};

export const yesOrNo: Kind<boolean> = {
  accepts: "true or false",
  schema: (z) => z.boolean({ error: yesOrNo.accepts }),
  read: same,
};

export const wholeNumber: Kind<number> = {
  accepts: "a whole number from 1",
  schema: (z) => z.int({ error: wholeNumber.accepts }).min(1, { error: wholeNumber.accepts }),
  read: same,
};

const UNLIMITED = "unlimited";
type Limit = number | typeof UNLIMITED | null;

/** A limit, which may be `unlimited` or null. With `fraction`, not only whole numbers. `noneIs` is the meaning of 0. */
const limitOf = (accepts: string, fraction: boolean, noneIs: number): Kind<Limit, number> => ({
  accepts,
  schema: (z) => {
    const error = accepts;
    const number = fraction ? z.number({ error }) : z.int({ error });
    return z.union([number.min(0, { error }), z.literal(UNLIMITED, { error }), z.null()], { error });
  },
  read: (written) => (typeof written !== "number" ? Number.POSITIVE_INFINITY : written === 0 ? noneIs : written),
});

export const most = limitOf("a whole number from 0, or unlimited", false, 0);
export const mostOfMoney = limitOf("a number from 0, or unlimited", true, 0);
/** For limits where people expect 0 to mean unlimited. */
export const mostOrZero = limitOf(
  "a whole number, or unlimited; 0 means unlimited, too",
  false,
  Number.POSITIVE_INFINITY,
);

function amount(
  accepts: string,
  pattern: RegExp,
  toNumber: (written: string | number) => number,
): Kind<string | number, number> {
  const error = accepts;
  const schema = (z: Zod) => {
    const text = z
      .string({ error })
      .regex(pattern, { error })
      .refine((written) => !pattern.test(written) || toNumber(written) > 0, { error });
    return z.union([text, z.int({ error }).min(1, { error })], { error });
  };
  return { accepts, schema, read: toNumber };
}

export const duration = amount("a duration such as 30d, 12h or 90m, or milliseconds from 1", DURATION, milliseconds);
/** As for every `timeout`, a plain number means seconds. */
export const wait: Kind<string | number, number> = {
  ...amount("a duration such as 90s, 10m or 1h, or seconds from 1", DURATION, (written) =>
    typeof written === "number" ? written * 1000 : milliseconds(written),
  ),
  write: (value) => (value % 1000 === 0 ? value / 1000 : `${value}ms`),
};
export const size = amount("a size such as 500MB or 2GB, or bytes from 1", SIZE, bytes);

const text = (z: Zod, error: string) => z.string({ error }).min(1, { error });

export const name = (accepts: string): Kind<string> => ({ accepts, schema: (z) => text(z, accepts), read: same });

export const names = (what: string): Kind<readonly string[]> => {
  const accepts = `a list of ${what}`;
  return { accepts, schema: (z) => z.array(text(z, accepts), { error: accepts }), read: same };
};

export const nameOrNames = (accepts: string): Kind<string | readonly string[]> => ({
  accepts,
  schema: (z) => {
    const error = accepts;
    return z.union([text(z, error), z.array(text(z, error), { error }).min(1, { error })], { error });
  },
  read: same,
});

const isRegularExpression = (written: string): boolean => {
  try {
    new RegExp(written);
    return true;
  } catch {
    return false;
  }
};

export const regularExpressions: Kind<readonly string[]> = {
  accepts: "a list of regular expressions",
  schema: (z) => {
    const error = "a valid regular expression";
    const one = z.string({ error }).refine(isRegularExpression, { error });
    return z.array(one, { error: regularExpressions.accepts });
  },
  read: same,
};

export type CodeRule = { pattern: string; message: string; severity: "warn" | "block" };
type WrittenRule = Pick<CodeRule, "pattern"> & Partial<CodeRule>;

export const codeRules: Kind<readonly WrittenRule[], readonly CodeRule[]> = {
  accepts: "a list of rules with pattern, message and severity (warn or block)",
  schema: (z) => {
    const error = "a regular expression that can be matched in linear time";
    const pattern = z.string({ error }).check(({ value, issues }) => {
      const problem = patternProblem(value);
      if (problem) issues.push({ code: "custom", input: value, message: `${error}: ${problem}` });
    });
    const message = text(z, "a message that is not empty").optional();
    const severity = z.enum(["warn", "block"], { error: "one of warn, block" }).optional();
    return z.array(z.strictObject({ pattern, message, severity }, { error: codeRules.accepts }), {
      error: codeRules.accepts,
    });
  },
  read: (written) =>
    written.map(({ pattern, message = "this should not be written here", severity = "warn" }) => ({
      ...{ pattern, message, severity },
    })),
};

export const prices: Kind<readonly Price[]> = {
  accepts: "a list of prices with model, input and output, for a million tokens",
  schema: (z) => {
    const error = "a number from 0";
    const amount = z.number({ error }).min(0, { error });
    const shape = { model: text(z, "the name of a model, or its beginning and a star"), input: amount, output: amount };
    return z.array(z.strictObject(shape, { error: prices.accepts }), { error: prices.accepts });
  },
  read: same,
};

type WrittenGate = Pick<QualityGate, "name" | "command"> & Partial<QualityGate>;

export const qualityGates: Kind<readonly WrittenGate[], readonly QualityGate[]> = {
  accepts: "a list of checks with name, command, required and timeout",
  schema: (z) => {
    const seconds = "seconds from 1 to 600";
    const shape = {
      name: text(z, "a name that is not empty"),
      command: text(z, "a command that is not empty"),
      required: z.boolean({ error: yesOrNo.accepts }).optional(),
      timeout: z.int({ error: seconds }).min(1, { error: seconds }).max(600, { error: seconds }).optional(),
    };
    return z.array(z.strictObject(shape, { error: qualityGates.accepts }), { error: qualityGates.accepts });
  },
  read: (written) => written.map(({ required = true, timeout = 60, ...gate }) => ({ ...gate, required, timeout })),
};

const fromHome = (path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;

const LONGEST_PATH = 4096;
const path = (z: Zod) =>
  text(z, "a path that is not empty")
    .max(LONGEST_PATH, { error: `a path of at most ${LONGEST_PATH} characters` })
    .refine((written) => !written.includes("\0"), { error: "a path without NUL" });

export const folders: Kind<readonly string[]> = {
  accepts: "a list of paths",
  schema: (z) => z.array(path(z), { error: folders.accepts }),
  read: (written, workspace) => written.map((path) => resolve(workspace, fromHome(path))),
};

export const globs: Kind<readonly string[]> = {
  accepts: "a list of globs",
  schema: (z) => {
    const one = path(z).refine((written) => !isTooComplicated(written), {
      error: "a glob with fewer stars, or without braces",
    });
    return z.array(one, { error: globs.accepts });
  },
  read: (written, workspace) => written.flatMap((glob) => spellings(fromHome(glob), workspace)),
};
