import type { Command, Invocation } from "./lib/command.ts";
import { type CommandLine, readCommandLine, UnknownCommand, wantedShape } from "./lib/command-line.ts";
import { report } from "./lib/exit-status.ts";
import { print } from "./lib/terminal.ts";

/** Each command is a separate chunk, so that no command loads the others. */
const commands: Readonly<Record<string, () => Promise<{ run: Command }>>> = {
  home: () => import("./commands/home.ts"),
  tools: () => import("./commands/tools.ts"),
  call: () => import("./commands/call.ts"),
  run: () => import("./commands/run.ts"),
  explain: () => import("./commands/explain.ts"),
  log: () => import("./commands/log.ts"),
  undo: () => import("./commands/undo.ts"),
  redo: () => import("./commands/undo.ts"),
  plan: () => import("./commands/plan.ts"),
  approvals: () => import("./commands/approvals.ts"),
  grants: () => import("./commands/grants.ts"),
  tasks: () => import("./commands/tasks.ts"),
  locks: () => import("./commands/locks.ts"),
  hook: () => import("./commands/hook.ts"),
  mcp: () => import("./commands/mcp.ts"),
  memory: () => import("./commands/memory.ts"),
  sessions: () => import("./commands/sessions.ts"),
  cron: () => import("./commands/cron.ts"),
  "dead-letters": () => import("./commands/dead-letters.ts"),
  skills: () => import("./commands/skills.ts"),
  doctor: () => import("./commands/doctor.ts"),
  config: () => import("./commands/config.ts"),
};

/** Runs one command line and exits with its status. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  // the reader may stop reading (`| head`): that is not an error, and cleanup continues
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const status = await dispatch(argv, version).catch((error: unknown) => failed(error, argv));
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(status);
}

/** For a client that runs this as its hook, only status 2 is a refusal. */
function failed(error: unknown, argv: readonly string[]): number {
  const status = report(error, wantedShape(argv));
  return argv[0] === "hook" && !/^(?:un)?install$/.test(argv[1] ?? "") ? 2 : status;
}

async function dispatch(argv: readonly string[], version: string): Promise<number> {
  const line = await readOrSuggest(argv);
  if (line.flags.has("version")) {
    await print(`${version}\n`);
    return 0;
  }
  if (line.flags.has("help")) {
    const { helpFor } = await import("./lib/help.ts");
    await print(helpFor(line.command));
    return 0;
  }
  const invocation: Invocation = { ...line, version, json: line.flags.has("json") };
  const { run } = await commands[line.command]!();
  return run(invocation);
}

/** If a tool's name stands in place of a command, suggests the call. */
async function readOrSuggest(argv: readonly string[]): Promise<CommandLine> {
  try {
    return readCommandLine(argv);
  } catch (error) {
    if (!(error instanceof UnknownCommand)) throw error;
    const { isTool } = await import("./lib/tool-names.ts");
    throw (await isTool(error.command)) ? error.asCall(argv) : error;
  }
}
