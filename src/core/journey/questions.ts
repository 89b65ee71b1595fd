import type { Question } from "../contracts/approval.ts";
import type { Enforcement } from "../contracts/process.ts";
import type { ApprovalRow } from "../contracts/store/approvals.ts";
import { Ending } from "../words/result.ts";
import { isPathTouch, type RunTouch, type Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { boundOf } from "./binding.ts";
import { heldWhileRunning } from "./commanding.ts";
import { fingerprint } from "./fingerprints.ts";
import { diffOf, type Parts } from "./journey-parts.ts";
import type { Prepared } from "./stages.ts";
import { standingFor } from "./standing-grants.ts";
import { aboutTrip, type Trip, workspaceOf } from "./trip.ts";

export type Request = { trip: Trip; prepared: Prepared; id: string; question: Question; hash: string };

/** Keeps the pending approval as a row, so that any process can answer it. */
export async function request(trip: Trip, given: Prepared, batch: string): Promise<Request> {
  const { ready } = given;
  const { call } = ready;
  const { parts } = trip.station;
  trip.life.check();
  if (!parts.approve) throw nobodyToAsk(given.verdict);
  const bound = await boundOf(trip, ready);
  const { grantable, ...alone } = given.verdict;
  // a standing yes needs to know all the code that decides what runs
  const verdict: Judgement = grantable && bound.whole ? given.verdict : alone;
  const standing = verdict.grantable ? await standingFor(trip, given, bound) : [];
  const prepared: Prepared = { ...given, bound, verdict, standing };
  const hash = await fingerprint(ready, bound, parts);
  const enforcement = await enforcementOf(trip, ready.touches);
  const question: Question = {
    ...call,
    tool: ready.tool.name,
    input: ready.input,
    touches: ready.touches,
    diff: await diffOf(parts, ready.changes),
    reason: verdict.reason,
    by: verdict.by,
    always: standing.map(({ shown }) => shown),
    bound: bound.files.map(({ shown }) => shown),
    ...(enforcement && { enforcement }),
  };
  const id = parts.ids();
  const row = rowOf(trip, question, { id, batch, fingerprint: hash, grantable: verdict.grantable === true });
  await parts.store.ask(row).catch(async (error) => {
    await withdraw(trip, id);
    throw error;
  });
  if (parts.heard()) parts.emit({ type: "asked", call: question, verdict }, aboutTrip(trip));
  if (trip.opening) parts.recorder.visible(trip.opening);
  return { trip, prepared, id, question, hash };
}

async function enforcementOf({ station }: Trip, touches: readonly Touch[]): Promise<Enforcement | undefined> {
  const run = touches.find((touch): touch is RunTouch => touch.action === "run");
  return run && heldWhileRunning(station, run);
}

/** Withdraws the question. If the store fails, the row ends with its time limit or its process. */
export const withdraw = ({ station }: Trip, id: string): Promise<void> =>
  station.parts.store.withdraw([id]).catch(() => {});

type RowOnly = Pick<ApprovalRow, "id" | "batch" | "fingerprint" | "grantable">;

/** Everything in the row is redacted. */
function rowOf(trip: Trip, question: Question, own: RowOnly): ApprovalRow {
  const { parts } = trip.station;
  const { redact } = parts;
  const { id, sessionID, agent, tool, input, touches, diff, reason, always, bound, enforcement } = question;
  return {
    ...own,
    call: id,
    session: sessionID,
    agent,
    workspace: workspaceOf(trip.station),
    tool: redact(tool),
    at: parts.clock.now(),
    reason: redact(reason),
    input: parts.redactDeep(input),
    touches: touches.map((touch) => withoutSecrets(touch, parts)),
    diff: redact(diff),
    wouldGrant: always.map(redact),
    ...(bound.length > 0 && { bound: bound.map(redact) }),
    ...(enforcement && { enforcement }),
    ...(parts.approve === "queue" && { patience: parts.patience }),
  };
}

/** The touch without secrets; of a command, just enough to recognise it. */
const withoutSecrets = (touch: Touch, { redact, redactDeep }: Parts): Touch => {
  if (touch.action === "run") {
    const { action, command, class: kind } = touch;
    // redacted together: a secret in the command must not show in the places that it names
    const { inner } = redactDeep({ command, inner: touch.inner.filter(isPathTouch) }) as Pick<RunTouch, "inner">;
    return { action, command: redact(command), class: kind, inner };
  }
  return redactDeep(touch) as Touch;
};

/** In the largest unit that divides it evenly. */
function inWords(milliseconds: number): string {
  const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 };
  const [unit, size] = Object.entries(units).find(([, each]) => milliseconds % each === 0) ?? ["millisecond", 1];
  const count = milliseconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Only a question in the queue has a time limit. Any other one was withdrawn. */
export function nobodyAnswered({ approve, patience }: Parts): Ending {
  const queued = approve === "queue";
  return new Ending(
    "refused",
    "PERMISSION_DENIED",
    `This call needs a person's approval, and nobody answered ${queued ? `within ${inWords(patience)}` : "in time"}.`,
    `Ask the person whether it is still wanted, then call again.${queued ? " How long a question waits is set by approval.timeout in toolgate.yaml." : ""}`,
  );
}

export const nobodyToAsk = ({ reason, grantable }: Judgement, hint?: string) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `This call needs a person's approval (${reason}), and there is nobody to ask.`,
    hint ??
      `A person can run it in a terminal, approve it in advance (toolgate call … --yes${grantable ? ", or --mode yolo" : ""}), see what it would do (--dry-run), or give open() an approve function.`,
  );
