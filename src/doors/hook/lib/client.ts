import type { HandedOver } from "../../../core/words/handed-over.ts";
import type { Json, Meaning } from "./call-meaning.ts";

/** What a client sent, in our words. `id` is missing if the client has none. */
export type Told = {
  readonly tool: string;
  readonly args: Json;
  readonly session: string;
  readonly id?: string;
  readonly turn?: string;
  readonly agent?: string;
  /** Where relative paths start and commands run. */
  readonly cwd: string;
  /** The folder that the client works in, if the event says so. */
  readonly root?: string;
};

export type Event =
  | ({ readonly kind: "before" } & Told)
  | ({ readonly kind: "after"; readonly failed?: string; readonly output?: string } & Told)
  | { readonly kind: "other" };

/** The outcome of the hook: its exit status, and what it prints. */
export type Said = { readonly status: number; readonly stdout?: string; readonly stderr?: string };

/** An agent whose calls are judged: how its JSON is read, what its tools mean, how it is answered. */
export type Client = {
  readonly name: string;
  readonly title: string;
  /** Throws `Unreadable` for what this client would not send. */
  read(input: Json): Event;
  /** The folder that it works in, if its environment says so. */
  root?(environment: Readonly<Record<string, string | undefined>>): string | undefined;
  readonly tools: Readonly<Record<string, Meaning>>;
  /** The server's tool that a name stands for; undefined if it is none. */
  served?(tool: string): string | undefined;
  /** Answers in its own format; `reason` is never empty. */
  answer(verdict: HandedOver["answer"], reason: string): Said;
  /** Passes hooks' words after a call to its model. Absent if that is impossible; people find them in the log. */
  heard?(text: string): Said;
  /** The answer for the client's own affairs; by default nothing at all. */
  readonly pass?: Said;
  /** The refusal after an error of ours; by default status 2, with the reason on standard error. */
  readonly crashed?: (reason: string) => Said;
  /** Set if the client itself cannot ask a person. */
  readonly cannotAsk?: true;
};

/** The client sent something unexpected: the call must not be made. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function textIn(input: Json, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw new Unreadable(`${name} is required (string)`);
}

export const maybeText = (input: Json, name: string): string | undefined =>
  typeof input[name] === "string" && input[name] !== "" ? input[name] : undefined;

export function objectIn(input: Json, name: string): Json {
  const value = input[name];
  if (isObject(value)) return value;
  throw new Unreadable(`${name} is required (object)`);
}

/** An event that does not concern us. Throws for an unknown event before a tool. */
export function otherEvent(event: string, input: Json): { readonly kind: "other" } {
  if (/^(?:pre|before)/i.test(event) && "tool_name" in input) throw new Unreadable(`the event ${event} is not known`);
  return { kind: "other" };
}

/** The answer of a tool, as text. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return value === undefined || value === null ? "" : JSON.stringify(value);
  const { stdout, stderr, output, content } = value;
  const streams = [stdout, stderr, output, content].filter((each) => typeof each === "string" && each !== "");
  return streams.length > 0 ? streams.join("\n") : JSON.stringify(value);
}
