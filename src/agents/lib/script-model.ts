import type { Message, Model, ModelCall, ModelTurn } from "./model.ts";

/** With `task`, only for an agent that was given exactly this task; lines without it are for any other. */
type Line = {
  task?: string;
  text?: string;
  calls?: readonly { id?: string; name: string; args?: unknown }[];
  usage?: ModelTurn["usage"];
};
type Queue = { turns: ModelTurn[]; next: number };

/** Replays recorded turns, one JSON object per line: `{"text": …, "calls": [{"name": …, "args": {…}}]}`. */
export function scriptModel(name: string, script: string): Model {
  const queues = readScript(script);
  return {
    name,
    async turn({ messages, onText, signal }) {
      signal.throwIfAborted();
      const queue = queues.get(taskIn(messages)) ?? queues.get("") ?? { turns: [], next: 0 };
      const turn = queue.turns[queue.next++];
      if (!turn) throw new Error(`the script ${name} has only ${queue.turns.length} turns`);
      if (turn.text) onText?.(turn.text);
      return turn;
    },
  };
}

/** The first message that an agent was given. */
export const taskIn = ([first]: readonly Message[]): string => (first?.role === "user" ? first.text : "");

function readScript(script: string): Map<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const [index, line] of script.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const { task = "", text = "", calls = [], usage } = parsed(line, index + 1);
    const queue = queues.get(task) ?? { turns: [], next: 0 };
    queues.set(task, queue);
    queue.turns.push({
      text,
      calls: calls.map((call, at): ModelCall => ({ id: `turn${index + 1}_${at + 1}`, args: {}, ...call })),
      ...(usage && { usage }),
    });
  }
  return queues;
}

function parsed(line: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`line ${number} of the script is not JSON`);
  }
  if (!isLine(value)) throw new Error(`line ${number} of the script must be {"text": …} or {"calls": [{"name": …}]}`);
  return value;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const { task, text, calls = [], usage } = value as Record<string, unknown>;
  return (
    [task, text].every((each) => each === undefined || typeof each === "string") &&
    Array.isArray(calls) &&
    calls.every((each) => typeof each?.name === "string") &&
    (usage === undefined || isUsage(usage))
  );
}

const isUsage = (value: unknown): boolean =>
  ["input", "output"].every((key) => Number.isFinite((value as Record<string, unknown> | null)?.[key]));

/** Formats a turn as a line of a script; `task` is set unless it is the lead's. */
export const scriptLine = ({ text, calls, usage }: ModelTurn, task?: string): string =>
  `${JSON.stringify({
    ...(task && { task }),
    ...(text && { text }),
    ...(calls.length > 0 && { calls }),
    ...(usage && { usage }),
  })}\n`;
