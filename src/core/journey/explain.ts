import type { Mark } from "../contracts/store.ts";
import type { IncomingCall } from "../words/call.ts";
import type { Failure, Status } from "../words/result.ts";
import type { CommandClass, CommandReading, Danger, Touch } from "../words/touch.ts";
import type { Answer } from "../words/verdict.ts";
import { inspect } from "./journey.ts";
import { attempt, mark, rehearse, type Station } from "./trip.ts";

export type Explanation = {
  verdict: Answer;
  by: string;
  reason: string;
  tool: string;
  /** For commands. */
  class?: CommandClass;
  risk?: CommandReading["risk"];
  danger?: Danger;
  touches: readonly Touch[];
  diff?: string;
  trace: readonly Mark[];
  /** Why it would not even be judged, or would fail. */
  status?: Status;
  error?: Failure;
  /** What a real call would also pass. */
  leftOut: readonly string[];
};

/** The journey up to the judgement: nothing runs, nothing is reserved, nothing is recorded. */
export async function explain(station: Station, incoming: IncomingCall): Promise<Explanation> {
  const { resolve, ...parts } = station.parts;
  const trip = rehearse({ ...station, parts: { ...parts, heard: () => false } }, incoming);
  await attempt(trip, inspect);
  mark(trip, "end");
  const { ready, verdict, result } = trip;
  const told = verdict ?? {
    answer: "deny" as const,
    by: "journey",
    reason: result?.error?.message ?? "it could not be read",
  };
  const command = ready?.touches.find((touch) => touch.action === "run");
  const diff = ready?.changes.length ? parts.diff(ready.changes) : "";
  trip.preview?.close();
  return {
    verdict: told.answer,
    by: told.by,
    reason: told.reason,
    tool: ready?.tool.name ?? trip.call.name,
    ...(command?.action === "run" && { class: command.class }),
    ...(command?.action === "run" && command.reading && { risk: command.reading.risk }),
    ...(ready && { danger: ready.danger }),
    touches: ready?.touches ?? [],
    ...(diff && { diff }),
    trace: trip.trace,
    ...(result && { status: result.status }),
    ...(result?.error && { error: result.error }),
    leftOut: ["approval", "locks", "budget", ...(resolve ? ["tools that are loaded on demand"] : [])],
  };
}
