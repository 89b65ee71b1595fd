import type { Workspace } from "../contracts/workspace.ts";
import { Ending, ToolFailure } from "../words/result.ts";
import { isSame } from "../words/same.ts";
import type { Definition } from "../words/tool.ts";
import {
  type Claim,
  type Danger,
  dangerOf,
  isDanger,
  isPathTouch,
  type PathTouch,
  type Permission,
  type Place,
  type RunTouch,
  type Touch,
  worse,
} from "../words/touch.ts";
import { type Minding, NOBODY, reachedByPatterns } from "./fitting.ts";
import { keptByGit } from "./kept-by-git.ts";
import { type Soon, whenThere } from "./soon.ts";

/** What a tool that declares nothing is assumed to touch. */
export const undeclared = (permissions: readonly Permission[] | undefined): readonly Claim[] => [
  { action: "unknown", permissions: [...(permissions ?? [])] },
];

/** Resolves claims to real places. A path that leads out of the workspace ends the call. */
export const toTouches = (claims: readonly Claim[], workspace: Workspace, minding = NOBODY): Soon<Touch[]> =>
  each(
    claims,
    workspace,
    ({ target, action, itself = action === "delete" }) => placeOf(target, itself, workspace),
    minding,
  );

type RunClaim = Extract<Claim, { action: "run" }>;
type PathClaim = Extract<Claim, { action: PathTouch["action"] }>;
type Placer = (claim: PathClaim) => Soon<Place>;

/** Resolves claims in order, synchronously until one has to be awaited. */
function each(
  claims: readonly Claim[],
  workspace: Workspace,
  place: Placer,
  minding: Minding,
  touches: Touch[] = [],
): Soon<Touch[]> {
  for (let index = touches.length; index < claims.length; index++) {
    const touch = toTouch(claims[index] as Claim, workspace, place, minding);
    if (touch instanceof Promise)
      return touch.then((late) => {
        touches.push(late);
        return each(claims, workspace, place, minding, touches);
      });
    touches.push(touch);
  }
  return touches;
}

function toTouch(claim: Claim, workspace: Workspace, placer: Placer, minding: Minding): Soon<Touch> {
  switch (claim.action) {
    case "read":
    case "list":
    case "write":
    case "delete": {
      const { action, scope, certain = true, restores, brings } = claim;
      return whenThere(placer(claim), (place) => {
        const touch: PathTouch = { action, place, certain };
        if (scope !== undefined) touch.scope = scope;
        if (restores) touch.restores = restores;
        if (brings) touch.brings = brings;
        return touch;
      });
    }
    case "run":
      return commandTouch(claim, workspace, minding);
    case "fetch":
      return { ...claim, method: claim.method ?? "GET" };
    case "use":
    case "unknown":
    case "delegate":
    case "remember":
    case "schedule":
    case "ask":
    case "signal":
      return claim;
    default:
      throw new ToolFailure(
        "CONFIG_ERROR",
        `The tool declares an unknown action: ${String((claim as { action: unknown }).action)}.`,
        "This is a mistake in the tool's definition.",
      );
  }
}

async function commandTouch(claim: RunClaim, workspace: Workspace, minding: Minding): Promise<Touch> {
  // a command may name paths outside: policies judge those, so `trace` does not refuse them
  const place = (inner: PathClaim) => workspace.trace(inner.target, deletesItself(inner));
  const named = await each(claim.inner ?? [], workspace, place, minding);
  const reached = await reachedByPatterns(named, workspace, minding, () => isUnhidden(claim, workspace));
  const inner = [...named, ...reached.touches];
  const touch: RunTouch = { ...claim, inner };
  delete touch.contained;
  delete touch.exposed;
  delete touch.kept;
  delete touch.unsearched;
  if (minding !== NOBODY) {
    const { kept, isPartial } = await keptByGit(named, claim.inner ?? [], workspace, minding);
    if (kept.length > 0) touch.kept = kept;
    if (isPartial) touch.unsearched = true;
  }
  const exposed =
    (await exposure(touch, workspace)) ?? (reached.leadsOut ? LEADS_OUT : reached.isPartial ? TOO_MANY : undefined);
  if (exposed !== undefined) touch.exposed = exposed;
  return (await isContained(inner, workspace)) ? { ...touch, contained: true } : touch;
}

