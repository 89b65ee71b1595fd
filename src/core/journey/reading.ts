import type { Entry } from "../registry.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import { dangerOfCall, toTouches, undeclared } from "./places.ts";
import { TripLook } from "./preview.ts";
import { mark, type Trip } from "./trip.ts";

const MOST_OF_NAME = 80;

/** Finds the tool, parses the arguments, names what the call would touch. */
export async function read(trip: Trip): Promise<void> {
  const { call } = trip;
  const tool = registered(trip) ?? (await find(trip));
  const parsed = tool.parse(call.args, call.name);
  if (!parsed.ok)
    throw new Ending("invalid", "VALIDATION_ERROR", parsed.message, parsed.hint, {
      metadata: { issues: parsed.issues },
    });
  trip.ready = { call, tool, input: parsed.input, touches: [], danger: "dangerous", changes: [], notes: parsed.notes };
  await readTouches(trip, trip.ready);
  mark(trip, "touches");
}

/** Most tools are there at once, and waiting costs. */
function registered({ station, call }: Trip): Entry | undefined {
  const tool = station.parts.registry.get(call.name);
  return tool?.loaded ? tool : undefined;
}

async function find(trip: Trip): Promise<Entry> {
  const { registry, resolve, nearest } = trip.station.parts;
  const { name } = trip.call;
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
  return tool.loaded ? tool : tool.load();
}

/** A model may send a page in place of a name; nobody needs it back. */
const shortened = (name: string): string => (name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME)}…` : name);

/** Asks the tool what it would touch, and where that really is. */
export async function readTouches(trip: Trip, ready: Ready): Promise<void> {
  const { station } = trip;
  const definition = ready.tool.definition!;
  const required = ready.tool.permissions?.required;
  const told = definition.touches ? definition.touches(ready.input as never, new TripLook(trip)) : undeclared(required);
  const claims = told instanceof Promise ? await told : told;
  const touches: readonly Touch[] = claims.length > 0 ? await toTouches(claims, station.workspace) : [];
  const declares = definition.touches !== undefined || required !== undefined;
  trip.ready = { ...ready, touches, danger: dangerOfCall(definition, ready.input, touches, declares) };
}
