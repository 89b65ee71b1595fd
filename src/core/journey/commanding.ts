import type { Process, Processes } from "../contracts/process.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { CommandView } from "../words/tool.ts";
import { eachTouch, type Touch } from "../words/touch.ts";
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
      if (!declares(ready.touches, launch.command)) throw undeclared();
      const running = await processes().start({ ...launch, cwd: await station.workspace.locate(cwd) }, onOutput);
      trip.deeds.processes ??= [];
      trip.deeds.processes.push(running);
      // stopped while it was being started: whoever wanted to end it has already tried
      if (life.stopped) await running.kill();
      return running;
    },
  };
}

function declares(touches: readonly Touch[], command: string): boolean {
  for (const touch of eachTouch(touches)) if (touch.action === "run" && touch.command === command) return true;
  return false;
}

const undeclared = () =>
  new ToolFailure(
    "PERMISSION_DENIED",
    "The tool wants to run a command that it did not declare.",
    "This is a mistake in the tool: its touches must name the very command.",
  );
