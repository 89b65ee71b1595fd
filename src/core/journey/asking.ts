import { type PersonsAnswer, type Question, readAnswer } from "../contracts/approval.ts";
import { sleep } from "../contracts/clock.ts";
import type { ApprovalRow } from "../contracts/store/approvals.ts";
import { Ending } from "../words/result.ts";
import { isPathTouch, type Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { boundOf } from "./binding.ts";
import { tried } from "./ending.ts";
import { coveredBy, fingerprint, isGranted } from "./grants.ts";
import { cancelled } from "./life.ts";
import { type Edited, type Ended, isEnded, type Prepared } from "./stages.ts";
import { aboutTrip, mark, type Trip } from "./trip.ts";

const LOOK_AGAIN_MS = 250;
/** How long a question in the queue waits for somebody. */
const QUEUE_PATIENCE_MS = 3_600_000;

export type Waiting = { readonly trip: Trip; readonly prepared: Prepared };
export type Answered = Prepared | Edited | Ended;

/** What was said, or that nobody said anything in time. */
type Said = PersonsAnswer | { decision: "nothing" };

/** One request for all of these calls; what became of each, in order. */
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
  if (requests.length === 0) return answered;
  const given = await answerTo(requests);
  // one set of arguments cannot be meant for several calls
  const answer: Said = given.decision === "edit" && requests.length > 1 ? { decision: "deny" } : given;
  for (const each of requests) answered[each.index] = await tried(each.trip, () => apply(each, answer));
  return answered;
}

/** A standing yes answers only what mode, danger or autonomy ask. */
async function grantedBefore(trip: Trip, prepared: Prepared): Promise<Prepared | undefined> {
  const { verdict, ready } = prepared;
  if (!verdict.grantable) return undefined;
  const bound = await boundOf(trip, ready);
  if (!bound.whole) return undefined;
  const { store } = trip.station.parts;
  const grants = await store.grants({
    tool: ready.tool.name,
    session: ready.call.sessionID,
    workspace: workspaceOf(trip),
  });
  if (!isGranted(coveredBy(ready, bound.files), grants)) return undefined;
  return allowed(trip, { ...prepared, bound }, "grant", "a person allowed exactly this before");
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

const workspaceOf = ({ station }: Trip): string => station.workspace.roots[0] ?? "";

type Request = { trip: Trip; prepared: Prepared; id: string; question: Question; hash: string };

/** A pending approval is a row, so that any process can answer it. */
async function request(trip: Trip, prepared: Prepared, batch: string): Promise<Request> {
  const { ready } = prepared;
  const { call } = ready;
  const { parts } = trip.station;
  trip.life.check();
  const bound = await boundOf(trip, ready);
  const { grantable: standing, ...alone } = prepared.verdict;
  const grantable = standing === true && bound.whole;
  const verdict: Judgement = grantable ? prepared.verdict : alone;
  const hash = fingerprint(ready, bound, parts.hash);
  const diff = parts.diff(ready.changes);
  const question: Question = { ...call, tool: ready.tool.name, input: ready.input, touches: ready.touches, diff };
  const id = parts.ids();
  if (!parts.approve) throw nobodyToAsk(verdict);
  const row: ApprovalRow = {
    id,
    call: call.id,
    session: call.sessionID,
    agent: call.agent,
    workspace: workspaceOf(trip),
    tool: question.tool,
    at: parts.clock.now(),
    fingerprint: hash,
    reason: parts.redact(verdict.reason),
    input: parts.redactDeep(ready.input),
    touches: ready.touches.map((touch) => withoutSecrets(touch, parts.redact)),
    diff: parts.redact(diff),
    batch,
    grantable,
    wouldGrant: grantable ? coveredBy(ready, bound.files).map(({ shown }) => parts.redact(shown)) : [],
    ...(parts.approve === "queue" && { patience: QUEUE_PATIENCE_MS }),
  };
  await parts.store.ask(row).catch(async (error) => {
    await withdraw(trip, id);
    throw error;
  });
  if (parts.heard()) parts.emit({ type: "asked", call: question, verdict }, aboutTrip(trip));
  if (trip.opening) parts.recorder.visible(trip.opening);
  return { trip, prepared: { ...prepared, bound, verdict }, id, question, hash };
}

/** What is kept of a command says enough to be recognised. */
const withoutSecrets = (touch: Touch, redact: (text: string) => string): Touch => {
  if (touch.action === "run")
    return {
      action: "run",
      command: redact(touch.command),
      class: touch.class,
      inner: touch.inner.filter(isPathTouch),
    };
  return touch.action === "fetch" ? { ...touch, url: redact(touch.url) } : touch;
};

const nobodyToAsk = ({ reason, grantable }: Judgement) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `This call needs a person's approval (${reason}), and there is nobody to ask.`,
    `A person can run it in a terminal${grantable ? ", choose another mode (--mode yolo)" : ""}, or give open() an approve function.`,
  );

