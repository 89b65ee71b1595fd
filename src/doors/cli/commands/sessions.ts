import { visibleLine } from "../../../core/words/visible.ts";
import type { AgentSession, Export, Told } from "../../../crew.ts";
import { runAgent } from "../lib/agent-run.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { find, withConversations } from "../lib/session-named.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { colours, documentOf, print, printLine, visibleOnTerminal } from "../lib/terminal.ts";
import { aPerson } from "../lib/workspace-store.ts";

/** Lists, shows, exports, replays and removes what agents did here. */
export const run: Command = async (invocation) => {
  const [part = "list", ...words] = invocation.words;
  const [id, ...rest] = words;
  if (part === "list" && id === undefined) return list(invocation);
  if (id === undefined || rest.length > 0 || !Object.hasOwn(parts, part))
    throw wrongWords("sessions", invocation.words, FORMS);
  return (parts[part] as Part)(invocation, id);
};

type Part = (invocation: Invocation, id: string) => Promise<number>;
const parts: Readonly<Record<string, Part>> = { show, export: takeOut, replay, remove };
const FORMS = { list: "", show: "ID", export: "ID", replay: "ID", remove: "ID" };

async function list(invocation: Invocation): Promise<number> {
  const sessions = await withConversations(
    invocation,
    async () => [],
    (kept) => kept.list(),
  );
  if (invocation.json) await print(documentOf(sessions.map(row)));
  else {
    const own = sessions.filter(({ parent }) => parent === undefined);
    await print(own.length > 0 ? `${own.map(line).join("\n")}\n` : "No agent has worked here yet.\n");
  }
  return 0;
}

const told = (invocation: Invocation, written: string): Promise<Told> =>
  withConversations<Told>(
    invocation,
    () => Promise.reject(new UsageFailure("No agent has worked here yet.", "`toolgate run` starts one.")),
    async (kept) => (await kept.told((await find(kept, written)).id)) as Told,
  );

async function show(invocation: Invocation, id: string): Promise<number> {
  const found = await told(invocation, id);
  if (invocation.json) await print(documentOf(whole(found)));
  else await exportAs(found, "markdown");
  return 0;
}

async function takeOut(invocation: Invocation, id: string): Promise<number> {
  const found = await told(invocation, id);
  if (invocation.json) await print(documentOf(whole(found)));
  else await exportAs(found, (invocation.values.format ?? "jsonl") as Export);
  return 0;
}

async function exportAs(found: Told, format: Export): Promise<void> {
  const { exported } = await import("../../../crew.ts");
  await printLine(visibleOnTerminal(exported(found, format)));
}

/** Replays the model's turns from the record; everything else runs anew and is judged as it is now. */
async function replay(invocation: Invocation, id: string): Promise<number> {
  const found = await told(invocation, id);
  const { exported, scriptModel } = await import("../../../crew.ts");
  const tasks = found.lines.flatMap(({ message, isTask }) => (isTask && message.role === "user" ? message.text : []));
  if (tasks.length === 0) throw new UsageFailure("Nothing was said in this session.", "Choose another one.");
  const { agent } = found.session;
  const model = scriptModel(`session:${found.session.id}`, exported(found, "script"));
  return runAgent(invocation, { model, tasks, agent, limits: { window: Number.POSITIVE_INFINITY } });
}

async function remove(invocation: Invocation, id: string): Promise<number> {
  aPerson(invocation, "remove what agents said");
  const removed = await withConversations<string | undefined>(
    invocation,
    async () => undefined,
    async (kept) => {
      const session = await find(kept, id);
      if (session.status === "running")
        throw new UsageFailure(`${session.id} is still running.`, "Stop it first, or wait until it has ended.");
      await kept.remove(session.id);
      return session.id;
    },
  );
  if (removed === undefined) throw new UsageFailure("No agent has worked here yet.", "There is nothing to remove.");
  await print(invocation.json ? documentOf({ removed }) : `${removed} is removed. The record of its calls stays.\n`);
  return 0;
}

const row = ({ at, updated, ...session }: AgentSession) => ({
  ...session,
  at: new Date(at).toISOString(),
  updated: new Date(updated).toISOString(),
});

const whole = ({ session, lines, below }: Told): object => ({
  ...row(session),
  messages: lines.map(({ message, at, ...about }) => ({ ...message, ...about, at: new Date(at).toISOString() })),
  below: below.map(whole),
});

function line(session: AgentSession): string {
  const paint = colours();
  const { id, status, turns, agent, task, updated } = session;
  const tint = status === "finished" ? paint.green : status === "running" ? paint.cyan : paint.yellow;
  const when = new Date(updated).toISOString().slice(0, 16).replace("T", " ");
  return `${paint.bold(id)}  ${paint.dim(when)}  ${tint(status.padEnd(11))}  ${visibleLine(agent)}, ${turns} turns: ${visibleLine(task)}`;
}
