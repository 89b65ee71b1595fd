import type { GateView } from "../../core/words/gate-view.ts";
import type { Attachment, Result } from "../../core/words/result.ts";

/** Which tools a model is shown, and by which names. */
export type Shown = { dialect?: string; names?: readonly string[] };

/** What all calls of one message of a model share. `messageID` names the turn, which can be undone as one. */
export type Turn = { messageID?: string; sessionID?: string; agent?: string; signal?: AbortSignal };

export type Asked = { id: string; name: string; args: unknown };

/** Runs the calls of one message. There is an answer for each call, in order. */
export function runTurn(gate: GateView, calls: readonly Asked[], turn: Turn = {}): Promise<Result[]> {
  const { signal, ...about } = turn;
  return gate.callAll(
    calls.map((call) => ({ ...about, ...call })),
    signal ? { signal } : {},
  );
}

export const imagesOf = ({ attachments = [] }: Result): Attachment[] =>
  attachments.filter(({ mime }) => mime.startsWith("image/"));

export const dataUrl = ({ mime, data }: Attachment): string => `data:${mime};base64,${data}`;
