import { type PersonsAnswer, type Question, readAnswer } from "../contracts/approval.ts";
import { sleep } from "../contracts/clock.ts";
import { Ending } from "../words/result.ts";
import { isPathTouch, type Touch } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";
import { fingerprint, grantTargets, isGranted } from "./grants.ts";
import { cancelled } from "./life.ts";
import { attempt, mark, type Trip } from "./trip.ts";

const LOOK_AGAIN_MS = 250;

export const isWaiting = (trip: Trip): boolean => trip.result === undefined && trip.verdict?.answer === "ask";

/** One request for all of these calls. Those that are not allowed have their result afterwards. */
export async function ask(trips: readonly Trip[]): Promise<void> {
  const open: Trip[] = [];
  for (const trip of trips) await attempt(trip, async () => void ((await grantedBefore(trip)) || open.push(trip)));
  const requests: Request[] = [];
  for (const trip of open) await attempt(trip, async () => void requests.push(await request(trip)));
  if (requests.length === 0) return;
  const given = await answerTo(requests);
  // one set of arguments cannot be meant for several calls
  const answer: PersonsAnswer = given.decision === "edit" && requests.length > 1 ? { decision: "deny" } : given;
  for (const each of requests) await attempt(each.trip, () => apply(each, answer));
}

/** A standing yes answers only what mode, danger or autonomy ask. */
async function grantedBefore(trip: Trip): Promise<boolean> {
  const { verdict, ready, station, call } = trip;
  if (!verdict?.grantable || !ready) return false;
  const grants = await station.parts.store.grants(ready.tool.name, call.sessionID);
  if (!isGranted(ready, grants)) return false;
  trip.verdict = { answer: "allow", by: "grant", reason: "a person allowed exactly this before" };
  return true;
}

type Request = { trip: Trip; id: string; question: Question; hash: string };

/** A pending approval is a row, so that any process can answer it. */
async function request(trip: Trip): Promise<Request> {
  const { station, call, ready, verdict } = trip;
  const { parts } = station;
  if (!ready || !verdict) throw new Error("asked about a call that is not ready");
  trip.life.check();
  const hash = fingerprint(ready, parts.hash);
  const diff = parts.diff(ready.changes);
  const question: Question = { ...call, tool: ready.tool.name, input: ready.input, touches: ready.touches, diff };
  const id = parts.ids();
  if (!parts.approve) throw nobodyToAsk(verdict);
  await parts.store.ask({
    id,
    call: call.id,
    session: call.sessionID,
    agent: call.agent,
    tool: question.tool,
    at: parts.clock.now(),
    fingerprint: hash,
    reason: parts.redact(verdict.reason),
    touches: ready.touches.map((touch) => withoutSecrets(touch, parts.redact)),
    diff: parts.redact(diff),
  });
  if (parts.heard()) parts.emit({ type: "asked", call: question, verdict });
  return { trip, id, question, hash };
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

const nobodyToAsk = ({ reason, grantable }: Verdict) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `This call needs a person's approval (${reason}), and there is nobody to ask.`,
    `A person can run it in a terminal${grantable ? ", choose another mode (--mode yolo)" : ""}, or give open() an approve function.`,
  );

async function answerTo(requests: readonly Request[]): Promise<PersonsAnswer> {
  const [first, ...others] = requests as [Request, ...Request[]];
  const { life, station } = first.trip;
  const { approve } = station.parts;
  const verdict = first.trip.verdict!;
  const asked =
    others.length > 0
      ? { ...verdict, others: others.map(({ trip, question }) => ({ call: question, verdict: trip.verdict! })) }
      : verdict;
  const settled = { yet: false };
  const person = async () => readAnswer(await approve?.(first.question, asked));
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

/** Another process may answer the rows first, each for itself: whoever answers one has seen that one alone. */
async function elsewhere(requests: readonly Request[], settled: { yet: boolean }): Promise<PersonsAnswer> {
  const { store, clock } = requests[0]!.trip.station.parts;
  while (!settled.yet) {
    await sleep(clock, LOOK_AGAIN_MS);
    const rows = await Promise.all(requests.map(({ id }) => store.approval(id)));
    if (rows.some((row) => row?.answer === "abort")) return { decision: "abort" };
    if (rows.every((row) => row?.answer !== undefined)) break;
  }
  // every row has its own answer, which comes before this one
  return { decision: "deny" };
}

/** The first answer that the store took is the one that counts. */
async function finalAnswer({ trip, id }: Request, answer: PersonsAnswer): Promise<PersonsAnswer> {
  const { store } = trip.station.parts;
  const message = "message" in answer ? answer.message : undefined;
  if (await store.answer(id, answer.decision, message)) return answer;
  const row = await store.approval(id);
  return readAnswer({ decision: row?.answer, message: row?.message });
}

async function apply(asked: Request, given: PersonsAnswer): Promise<void> {
  const { trip, hash } = asked;
  const { parts } = trip.station;
  const answer = await finalAnswer(asked, given);
  mark(trip, "answered", answer.decision);
  if (parts.heard()) parts.emit({ type: "answered", call: trip.call, decision: answer.decision });
  switch (answer.decision) {
    case "abort":
      throw trip.life.stopped ?? cancelled("A person stopped this call.");
    case "edit":
      trip.call = { ...trip.call, args: answer.args };
      delete trip.ready;
      return;
    case "deny":
      throw new Ending(
        "refused",
        "PERMISSION_DENIED",
        answer.message ? `A person said no: ${answer.message}` : "A person said no to this call.",
        "Do not repeat it. Ask what is wanted instead, or go another way.",
      );
    case "session":
    case "always":
      await remember(trip, answer.decision);
  }
  trip.approved = hash;
  trip.verdict = { answer: "allow", by: "person", reason: `a person allowed it (${answer.decision})` };
}

async function remember(trip: Trip, decision: "session" | "always"): Promise<void> {
  const { ready, station, call } = trip;
  if (!ready) return;
  const at = station.parts.clock.now();
  const session = decision === "session" ? call.sessionID : null;
  await station.parts.store.grant(
    grantTargets(ready).map((target) => ({ ...target, tool: ready.tool.name, session, at })),
  );
}
