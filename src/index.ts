export * as z from "zod";
export type { Alert } from "./core/contracts/anomalies.ts";
export type { Approver, AskedVerdict, Decision, PersonsAnswer, Question } from "./core/contracts/approval.ts";
export type { Hook, HookAnswer, HookedCall, HookSaid, Moment, MomentName } from "./core/contracts/hook.ts";
export type { Network, NetworkRequest, NetworkResponse } from "./core/contracts/network.ts";
export type { AskPerson, PersonQuestion } from "./core/contracts/people.ts";
export type { Facts, Past, Policy } from "./core/contracts/policy.ts";
export type { Checked, Finished } from "./core/contracts/quality-gate.ts";
export type { Running, Step } from "./core/contracts/step.ts";
export type { ApprovalRow, Approvals } from "./core/contracts/store/approvals.ts";
export type { ChangeQuery, ChangeRow, Changes, NewChange, Outcome } from "./core/contracts/store/changes.ts";
export type { Events, KeptEvent } from "./core/contracts/store/events.ts";
export type { Grant, GrantQuery, Grants } from "./core/contracts/store/grants.ts";
export type {
  Asking,
  Hold,
  HoldAnswer,
  HoldMode,
  HoldSpace,
  Holds,
  Keeper,
  Wanted,
} from "./core/contracts/store/holds.ts";
export type { Held, Holder, Locks, Patience } from "./core/contracts/store/locks.ts";
export type { PlanMark, PlanMove, PlannedCall, PlannedChange, PlanQuery, Plans } from "./core/contracts/store/plans.ts";
export type { CallRecord, RecordQuery, Records, UnderWay } from "./core/contracts/store/records.ts";
export type { Reservations, Reserved, Take } from "./core/contracts/store/reservations.ts";
export type { Store } from "./core/contracts/store/store.ts";
export type { Stored, Table, Tables } from "./core/contracts/store/tables.ts";
export type { Bytes, Change, FileView, Workspace } from "./core/contracts/workspace.ts";
export type { Gate } from "./core/gate.ts";
export type { PlanChoice, PlanConflict, PlanView } from "./core/gate-plans.ts";
export type { Fired } from "./core/journey/firing.ts";
export type { PlanOutcome } from "./core/journey/running-plans.ts";
export type { Dialect, Registry } from "./core/registry.ts";
export type { Call, IncomingCall } from "./core/words/call.ts";
export type { ActionGate, Autonomy, Ceiling, Limits, Mode } from "./core/words/ceiling.ts";
export type { DeadLetter } from "./core/words/dead-letter.ts";
export type {
  AlertEvent,
  AnsweredEvent,
  AskedEvent,
  EndEvent,
  GateEvent,
  JudgedEvent,
  ProgressEvent,
  RegisterEvent,
  StartEvent,
  UnrecordedEvent,
} from "./core/words/event.ts";
export type { Explanation } from "./core/words/explanation.ts";
export type { BatchOptions, CallOptions, ChildOptions, GateView } from "./core/words/gate-view.ts";
export type { Format, JsonSchema, ObjectSchema, ToolSchema } from "./core/words/json-schema.ts";
export type { Spending } from "./core/words/model-spending.ts";
export { type DescribeOptions, describe } from "./core/words/question.ts";
export type { Ready } from "./core/words/ready.ts";
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
export { type Claim, describeTouch, type Permission, type Place, read, type Touch, write } from "./core/words/touch.ts";
export type { Answer, Condition, Judgement, Reserve, Verdict } from "./core/words/verdict.ts";
export { terminalApprover } from "./doors/cli/lib/terminal-approver.ts";
export { globsOverlap, type OpenOptions, open } from "./open.ts";
