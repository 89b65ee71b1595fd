import type { Line, Told } from "./conversations.ts";
import type { Message, ModelCall } from "./model.ts";
import { scriptLine } from "./script-model.ts";

export const EXPORTS = ["markdown", "jsonl", "script"] as const;
export type Export = (typeof EXPORTS)[number];

/** For people, for programs, or as a script that replays the model's turns. */
export function exported(told: Told, format: Export): string {
  if (format === "jsonl") return asJsonl(told);
  return format === "script" ? asScript(told) : asMarkdown(told);
}

/** A line for the session, then a line per message. */
function asJsonl({ session, lines, below }: Told): string {
  const head = JSON.stringify({ type: "session", ...session });
  const rows = lines.map(({ message, at, ...about }) =>
    JSON.stringify({ type: "message", session: session.id, at, ...message, ...about }),
  );
  return `${[head, ...rows].join("\n")}\n${below.map(asJsonl).join("")}`;
}

/** The turns of the lead as they are; those of others for an agent that is given the same task. */
function asScript({ lines, below }: Told, task?: string): string {
  const own = lines.flatMap(({ message, usage }) =>
    message.role === "assistant"
      ? scriptLine({ text: message.text, calls: message.calls, ...(usage && { usage }) }, task)
      : [],
  );
  return own.join("") + below.map((each) => asScript(each, firstText(each.lines))).join("");
}

const firstText = ([first]: readonly Line[]): string => (first?.message.role === "user" ? first.message.text : "");

function asMarkdown({ session, lines, below }: Told, depth = 1): string {
  const { id, agent, model, at, status, stopped, turns, usage } = session;
  const cost = usage.cost === undefined ? "" : `, cost ${usage.cost}`;
  const head = [
    `${"#".repeat(Math.min(depth, 6))} Session ${id}`,
    `- agent: ${agent}, model: ${model}`,
    `- begun: ${new Date(at).toISOString()}`,
    `- status: ${status}${stopped ? `: ${stopped}` : ""}`,
    `- turns: ${turns}, tokens: ${usage.input} in, ${usage.output} out${cost}`,
  ].join("\n");
  const parts = lines.map(({ message, isTask }) => said(message, isTask === true, "#".repeat(Math.min(depth + 1, 6))));
  return `${[head.replace("\n", "\n\n"), ...parts].join("\n\n")}\n${below.map((each) => `\n${asMarkdown(each, depth + 1)}`).join("")}`;
}

function said(message: Message, isTask: boolean, mark: string): string {
  if (message.role === "user") return `${mark} ${isTask ? "Task" : "Told"}\n\n${message.text}`;
  if (message.role === "tool")
    return message.answers
      .map(({ name, text, failed }) => `${mark} ${name}${failed ? " failed" : ""}\n\n${fenced(text)}`)
      .join("\n\n");
  return [`${mark} Model`, message.text.trim(), ...message.calls.map(callText)].filter(Boolean).join("\n\n");
}

const callText = ({ name, args }: ModelCall): string =>
  `Calls \`${name}\`:\n\n${fenced(typeof args === "string" ? args : JSON.stringify(args, null, 2), "json")}`;

/** Uses a fence that is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([each]) => each.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
