import { GIT_FOLDER, GIT_HOOKS } from "../core/words/governing.ts";
import type { Claim } from "../core/words/touch.ts";

const ENDS = /^(?:config|config\.worktree|commondir|gitdir|hooks(?:\/[^/.]*)?)$/;
const DEEPER = /^(?:modules|worktrees)\/.+\/(?:config|config\.worktree|commondir|gitdir|hooks(?:\/[^/.]*)?)$/;
const HOOKS: ReadonlySet<string> = new Set(GIT_HOOKS);
/** How all of these begin. Nearly every path is told by its first letters. */
const BEGINS = new RegExp(`^(?:\\.?/)*(?:config|commondir|gitdir|hooks|modules|worktrees|${GIT_HOOKS.join("|")})`, "i");
const SURPLUS = /(?:^|(?<=\/))(?:\.?\/)+/g;

/** The end of a path in a folder that only the running shell knows: in git's folder, git would obey it. */
export const obeyedEnd = (end: string): string | undefined => {
  if (!BEGINS.test(end)) return undefined;
  const path = end.replace(SURPLUS, "").toLowerCase();
  if (HOOKS.has(path)) return `${GIT_FOLDER}/hooks/${path}`;
  return ENDS.test(path) || DEEPER.test(path) ? `${GIT_FOLDER}/${path}` : undefined;
};

/** What follows the last unknown piece, from the slash on. */
const LAST_KNOWN = /[\u0000-\u0002]\/([^\u0000-\u0002]+)$/;

/** A change of what git obeys, if the folder of the path turns out to be git's. `isRelative`: to an unknown folder. */
export const addObeyed = (claims: Claim[], action: "write" | "delete", text: string, isRelative: boolean): void => {
  const end = LAST_KNOWN.exec(text)?.[1] ?? (isRelative ? text : undefined);
  const scope = end === undefined ? undefined : obeyedEnd(end);
  if (scope !== undefined) claims.push({ action, target: ".", scope, certain: false });
};
