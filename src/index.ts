export * as z from "zod";
export type { Approver, AskedVerdict, Decision, Question } from "./core/approval.ts";
export type { Call, IncomingCall } from "./core/call.ts";
export type { Autonomy, ChildOptions, Mode } from "./core/ceiling.ts";
export type { GateEvent } from "./core/event.ts";
export type { Explanation } from "./core/explain.ts";
export type { Gate } from "./core/gate.ts";
export type { Verdict } from "./core/judge.ts";
export type { Dialect, Registry } from "./core/registry.ts";
export {
  type Attachment,
  type Failure,
  type Metadata,
  type Result,
  render,
  type Status,
  ToolFailure,
} from "./core/result.ts";
export type { Format } from "./core/schema.ts";
export type { ApprovalRow, CallRecord, ChangeRow, Grant, Held, Store } from "./core/store.ts";
export { type Context, type Definition, type Look, type PlainTool, type Proposal, Tool } from "./core/tool.ts";
export { type Claim, type Permission, type Place, read, type Touch, write } from "./core/touch.ts";
export type { Bytes, Change, FileView, Workspace } from "./core/workspace.ts";
export { type OpenOptions, open } from "./system.ts";
