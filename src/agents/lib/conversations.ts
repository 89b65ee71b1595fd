import type { ChangeQuery, ChangeRow } from "../../core/contracts/store/changes.ts";
import type { CallRecord, RecordQuery } from "../../core/contracts/store/records.ts";
import type { Stored, Table } from "../../core/contracts/store/tables.ts";
import { redact, redactDeep } from "../../text/redact.ts";
import { trimOutput } from "../../text/trim.ts";
import type { Outcome } from "./loop.ts";
import { turnID } from "./loop.ts";
import { addUsage, type Message, type ModelCall, type ToolAnswer, type Usage } from "./model.ts";

/** The parts of the store that conversations need. */
export type Kept = {
  table(name: string): Table;
  records(query: RecordQuery): Promise<CallRecord[]>;
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  /** How much has been counted under a key. */
  reserved(key: string): Promise<number>;
};

/** One agent's work, from its task to its last word. It is `interrupted` if its process died. */
export type AgentSession = {
  id: string;
  agent: string;
  /** The beginning of its task. */
  task: string;
  model: string;
  /** The session that delegated the work. */
  parent?: string;
  at: number;
  updated: number;
  status: "running" | "finished" | "unfinished" | "interrupted";
  stopped?: string;
  turns: number;
  usage: Usage;
};
type Row = Omit<AgentSession, "id"> & { lines: number };

/** One message as it is stored: without secrets and pictures, and cut if it is very long. */
export type Line = { message: Message; at: number; isTask?: true; usage?: Usage };

/** A session with its messages, and the sessions that it delegated work to. */
export type Told = { session: AgentSession; lines: readonly Line[]; below: readonly Told[] };

export type Beginning = Pick<AgentSession, "id" | "agent" | "task" | "model" | "parent">;

/** Continues a conversation and stores its messages. */
export type Pen = {
  /** The earlier messages; every call in them has its answer. */
  readonly history: readonly Message[];
  keep(message: Message, about?: { usage?: Usage; isTask?: true }): Promise<void>;
  end(outcome: Pick<Outcome, "finished" | "stopped">): Promise<void>;
};

const MOST_SESSIONS = 200;
const LONGEST_TASK = 300;
const TEXT_BUDGET = { bytes: 32 * 1024, lines: 1_000 };
const LONGEST_ARGUMENT = 100_000;

