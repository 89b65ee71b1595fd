import type { LoadedEntry } from "../registry.ts";
import type { Call } from "../words/call.ts";
import { labelOf } from "../words/label.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Claim, Touch } from "../words/touch.ts";
import type { Minding } from "./fitting.ts";
import { dangerOfCall, toTouches, undeclared } from "./places.ts";
import { TripLook } from "./preview.ts";
import { type Soon, whenThereWith } from "./soon.ts";
import { mark, type Trip } from "./trip.ts";

const MOST_OF_NAME = 80;
const NONE: readonly never[] = [];

/** Finds the tool, parses the arguments and resolves what the call would touch, synchronously where possible. */
export function read(trip: Trip, call: Call): Soon<Ready> {
  const { registry } = trip.station.parts;
  const meant = registry.meaning(call.name, call.args);
  if (typeof meant === "string")
    throw new Ending(
      "invalid",
      "VALIDATION_ERROR",
      `Invalid arguments for ${labelOf(call.name)}: ${meant}.`,
      "Correct the call.",
    );
  // a name that stands for several tools is replaced by the one that was meant
  const told = meant.args === call.args ? call : { ...call, ...meant };
  const tool = registry.loaded(meant.name);
  const { name } = meant;
  return tool ? readWith(trip, told, tool, name) : find(trip, told).then((late) => readWith(trip, told, late, name));
}

function readWith(trip: Trip, call: Call, tool: LoadedEntry, calledAs: string): Soon<Ready> {
  const parsed = tool.parse(call.args, calledAs);
  if (!parsed.ok)
    throw new Ending("invalid", "VALIDATION_ERROR", parsed.message, parsed.hint, {
      metadata: { issues: parsed.issues },
    });
  const { input, notes } = parsed;
  const unread: Ready = { call, tool, input, touches: NONE, danger: "dangerous", changes: NONE, notes };
  trip.known.ready = unread;
  return whenThereWith(withTouches(trip, unread), known, trip);
}

function known(ready: Ready, trip: Trip): Ready {
  trip.known.ready = ready;
  mark(trip, "touches");
  return ready;
}

async function find(trip: Trip, { name }: Call): Promise<LoadedEntry> {
  const { registry, resolve, servers } = trip.station.parts;
  let tool = registry.get(name);
  if (!tool && resolve) {
    const late = await resolve(name);
    if (late) await registry.register(late);
    tool = registry.get(name) ?? (late ? registry.get(late.name) : undefined);
  }
  if (!tool && servers) {
    await servers.load(name);
    tool = registry.get(name);
  }
  if (!tool) {
    const why = trip.station.parts.leftOut?.(name);
    const message =
      name === ""
        ? "The call names no tool."
        : `There is no tool named ${shortened(name)}${why ? ` here: ${why}` : ""}.`;
    throw new Ending("unknown", "UNKNOWN_TOOL", message, whichTools(trip, name));
  }
  return tool.load();
}

/** Suggests similar names, or lists all: only tools that this gate may call and that are not hidden. */
function whichTools({ station: { parts, facts } }: Trip, name: string): string {
  const { registry, suggest } = parts;
  const { tools } = facts.ceiling;
  const shown = new Map(
    registry
      .list()
      .filter((entry) => !entry.hidden && (!tools || tools.includes(entry.name)))
      .map((entry) => [entry, entry.name]),
  );
  const known = registry.names().filter((each) => shown.has(registry.get(each)!));
  const near = new Set(suggest(name, known).map((each) => registry.get(each)!.name));
  if (near.size > 0) return `Did you mean ${[...near].join(" or ")}?`;
  return shown.size > 0 ? `The tools are ${[...shown.values()].join(", ")}.` : "There are no tools here.";
}

/** A model may send a whole page as a name, so messages repeat only the start of it. */
const shortened = (name: string): string => (name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME)}…` : name);

/** Asks the tool what it would touch, unless that cannot have changed, and resolves the places as they are now. */
export function withTouches(trip: Trip, ready: Ready): Soon<Ready> {
  if (ready.claims) return placed(trip, ready, ready.claims, true);
  const { definition, permissions } = ready.tool;
  if (!definition.touches) return placed(trip, ready, undeclared(permissions?.required), true);
  const look = new TripLook(trip);
  const claims = definition.touches(ready.input as never, look);
  return claims instanceof Promise ? placedLater(trip, ready, claims, look) : placed(trip, ready, claims, !look.used);
}

async function placedLater(
  trip: Trip,
  ready: Ready,
  claims: Promise<readonly Claim[]>,
  look: TripLook,
): Promise<Ready> {
  const made = await claims;
  return placed(trip, ready, made, !look.used);
}

/** `certain`: the tool looked at nothing but its input, so it would say the same again. */
function placed(trip: Trip, ready: Ready, claims: readonly Claim[], certain: boolean): Soon<Ready> {
  const about = { ready, claims: certain ? claims : undefined };
  if (claims.length === 0) return touching(NONE, about);
  return whenThereWith(toTouches(claims, trip.station.workspace, minding(trip)), touching, about);
}

/** One for each list of policies, so that what it said of very many files can be remembered. */
const mindings = new WeakMap<object, Minding>();

function minding({ station: { parts } }: Trip): Minding {
  const { policies, globs } = parts;
  const before = mindings.get(policies);
  if (before) return before;
  const made: Minding = { minds: (path) => policies.some((policy) => policy.minds?.(path)), fits: globs.fits };
  mindings.set(policies, made);
  return made;
}

type Claiming = { readonly ready: Ready; readonly claims: readonly Claim[] | undefined };

function touching(touches: readonly Touch[], { ready, claims }: Claiming): Ready {
  const { call, tool, input, changes, notes, replaces } = ready;
  const declares = tool.definition.touches !== undefined || tool.permissions?.required !== undefined;
  const danger = dangerOfCall(tool.definition, input, touches, declares);
  const found: Ready = claims
    ? { call, tool, input, claims, touches, danger, changes, notes }
    : { call, tool, input, touches, danger, changes, notes };
  return replaces ? { ...found, replaces } : found;
}
