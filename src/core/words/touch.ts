/**
 * Where a path really leads: `shown` as people read it, `real` after every symbolic link. `link`: the symbolic link
 * itself is meant, not its target; then `real` is where the link lies.
 */
export type Place = { shown: string; real: string; root: string; exists: boolean; link?: true };

/** The path relative to its root; "" is the root itself. */
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

/** How a command line was understood, for explanations and for policies that look at its parts. */
export type CommandReading = {
  risk: Risk;
  reason: string;
  /** Whether all of it is valid shell. */
  parsed: boolean;
  /** The segments are everything that it runs: nothing was in doubt, and nothing depends on an expansion. */
  sure?: boolean;
  uses: { readonly newline: boolean; readonly backticks: boolean; readonly substitution: boolean };
  /** It counts as safe although it runs code of the project, so only a sandbox makes it safe. */
  runsProject?: true;
  /**
   * Everything it writes is among its touches. `in-place`: by opening files and writing to them. `beside`: also by
   * creating others in the same folder and renaming them.
   */
  writes?: "in-place" | "beside";
  /** It follows links while reading, and only a sandbox keeps those from leading anywhere. */
  followsLinks?: true;
  segments: readonly CommandSegment[];
};

/** One command of a line. `program` is absent if the line does not name it plainly. */
export type CommandSegment = {
  text: string;
  program?: string;
  class: CommandClass;
  risk: Risk;
  rule: string;
  /** Its words after expansion; null for those that only the running shell knows. */
  words?: readonly (string | null)[];
  /** It is nothing but these words: no expansion, no variables set for it, and no redirected output. */
  plain?: boolean;
};

/**
 * A write below a folder whose file names come from elsewhere: from an archive, a patch or another folder (`anything`),
 * or from a history of git, which contains nothing of `.git` itself (`tracked`). A read of what git keeps is `tracked`
 * as well; `words` is a read of names that are split at blanks on their way to a program; `entries` is a read that
 * takes a folder for the files in it; `found` is a read of all that is below a folder, links too, each by its name.
 */
export type Brings = "anything" | "tracked" | "words" | "entries" | "found";

/** `changed`: a diff of what its server now says of it against what was approved. */
export type UseTouch = { action: "use"; source: "mcp" | "skill"; name: string; changed?: string };

/**
 * What a tool declares before it runs: names only, which the journey resolves to places. `setting`: what makes the same
 * command a different one, such as its folder and variables. `stays`: it keeps running after the call. `itself`: if the target
 * is a link, the link is meant, as it always is for a delete. `history`: words with which git names the files of its
 * history that are shown; `any`: it may be any file.
 */
export type Claim =
  | {
      action: PathAction;
      target: string;
      scope?: string;
      certain?: boolean;
      restores?: boolean;
      brings?: Brings;
      history?: readonly (readonly string[])[] | "any";
      itself?: boolean;
    }
  | {
      action: "run";
      command: string;
      class: CommandClass;
      inner?: Claim[];
      reading?: CommandReading;
      setting?: string;
      stays?: true;
    }
  | { action: "fetch"; url: string; method?: string }
  | UseTouch
  | { action: NamedAction; target: string }
  | { action: "unknown"; permissions: Permission[] };

/** `restores`: the write restores what the journal holds, so it may also delete what a call created. */
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
 * looks into keeps of files that a policy minds. `unsearched`: it may show what git keeps of any file.
 */
export type RunTouch = {
  action: "run";
  command: string;
  class: CommandClass;
  inner: Touch[];
  reading?: CommandReading;
  setting?: string;
  stays?: true;
  contained?: boolean;
  exposed?: string;
  kept?: readonly KeptFile[];
  unsearched?: true;
};
/** A file that a policy minds and git keeps; `changed`: it is not what git has; `shown`: git says that it is shown. */
export type KeptFile = { readonly name: string; readonly changed: boolean; readonly shown?: true };
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

/** Every touch, including those inside commands. */
export const eachTouch = (touches: readonly Touch[]): readonly Touch[] =>
  runsSomething(touches)
    ? touches.flatMap((touch) => (touch.action === "run" ? [touch, ...eachTouch(touch.inner)] : [touch]))
    : touches;

/** It only reads, but nobody knows what: another command names the files, in words that may be parts of names. */
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
  // declaring nothing at all leaves a doubt, and a doubt is never safe
  if (touch.permissions.length === 0) return "moderate";
  return touch.permissions.map((permission) => byPermission[permission]).reduce(worse);
}

/** A command's danger is its class and that of commands inside it. The paths it touches are for other policies. */
export const dangerOf = (touches: readonly Touch[]): Danger => {
  let danger: Danger = "safe";
  for (const touch of touches) {
    danger = worse(danger, dangerOfOne(touch));
    if (touch.action === "run") danger = worse(danger, dangerOf(touch.inner.filter(({ action }) => action === "run")));
  }
  return danger;
};

/** A command that a person declared safe may still change things: only its touches prove that it does not. */
export const runsReadOnly = (touch: Extract<Touch, { action: "run" }>): boolean =>
  touch.class === "safe" && touch.exposed === undefined && !changesSomething(touch.inner);

/** Whether a call with these touches could change anything. */
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
