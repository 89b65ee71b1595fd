/** A call as it arrived from a model or a person. */
export type IncomingCall = {
  id?: string;
  name: string;
  args?: unknown;
  messageID?: string;
  sessionID?: string;
  agent?: string;
};

/** The same with every field filled in. */
export type Call = {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly messageID: string;
  readonly sessionID: string;
  readonly agent: string;
};

const TURN = "turn_";

/** The turn of a call that comes without one. */
export const turnOf = (call: string): string => TURN + call;

export const isTurnOf = (call: string, turn: string): boolean =>
  turn.length === TURN.length + call.length && turn.startsWith(TURN) && turn.endsWith(call);

/** The call whose own turn it may be. */
export const callOf = (turn: string): string | undefined =>
  turn.startsWith(TURN) ? turn.slice(TURN.length) : undefined;

/** Even something that is not a call must end in a result. Each field is read once. */
export function readable(call: unknown): IncomingCall {
  if (typeof call !== "object" || call === null) return { name: typeof call === "string" ? call : "" };
  try {
    const { id, name, args, messageID, sessionID, agent } = call as Record<keyof IncomingCall, never>;
    return { id, name: typeof name === "string" ? name : "", args, messageID, sessionID, agent };
  } catch {
    return { name: "" };
  }
}
