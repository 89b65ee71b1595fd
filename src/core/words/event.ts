import type { Alert } from "../contracts/anomalies.ts";
import type { Question } from "../contracts/approval.ts";
import type { Mark } from "../contracts/store/records.ts";
import type { Call } from "./call.ts";
import type { Metadata, Result } from "./result.ts";
import type { Judgement } from "./verdict.ts";

export type RegisterEvent = { type: "register" | "unregister"; tool: string };
export type StartEvent = { type: "start"; call: Call };
export type JudgedEvent = { type: "judged"; call: Call; verdict: Judgement };
export type AskedEvent = { type: "asked"; call: Question; verdict: Judgement };
export type AnsweredEvent = { type: "answered"; call: Call; decision: string };
export type ProgressEvent = { type: "progress"; call: Call; title?: string; metadata?: Metadata };
export type EndEvent = { type: "done" | "failed"; call: Call; result: Result; trace: readonly Mark[] };
/** Something unusual about a command. Nothing was stopped because of it. */
export type AlertEvent = { type: "alert"; call: Call } & Alert;
/** A record could not be kept. The calls themselves have ended all the same. */
export type UnrecordedEvent = { type: "unrecorded"; message: string };

export type EventBody =
  | RegisterEvent
  | StartEvent
  | JudgedEvent
  | AskedEvent
  | AnsweredEvent
  | ProgressEvent
  | EndEvent
  | AlertEvent
  | UnrecordedEvent;

/** When it happened, in which session, and the record of the call that it is about. */
export type EventStamp = { id: string; at: number; session?: string; record?: string };

export type GateEvent = EventBody & EventStamp;
