/**
 * Where a path really leads: `shown` as people read it, `real` after every symbolic link. `link`: a symbolic link
 * itself is meant, not what it leads to; then `real` is where the link lies.
 */
export type Place = { shown: string; real: string; root: string; exists: boolean; link?: true };

/** The path from its root on; "" is the root itself. */
export function belowRoot({ real, root }: Pick<Place, "real" | "root">): string {
  let start = root.length;
  while (real[start] === "/") start++;
  return real.slice(start);
}

export type Permission = "read" | "write" | "execute" | "network";
export const PERMISSIONS: readonly Permission[] = ["read", "write", "execute", "network"];

export type CommandClass = "blocked" | "dangerous" | "dev" | "safe";
export type Danger = "safe" | "moderate" | "dangerous";
type PathAction = "read" | "list" | "write" | "delete";
type NamedAction = "delegate" | "remember" | "schedule" | "ask" | "signal";

type Risk = "low" | "medium" | "high";

/** How a command line was understood: for whoever asks why, and for the policies that look at its parts. */
export type CommandReading = {
  risk: Risk;
  reason: string;
  /** Whether all of it is valid shell. */
  parsed: boolean;
  /** Its segments are all that it runs: nothing was doubtful, and nothing depends on an expansion. */
  sure?: boolean;
  uses: { readonly newline: boolean; readonly backticks: boolean; readonly substitution: boolean };
  /** It was called harmless, and yet runs what the project says: nothing but a sandbox makes that true. */
  runsProject?: true;
  /**
   * All that it writes is among its touches: `in-place`, by opening files and writing to them; `beside`, also by making
   * others in the same folder and renaming them.
   */
  writes?: "in-place" | "beside";
  /** It reads behind links on its way, which nothing but a sandbox keeps from leading anywhere. */
  followsLinks?: true;
  segments: readonly CommandSegment[];
};

/** One command of a line. `program` is missing where the line does not name it plainly. */
export type CommandSegment = {
  text: string;
  program?: string;
  class: CommandClass;
  risk: Risk;
  rule: string;
  /** Its words after expansion; null for what only the running shell knows. */
  words?: readonly (string | null)[];
  /** It is nothing but these words: none is expanded, nothing is set for it, and it writes to no redirection. */
  plain?: boolean;
};

/**
 * A write below a folder whose names come from what is brought there: out of an archive, a patch, another folder
 * (`anything`), or out of a history of git, which holds nothing of `.git` itself (`tracked`). A read of what git keeps
 * is `tracked` as well, one of names that are split at blanks on their way to a program is one of `words`, and one that
 * takes a folder for the files in it is one of `entries`.
 */
export type Brings = "anything" | "tracked" | "words" | "entries";

/** `changed`: what its server says of it otherwise than when it was approved, as a diff. */
export type UseTouch = { action: "use"; source: "mcp" | "skill"; name: string; changed?: string };

/**
 * What a tool declares before it runs: names only. The journey turns targets into places. `setting` is what makes the
 * same command another one: where it runs, what is set for it. `itself`: where the target is a link, the link is
 * meant, as it always is by what a tool deletes.
 */
export type Claim =
  | {
      action: PathAction;
      target: string;
      scope?: string;
      certain?: boolean;
      restores?: boolean;
      brings?: Brings;
      itself?: boolean;
    }
  | { action: "run"; command: string; class: CommandClass; inner?: Claim[]; reading?: CommandReading; setting?: string }
  | { action: "fetch"; url: string; method?: string }
  | UseTouch
  | { action: NamedAction; target: string }
  | { action: "unknown"; permissions: Permission[] };

/** `restores`: the write gives back what the journal holds, so it may also remove what a call created. */
export type PathTouch = {
  action: PathAction;
  place: Place;
  scope?: string;
  certain: boolean;
  restores?: boolean;
  brings?: Brings;
};
/**
 * `contained`: it runs in a sandbox or not at all; told where it would write under names that nobody knows yet.
 * `exposed`: why it may do more than it was judged to, where no sandbox holds it. `kept`: what a repository that it
 * looks into keeps of files that a policy minds.
 */
export type RunTouch = {
  action: "run";
  command: string;
  class: CommandClass;
  inner: Touch[];
  reading?: CommandReading;
  setting?: string;
  contained?: boolean;
  exposed?: string;
  kept?: readonly KeptFile[];
};
/** A file that a policy minds and git keeps; `changed`: it is not what git has. */
export type KeptFile = { readonly name: string; readonly changed: boolean };
export type Touch =
  | PathTouch
  | RunTouch
  | { action: "fetch"; url: string; method: string }
  | UseTouch
  | { action: NamedAction; target: string }
  | { action: "unknown"; permissions: Permission[] };

