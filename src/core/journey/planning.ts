import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import { changesSomething } from "../words/touch.ts";
import { noteOwnChange } from "./committing.ts";
import { withinBudget } from "./performing.ts";
import type { Prepared } from "./stages.ts";
import { type Trip, workspaceOf } from "./trip.ts";

export const wouldChange = (ready: Ready): boolean =>
  changesSomething(ready.touches) &&
  !(ready.danger === "safe" && ready.touches.every((touch) => touch.action === "unknown"));

/** Kept in the store for whoever runs the plan, and in the overlay for what follows; nothing reaches the files. */
export async function keepAsPlanned(trip: Trip, { ready, verdict, withheld }: Prepared): Promise<Result> {
  const { parts, workspace, facts } = trip.station;
  if (withheld) throw withheld.error;
  trip.life.check();
  const diff = parts.diff(ready.changes);
  try {
    await parts.store.plan(rowFor(trip, ready, diff), contentsOf(trip, ready));
    await workspace.files.commit(ready.changes, async () => trip.life.check());
    for (const { place } of ready.changes) await noteOwnChange(trip, place);
  } catch (error) {
    // whoever is told that nothing was planned will plan it again
    await parts.store.movePlan([trip.recordID], ["planned"], "dropped").catch(() => {});
    throw error;
  }
  const what = facts.ceiling.dryRun ? "Dry run" : "Planned";
  trip.known.verdict = { answer: "allow", by: "plan", reason: "nothing is changed" };
  return withinBudget(trip, ready, {
    success: true,
    status: "planned",
    title: `${what}: ${ready.tool.name}`,
    output: [`${what}: ${ready.tool.name} was not run.`, diff, ...ready.notes, ...(verdict.notes ?? [])]
      .filter(Boolean)
      .join("\n\n"),
    metadata: { id: trip.recordID, touches: ready.touches, diff },
  });
}

const rowFor = (trip: Trip, { call, tool, touches, changes }: Ready, diff: string): PlannedCall => {
  const { parts } = trip.station;
  return {
    id: trip.recordID,
    call: call.id,
    session: call.sessionID,
    message: call.messageID,
    agent: call.agent,
    workspace: workspaceOf(trip.station),
    tool: tool.name,
    args: call.args,
    at: parts.clock.now(),
    touches,
    changes: changes.map(({ place, before, after, mode }) => ({
      real: place.real,
      shown: place.shown,
      before: before && parts.hash(before),
      after: after && parts.hash(after),
      ...(mode !== undefined && { mode }),
    })),
    diff,
    state: "planned",
  };
};

const contentsOf = ({ station }: Trip, { changes }: Ready): Map<string, Uint8Array> =>
  new Map(changes.flatMap(({ after }) => (after ? [[station.parts.hash(after), after] as const] : [])));
