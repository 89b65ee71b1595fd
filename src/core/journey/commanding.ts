import type { Exit, Process, Processes } from "../contracts/process.ts";
import { ToolFailure } from "../words/result.ts";
import type { CommandView } from "../words/tool.ts";
import { eachTouch, type Touch } from "../words/touch.ts";
import type { Trip } from "./trip.ts";

/** A call runs the very text that was judged, and nothing after it has ended. */
export function commandView(trip: Trip): CommandView {
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
      if (!declares(trip.ready?.touches ?? [], launch.command)) throw undeclared();
      const running = await processes().start({ ...launch, cwd: await station.workspace.locate(cwd) }, onOutput);
      trip.processes ??= [];
      trip.processes.push(running);
      running.exited.then(
        (exit) => tellLater(trip, running, exit),
        () => {},
      );
      // stopped while it was being started: whoever wanted to end it has already tried
      if (life.stopped) await running.kill();
      return running;
    },
  };
}

/** The end of a command that went on after its call: told, and kept as a record of its own, if it is unusual. */
function tellLater({ station, call, ended }: Trip, running: Process, exit: Exit): void {
  if (!ended?.leaving.includes(running) || running.stopped) return;
  const { parts } = station;
  const alerts = parts.anomalies.lookLater(call.sessionID, exit);
  if (alerts.length === 0) return;
  const message = `The command ${running.id} ended in the background.`;
  parts.recorder.add({
    ...ended.record,
    id: parts.ids(),
    at: parts.clock.now(),
    microseconds: 0,
    trace: [],
    status: "failed",
    error: { code: "COMMAND_FAILED", message },
    alerts,
  });
  if (parts.heard()) for (const alert of alerts) parts.emit({ type: "alert", call, ...alert });
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
