import type { Message } from "./model.ts";

type Count = (text: string) => number;
/** The share of the newest messages that stay unchanged. */
const KEPT_SHARE = 0.4;
const SHORT = 400;

const sizeOf = (message: Message, count: Count): number => {
  if (message.role === "user") return count(message.text);
  if (message.role === "tool") return message.answers.reduce((sum, { text }) => sum + count(text), 0);
  return count(message.text) + message.calls.reduce((sum, { args }) => sum + count(JSON.stringify(args) ?? ""), 0);
};

export const tokensOf = (messages: readonly Message[], count: Count): number =>
  messages.reduce((sum, message) => sum + sizeOf(message, count), 0);

/** Shortens old outputs, and says so in their place: the model can call the tool again. */
export function masked(messages: readonly Message[], room: number, count: Count): Message[] {
  const firstKept = tailStart(messages, room * KEPT_SHARE, count);
  return messages.map((message, index) =>
    message.role === "tool" && index < firstKept ? { ...message, answers: message.answers.map(maskedAnswer) } : message,
  );
}

function maskedAnswer<T extends { id: string; text: string; images?: unknown }>({ images: _, ...answer }: T): T {
  if (answer.text.length <= SHORT) return answer as T;
  const text = `${answer.text.slice(0, SHORT / 2)}\n[The rest of this output was left out to make room. Call the tool again if it is needed.]`;
  return { ...answer, text } as T;
}

/** Where the newest part begins; never between a call and its answer. */
export function tailStart(messages: readonly Message[], room: number, count: Count): number {
  let size = 0;
  let start = messages.length;
  for (let index = messages.length - 1; index > 0; index--) {
    size += sizeOf(messages[index] as Message, count);
    if (size > room) break;
    if (messages[index]?.role !== "tool") start = index;
  }
  return start;
}

/** The task, the model's summary of the middle, and the newest part. */
export function summarised(messages: readonly Message[], summary: string, start: number): Message[] {
  const [task, ...rest] = messages;
  if (!task) return [];
  const about: Message = { role: "user", text: `What was done so far, in short:\n${summary}` };
  return [task, about, ...rest.slice(start - 1)];
}
