import { OPEN_PLANS, type PlanMove, type PlannedCall } from "../../core/contracts/store/plans.ts";
import { redact, redactDeep } from "../../text/redact.ts";

/** A planned call in its next state. What will not be run any more needs no secrets: they are kept no longer. */
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
