import { eachInTurns } from "../contracts/clock.ts";
import type { LastSeen } from "../contracts/policy.ts";
import type { Hash } from "../contracts/store/changes.ts";
import type { PlannedCall, PlannedChange } from "../contracts/store/plans.ts";
import { type Stamp, sameStamp } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import { changesSomething, eachTouch, isPathTouch, type RunTouch, runsReadOnly, type Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { visibleLine } from "../words/visible.ts";
import { boundOf } from "./binding.ts";
import { plannedFingerprint } from "./fingerprints.ts";
import { diffOf } from "./journey-parts.ts";
import { decide } from "./judging.ts";
import { noteOwnChange } from "./known-files.ts";
import { withinBudget } from "./performing.ts";
import { namesGit } from "./places.ts";
import type { PlanSoFar } from "./plan-so-far.ts";
import type { Prepared } from "./stages.ts";
import { type Trip, targetOf, workspaceOf } from "./trip.ts";

const MOST_NAMED = 3;
const LONGEST_DEED = 200;

/** In a plan or a dry run, keeps calls that would change something, and commands that would not see the plan. */
export const isOnlyPlanned = (ready: Ready, plan: PlanSoFar): boolean => wouldChange(ready) || isMisled(ready, plan);

const wouldChange = (ready: Ready): boolean => ready.touches.some(staysBehind) || changes(ready);

/** Nothing goes on after a call that was only to be planned. */
const staysBehind = (touch: Touch): boolean => touch.action === "run" && touch.stays === true;

const changes = (ready: Ready): boolean =>
  changesSomething(ready.touches) &&
  !(ready.danger === "safe" && ready.touches.every((touch) => touch.action === "unknown"));

/** Commands read the disk, so one that reads what the plan has changed would report something false. */
const isMisled = ({ touches }: Ready, plan: PlanSoFar): boolean =>
  touches.some((touch) => touch.action === "run" && (looksAround(touch) ? plan.isSeen : readsPlanned(touch, plan)));

const readsPlanned = ({ inner }: RunTouch, plan: PlanSoFar): boolean =>
  eachTouch(inner).some((touch) => isPathTouch(touch) && plan.differs(touch.place));

/** Whether it may read more than it names: through links, a whole repository, or whatever it finds. */
const looksAround = (touch: RunTouch): boolean =>
  touch.inner.length > 0 &&
  (touch.reading?.followsLinks === true ||
    namesGit(touch) ||
    eachTouch(touch.inner).some(({ action }) => action === "unknown"));

/** Adds a note if a planned command may change the files that this call looks at, and nobody knows how. */
export function withDoubt(prepared: Prepared, plan: PlanSoFar): Prepared {
  const { ready } = prepared;
  const looks = ready.touches.some((touch) => isPathTouch(touch) || touch.action === "run");
  const note = looks ? doubtOf(plan) : undefined;
  return note === undefined ? prepared : { ...prepared, ready: { ...ready, notes: [...ready.notes, note] } };
}

function doubtOf({ blind }: PlanSoFar): string | undefined {
  if (blind.length === 0) return undefined;
  const names = blind.slice(0, MOST_NAMED).map(({ tool, touches: [first] }) => deedName(tool, first));
  const more = blind.length > MOST_NAMED ? ` and ${blind.length - MOST_NAMED} more` : "";
  return `[Planned and not run: ${names.join("; ")}${more}. What that would change is not known and not shown here.]`;
}

const deedName = (tool: string, touch: Touch | undefined): string =>
  touch?.action === "run" ? (touch.command.split("\n", 1)[0] ?? "") : tool;

/** Keeps the call in the store for whoever runs the plan, and in the overlay for later calls. No file is changed. */
export async function keepAsPlanned(trip: Trip, prepared: Prepared, plan: PlanSoFar): Promise<Result> {
  const { parts, workspace, facts } = trip.station;
  if (prepared.withheld) throw prepared.withheld.error;
  const { ready, verdict, isWhole } = await rehearsed(trip, prepared);
  trip.life.check();
  const diff = await diffOf(parts, ready.changes);
  const fingerprint = await plannedFingerprint(prepared.ready, await boundOf(trip, ready), parts);
  const hashes = await hashesOf(trip, ready);
  const told = { diff, fingerprint, ...(isBlind(ready) && !isWhole && { blind: true as const }) };
  const row = rowFor(trip, ready, verdict, told, hashes);
  await plan.keep(row.id, async () => {
    try {
      await parts.store.plan(row, contentsOf(ready, hashes));
      await workspace.files.commit(ready.changes, async () => trip.life.check());
      for (const change of ready.changes) await noteOwnChange(trip, change);
    } catch (error) {
      // the caller is told that nothing was planned, and may plan it again
      await parts.store.movePlan([row.id], ["planned"], "dropped").catch(() => {});
      throw error;
    }
  });
  const what = facts.ceiling.dryRun ? "Dry run" : "Planned";
  trip.known.verdict = { answer: "allow", by: "plan", reason: "nothing is changed" };
  const why = wouldChange(ready) ? "" : " It would not see what is planned: commands read the files on the disk.";
  const deed = deedOf(trip, ready);
  const said = [
    `${what}: ${deed} would run; nothing was changed.${why}`,
    diff.trimEnd(),
    ...ready.notes,
    ...(verdict.notes ?? []),
  ];
  return withinBudget(trip, ready, {
    success: true,
    status: "planned",
    title: `${what}: ${deed}`,
    output: said.filter(Boolean).join("\n\n"),
    metadata: { id: trip.recordID, touches: ready.touches, diff },
  });
}

/** The tool and what it would do, in one line: `run_command(npm test)`. */
function deedOf({ station: { parts } }: Trip, ready: Ready): string {
  const target = visibleLine(parts.redact(targetOf(ready)));
  const shown = target.length > LONGEST_DEED ? `${target.slice(0, LONGEST_DEED)}…` : target;
  return shown ? `${ready.tool.name}(${shown})` : ready.tool.name;
}

type Tried = { ready: Ready; verdict: Judgement; isWhole: boolean };

/** Rehearses the command, if possible, and plans it with the changes found, which are judged like any others. */
async function rehearsed(trip: Trip, { ready, verdict }: Prepared): Promise<Tried> {
  const [run, ...others] = ready.touches.filter((touch) => touch.action === "run");
  const told = run && others.length === 0 && wouldChange(ready) && (await trip.station.workspace.rehearse?.(run));
  if (!told) return { ready, verdict, isWhole: false };
  const tried = { ...ready, changes: told.changes };
  trip.known.ready = tried;
  return { ready: tried, verdict: decide(trip, tried, verdict), isWhole: told.whole };
}

type Told = Pick<PlannedCall, "diff" | "fingerprint" | "blind">;

/** Hashes of each file's content before and after. */
type Hashes = readonly { before: Hash | null; after: Hash | null }[];

const hashesOf = ({ station }: Trip, { changes }: Ready): Promise<Hashes> => {
  const { clock, hash } = station.parts;
  return eachInTurns(clock, changes, ({ before, after }) => ({
    before: before && hash(before),
    after: after && hash(after),
  }));
};

function rowFor(trip: Trip, ready: Ready, verdict: Judgement, told: Told, hashes: Hashes): PlannedCall {
  const { parts, facts, sessions } = trip.station;
  const { call, tool, touches, changes } = ready;
  const { answer, by, reason } = verdict;
  const above = sessions.filter((each) => each !== call.sessionID);
  const { plan: _, dryRun, ...ceiling } = facts.ceiling;
  return {
    id: trip.recordID,
    call: call.id,
    name: call.name,
    session: call.sessionID,
    ...(above.length > 0 && { above }),
    message: call.messageID,
    agent: call.agent,
    workspace: workspaceOf(trip.station),
    tool: tool.name,
    args: call.args,
    at: parts.clock.now(),
    touches,
    changes: changes.map(({ place, modeBefore, mode, undoes, redoes, stamp }, index) => ({
      real: place.real,
      shown: place.shown,
      ...(hashes[index] as Hashes[number]),
      ...(modeBefore !== undefined && { modeBefore }),
      ...(mode !== undefined && { mode }),
      ...(stamp && knownAt(facts.seen(place.real), stamp)),
      ...(undoes && { undoes }),
      ...(redoes && { redoes }),
    })),
    ...told,
    kind: dryRun ? "dry-run" : "plan",
    verdict: { answer, by, reason },
    ...(facts.isChild && { ceiling }),
    state: "planned",
  };
}

function knownAt(seen: LastSeen | undefined, stamp: Stamp): Pick<PlannedChange, "known" | "parts"> {
  if (!seen || !sameStamp(seen, stamp)) return {};
  return { known: true, ...(seen.inPart && { parts: seen.inPart }) };
}

/** Whether it would change files that its preview does not name. */
const isBlind = ({ tool, touches }: Ready): boolean =>
  touches.some((touch) => {
    if (isPathTouch(touch)) return !tool.definition.preview && (touch.action === "write" || touch.action === "delete");
    if (touch.action === "run") return !runsReadOnly(touch);
    return touch.action === "use" || touch.action === "delegate" || touch.action === "unknown";
  });

const contentsOf = ({ changes }: Ready, hashes: Hashes): Map<string, Uint8Array> => {
  const contents = new Map<string, Uint8Array>();
  for (const [index, { before, after }] of changes.entries()) {
    const hash = hashes[index] as Record<"before" | "after", Hash>;
    if (before) contents.set(hash.before, before);
    if (after) contents.set(hash.after, after);
  }
  return contents;
};
