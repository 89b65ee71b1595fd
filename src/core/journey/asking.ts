import { type Nobody, type PersonsAnswer, readAnswer, readAnswers } from "../contracts/approval.ts";
import { sleep } from "../contracts/clock.ts";
import { Ending, PERSON, stopIn } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import { boundOf } from "./binding.ts";
import { tried } from "./ending.ts";
import { fingerprint, plannedFingerprint } from "./fingerprints.ts";
import { stoppedByPerson } from "./life.ts";
import { nobodyAnswered, nobodyToAsk, type Request, request, withdraw } from "./questions.ts";
import { type Edited, type Ended, isEnded, type Prepared } from "./stages.ts";
import { standingYes } from "./standing-grants.ts";
import { aboutTrip, mark, type Trip, workspaceOf } from "./trip.ts";

const LOOK_AGAIN_MS = 250;

export type Waiting = { readonly trip: Trip; readonly prepared: Prepared };
export type Answered = Prepared | Edited | Ended;

/** The answer, or that nobody answered in time. */
type Said = PersonsAnswer | Nobody | { decision: "nothing" };

/** Asks about these calls. Returns what became of each, in order. */
export async function ask(waiting: readonly Waiting[]): Promise<Answered[]> {
  const answered: Answered[] = await Promise.all(
    waiting.map(({ trip, prepared }) => tried(trip, async () => (await grantedBefore(trip, prepared)) ?? prepared)),
  );
  const batch = waiting[0]?.trip.station.parts.ids() ?? "";
  const requests: (Request & { index: number })[] = [];
  for (const [index, { trip, prepared }] of waiting.entries()) {
    if (answered[index] !== prepared) continue;
    const asked = await tried(trip, () => request(trip, prepared, batch));
    if (isEnded(asked)) answered[index] = asked;
    else requests.push({ ...asked, index });
  }
  await askAbout(requests, answered);
  return answered;
}

async function askAbout(requests: readonly (Request & { index: number })[], answered: Answered[]): Promise<void> {
  let said: Said["decision"] = "once";
  for (const shown of together(requests)) {
    const [only] = shown.length === 1 ? shown : [];
    const covered = only && isStanding(said) ? await coveredNow(only) : undefined;
    if (only && covered) {
      answered[only.index] = covered;
      continue;
    }
    // an abort also stops the calls that were not asked about yet
    const answers: Said[] = said === "abort" ? shown.map(() => STOP) : await answersTo(shown, requests);
    for (const [index, each] of shown.entries()) {
      const answer: Said = said === "abort" ? STOP : (answers[index] as Said);
      answered[each.index] = await tried(each.trip, () => apply(each, answer));
      said = answer.decision;
    }
  }
  // the batch and the calls above end, too: a person who stops an agent stops those that it works for
  for (const { trip, index } of requests)
    if (isStopped(answered[index])) trip.life.stopAbove(stoppedByPerson("A person stopped the work of this call."));
}

const STOP: Said = { decision: "abort" };
const isStopped = (answer: Answered | undefined): boolean =>
  answer !== undefined && isEnded(answer) && stopIn(answer.ended)?.by === PERSON;
const isStanding = (decision: string): boolean => decision === "session" || decision === "always";

/** A standing yes that was just given may answer the next question, too. */
async function coveredNow({ trip, prepared, id }: Request): Promise<Answered | undefined> {
  const granted = await tried(trip, async () => (await grantedBefore(trip, prepared)) ?? prepared);
  if (granted === prepared) return undefined;
  await withdraw(trip, id);
  return granted;
}

/** Shows questions one at a time, unless the approver can show several. Those in the queue are waited for together. */
function together<R extends Request>(requests: readonly R[]): (readonly R[])[] {
  const approve = requests[0]?.trip.station.parts.approve;
  const all = approve === "queue" || approve?.several === true;
  return all ? [requests] : requests.map((each) => [each]);
}

/** An approval in the plan answers first, then a standing yes, which answers only grantable asks. */
export async function grantedBefore(trip: Trip, prepared: Prepared): Promise<Prepared | undefined> {
  const agreed = await agreedInPlan(trip, prepared);
  if (agreed) return agreed;
  if (!prepared.verdict.grantable) return undefined;
  const yes = await standingYes(trip, prepared);
  return yes && allowed(trip, { ...prepared, bound: yes.bound }, "grant", yes.reason);
}

/** A person approved the planned call, and saw why it asks: the yes holds for exactly that call. */
async function agreedInPlan(trip: Trip, prepared: Prepared): Promise<Prepared | undefined> {
  const { planned, station } = trip;
  const { verdict, ready } = prepared;
  if (planned?.state !== "approved" || !(verdict.grantable || verdict.by === planned.verdict?.by)) return undefined;
  const { parts } = station;
  const bound = await boundOf(trip, ready);
  if ((await plannedFingerprint(ready, bound, parts)) !== planned.fingerprint) return undefined;
  const agreed = allowed(trip, { ...prepared, bound }, "person", "a person approved it in the plan");
  return { ...agreed, approved: await fingerprint(ready, bound, parts) };
}

function allowed(trip: Trip, prepared: Prepared, by: string, reason: string): Prepared {
  const { exclude, reserve, notes } = prepared.verdict;
  const verdict: Judgement = {
    answer: "allow",
    by,
    reason,
    ...(exclude && { exclude }),
    ...(reserve && { reserve }),
    ...(notes && { notes }),
  };
  trip.known.verdict = verdict;
  return { ...prepared, verdict };
}

