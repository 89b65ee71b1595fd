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

/** Even something that is not a call must end in a result. */
export function readable(call: unknown): IncomingCall {
  if (typeof call !== "object") return { name: typeof call === "string" ? call : "" };
  try {
    const given = { ...(call as IncomingCall) };
    return typeof given.name === "string" ? given : { ...given, name: "" };
  } catch {
    return { name: "" };
  }
}
