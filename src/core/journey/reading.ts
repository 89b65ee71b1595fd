import type { LoadedEntry } from "../registry.ts";
import type { Call } from "../words/call.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Claim, Touch } from "../words/touch.ts";
import { dangerOfCall, toTouches, undeclared } from "./places.ts";
import { TripLook } from "./preview.ts";
import { mark, type Trip } from "./trip.ts";

const MOST_OF_NAME = 80;

/** Finds the tool, parses the arguments, names what the call would touch. */
export async function read(trip: Trip, call: Call): Promise<Ready> {
  const tool = registered(trip, call) ?? (await find(trip, call));
  const parsed = tool.parse(call.args, call.name);
  if (!parsed.ok)
    throw new Ending("invalid", "VALIDATION_ERROR", parsed.message, parsed.hint, {
      metadata: { issues: parsed.issues },
    });
  const { input, notes } = parsed;
  const unread: Ready = { call, tool, input, touches: [], danger: "dangerous", changes: [], notes };
  trip.known.ready = unread;
  const ready = await withTouches(trip, unread);
  trip.known.ready = ready;
  mark(trip, "touches");
  return ready;
}

/** Most tools are there at once, and waiting costs. */
function registered({ station }: Trip, { name }: Call): LoadedEntry | undefined {
  return station.parts.registry.loaded(name);
}

async function find(trip: Trip, { name }: Call): Promise<LoadedEntry> {
  const { registry, resolve, nearest } = trip.station.parts;
  let tool = registry.get(name);
  if (!tool && resolve) {
    const late = await resolve(name);
    if (late) await registry.register(late);
    tool = registry.get(name) ?? (late ? registry.get(late.name) : undefined);
  }
  if (!tool) {
    const near = name === "" ? [] : nearest(name, registry.names());
    const hint =
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `The tools are ${registry
            .list()
            .map((each) => each.name)
            .join(", ")}.`;
    const message = name === "" ? "The call names no tool." : `There is no tool named ${shortened(name)}.`;
    throw new Ending("unknown", "UNKNOWN_TOOL", message, hint);
  }
  return tool.load();
}

/** A model may send a page in place of a name; nobody needs it back. */
const shortened = (name: string): string => (name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME)}…` : name);

/** Asks the tool what it would touch, if that can have changed, and where that really is now. */
export async function withTouches(trip: Trip, ready: Ready): Promise<Ready> {
  const { definition, permissions } = ready.tool;
  const { claims, certain } = ready.claims ? { claims: ready.claims, certain: true } : await claimsOf(trip, ready);
  const touches: readonly Touch[] = claims.length > 0 ? await toTouches(claims, trip.station.workspace) : [];
  const declares = definition.touches !== undefined || permissions?.required !== undefined;
  const danger = dangerOfCall(definition, ready.input, touches, declares);
  return { ...ready, ...(certain && { claims }), touches, danger };
}

/** `certain`: the tool looked at nothing but its input, so it would say the same again. */
async function claimsOf(trip: Trip, { tool, input }: Ready): Promise<{ claims: readonly Claim[]; certain: boolean }> {
  const { touches } = tool.definition;
  if (!touches) return { claims: undeclared(tool.permissions?.required), certain: true };
  const look = new TripLook(trip);
  const told = touches(input as never, look);
  const claims = told instanceof Promise ? await told : told;
  return { claims, certain: !look.used };
}
