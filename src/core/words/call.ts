/** A call as it arrived from a model or a person. */
export type IncomingCall = {
  id?: string;
  name: string;
  args?: unknown;
  messageID?: string;
  sessionID?: string;
  agent?: string;
};

/** The same with nothing left open. */
export type Call = {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly messageID: string;
  readonly sessionID: string;
  readonly agent: string;
};