/** One answer for each request. `all` includes requests that are not asked about yet. */
async function answersTo(requests: readonly Request[], all: readonly Request[]): Promise<Said[]> {
  const [first, ...others] = requests as [Request, ...Request[]];
  const { life, station } = first.trip;
  const { approve } = station.parts;
  const { verdict } = first.prepared;
  const asked =
    others.length > 0
      ? { ...verdict, others: others.map(({ prepared, question }) => ({ call: question, verdict: prepared.verdict })) }
      : verdict;
  const settled = { yet: false };
  const person = async () =>
    typeof approve === "function"
      ? readAnswers(await approve(first.question, asked), requests.length, approve.several === true)
      : nobody<Said[]>();
  const alike = (said: Said) => requests.map(() => said);
  try {
    // do not ask about a call that was stopped meanwhile
    life.check();
    return await life.whileThinking(Promise.race([person(), elsewhere(requests, all, settled).then(alike)]));
  } catch {
    return alike(life.stopped ? STOP : { decision: "deny", message: "asking failed" });
  } finally {
    settled.yet = true;
  }
}

const nobody = <T>(): Promise<T> => new Promise(() => {});

/** Waits until other processes have answered every row, one of them aborts, or the time is up. */
async function elsewhere(
  requests: readonly Request[],
  all: readonly Request[],
  settled: { yet: boolean },
): Promise<Said> {
  const { store, clock, approve, patience } = requests[0]!.trip.station.parts;
  const since = clock.ticks();
  while (!settled.yet) {
    await sleep(clock, LOOK_AGAIN_MS);
    const rows = await Promise.all(all.map(({ id }) => store.approval(id)));
    if (rows.some((row) => row?.answer === "abort")) return { decision: "abort" };
    const isAnswered = ({ id }: Request) => rows.some((row) => row?.id === id && row.answer !== undefined);
    if (requests.every(isAnswered)) break;
    if (approve === "queue" && clock.ticks() - since > patience) return { decision: "nothing" };
  }
  // the store refuses this one, because every row already has its own answer
  return { decision: "deny" };
}

/** The first answer that the store accepted counts. */
async function finalAnswer({ trip, id }: Request, answer: Said): Promise<Said> {
  const { store, redact, redactDeep } = trip.station.parts;
  if (answer.decision === "nothing" || answer.decision === "nobody") return answer;
  const message = "message" in answer ? answer.message : undefined;
  const args = answer.decision === "edit" ? answer.args : undefined;
  // the answer is at hand, so its row needs no secrets
  const kept = { message: message && redact(message), args: args === undefined ? undefined : redactDeep(args) };
  if (await store.answer(id, answer.decision, kept.message, kept.args, answer.who)) return answer;
  const row = await store.approval(id);
  if (row?.answer === undefined) return { decision: "nothing" };
  return readAnswer({ decision: row.answer, message: row.message, args: row.args, who: row.who });
}

async function apply(asked: Request, given: Said): Promise<Answered> {
  const { trip, prepared, hash } = asked;
  const { parts } = trip.station;
  const { stopped } = trip.life;
  if (stopped) {
    // nobody has answered, so the question is withdrawn
    await withdraw(trip, asked.id);
    throw stopped;
  }
  const answer = await finalAnswer(asked, given).catch(async (error) => {
    await withdraw(trip, asked.id);
    throw error;
  });
  mark(trip, "answered", answer.decision);
  if (parts.heard())
    parts.emit({ type: "answered", call: prepared.ready.call, decision: answer.decision }, aboutTrip(trip));
  switch (answer.decision) {
    case "abort":
      throw stoppedByPerson("A person stopped this call.");
    case "nothing":
      await withdraw(trip, asked.id);
      throw nobodyAnswered(parts);
    case "nobody":
      await withdraw(trip, asked.id);
      throw nobodyToAsk(prepared.verdict, answer.hint);
    case "edit":
      return { edited: { ...prepared.ready.call, args: answer.args } };
    case "deny":
      trip.known.verdict = {
        answer: "deny",
        by: "person",
        reason: `${answer.who ?? "a person"} said no${answer.message ? `: ${answer.message}` : ""}`,
      };
      throw new Ending(
        "refused",
        "PERMISSION_DENIED",
        answer.message ? `A person said no: ${answer.message}` : "A person said no to this call.",
        "Do not repeat it. Ask what is wanted instead, or try another approach.",
      );
    case "session":
    case "always":
      // an answer that no person gave is not remembered
      if (answer.unasked === undefined) await remember(trip, prepared, answer.decision);
  }
  const { unasked, decision } = answer;
  const [by, reason] =
    unasked === undefined
      ? ["person", `${answer.who ?? "a person"} allowed it (${decision})`]
      : ["caller", `nobody was asked: ${unasked}`];
  return { ...allowed(trip, prepared, by, reason), approved: hash };
}

/** Saves the standing yes. The answer to an ask that is not grantable holds only once. */
async function remember(
  trip: Trip,
  { ready, verdict, standing = [] }: Prepared,
  decision: "session" | "always",
): Promise<void> {
  if (!verdict.grantable) return;
  const { parts } = trip.station;
  const yes = {
    session: decision === "session" ? ready.call.sessionID : null,
    workspace: workspaceOf(trip.station),
    at: parts.clock.now(),
  };
  await parts.store.grant(
    standing.map(({ tool, covers, shown }) => ({
      ...yes,
      id: parts.ids(),
      tool,
      covers,
      shown: [parts.redact(shown)],
    })),
  );
}
