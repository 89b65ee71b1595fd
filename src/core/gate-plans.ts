import type { PlannedCall, PlannedChange, Plans } from "./contracts/store/plans.ts";
import type { Bytes, Change } from "./contracts/workspace.ts";
import type { Station } from "./journey/journey-parts.ts";
import { changedSince, plannedPlace } from "./journey/plan-conflicts.ts";
import { openCalls, type PlanOutcome, type Runner, type RunPlanOptions, runPlan } from "./journey/running-plans.ts";
import { ToolFailure } from "./words/result.ts";

/** Chooses calls of the plan: by id, number or call id (if only one has it), or those of one session and below. Absent: all. */
export type PlanChoice = { ids?: readonly string[] | undefined; session?: string | undefined };

/** Why a planned call could not be made as things are now. */
export type PlanConflict = { id: string; file: string; why: string };

export type PlanView = {
  calls: PlannedCall[];
  /** All file changes together, as `git apply` takes them. */
  diff: string;
  conflicts: PlanConflict[];
  /** Calls of which nobody knows what they would change, so the diff is incomplete. */
  blind: PlannedCall[];
  /** Files that are not in the diff, because they lie outside the workspace's own folder. */
  elsewhere: string[];
};

/** The calls that were planned for a workspace and not run, by any process: to look at, approve, drop and run. */
export class GatePlans {
  readonly #station: Station;
  readonly #runner: Runner;
  constructor(station: Station, runner: Runner) {
    this.#station = station;
    this.#runner = runner;
  }

  /** Open calls, oldest first. */
  async list({ ids, session }: PlanChoice = {}): Promise<PlannedCall[]> {
    const open = await openCalls(this.#station);
    const meant = open.filter((call) => session === undefined || isOf(call, session));
    if (!ids) return meant;
    const named = new Set(ids.map((id) => theOne(meant, id)));
    return meant.filter((call) => named.has(call));
  }

  async show(choice: PlanChoice = {}): Promise<PlanView> {
    const calls = await this.list(choice);
    const { changes, elsewhere } = await this.#together(calls);
    return {
      calls,
      diff: this.#station.parts.patch(changes),
      conflicts: await this.#conflicts(calls),
      blind: calls.filter(({ blind }) => blind),
      elsewhere,
    };
  }

  /** A person's yes to these calls, as they are shown. Returns the ones that were waiting for it. */
  async approve(choice: PlanChoice = {}): Promise<PlannedCall[]> {
    return this.#move(await this.list(choice), ["planned"], "approved");
  }

  /** Removes these calls from the plan. */
  async drop(choice: PlanChoice = {}): Promise<PlannedCall[]> {
    return this.#move(await this.list(choice), ["planned", "approved", "interrupted"], "dropped");
  }

  /** Runs the calls in order, up to the first failure. A call that was interrupted is run only if it is named. */
  run({ ids, session, ...options }: PlanChoice & RunPlanOptions = {}): Promise<PlanOutcome[]> {
    const choose = async () => {
      const states: readonly PlannedCall["state"][] = ids
        ? ["planned", "approved", "interrupted"]
        : ["planned", "approved"];
      return (await this.list({ ids, session })).filter(({ state }) => states.includes(state));
    };
    return runPlan(this.#station, choose, options, this.#runner);
  }

  async #move(
    calls: readonly PlannedCall[],
    from: readonly PlannedCall["state"][],
    to: PlannedCall["state"],
  ): Promise<PlannedCall[]> {
    const ids = calls.map(({ id }) => id);
    const moved = new Set(await this.#store.movePlan(ids, from, to));
    return calls.filter(({ id }) => moved.has(id)).map((call) => ({ ...call, state: to }));
  }

  /** Each file once: as it was before the first of these calls, and as it would be after the last. */
  async #together(calls: readonly PlannedCall[]): Promise<{ changes: Change[]; elsewhere: string[] }> {
    const files = new Map<string, { first: PlannedChange; last: PlannedChange }>();
    for (const change of calls.flatMap((call) => call.changes))
      files.set(change.real, { first: files.get(change.real)?.first ?? change, last: change });
    const changes: Change[] = [];
    const elsewhere: string[] = [];
    for (const { first, last } of files.values()) {
      const mode = last.mode ?? last.modeBefore;
      if (first.before === last.after && (last.after === null || first.modeBefore === mode)) continue;
      const place = plannedPlace(this.#station, first);
      if (place.root !== this.#station.workspace.roots[0]) elsewhere.push(first.shown);
      else
        changes.push({
          place,
          before: await this.#content(first.before),
          after: await this.#content(last.after),
          ...(first.modeBefore !== undefined && { modeBefore: first.modeBefore }),
          ...(mode !== undefined && { mode }),
        });
    }
    return { changes, elsewhere };
  }

  async #content(hash: string | null): Promise<Bytes | null> {
    if (hash === null) return null;
    const content = await this.#store.plannedContent(hash);
    if (content) return content;
    throw new ToolFailure("NOT_FOUND", "The plan is no longer complete.", "Drop the plan, and plan the changes again.");
  }

  async #conflicts(calls: readonly PlannedCall[]): Promise<PlanConflict[]> {
    const found: PlanConflict[] = [];
    const left = new Map<string, string | null>();
    for (const { id, changes, state } of calls) {
      for (const change of changes) {
        const { real, shown, before, after } = change;
        const earlier = left.get(real);
        if (earlier !== undefined) {
          if (earlier !== before)
            found.push({
              id,
              file: shown,
              why: "was planned for different content than the planned call before it would leave",
            });
        } else if (state !== "running" && (await changedSince(this.#station, change)))
          found.push({ id, file: shown, why: "has changed since it was planned" });
        left.set(real, after);
      }
    }
    return found;
  }

  get #store() {
    return this.#station.parts.store;
  }
}

/** Drops old dry runs: their contents take up room, and may be secret. */
export async function forgetDryRuns(store: Plans, workspace: string, before: number): Promise<void> {
  if ((await store.planMark(workspace)).open === 0) return;
  const planned = await store.planned({ workspace, states: ["planned"] });
  const old = planned.filter(({ kind, at }) => kind === "dry-run" && at < before);
  await store.movePlan(
    old.map(({ id }) => id),
    ["planned"],
    "dropped",
  );
}

const isOf = ({ session, above = [] }: PlannedCall, wanted: string): boolean =>
  session === wanted || above.includes(wanted);

/** A number is a place in the plan, never the id that a model gave its call; and an id must mean one call alone. */
function theOne(calls: readonly PlannedCall[], wanted: string): PlannedCall {
  const own = calls.find(({ id, seq }) => (/^\d+$/.test(wanted) ? String(seq) : id) === wanted);
  if (own) return own;
  const [first, second] = /^\d+$/.test(wanted) ? [] : calls.filter(({ call }) => call === wanted);
  if (!first) throw noSuchCall(wanted);
  if (second) throw severalCalls(wanted);
  return first;
}

const severalCalls = (id: string) =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `Several planned calls have the id ${id}.`,
    "Choose by number: `toolgate plan` lists the calls with their numbers.",
  );

const noSuchCall = (id: string) =>
  new ToolFailure(
    "NOT_FOUND",
    `There is no planned call ${id}.`,
    "`toolgate plan` lists the calls with their numbers.",
  );
