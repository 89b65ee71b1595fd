import type { Policy } from "../core/contracts/policy.ts";
import type { Change } from "../core/contracts/workspace.ts";
import { isSet } from "../core/words/model-spending.ts";
import type { Ready } from "../core/words/ready.ts";
import { eachTouch, type Touch } from "../core/words/touch.ts";
import type { Reserve } from "../core/words/verdict.ts";
import { decode } from "../text/decode.ts";
import { countChanges } from "../text/diff.ts";

export type ChangeLimits = {
  maxFilesModified?: number | undefined;
  maxLinesChanged?: number | undefined;
  maxCommandsExecuted?: number | undefined;
};

const BY = "guardrails";

/** Limits the files and lines that a session changes and the commands that it runs, including all that work for it. */
export function changeLimits(limits: ChangeLimits): Policy {
  const { maxFilesModified: files, maxLinesChanged: lines, maxCommandsExecuted: commands } = limits;
  const aFile = (real: string): Reserve[] =>
    isSet(files) ? [{ key: "files", limit: files, once: real, full: used(files, "files", "max_files_modified") }] : [];
  const ofChanges = (changes: readonly Change[]): Reserve[] => [
    ...changes.flatMap(({ place }) => aFile(place.real)),
    ...(isSet(lines) ? someLines(lines, changes) : []),
  ];
  return {
    name: BY,
    content: true,
    speaksOf: ["run"],
    judge(ready) {
      const runs = ready.changes.length > 0 ? [] : ready.touches.filter((touch) => touch.action === "run");
      const reserve = [
        ...ofChanges(ready.changes),
        ...(runs.length > 0 ? writtenBy(ready).flatMap(aFile) : []),
        ...(isSet(commands) ? runs.map((): Reserve => aCommand(commands)) : []),
      ];
      return reserve.length > 0 ? { by: BY, reserve } : undefined;
    },
    found: ofChanges,
  };
}

const used = (limit: number, what: string, key: string): string =>
  limit === 0 ? `guardrails.${key} allows none` : `all ${limit} ${what} of guardrails.${key} are used up`;

const left = (limit: number): string =>
  limit === 0
    ? ", and guardrails.max_lines_changed allows none"
    : `, more than is left of the ${limit} of guardrails.max_lines_changed`;

function someLines(limit: number, changes: readonly Change[]): Reserve[] {
  const amount = changes.reduce((sum, change) => sum + linesOf(change), 0);
  return amount > 0 ? [{ key: "lines", limit, amount, full: `it would change ${amount} lines${left(limit)}` }] : [];
}

const aCommand = (limit: number): Reserve => ({
  key: "commands",
  limit,
  full: used(limit, "commands", "max_commands_executed"),
});

/** Lines added and lines removed. A binary file has none. */
function linesOf({ before, after }: Change): number {
  const from = before === null ? "" : decode(before)?.text;
  const to = after === null ? "" : decode(after)?.text;
  if (from === undefined || to === undefined) return 0;
  const { added, removed } = countChanges(from, to);
  return added + removed;
}

/** Files that a command certainly writes, as far as they can be told from folders before it runs. */
function writtenBy({ touches, replaces = [] }: Ready): string[] {
  const all = eachTouch(touches);
  const made = all.some(makesFolders) ? [] : all.flatMap(freshFile);
  return [...replaces.map(({ place }) => place.real), ...made];
}

const makesFolders = (touch: Touch): boolean =>
  touch.action === "run" && touch.reading?.segments.some(({ program }) => program === "mkdir") === true;

function freshFile(touch: Touch): string[] {
  if (touch.action !== "write" || !touch.certain || touch.scope !== undefined) return [];
  const { exists, root, real } = touch.place;
  return exists || root === "" ? [] : [real];
}
