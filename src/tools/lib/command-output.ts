import type { Captured, Exit, Process } from "../../core/process.ts";
import type { Metadata, Returned } from "../../core/result.ts";
import type { Context } from "../../core/tool.ts";
import { trimOutput } from "../../text/trim.ts";

/** What the configuration says of commands, as far as the tools need it. */
export type CommandDefaults = {
  defaultTimeout: number;
  maxOutputLines: number;
  safeCommands: readonly string[];
  /** What `~` means to a command. */
  home: string;
};

const MOST_BYTES = 1_000_000;

/** What a command said, for a model: standard output alone comes plain, with errors both are labelled. */
function told({ stdout, stderr }: { stdout: Captured; stderr: Captured }, lines: number): string {
  const out = shown(stdout, lines);
  const err = shown(stderr, lines);
  if (err === "") return out || "(no output)";
  return [out && `stdout:\n${out}`, `stderr:\n${err}`].filter(Boolean).join("\n\n");
}

function shown(captured: Captured, lines: number): string {
  const { text } = trimOutput(captured.text.trimEnd(), { bytes: MOST_BYTES, lines });
  return captured.path ? `${text}\n[All ${captured.bytes} bytes are in ${captured.path}.]` : text;
}

/** Runs a declared command to its end, or until the call is stopped; then everything it started ends. */
export async function runToEnd(
  { commands, metadata, abort }: Context,
  launch: { command: string; cwd: string; env?: Readonly<Record<string, string>> },
  title: string,
  lines: number,
): Promise<Returned<Metadata>> {
  const running = await commands.start(launch, (text) => metadata({ title: text }));
  const stop = () => void running.kill();
  abort.addEventListener("abort", stop, { once: true });
  const exit = await running.exited;
  abort.removeEventListener("abort", stop);
  return commandResult(title, running, exit, lines);
}

/** A failing command is a failure whose output and exit code the model still reads. */
function commandResult(title: string, running: Process, exit: Exit, lines: number): Returned<Metadata> {
  const captured = running.captured();
  const { sandbox, network, reason } = running.enforcement;
  const metadata: Metadata = {
    exitCode: exit.code,
    ...(exit.signal && { signal: exit.signal }),
    stdoutBytes: captured.stdout.bytes,
    stderrBytes: captured.stderr.bytes,
    sandbox,
    network,
    ...(reason && { sandboxReason: reason }),
  };
  const output = told(captured, lines);
  if (exit.code === 0) return { title, output, metadata };
  const message = exit.signal ? `The command was ended by ${exit.signal}.` : `Exit code: ${exit.code}`;
  const hint = "Read its output; correct the command or what it works on.";
  return { title, output, metadata, success: false, error: { code: "COMMAND_FAILED", message, hint } };
}
