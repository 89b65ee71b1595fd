import { OPEN_PLANS, type PlanMove, type PlannedCall } from "../../core/contracts/store/plans.ts";
import { redact, redactDeep } from "../../text/redact.ts";

/** Moves a planned call to its next state. A call that will not be run any more has its secrets redacted. */
export function movedPlan(
  call: PlannedCall,
  state: PlannedCall["state"],
  { error, ...learnt }: PlanMove = {},
): PlannedCall {
  const { error: before, ...rest } = call;
  const failure = error === undefined ? before : error;
  const moved: PlannedCall = { ...rest, ...learnt, state, ...(failure && { error: failure }) };
  if (OPEN_PLANS.includes(state)) return moved;
  const { args, touches, diff } = moved;
  return {
    ...moved,
    args: redactDeep(args),
    touches: redactDeep(touches) as PlannedCall["touches"],
    diff: redact(diff),
  };
}
