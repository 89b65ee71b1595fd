import type { NewLetter } from "../words/dead-letter.ts";
import type { Result } from "../words/result.ts";
import { isSame } from "../words/same.ts";
import { troubleIn } from "../words/trouble.ts";
import { type Trip, targetOf, workspaceOf } from "./trip.ts";

const MOST_ARGUMENTS = 64 * 1024;

/** Only for a call that ran and failed through no fault of its own. */
export function letterOf(trip: Trip, result: Result): NewLetter | undefined {
  const { station, known, deeds } = trip;
  const { call, ready } = known;
  const category = deeds.trouble ?? troubleIn(result);
  if (!category || !ready || !result.error || !deeds.ran) return undefined;
  if (result.status !== "failed" && result.status !== "timed-out") return undefined;
  const { parts } = station;
  const workspace = workspaceOf(station);
  const args = keptArguments(call.args, parts.redactDeep);
  const sign = JSON.stringify([workspace, ready.tool.name, args ?? trip.recordID]);
  return {
    id: parts.hash(new TextEncoder().encode(sign)).slice(0, 12),
    call: call.id,
    session: call.sessionID,
    agent: call.agent,
    workspace,
    tool: ready.tool.name,
    target: parts.redact(targetOf(ready)),
    args,
    status: result.status,
    error: { code: result.error.code, message: result.error.message },
    category,
    attempts: deeds.tries || 1,
    at: parts.clock.now(),
  };
}

/** Returns null if what can be kept is not the same call: too long, or changed by redaction. */
function keptArguments(args: unknown, redactDeep: (value: unknown) => unknown): unknown {
  try {
    const given = args ?? {};
    const text = JSON.stringify(given);
    const kept: unknown = JSON.parse(text);
    return text.length <= MOST_ARGUMENTS && isSame(redactDeep(kept), given) ? kept : null;
  } catch {
    return null;
  }
}
