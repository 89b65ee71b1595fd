import * as z from "zod";
import type { Fed, Process } from "../core/contracts/process.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type CommandView, type Look, Tool } from "../core/words/tool.ts";
import type { Claim } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { processReadings } from "./lib/clients/command-readings.ts";
import { leftBehind } from "./lib/command-output.ts";
import { quoted, runClaim } from "./lib/run-claim.ts";

const input = () =>
  z.object({
    action: z.enum(["list", "output", "input", "kill"]),
    id: z.string().optional(),
    text: z.string().optional(),
    lines: z.int().min(1).optional(),
  });
type Request = z.output<ReturnType<typeof input>>;

export const processTool = Tool.define("process", {
  description: "Look at commands that run in the background: list them, read new output, send input, or end one.",
  permissions: { required: ["execute"] },
  aliases: {
    names: [
      ...["BashOutput", "process_output", "read_bash", "read_background_output", "get_terminal_output"].map((name) => ({
        name,
        preset: { action: "output" },
      })),
      ...["KillShell", "KillBash", "stop_bash", "TaskStop"].map((name) => ({ name, preset: { action: "kill" } })),
      ...["list_bash", "list_background_processes"].map((name) => ({ name, preset: { action: "list" } })),
      ...["write_bash", "WriteShellStdin"].map((name) => ({ name, preset: { action: "input" } })),
    ],
    args: {
      id: ["process_id", "shell_id", "bash_id", "task_id", "terminal_id"],
      text: ["input", "chars", "data"],
    },
    readings: processReadings,
  },
  rare: ["lines"],
  get input() {
    return input();
  },
  polls: true,
  touches: claims,
  async execute(request, { commands }) {
    if (request.action === "list") return list(commands);
    const running = find(commands, request.id);
    if (request.action === "kill") await running.kill();
    if (request.action === "input") await running.write(request.text ?? "");
    return state(running, request.lines);
  },
});

/** Looking changes nothing; input to a running program can do anything, and a shell runs it. */
async function claims(request: Request, look: Look): Promise<Claim[]> {
  const { action, id = "", text = "" } = request;
  if (action === "kill") return [{ action: "signal", target: id }];
  if (action !== "input") return [];
  const anything: Claim = { action: "unknown", permissions: ["execute"] };
  const fed = look.fed(id);
  if (!fed) return [anything];
  const { cwd, env } = fed;
  const run = {
    ...(await runClaim(request, withInput(fed, text), { cwd, ...(env && { env }) })),
    stays: true as const,
  };
  return [run, anything];
}

/** The line that would do the same: the command, started with this text after what it was given before. */
function withInput({ command, given }: Fed, text: string): string {
  const end = /[#\n]|[;&\\]\s*$/.test(command) ? "\n" : ";";
  return `{ ${command}${end} } <<< ${quoted((given + text).trimEnd())}`;
}

/** Only background commands: others end with their call. */
const inBackground = (commands: CommandView): readonly Process[] =>
  commands.list().filter(({ background }) => background === true);

function find(commands: CommandView, id: string | undefined): Process {
  const all = inBackground(commands);
  const running = all.find((each) => each.id === id);
  if (running) return running;
  const ids = all.map((each) => each.id);
  throw new ToolFailure(
    "NOT_FOUND",
    id ? `There is no command ${id} in the background.` : "id is required: it says which command is meant.",
    ids.length > 0 ? `In the background: ${ids.join(", ")}.` : "None was started in the background.",
  );
}

function list(commands: CommandView) {
  const rows = inBackground(commands).map(
    (running) => `${running.id}  ${how(running)}  ${running.command.split("\n", 1)[0]}`,
  );
  return {
    title: "Background commands",
    output: rows.join("\n") || "No command is running in the background.",
    metadata: { count: rows.length },
  };
}

function state(running: Process, lines = Number.POSITIVE_INFINITY) {
  const { text: whole, droppedBytes } = running.fresh();
  const rows = whole.trimEnd().split("\n");
  const cut = Math.max(0, rows.length - lines);
  const text = cut > 0 ? `[${counted(cut, "earlier line")} not shown]\n${rows.slice(-lines).join("\n")}` : whole;
  const dropped = droppedBytes > 0 ? `[${droppedBytes} earlier bytes were dropped]\n` : "";
  return {
    title: `${running.id}: ${how(running)}`,
    output: [`[${how(running)}]\n${dropped}${text || "(nothing new)"}`, leftBehind(running.left)]
      .filter(Boolean)
      .join("\n"),
    metadata: { id: running.id, running: running.exit === undefined, exitCode: running.exit?.code ?? null },
  };
}

const how = ({ exit }: Process): string =>
  exit === undefined ? "running" : exit.signal ? `ended by ${exit.signal}` : `exited with ${exit.code}`;
