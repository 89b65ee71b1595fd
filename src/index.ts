export * as z from "zod";
export type { Approver, AskedVerdict, Decision, Question } from "./core/contracts/approval.ts";
export type { ApprovalRow } from "./core/contracts/store/approvals.ts";
export type { ChangeRow } from "./core/contracts/store/changes.ts";
export type { Grant } from "./core/contracts/store/grants.ts";
export type { Held } from "./core/contracts/store/locks.ts";
export type { CallRecord } from "./core/contracts/store/records.ts";
export type { Store } from "./core/contracts/store/store.ts";
export type { Bytes, Change, FileView, Workspace } from "./core/contracts/workspace.ts";
export type { Gate } from "./core/gate.ts";
export type { Dialect, Registry } from "./core/registry.ts";
export type { Call, IncomingCall } from "./core/words/call.ts";
export type { Autonomy, Mode } from "./core/words/ceiling.ts";
export type { GateEvent } from "./core/words/event.ts";
export type { Explanation } from "./core/words/explanation.ts";
export type { ChildOptions } from "./core/words/gate.ts";
export type { Format } from "./core/words/json-schema.ts";
export {
  type Attachment,
  type Failure,
  type Metadata,
  type Result,
  render,
  type Status,
  ToolFailure,
} from "./core/words/result.ts";
export { type Context, type Definition, type Look, type PlainTool, type Proposal, Tool } from "./core/words/tool.ts";
export { type Claim, type Permission, type Place, read, type Touch, write } from "./core/words/touch.ts";
export type { Verdict } from "./core/words/verdict.ts";
export { type OpenOptions, open } from "./open.ts";
