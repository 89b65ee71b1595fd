import type { Access, Enforcement, Only, Process, Processes } from "../contracts/process.ts";
import type { Call } from "../words/call.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { CommandView } from "../words/tool.ts";
import { eachTouch, isPathTouch, type RunTouch, runsReadOnly, type Touch } from "../words/touch.ts";
import { lockedForCommand } from "./holding.ts";
import type { Station } from "./journey-parts.ts";
import type { Trip } from "./trip.ts";

/** Lets a call run exactly the commands that were judged, and none after it has ended. */
export function commandView(trip: Trip, ready: Ready): CommandView {
  const { station, life } = trip;
  const processes = (): Processes => {
    const found = station.workspace.processes;
    if (!found)
      throw new ToolFailure("CONFIG_ERROR", "Commands cannot be run in this workspace.", "Use the file tools instead.");
    return found;
  };
  return {
    enforcement: () => processes().enforcement(),
    list: () => ownProcesses(processes(), trip.known.call),
    async start({ cwd, ...launch }, onOutput): Promise<Process> {
      life.check();
      const declared = declaredRuns(ready.touches, launch.command);
      if (declared.length === 0) throw undeclared();
      const access = accessOf(declared, station.facts.ceiling);
      const only = onlyOf(declared, access);
      const isHeld = async () => (await processes().enforcement({ access })).sandbox !== "none";
      const locked = access === "read-only" || only ? [] : await lockedForCommand(trip, isHeld);
      // a read-only command does not see files that the verdict excludes
      const hidden = access === "read-only" ? (trip.known.verdict?.exclude ?? []) : [];
      const place = await station.workspace.locate(cwd);
      const session = trip.known.call.sessionID;
      const running = await processes().start(
        {
          ...{ ...launch, cwd: place, access, session, above: station.sessions },
          ...(only && { only }),
          ...(locked.length > 0 && { locked }),
          ...(hidden.length > 0 && { hidden }),
        },
        onOutput,
      );
      trip.deeds.processes ??= [];
      trip.deeds.processes.push(running);
      // the call was stopped while the command started, when there was nothing to kill yet
      if (life.stopped) await running.kill();
      return running;
    },
  };
}

/** What the session has started, itself or by those that work for it: others may have more rights. */
export const ownProcesses = (processes: Processes, { sessionID }: Call): readonly Process[] =>
  processes.list().filter(({ sessions }) => sessions?.includes(sessionID) ?? true);

const declaredRuns = (touches: readonly Touch[], command: string): RunTouch[] =>
  eachTouch(touches).filter((touch): touch is RunTouch => touch.action === "run" && touch.command === command);

const isBuild = (touch: RunTouch): boolean => touch.class === "safe" && touch.reading?.runsProject === true;

/** A command judged to change nothing gets no write access, even if that was wrong. The strictest touch decides. */
function accessOf(declared: readonly RunTouch[], { plan, dryRun }: Ceiling): Access {
  if (plan || dryRun || declared.some(runsReadOnly)) return "read-only";
  return declared.some(isBuild) ? "build" : "read-write";
}

/** The paths that a command is known to write. Undefined if they are not known, or include a whole root. */
function onlyOf(declared: readonly RunTouch[], access: Access): Only | undefined {
  const [{ inner, reading }, ...others] = declared as readonly [RunTouch, ...RunTouch[]];
  const writes = reading?.writes;
  if (access !== "read-write" || others.length > 0 || !writes || !inner.every(isPathTouch)) return undefined;
  const changed = inner.filter(({ action }) => action === "write" || action === "delete");
  const places = changed.map(({ place }) => place).filter(({ root }) => root !== "");
  if (places.some(({ real, root }) => real === root)) return undefined;
  return { targets: [...new Set(places.map(({ real }) => real))], inPlace: writes === "in-place" };
}

/** How a command would be contained while it runs. */
export function heldWhileRunning({ workspace, facts }: Station, touch: RunTouch): Promise<Enforcement> | undefined {
  const access = accessOf([touch], facts.ceiling);
  const only = onlyOf([touch], access);
  return workspace.processes?.enforcement({ access, ...(only && { only }) });
}

const undeclared = () =>
  new ToolFailure(
    "PERMISSION_DENIED",
    "The tool wants to run a command that it did not declare.",
    "This is a mistake in the tool: its touches must name the very command.",
  );
