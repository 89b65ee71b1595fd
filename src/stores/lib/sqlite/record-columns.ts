import type { CallRecord } from "../../../core/contracts/store/records.ts";
import type { Touch } from "../../../core/words/touch.ts";
import type { FlatTouch, Rare } from "./record-fields.ts";

/** Run-length encoding, because calls of a page are alike: the index at which a value begins, the value, and so on. */
export type Runs<T> = (number | T)[];

/** A stage of a trace, with its verdict if it has one. The microseconds are stored separately. */
export type Stage = string | [stage: string, verdict: string];

/** Records by columns, which is faster to write than one by one, and a third as long. */
export type Page = {
  /** Where each sequence of ids begins, and its first id. */
  readonly ids: Runs<string>;
  readonly call: string[];
  /** Milliseconds since `start`. */
  readonly at: number[];
  readonly start: number;
  /** The names of arguments, from each index on, or null where `input` has whole inputs. */
  readonly names: Runs<readonly string[] | null>;
  /** The values of all arguments of all records, in order. */
  readonly input: unknown[];
  /** Null is the turn of the call alone. */
  readonly message: Runs<string | null>;
  readonly agent: Runs<string>;
  readonly tool: Runs<string>;
  readonly status: Runs<CallRecord["status"]>;
  readonly target: Runs<string>;
  readonly verdict: Runs<NonNullable<CallRecord["verdict"]> | null>;
  readonly told: Runs<number | null>;
  readonly answer: Runs<string | null>;
  readonly stages: Runs<Stage[]>;
  /** The microseconds of all stages of all records, in order. */
  readonly marks: number[];
  /** Columns that not every record has a value in. */
  readonly microseconds: Runs<number>;
  readonly touches: Runs<(Touch | FlatTouch)[]>;
  readonly rare: Runs<Rare>;
};

/** Reads a column in order of the records: each gets the value that began last. */
export function valuesOf<T>(runs: Runs<T>): (index: number) => T {
  let next = 0;
  return (index) => {
    if (runs[next] === index) next += 2;
    return runs[next - 1] as T;
  };
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** The id that a counter makes after this one, as long as only the last of its digits changes. */
const nextID = (id: string): string => id.slice(0, -1) + (DIGITS[DIGITS.indexOf(id.at(-1) ?? "") + 1] ?? "");

/** Whether `id` is `nextID(before)`. Written so that it makes no texts: it is asked for every record. */
export function isNextID(id: string, before: string): boolean {
  const last = id.length - 1;
  if (before.length - 1 !== last) return false;
  const [code, codeBefore] = [id.charCodeAt(last), before.charCodeAt(last)];
  const isNext = codeBefore === NINE ? code === A : code === codeBefore + 1 && isDigit(code) && isDigit(codeBefore);
  if (!isNext) return false;
  for (let at = 0; at < last; at++) if (id.charCodeAt(at) !== before.charCodeAt(at)) return false;
  return true;
}

const [ZERO, NINE, A, Z] = ["0", "9", "a", "z"].map((digit) => digit.charCodeAt(0)) as [number, number, number, number];
const isDigit = (code: number): boolean => (code >= ZERO && code <= NINE) || (code >= A && code <= Z);

/** All ids of a page whose sequences begin as told. */
export function idsOf(sequences: Runs<string>, count: number): string[] {
  const ids: string[] = [];
  let next = 0;
  for (let index = 0; index < count; index++) {
    const begins = sequences[next] === index;
    ids.push(begins ? (sequences[next + 1] as string) : nextID(ids[index - 1] ?? ""));
    if (begins) next += 2;
  }
  return ids;
}

type PlainObject = Readonly<Record<string, unknown>>;

/** The names of the arguments; null for an input that is no object, contains others, or can't be read. */
export function namesOf(input: unknown, before: readonly string[] | null | undefined): readonly string[] | null {
  try {
    if (!isPlain(input)) return null;
    if (before && hasNames(input, before)) return before;
    const names = Object.keys(input);
    return names.every((name) => isTold(input[name])) ? names : null;
  } catch {
    return null;
  }
}

/** Whether the arguments have these names, in that order, so that their values say all. */
function hasNames(input: PlainObject, names: readonly string[]): boolean {
  let index = 0;
  for (const name in input) if (name !== names[index++] || !isTold(input[name])) return false;
  return index === names.length;
}

function isPlain(input: unknown): input is PlainObject {
  if (typeof input !== "object" || input === null) return false;
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null;
}

/** What JSON says alike in an object and in a list, and what cannot contain the input itself. */
const isTold = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Reads the inputs in order of the records. */
export function inputsOf(
  namesAt: (index: number) => readonly string[] | null,
  values: readonly unknown[],
): (index: number) => unknown {
  let next = 0;
  return (index) => {
    const names = namesAt(index);
    return names ? Object.fromEntries(names.map((name) => [name, values[next++]])) : values[next++];
  };
}
