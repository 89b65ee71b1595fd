import type { Access, Enforcement, Process, Processes } from "../contracts/process.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { CommandView } from "../words/tool.ts";
import { eachTouch, type RunTouch, runsReadOnly, type Touch } from "../words/touch.ts";
import type { Station } from "./parts.ts";
import type { Trip } from "./trip.ts";

/** A call runs the very text that was judged, and nothing after it has ended. */
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
    list: () => processes().list(),
    async start({ cwd, ...launch }, onOutput): Promise<Process> {
      life.check();
      const declared = declaredRuns(ready.touches, launch.command);
      if (declared.length === 0) throw undeclared();
      const access = accessOf(declared, station.facts.ceiling);
      const place = await station.workspace.locate(cwd);
      const session = trip.known.call.sessionID;
      const running = await processes().start({ ...launch, cwd: place, access, session }, onOutput);
      trip.deeds.processes ??= [];
      trip.deeds.processes.push(running);
      // stopped while it was being started: whoever wanted to end it has already tried
      if (life.stopped) await running.kill();
      return running;
    },
  };
}

const declaredRuns = (touches: readonly Touch[], command: string): RunTouch[] =>
  eachTouch(touches).filter((touch): touch is RunTouch => touch.action === "run" && touch.command === command);

const isBuild = (touch: RunTouch): boolean => touch.class === "safe" && touch.reading?.runsProject === true;

/** What was judged to change nothing can change nothing, right or wrong; by the strictest reading of the line. */
function accessOf(declared: readonly RunTouch[], { plan, dryRun }: Ceiling): Access {
  if (plan || dryRun || declared.some(runsReadOnly)) return "read-only";
  return declared.some(isBuild) ? "build" : "read-write";
}

/** What would hold a command while it runs. */
export async function heldWhileRunning(station: Station, touch: RunTouch): Promise<Enforcement | undefined> {
  return (await enforcementOf(station, touch)) ?? (await station.workspace.processes?.enforcement());
}

/** What would hold a command; undefined where that is no more than what holds all of them. */
async function enforcementOf({ workspace, facts }: Station, touch: RunTouch): Promise<Enforcement | undefined> {
  const access = accessOf([touch], facts.ceiling);
  if (access === "read-write" || !workspace.processes) return undefined;
  const all = await workspace.processes.enforcement();
  return all.sandbox === "none" ? all : { ...all, network: "none", workspace: access };
}

const undeclared = () =>
  new ToolFailure(
    "PERMISSION_DENIED",
    "The tool wants to run a command that it did not declare.",
    "This is a mistake in the tool: its touches must name the very command.",
  );
