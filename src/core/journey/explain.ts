import type { IncomingCall } from "../words/call.ts";
import type { Explanation } from "../words/explanation.ts";
import { grantedBefore } from "./asking.ts";
import { boundOf } from "./binding.ts";
import { heldWhileRunning } from "./commanding.ts";
import { tried } from "./ending.ts";
import { hooksFor } from "./hooking.ts";
import { inspect } from "./journey.ts";
import { diffOf, type Station } from "./journey-parts.ts";
import type { Opinion } from "./opinions.ts";
import { isEnded, type Prepared } from "./stages.ts";
import { rulesFor } from "./standing-grants.ts";
import { lookOnly, mark, type Trip } from "./trip.ts";

/** The journey up to the judgement: nothing is run, reserved or recorded. */
export async function explain(station: Station, incoming: IncomingCall): Promise<Explanation> {
  const { resolve, ...parts } = station.parts;
  const trip = lookOnly({ ...station, parts: { ...parts, heard: () => false } }, incoming);
  trip.known.said = [];
  const stage = await tried(trip, async () => {
    await trip.station.facts.refresh();
    return inspect(trip, trip.known.call);
  });
  const always = isEnded(stage) ? [] : await answeredBefore(trip, stage);
  mark(trip, "end");
  const { ready, verdict, said = [] } = trip.known;
  const result = isEnded(stage) ? stage.ended : undefined;
  const told = verdict ?? {
    answer: "deny" as const,
    by: "journey",
    reason: result?.error?.message ?? "it could not be read",
  };
  const command = ready?.touches.find((touch) => touch.action === "run");
  const enforcement = command?.action === "run" ? await heldWhileRunning(station, command) : undefined;
  const diff = ready?.changes.length ? await diffOf(parts, ready.changes) : "";
  for (const view of trip.deeds.previews ?? []) view.close();
  return {
    verdict: told.answer,
    by: told.by,
    reason: told.reason,
    ...(verdict && { others: othersOf(said, told) }),
    ...(always.length > 0 && { always }),
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

/** The rules that a standing yes would save; none if an earlier yes already answers the question. */
async function answeredBefore(trip: Trip, prepared: Prepared): Promise<readonly string[]> {
  if (prepared.verdict.answer !== "ask" || !prepared.verdict.grantable) return [];
  try {
    if (await grantedBefore(trip, prepared)) return [];
    const bound = await boundOf(trip, prepared.ready);
    const rules = bound.whole ? await rulesFor(trip, prepared, bound) : undefined;
    return rules?.map(({ shown }) => shown) ?? [];
  } catch {
    // if the store fails, the question stays open
    return [];
  }
}

/** The opinions besides the deciding one: all that ask or deny, and rules that would have allowed the call. */
function othersOf(said: readonly Opinion[], decided: { by: string; answer: string; reason: string }) {
  return said.flatMap((each) => {
    if (each.answer === undefined || (each.by === decided.by && each.reason === decided.reason)) return [];
    if (each.answer === "allow" && (!each.covers || decided.answer === "allow")) return [];
    return [{ by: each.by, answer: each.answer, reason: each.reason }];
  });
}