async function answerTo(requests: readonly Request[]): Promise<Said> {
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
    typeof approve === "function" ? readAnswer(await approve(first.question, asked)) : nobody<PersonsAnswer>();
  try {
    // nobody is asked about what was stopped meanwhile
    life.check();
    return await life.whileThinking(Promise.race([person(), elsewhere(requests, settled)]));
  } catch (error) {
    return error instanceof Ending ? { decision: "abort" } : { decision: "deny", message: "asking failed" };
  } finally {
    settled.yet = true;
  }
}

/** The question is over; should the store not hear of it, the row ends with its patience or its process. */
const withdraw = ({ station }: Trip, id: string): Promise<void> => station.parts.store.withdraw([id]).catch(() => {});

const nobody = <T>(): Promise<T> => new Promise(() => {});

/** Another process may answer the rows first, each for itself: whoever answers one has seen that one alone. */
async function elsewhere(requests: readonly Request[], settled: { yet: boolean }): Promise<Said> {
  const { store, clock, approve } = requests[0]!.trip.station.parts;
  const since = clock.ticks();
  while (!settled.yet) {
    await sleep(clock, LOOK_AGAIN_MS);
    const rows = await Promise.all(requests.map(({ id }) => store.approval(id)));
    if (rows.some((row) => row?.answer === "abort")) return { decision: "abort" };
    if (rows.every((row) => row?.answer !== undefined)) break;
    if (approve === "queue" && clock.ticks() - since > QUEUE_PATIENCE_MS) return { decision: "nothing" };
  }
  // every row has its own answer, which comes before this one
  return { decision: "deny" };
}

/** The first answer that the store took is the one that counts. */
async function finalAnswer({ trip, id }: Request, answer: Said): Promise<Said> {
  const { store } = trip.station.parts;
  if (answer.decision === "nothing") return answer;
  const message = "message" in answer ? answer.message : undefined;
  const args = answer.decision === "edit" ? answer.args : undefined;
  if (await store.answer(id, answer.decision, message, args)) return answer;
  const row = await store.approval(id);
  if (row?.answer === undefined) return { decision: "nothing" };
  return readAnswer({ decision: row.answer, message: row.message, args: row.args });
}

async function apply(asked: Request, given: Said): Promise<Answered> {
  const { trip, prepared, hash } = asked;
  const { parts } = trip.station;
  const { stopped } = trip.life;
  if (stopped) {
    // nobody said anything: the question is over
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
      throw cancelled("A person stopped this call.");
    case "nothing":
      await withdraw(trip, asked.id);
      throw new Ending(
        "refused",
        "PERMISSION_DENIED",
        "This call needs a person's approval, and nobody answered in time.",
        "Ask the person whether it is still wanted, then call again.",
      );
    case "edit":
      return { edited: { ...prepared.ready.call, args: answer.args } };
    case "deny":
      throw new Ending(
        "refused",
        "PERMISSION_DENIED",
        answer.message ? `A person said no: ${answer.message}` : "A person said no to this call.",
        "Do not repeat it. Ask what is wanted instead, or go another way.",
      );
    case "session":
    case "always":
      await remember(trip, prepared, answer.decision);
  }
  return { ...allowed(trip, prepared, "person", `a person allowed it (${answer.decision})`), approved: hash };
}

/** A question that no standing yes may answer is not remembered: the answer holds once. */
async function remember(
  trip: Trip,
  { ready, verdict, bound }: Prepared,
  decision: "session" | "always",
): Promise<void> {
  if (!verdict.grantable) return;
  const { parts } = trip.station;
  const yes = {
    tool: ready.tool.name,
    session: decision === "session" ? ready.call.sessionID : null,
    workspace: workspaceOf(trip),
    at: parts.clock.now(),
  };
  await parts.store.grant(
    coveredBy(ready, bound?.files).map(({ covers, shown }) => ({
      ...yes,
      id: parts.ids(),
      covers,
      shown: [parts.redact(shown)],
    })),
  );
}
