import type { IncomingCall } from "../words/call.ts";
import type { Explanation } from "../words/explanation.ts";
import { enforcementOf } from "./commanding.ts";
import { tried } from "./ending.ts";
import { hooksFor } from "./hooking.ts";
import { inspect } from "./journey.ts";
import type { Station } from "./parts.ts";
import { isEnded } from "./stages.ts";
import { lookOnly, mark } from "./trip.ts";

/** The journey up to the judgement: nothing runs, nothing is reserved, nothing is recorded. */
export async function explain(station: Station, incoming: IncomingCall): Promise<Explanation> {
  const { resolve, ...parts } = station.parts;
  const trip = lookOnly({ ...station, parts: { ...parts, heard: () => false } }, incoming);
  const stage = await tried(trip, () => inspect(trip, trip.known.call));
  mark(trip, "end");
  const { ready, verdict } = trip.known;
  const result = isEnded(stage) ? stage.ended : undefined;
  const told = verdict ?? {
    answer: "deny" as const,
    by: "journey",
    reason: result?.error?.message ?? "it could not be read",
  };
  const command = ready?.touches.find((touch) => touch.action === "run");
  const enforcement = command?.action === "run" ? await enforcementOf(station, command) : undefined;
  const diff = ready?.changes.length ? parts.diff(ready.changes) : "";
  for (const view of trip.deeds.previews ?? []) view.close();
  return {
    verdict: told.answer,
    by: told.by,
    reason: told.reason,
    tool: ready?.tool.name ?? trip.known.call.name,
    ...(command?.action === "run" && { class: command.class }),
    ...(command?.action === "run" && command.reading && { risk: command.reading.risk }),
    ...(ready && { danger: ready.danger }),
    ...(enforcement && { enforcement }),
    touches: ready?.touches ?? [],
    ...(diff && { diff }),
    ...(verdict?.notes && { notes: verdict.notes }),
    trace: trip.trace,
    ...(result && { status: result.status }),
    ...(result?.error && { error: result.error }),
    leftOut: [
      ...hooksFor(trip, ready).map(({ name }) => `the hook ${name}`),
      "approval",
      "locks",
      ...new Set(verdict?.reserve?.map(({ by }) => by)),
      ...(resolve ? ["tools that are loaded on demand"] : []),
    ],
  };
}
