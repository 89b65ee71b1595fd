import type { Model, ModelCall, ModelTurn } from "./model.ts";

type Line = { text?: string; calls?: readonly { id?: string; name: string; args?: unknown }[] };

/** Plays recorded turns, a JSON object a line: `{"text": …, "calls": [{"name": …, "args": {…}}]}`. */
export function scriptModel(name: string, script: string): Model {
  const turns = readScript(script);
  let next = 0;
  return {
    name,
    async turn({ onText, signal }) {
      signal.throwIfAborted();
      const turn = turns[next++];
      if (!turn) throw new Error(`the script ${name} has only ${turns.length} turns`);
      if (turn.text) onText?.(turn.text);
      return turn;
    },
  };
}

function readScript(script: string): ModelTurn[] {
  return script.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const { text = "", calls = [] } = parsed(line, index + 1);
    return [
      { text, calls: calls.map((call, at): ModelCall => ({ id: `turn${index + 1}_${at + 1}`, args: {}, ...call })) },
    ];
  });
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

const isLine = (value: unknown): value is Line =>
  typeof value === "object" &&
  value !== null &&
  ["undefined", "string"].includes(typeof (value as Line).text) &&
  ((value as Line).calls === undefined ||
    (Array.isArray((value as Line).calls) &&
      (value as { calls: unknown[] }).calls.every((each) => typeof (each as { name?: unknown })?.name === "string")));

/** The line that a turn is recorded as. */
export const scriptLine = ({ text, calls }: ModelTurn): string =>
  `${JSON.stringify({ ...(text && { text }), ...(calls.length > 0 && { calls }) })}\n`;
