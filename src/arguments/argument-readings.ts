import type { Issue } from "../core/contracts/arguments.ts";
import type { Aliases, Reading } from "../core/words/tool.ts";
import type { PlainObject } from "./json-schema.ts";
import { got, NOTHING } from "./messages.ts";

export const bare = (name: string) => name.replace(/[_-]/g, "").toLowerCase();

/** Finds the reading of an argument; `loosely` also accepts other spellings. */
export function readingsBy(readings: Aliases["readings"] = {}): (key: string, loosely: boolean) => Reading | undefined {
  const spelled = new Map(Object.entries(readings).map(([name, reading]) => [bare(name), reading]));
  return (key, loosely) =>
    Object.hasOwn(readings, key) ? readings[key] : loosely ? spelled.get(bare(key)) : undefined;
}

/** Translates other clients' arguments into ours, and reports refused ones. What `takes` rejects is never lost. */
export function readInto(
  named: PlainObject,
  read: readonly (readonly [string, unknown, Reading])[],
  takes: (argument: string) => boolean,
): Issue[] {
  const issues: Issue[] = [];
  for (const [key, value, reading] of read) {
    const meant = reading(value, named);
    const refused = typeof meant === "string" ? meant : Object.keys(meant).every(takes) ? undefined : UNKNOWN;
    if (refused !== undefined) issues.push({ path: key, expected: NOTHING, got: got(value), refused });
    else for (const [name, each] of Object.entries(meant)) if (each !== undefined) named[name] = each;
  }
  return issues;
}

const UNKNOWN = "it is not known here, and without it the call would do more than you asked for";

/** Arguments that restrict a call. Without them it would do more than was meant. */
const NARROWING =
  /^(?:dryrun|preview|previewonly|checkonly|simulate|noop|(?:exclude|ignore|skip|omit|except|filter|only).*|.*(?:filter|only)|(?:max)?depth|head|tail|(?:start|end|first|last|from|to)line.*|.*range|pages?|maxcount|limit|until|since|before|after|lines?|linenumbers?|(?:append|prepend|insert).*)$/;

const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** Refuses an unknown argument that would have restricted the call, because dropping it would do more. */
export function refusedUnknown(key: string, value: unknown): Issue | undefined {
  if (!NARROWING.test(bare(key)) || isAbsent(value)) return undefined;
  return {
    path: key,
    expected: NOTHING,
    got: got(value),
    refused: UNKNOWN,
  };
}
