import type { Captured, Enforcement, Exit, LeftBehind, Process } from "../../core/contracts/process.ts";
import type { Metadata, Returned } from "../../core/words/result.ts";
import type { Context } from "../../core/words/tool.ts";
import { visibleLine } from "../../core/words/visible.ts";
import { answerOf } from "./command-words.ts";
import { missedNetwork } from "./network-words.ts";
import { type ToldStreams, toldStreams } from "./told-streams.ts";

/** The part of the configuration of commands that the tools need. */
export type CommandDefaults = {
  defaultTimeout: number;
  maxOutputLines: number;
  safeCommands: readonly string[];
  /** What `~` means in a command. */
  home: string;
};

export type CommandTold = Exclude<Returned<Metadata>, string>;

/** Runs a declared command to its end, or until the call is stopped. Then everything that it started is ended, too. */
export async function runToEnd(
  { commands, metadata, abort, keep }: Context,
  launch: { command: string; cwd: string; env?: Readonly<Record<string, string>> },
  title: string,
  maxLines: number,
): Promise<CommandTold> {
  const running = await commands.start(launch, (text) => metadata({ title: text }));
  const stop = () => void running.kill();
  abort.addEventListener("abort", stop, { once: true });
  const exit = await running.exited;
  abort.removeEventListener("abort", stop);
  const said = await toldStreams(running.captured(), maxLines, keep);
  return commandResult(title, running, exit, said);
}

const REFUSED = /read-only file system|\bEROFS\b/i;

/** A refusal by the sandbox must not look like a fault of the machine. */
function heldBack(
  { workspace, writes = [] }: Enforcement,
  { stdout, stderr }: { stdout: Captured; stderr: Captured },
  exit: Exit,
): string | undefined {
  if (!workspace) return undefined;
  if (!REFUSED.test(stderr.text) && !(exit.code !== 0 && REFUSED.test(stdout.text))) return undefined;
  if (workspace === "named")
    return `[This command can write only in ${writes.join(", ") || "/tmp"}, because that is what its words say it writes. Name what else it has to write in the command, or use the file tools.]`;
  const what = workspace === "build" ? "all but the build folder is read-only" : "the workspace is read-only";
  return `[For this command ${what} and there is no network, because it was judged to change nothing. To change files, use the file tools or a command that says what it changes.]`;
}

/** Programs report a missing network in many ways, or hang until they are stopped. */
function withoutNetwork(
  { command, stopped, enforcement }: Process,
  { stdout, stderr }: { stdout: Captured; stderr: Captured },
  exit: Exit,
): string | undefined {
  const said = { stdout: stdout.text, stderr: stderr.text, succeeded: exit.code === 0, stopped };
  const missed = missedNetwork(command, { ...said, onlyLooks: enforcement.workspace === "read-only" });
  if (!missed) return undefined;
  if (enforcement.workspace && enforcement.workspace !== "named")
    return "[This command has no network, because it was judged to change nothing.]";
  return missed === "loopback"
    ? "[Commands reach only servers that commands of this session have started. A person can let them reach this machine and the network with commands.network: true in toolgate.yaml.]"
    : "[Commands have no network here. A person can allow it with commands.network: true in toolgate.yaml.]";
}

const MOST_NAMED = 3;

/** Names the files that a search did not see, and how to read them. */
function leftOut({ left = [] }: Enforcement): string | undefined {
  if (left.length === 0) return undefined;
  const names = left.slice(0, MOST_NAMED).map((file) => visibleLine(file));
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : "";
  return `[Left out, because they may hold secrets: ${names.join(", ")}${more}. To read one, name it: a person is asked first.]`;
}

/** Names what the command itself put into the background, and whether it was ended or still runs. */
export function leftBehind(left: LeftBehind | undefined): string | undefined {
  if (!left) return undefined;
  const names = left.names.map((name) => visibleLine(name)).join("; ");
  return left.ended
    ? `[Ended together with the command, which did not wait for it: ${names}. To keep a program running, start it with "background": true.]`
    : `[Still running: ${names}. It ends when the session is closed.]`;
}

/** A failed command is a failure, but the model still gets its output and exit code. */
function commandResult(title: string, running: Process, exit: Exit, { text, truncated }: ToldStreams): CommandTold {
  const captured = running.captured();
  const { sandbox, network, workspace, writes, reason } = running.enforcement;
  const metadata: Metadata = {
    exitCode: exit.code,
    ...(exit.signal && { signal: exit.signal }),
    stdoutBytes: captured.stdout.bytes,
    stderrBytes: captured.stderr.bytes,
    sandbox,
    network,
    ...(workspace && { workspace }),
    ...(writes && { writes }),
    ...(reason && { sandboxReason: reason }),
    ...(running.left && { [running.left.ended ? "ended" : "stillRunning"]: running.left.names }),
  };
  const answer = exit.code === 1 && captured.stderr.bytes === 0 ? answerOf(running.command) : undefined;
  const notes = [
    heldBack(running.enforcement, captured, exit),
    leftOut(running.enforcement),
    sandbox !== "none" && network === "none" && withoutNetwork(running, captured, exit),
    leftBehind(running.left),
    answer && `[Exit code 1: ${answer}.]`,
  ];
  const output = [text, ...notes].filter(Boolean).join("\n\n");
  const told = { title, output, metadata, ...(truncated && { truncated }) };
  if (exit.code === 0 || answer !== undefined) return told;
  const message = exit.signal ? `The command was ended by ${exit.signal}.` : `Exit code: ${exit.code}`;
  const hint = "Read its output; correct the command or what it works on.";
  return { ...told, success: false, error: { code: "COMMAND_FAILED", message, hint } };
}
