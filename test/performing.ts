import type { Parts } from "../src/core/journey/journey-parts.ts";
import { perform } from "../src/core/journey/performing.ts";
import { unchanged } from "../src/core/journey/soon.ts";
import type { Prepared } from "../src/core/journey/stages.ts";
import type { Trip } from "../src/core/journey/trip.ts";
import type { Ready } from "../src/core/words/ready.ts";
import type { Result } from "../src/core/words/result.ts";
import type { Context } from "../src/core/words/tool.ts";
import type { Touch } from "../src/core/words/touch.ts";
import type { Judgement } from "../src/core/words/verdict.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { ready as readyFor } from "./judging.ts";
import { type FileMap, tripIn } from "./tripping.ts";

export type Given = {
  touches?: Touch[];
  verdict?: Partial<Judgement>;
  prepared?: Partial<Prepared>;
  notes?: string[];
  parts?: Partial<Parts>;
  files?: FileMap;
  changes?: Ready["changes"];
  execute?: (input: unknown, context: Context, trip: Trip) => unknown;
};

/** A call that is allowed, in a world in memory. */
export function performing(given: Given = {}) {
  const { touches = [], verdict = {}, prepared = {}, notes = [], parts = {}, execute = () => "ran" } = given;
  const store = parts.store ?? memoryStore();
  const closed: number[] = [];
  const guard = () => ({ close: () => void closed.push(1) }) as never;
  const trip = tripIn({
    files: given.files ?? new Map(),
    parts: { store, steps: [], guard, trim: (text) => ({ text }), ...parts },
  });
  const claims = touches.flatMap((touch) =>
    "place" in touch ? [{ action: touch.action, target: touch.place.shown }] : [],
  );
  const definition = {
    touches: () => claims,
    execute: (input: unknown, context: Context) => execute(input, context, trip),
  };
  const ready: Ready = {
    ...readyFor({ touches }),
    ...{ tool: { name: "thing", definition } as never, call: trip.known.call, notes, changes: given.changes ?? [] },
  };
  const judged: Prepared = { ready, verdict: { answer: "allow", by: "mode", reason: "", ...verdict }, ...prepared };
  const done = async () => perform(trip, judged, () => ({}) as never, unchanged<Result>());
  const counted = () => store.reserved("session budget calls");
  return { trip, ready, store, done, counted, closed };
}