const LEADS_OUT =
  "a folder's name ends in a blank, so paths in it may be read as paths outside, and no sandbox hides those";
const TOO_MANY = "it reads more files than could be searched for secrets, and no sandbox hides them";

/** A delete removes the link and not its target, unless a pattern looks behind the link. */
const deletesItself = ({ action, scope, itself = true }: PathClaim): boolean =>
  action === "delete" && itself && (scope === undefined || scope === "**");

/** Whether a command that only reads has no sandbox, which would hide files that nobody was asked about. */
async function isUnhidden({ class: kind }: RunClaim, { processes }: Workspace): Promise<boolean> {
  return kind === "safe" && processes !== undefined && (await processes.enforcement()).sandbox === "none";
}

/** Asked only where it matters, because the first `enforcement()` takes a while. */
async function isContained(inner: readonly Touch[], { processes }: Workspace): Promise<boolean> {
  const writesAnything = inner.some((touch) => touch.action === "write" && touch.scope !== undefined);
  return writesAnything && processes !== undefined && (await processes.enforcement()).sandbox !== "none";
}

/** Why a command that sounds safe may not be: the project decides what it does, and no sandbox contains it. */
async function exposure(touch: RunTouch, { processes }: Workspace): Promise<string | undefined> {
  const { runsProject, followsLinks } = touch.reading ?? {};
  if (touch.class !== "safe" || !processes || !(runsProject || followsLinks || namesGit(touch))) return undefined;
  if ((await processes.enforcement()).sandbox !== "none") return undefined;
  if (runsProject) return "it runs code of the project, and no sandbox contains it";
  if (followsLinks) return "it follows links wherever they lead, and no sandbox contains it";
  const places = touch.inner.filter(isPathTouch).map(({ place }) => place.real);
  const helper = processes.helperOf?.(places);
  return helper && `git would obey ${helper}, and no sandbox contains it`;
}

/** In the text of the line, or in a word that the shell makes of it (`$'\147it'`). */
export const namesGit = ({ command, reading }: RunTouch | RunClaim): boolean =>
  GIT.test(command.replace(/["'\\]/g, "")) ||
  (reading?.segments ?? []).some(({ words = [] }) => words.some((word) => word !== null && GIT.test(word)));
const GIT = /\bgit\b/;

function placeOf(target: string, itself: boolean, workspace: Workspace): Soon<Place> {
  try {
    const place = workspace.locate(target, itself);
    return place instanceof Promise ? place.catch(misplaced) : place;
  } catch (error) {
    return misplaced(error);
  }
}

function misplaced(error: unknown): never {
  if (error instanceof ToolFailure && error.code === "PERMISSION_DENIED")
    throw new Ending("refused", error.code, error.message, error.hint);
  if (error instanceof ToolFailure && error.code === "VALIDATION_ERROR")
    throw new Ending("invalid", error.code, error.message, error.hint);
  throw error;
}

/** A tool's own level can only raise the danger. It stands alone if the tool declares nothing else. */
export function dangerOfCall(
  definition: Definition,
  input: unknown,
  touches: readonly Touch[],
  declares: boolean,
): Danger {
  const own = ownDanger(definition, input);
  if (!declares) return own ?? "moderate";
  const seen = dangerOf(touches);
  return own ? worse(seen, own) : seen;
}

function ownDanger(definition: Definition, input: unknown): Danger | undefined {
  if (!definition.getDangerLevel) return definition.dangerLevel;
  const told = definition.getDangerLevel(input as never);
  return isDanger(told) ? told : "dangerous";
}

export const samePlaces = (a: readonly Touch[], b: readonly Touch[]): boolean => isSame(a, b);
