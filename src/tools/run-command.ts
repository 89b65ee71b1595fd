import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { Tool } from "../core/words/tool.ts";
import type { Claim } from "../core/words/touch.ts";
import { COMMAND_ARGS, commandReadings } from "./lib/clients/command-readings.ts";
import { patchCommand } from "./lib/clients/patch-command.ts";
import { type CommandDefaults, type CommandTold, runToEnd } from "./lib/command-output.ts";
import { codeOf, fullScreenIn, runClaim } from "./lib/run-claim.ts";
import { LONGEST_SECONDS, TIMEOUT_WORDS, timeAsked } from "./lib/time-asked.ts";

const VARIABLE = /^[A-Za-z_]\w*$/;
const STEERING =
  /^(?:LD_|DYLD_|GIT_|BASH|PYTHON|PERL|RUBY|NODE_|JAVA_|npm_)|^(?:PATH|ENV|IFS|CDPATH|SHELLOPTS|PS4|PROMPT_COMMAND|GLIBC_TUNABLES|GCONV_PATH|RUSTC_WRAPPER)$/;

const input = () =>
  z.object({
    command: z.string().min(1),
    cwd: z.string().optional(),
    timeout: z.number().positive().describe(TIMEOUT_WORDS).optional(),
    timeout_ms: z.number().positive().optional(),
    env: z.record(z.string(), z.string()).optional(),
    background: z.boolean().optional(),
    description: z.string().optional(),
  });
type Request = z.output<ReturnType<typeof input>>;

export const runCommand = ({ defaultTimeout, maxOutputLines, ...known }: CommandDefaults): Tool =>
  Tool.define("run_command", {
    description: "Run a bash command in the workspace. It gets no input. A long-running one goes to the background.",
    permissions: { required: ["execute"] },
    aliases: {
      names: [
        ...["Bash", "bash", "shell", "Shell", "run_shell_command", "exec_command", "shell_command", "local_shell"],
        ...["execute_command", "run_commands", "run_terminal_cmd", "run_terminal_command", "run_in_terminal"],
        ...["execute_bash", "container.exec", "terminal"],
      ],
      args: COMMAND_ARGS,
      readings: commandReadings,
      instead: patchCommand,
    },
    rare: ["cwd", "timeout_ms", "env", "description"],
    get input() {
      return input();
    },
    outputLines: maxOutputLines,
    timeLimit: (request) => (request.background ? 10_000 : milliseconds(request, defaultTimeout)),
    scope: ({ background = false }) => background,
    touches: (request) => claims(request, known),
    code: (request) => codeOf(request, request.command, settingOf(request, known)),
    async execute({ command, cwd = ".", env, background }, context) {
      const screen = background ? undefined : await fullScreenIn(command);
      if (screen !== undefined) throw needsTerminal(screen);
      const launch = { command, cwd, ...(env && { env }) };
      const told = background
        ? started((await context.commands.start({ ...launch, input: true })).id, command)
        : await runToEnd(context, launch, `Ran ${command.split("\n", 1)[0]}`, maxOutputLines);
      return withSteering(told, env);
    },
  });

function milliseconds({ timeout, timeout_ms }: Request, defaultTimeout: number): number {
  const asked = timeout_ms ?? (timeout === undefined ? defaultTimeout * 1000 : timeAsked(timeout));
  return Math.min(asked, LONGEST_SECONDS * 1000);
}

type Known = Pick<CommandDefaults, "home" | "safeCommands">;

const settingOf = ({ cwd, env }: Request, known: Known) => ({
  ...known,
  ...(cwd !== undefined && { cwd }),
  ...(env && { env }),
});

async function claims(request: Request, known: Known): Promise<Claim[]> {
  const { command, cwd, env, background } = request;
  const wrong = Object.keys(env ?? {}).find((name) => !VARIABLE.test(name));
  if (wrong !== undefined)
    throw new ToolFailure("VALIDATION_ERROR", `${wrong} is not a valid variable name.`, "Use letters, digits and _.");
  const setting = cwd === undefined && env === undefined ? {} : { setting: JSON.stringify([cwd ?? ".", env ?? {}]) };
  const stays = background ? { stays: true as const } : {};
  const run = { ...(await runClaim(request, command, settingOf(request, known))), ...setting, ...stays };
  return cwd === undefined ? [run] : [run, { action: "list", target: cwd }];
}

const needsTerminal = (name: string): ToolFailure =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `${name} needs a terminal, and commands have none, so it was not run.`,
    "Read and change files with the file tools, or run it in a mode that does not take over the screen.",
  );

/** Variables that decide which code runs are never set silently. */
function withSteering(told: CommandTold, env: Request["env"] = {}): CommandTold {
  const names = Object.keys(env).filter((name) => STEERING.test(name));
  if (names.length === 0) return told;
  const note = `[This call sets variables that decide which code runs: ${names.join(", ")}.]`;
  return { ...told, output: `${told.output}\n\n${note}`, metadata: { ...told.metadata, steering: names } };
}

const started = (id: string, command: string) => ({
  title: `Started ${command.split("\n", 1)[0]}`,
  output: `Started in the background as ${id}. Look at it with process {"action":"output","id":"${id}"}, end it with {"action":"kill"}.`,
  metadata: { id },
});