export function conversations(kept: Kept) {
  const rows = kept.table("agents/sessions");
  const linesOf = (id: string): Table => kept.table(`agents/messages/${id}`);
  const viewed = ({ key, value: { lines: _, ...row }, orphaned }: Stored<Row>): AgentSession => ({
    ...row,
    id: key,
    ...(orphaned && row.status === "running" && { status: "interrupted" as const }),
  });

  async function lines(id: string): Promise<Line[]> {
    return (await linesOf(id).list<Line>()).map(({ value }) => value);
  }

  /** Also removes the sessions below it. */
  async function remove(id: string): Promise<boolean> {
    for (const below of await list()) if (below.parent === id) await remove(below.id);
    const table = linesOf(id);
    for (const { key } of await table.list()) await table.remove(key);
    return rows.remove(id);
  }

  /** Newest first. */
  async function list(): Promise<AgentSession[]> {
    return (await rows.list<Row>()).map(viewed).sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
  }

  async function get(id: string): Promise<AgentSession | undefined> {
    const row = await rows.get<Row>(id);
    return row && viewed(row);
  }

  /** Makes room for a new session; running ones stay. */
  async function tidy(): Promise<void> {
    for (const { id, status } of (await list()).slice(MOST_SESSIONS - 1)) if (status !== "running") await remove(id);
  }

  /** Begins or resumes a conversation. Rejects if another process is working on it. */
  async function begin({ id, ...about }: Beginning): Promise<Pen> {
    const found = await rows.get<Row>(id);
    if (found && viewed(found).status === "running")
      throw new Error(`The session ${id} is being worked on by another process.`);
    if (!found) await tidy();
    const now = Date.now();
    let row: Row = found
      ? { ...found.value, ...about, task: found.value.task, updated: now, status: "running" }
      : {
          ...{ ...about, task: briefly(about.task), at: now, updated: now, status: "running" },
          ...{ turns: 0, usage: { input: 0, output: 0 }, lines: 0 },
        };
    delete row.stopped;
    const mine = await rows.put<Row>(id, row, { ifVersion: found?.version ?? 0, bound: true });
    if (!mine) throw new Error(`The session ${id} is being worked on by another process.`);
    const table = linesOf(id);

    const keep: Pen["keep"] = async (message, { usage, isTask } = {}) => {
      const line: Line = {
        message: cleaned(message),
        at: Date.now(),
        ...(isTask && { isTask }),
        ...(usage && { usage }),
      };
      const sum = { ...row.usage };
      addUsage(sum, usage);
      await table.put(keyOf(row.lines), line);
      const turns = row.turns + (message.role === "assistant" ? 1 : 0);
      row = { ...row, lines: row.lines + 1, updated: line.at, turns, usage: sum };
      await rows.put(id, row, { bound: true });
    };
    const history: Message[] = [];
    for (const { message } of await lines(id)) {
      const open = unanswered(history);
      if (open && message.role !== "tool") history.push(await answersAfterEnd(id, history, open));
      history.push(message);
    }
    // the row is written after its line, so the last line may not be counted yet
    row = { ...row, lines: (await table.list()).length, turns: history.filter(isTurn).length };
    const open = unanswered(history);
    if (open) {
      const answers = await answersAfterEnd(id, history, open);
      history.push(answers);
      await keep(answers);
    }
    return {
      history,
      keep,
      async end({ finished, stopped }) {
        row = {
          ...row,
          updated: Date.now(),
          status: finished ? "finished" : "unfinished",
          ...(stopped && { stopped: redact(stopped) }),
        };
        await rows.put(id, row);
      },
    };
  }

  /** Answers calls whose process ended before they were answered, with what the record knows about them. */
  async function answersAfterEnd(
    id: string,
    history: readonly Message[],
    calls: readonly ModelCall[],
  ): Promise<Message> {
    const turn = turnID(history.filter(isTurn).length, id);
    const found = (await Promise.all(calls.map((call) => kept.records({ call: call.id })))).map((records) =>
      // an interrupted call has no turn on record
      records.find(({ message, session }) => message === turn || (message === "" && session === id)),
    );
    return { role: "tool", answers: calls.map((call, index) => answerAfterEnd(call, found[index])) };
  }

  /** All messages of a session and of those that it delegated work to. */
  async function told(id: string): Promise<Told | undefined> {
    const all = await list();
    const tell = async (session: AgentSession): Promise<Told> => ({
      ...{ session, lines: await lines(session.id) },
      below: await Promise.all(
        all
          .filter(({ parent }) => parent === session.id)
          .sort((a, b) => a.at - b.at)
          .map(tell),
      ),
    });
    const found = all.find((each) => each.id === id);
    return found && tell(found);
  }

  return { list, get, told, begin, remove };
}

export type Conversations = ReturnType<typeof conversations>;

const keyOf = (number: number): string => String(number).padStart(8, "0");
const isTurn = ({ role }: Message): boolean => role === "assistant";
const briefly = (task: string): string => redact(task).slice(0, LONGEST_TASK);

function unanswered(history: readonly Message[]): readonly ModelCall[] | undefined {
  const last = history.at(-1);
  return last?.role === "assistant" && last.calls.length > 0 ? last.calls : undefined;
}

function answerAfterEnd({ id, name }: ModelCall, record: CallRecord | undefined): ToolAnswer {
  const said = !record
    ? "The process ended before this call was made. Make it again if it is still needed."
    : record.status === "done"
      ? `The process ended after this call was done, so do not make it again. Its output began:\n${record.output?.head ?? ""}`
      : record.message === ""
        ? "The process ended while this call ran. Look what it has done before you make it again."
        : `The process ended after this call; its status is ${record.status}. ${record.error?.message ?? ""}`;
  return { id, name, text: said.trimEnd(), failed: record?.status !== "done" };
}

function cleaned(message: Message): Message {
  if (message.role === "user") return { role: "user", text: keptText(message.text) };
  if (message.role === "assistant")
    return { ...message, text: keptText(message.text), calls: message.calls.map(cleanedCall) };
  return { role: "tool", answers: message.answers.map(cleanedAnswer) };
}

const keptText = (text: string): string => trimOutput(redact(text), TEXT_BUDGET).text;

const cleanedCall = ({ args, ...call }: ModelCall): ModelCall => ({
  ...call,
  args: shortened(typeof args === "string" ? redact(args) : redactDeep(args)),
});

function cleanedAnswer({ images, text, ...answer }: ToolAnswer): ToolAnswer {
  const pictures = images?.length ? "\n[Pictures are not kept.]" : "";
  return { ...answer, text: `${keptText(text)}${pictures}` };
}

/** Cuts very long texts among the arguments: what a call wrote is in the journal. */
function shortened(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > LONGEST_ARGUMENT ? `${value.slice(0, LONGEST_ARGUMENT)}\n[The rest was not kept.]` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}