export const read = (target: string): Claim => ({ action: "read", target });
export const write = (target: string): Claim => ({ action: "write", target });
export const restore = (target: string, itself = false): Claim => ({
  action: "write",
  target,
  restores: true,
  itself,
});

export const isPathTouch = (touch: Touch): touch is PathTouch => "place" in touch;

export function runsSomething(touches: readonly Touch[]): boolean {
  for (const { action } of touches) if (action === "run") return true;
  return false;
}

/** Every touch, those inside a command too. */
export const eachTouch = (touches: readonly Touch[]): readonly Touch[] =>
  runsSomething(touches)
    ? touches.flatMap((touch) => (touch.action === "run" ? [touch, ...eachTouch(touch.inner)] : [touch]))
    : touches;

/** It only reads, but nobody knows what: another command names it, in words that may be parts of names. */
export const readsUnknown = (touch: Touch): boolean =>
  touch.action === "unknown"
    ? touch.permissions.length === 1 && touch.permissions[0] === "read"
    : touch.action === "read" && touch.brings === "words";

const LEVELS: readonly Danger[] = ["safe", "moderate", "dangerous"];
export const worse = (a: Danger, b: Danger): Danger => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);
export const isDanger = (value: unknown): value is Danger => LEVELS.includes(value as Danger);

const byAction = {
  read: "safe",
  list: "safe",
  remember: "safe",
  delegate: "safe",
  ask: "safe",
  write: "moderate",
  delete: "moderate",
  fetch: "moderate",
  schedule: "moderate",
  use: "moderate",
  signal: "moderate",
} as const satisfies Record<string, Danger>;

const byPermission: Record<Permission, Danger> = {
  read: "safe",
  write: "moderate",
  execute: "dangerous",
  network: "moderate",
};

function dangerOfOne(touch: Touch): Danger {
  if (touch.action === "run") return touch.class === "safe" ? "safe" : touch.class === "dev" ? "moderate" : "dangerous";
  if (touch.action !== "unknown") return byAction[touch.action];
  // nothing declared at all is a doubt, and a doubt is never safe
  if (touch.permissions.length === 0) return "moderate";
  return touch.permissions.map((permission) => byPermission[permission]).reduce(worse);
}

/** A command's danger is its class and that of commands inside it; the paths it touches are for other policies. */
export const dangerOf = (touches: readonly Touch[]): Danger => {
  let danger: Danger = "safe";
  for (const touch of touches) {
    danger = worse(danger, dangerOfOne(touch));
    if (touch.action === "run") danger = worse(danger, dangerOf(touch.inner.filter(({ action }) => action === "run")));
  }
  return danger;
};

/** A command that a person declared safe may still change things: proven are only those that touch nothing else. */
export const runsReadOnly = (touch: Extract<Touch, { action: "run" }>): boolean =>
  touch.class === "safe" && touch.exposed === undefined && !changesSomething(touch.inner);

/** Whether a call with these touches could leave anything different behind. */
export const changesSomething = (touches: readonly Touch[]): boolean => {
  for (const touch of touches) {
    if (touch.action === "run") {
      if (!runsReadOnly(touch)) return true;
    } else if (touch.action === "unknown") {
      if (touch.permissions.length === 0 || touch.permissions.some((permission) => permission !== "read")) return true;
    } else if (touch.action !== "read" && touch.action !== "list" && touch.action !== "ask") return true;
  }
  return false;
};

/** One line for people: what is done to what. */
export function describeTouch(touch: Touch): string {
  if (isPathTouch(touch)) {
    const moved = touch.place.real.endsWith(`/${touch.place.shown}`) ? "" : ` (${touch.place.real})`;
    const what = touch.place.link ? "the link " : "";
    return `${touch.action} ${what}${touch.place.shown}${touch.scope ? `/${touch.scope}` : ""}${moved}`;
  }
  switch (touch.action) {
    case "run":
      return `run (${touch.class}) ${touch.command}`;
    case "fetch":
      return `fetch ${touch.method} ${touch.url}`;
    case "use":
      return `use ${touch.source} ${touch.name}`;
    case "unknown":
      return `unknown target, permissions: ${touch.permissions.join(", ") || "none declared"}`;
    default:
      return `${touch.action} ${touch.target}`;
  }
}
