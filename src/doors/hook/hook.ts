import type { HandedOver } from "../../core/words/handed-over.ts";
import { complete, judge, type Opening } from "./hook-judgement.ts";
import { type Client, isObject, type Said, type Told, Unreadable } from "./lib/client.ts";

/** Shorter than the clients' own limits, because several run a call that was not answered in time. */
const DEADLINE_MS = 45_000;
const MOST_BYTES = 64 << 20;

/** Handles one event of a client: reads, judges or records it, and answers. Any error before a call refuses it. */
export async function answer(
  client: Client,
  input: AsyncIterable<Uint8Array>,
  openingFor: (event: Told) => Opening,
): Promise<Said> {
  const late = deadline();
  try {
    return await Promise.race([answered(client, input, openingFor), late.over]);
  } catch (error) {
    return crashed(client, error);
  } finally {
    late.end();
  }
}

async function answered(
  client: Client,
  input: AsyncIterable<Uint8Array>,
  openingFor: (event: Told) => Opening,
): Promise<Said> {
  const event = client.read(await documentIn(input));
  if (event.kind === "other") return { status: 0 };
  if (event.kind === "before") return told(client, await judge(client, event, openingFor(event)));
  try {
    const said = await complete(client, event, openingFor(event));
    return said ? (client.heard?.(said) ?? { status: 0, stderr: said }) : { status: 0 };
  } catch (error) {
    // it has already happened, so there is nothing to refuse
    return { status: 0, stderr: `Toolgate could not complete the record: ${messageOf(error)}` };
  }
}

function told(client: Client, verdict: HandedOver | undefined): Said {
  if (!verdict) return client.pass ?? { status: 0 };
  const { answer, reason, next } = verdict;
  const words = answer === "allow" ? `Toolgate: ${reason}` : `Toolgate: ${[reason, next].filter(Boolean).join(" ")}`;
  return client.answer(answer, words);
}

/** Nothing on standard output, and always a reason: some clients run a call that was refused without one. */
export function crashed({ crashed: inItsWords }: Partial<Client>, error: unknown): Said {
  const reason = `Toolgate could not judge this call, so it is refused: ${messageOf(error)}`;
  return inItsWords?.(reason) ?? { status: 2, stderr: reason };
}

const messageOf = (error: unknown): string => {
  const { message = String(error), hint } = (error ?? {}) as { message?: string; hint?: string };
  return [message, hint].filter(Boolean).join(" ");
};

async function documentIn(input: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Unreadable(`the event is larger than ${MOST_BYTES} bytes`);
    pieces.push(piece);
  }
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new Unreadable("standard input is not JSON");
  }
  if (!isObject(document)) throw new Unreadable("standard input is not a JSON object");
  return document;
}

function deadline(): { over: Promise<never>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unreadable("it took too long")), DEADLINE_MS);
  });
  return { over, end: () => clearTimeout(timer) };
}
