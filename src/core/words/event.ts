import type { Alert } from "../contracts/anomalies.ts";
import type { Question } from "../contracts/approval.ts";
import type { Mark } from "../contracts/store.ts";
import type { RegistryEvent } from "../registry.ts";
import type { Call } from "./call.ts";
import type { Result } from "./result.ts";
import type { Verdict } from "./verdict.ts";

export type GateEvent =
  | RegistryEvent
  | { type: "start"; call: Call }
  | { type: "judged"; call: Call; verdict: Verdict }
  | { type: "asked"; call: Question; verdict: Verdict }
  | { type: "answered"; call: Call; decision: string }
  | { type: "progress"; call: Call; title?: string; metadata?: Record<string, unknown> }
  | { type: "done" | "failed"; call: Call; result: Result; trace: readonly Mark[] }
  /** Something unusual about a command; nothing was stopped for it. */
  | ({ type: "alert"; call: Call } & Alert)
  /** The record could not be kept; what had ended had ended. */
  | { type: "unrecorded"; message: string };
