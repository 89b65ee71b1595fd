import type { Policy } from "../core/contracts/policy.ts";
import {
  belowRoot,
  isPathTouch,
  type PathTouch,
  type RunTouch,
  readsUnknown,
  type Touch,
} from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { mayShow, namedToGit } from "../shell/git-names.ts";
import { fits } from "../shell/paths.ts";
import { globMatcher, placeMatcher } from "../text/glob.ts";

export type GuardedFiles = { protectedFiles: readonly string[]; sensitiveFiles: readonly string[] };

const BY = "guardrails";
type Kind = "Protected" | "Sensitive";

/** Files that no call may change, and files that no call may even read. Judged by the real path. */
export function guardedFiles({ protectedFiles, sensitiveFiles }: GuardedFiles): Policy {
  const kinds: readonly [Kind, Finder][] = [
    ["Sensitive", finderOf(sensitiveFiles)],
    ["Protected", finderOf(protectedFiles)],
  ];
  const guardsNothing = sensitiveFiles.length + protectedFiles.length === 0;
  const guards = (kind: Kind, { action }: PathTouch): boolean =>
    kind === "Sensitive" || action === "write" || action === "delete";

  function hit(touches: readonly Touch[], command?: RunTouch): Verdict | undefined {
    for (const touch of touches) {
      const found =
        touch.action === "run"
          ? (hit(touch.inner, touch) ?? inGit(touch))
          : isPathTouch(touch)
            ? refused(touch, command)
            : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** git shows what it keeps of a file by its name, at any point of the history. */
  function inGit({ reading }: RunTouch): Verdict | undefined {
    const isSensitive = (kinds[0] as (typeof kinds)[0])[1].byName;
    for (const name of namedToGit(reading, mayShow)) {
      const pattern = isSensitive(name);
      if (pattern !== undefined) return blocked("Sensitive", name, pattern);
    }
    return undefined;
  }

  function refused(touch: PathTouch, command: RunTouch | undefined): Verdict | undefined {
    for (const [kind, find] of kinds) {
      const pattern = guards(kind, touch) ? find(touch, command !== undefined) : undefined;
      if (pattern !== undefined) return blocked(kind, shownOf(touch), pattern);
    }
    return undefined;
  }

  /** Commands that may reach any file, so that their words do not tell which. */
  function wide(touches: readonly Touch[]): { kind: Kind; about: Touch[] } | undefined {
    for (const [kind, find] of kinds) {
      const about = find.isEmpty ? [] : touches.filter((touch) => touch.action === "run" && isWide(touch, kind));
      if (about.length > 0) return { kind, about };
    }
    return undefined;
  }

  const isWide = ({ inner, contained }: RunTouch, kind: Kind): boolean =>
    inner.some((touch) => {
      if (touch.action === "run") return isWide(touch, kind);
      if (readsUnknown(touch)) return kind === "Sensitive";
      if (!isPathTouch(touch) || touch.scope === undefined || touch.place.root === "") return false;
      const reads = kind === "Sensitive" && touch.action === "read";
      return reads || ((touch.action === "write" || touch.action === "delete") && contained !== true);
    });

  return {
    name: BY,
    speaksOf: ["read", "list", "write", "delete", "run"],
    judge({ touches }, { ceiling }) {
      if (guardsNothing) return undefined;
      const no = hit(touches);
      if (no) return no;
      const unclear = ceiling.mode === "yolo" ? undefined : wide(touches);
      if (unclear) {
        const [does, key] = unclear.kind === "Sensitive" ? ["read", "sensitive_files"] : ["change", "protected_files"];
        const reason = `it may ${does} any file, and a command cannot be kept away from guardrails.${key}`;
        return { answer: "ask", by: BY, reason, grantable: true, about: unclear.about };
      }
      const searches = touches.some(
        (touch) => isPathTouch(touch) && (touch.action === "list" || touch.scope !== undefined),
      );
      if (!searches || sensitiveFiles.length === 0) return undefined;
      return { answer: "allow", by: BY, reason: "sensitive files are left out", exclude: sensitiveFiles };
    },
  };
}

const blocked = (kind: Kind, shown: string, pattern: string): Verdict => ({
  answer: "deny",
  by: BY,
  reason: `${kind} file blocked by guardrail: ${shown} (pattern: ${pattern})`,
});

const shownOf = ({ place, scope }: PathTouch): string =>
  scope === undefined ? place.shown : `${place.shown}/${scope}`;

/** The pattern that covers what a touch names; for a command also what its own pattern, or a delete, would reach. */
type Finder = ((touch: PathTouch, inCommand: boolean) => string | undefined) & {
  isEmpty: boolean;
  byName(path: string): string | undefined;
};

function finderOf(patterns: readonly string[]): Finder {
  const covers = globMatcher(patterns);
  const coversPlace = placeMatcher(patterns);
  const plain = patterns
    .filter((pattern) => !WILD.test(pattern))
    .map((pattern) => pattern.replace(/^\.\/|(?<!\/)\/+$/g, ""));
  const find = (touch: PathTouch, inCommand: boolean): string | undefined => {
    const { real, root } = touch.place;
    const below = belowRoot({ real, root }) || ".";
    const named = coversPlace(touch.place);
    if (named !== undefined) return named;
    const { scope, action } = touch;
    if (inCommand && scope !== undefined && !isTree(scope)) {
      const pattern = below === "." ? scope : `${below}/${scope}`;
      return (
        covers(pattern) ??
        plain.find((name) => reaches(pattern, below, name, action === "write" || action === "delete"))
      );
    }
    return action === "delete" && scope === undefined ? plain.find((name) => isAbove(below, real, name)) : undefined;
  };
  return Object.assign(find, { isEmpty: patterns.length === 0, byName: covers });
}

const WILD = /[*?[\]{}()!+@|\\]/;
const isTree = (scope: string): boolean => scope.split("/").includes("**");

/**
 * Whether a command's pattern fits a plain name or, with `orAbove`, a folder above it that is changed as a whole. A
 * name without a slash may be anywhere.
 */
function reaches(pattern: string, below: string, name: string, orAbove: boolean): boolean {
  const path = name.includes("/") || below === "." ? name : `${below}/${name}`;
  const names = path.split("/");
  const parts = pattern.split("/");
  if (parts.length > names.length || (parts.length < names.length && !orAbove)) return false;
  return parts.every((part, index) => {
    const at = names[index] as string;
    // the shell matches no hidden name unless the pattern starts with a dot
    return (!at.startsWith(".") || part.startsWith(".")) && fits(part.toLowerCase(), at.toLowerCase());
  });
}

const isAbove = (below: string, real: string, name: string): boolean => {
  const [folder, path] = [(name.startsWith("/") ? real : below).toLowerCase(), name.toLowerCase()];
  return folder === "." || path.startsWith(`${folder}/`);
};
