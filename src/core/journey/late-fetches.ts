import type { FetchTouch, JudgeFurther } from "../contracts/network.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import { dangerOf, worse } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { refusal } from "./judging.ts";
import { judge } from "./opinions.ts";
import { reserve } from "./reserving.ts";
import type { Prepared } from "./stages.ts";
import { standingYes } from "./standing-grants.ts";
import type { Trip } from "./trip.ts";

/**
 * Judges the target of a redirect when it turns up. It is too late to ask: a person's yes to the call extends to the
 * same host, and any other host must be allowed without a question.
 */
export const judgeFurther =
  (trip: Trip, prepared: Prepared): JudgeFurther =>
  async (touch, from) => {
    const { parts, facts } = trip.station;
    const { ready } = prepared;
    const further: Ready = { ...ready, touches: [touch], danger: worse(ready.danger, dangerOf([touch])) };
    const verdict = judge(parts.policies, further, facts);
    if (verdict.answer === "deny") throw refusal(verdict);
    if (
      verdict.answer === "ask" &&
      !isAgreed(trip, prepared, verdict, touch, from) &&
      !(await isGranted(trip, further, verdict))
    )
      throw needsCall(touch, from, verdict);
    await reserve(trip, verdict);
    const known = trip.known.ready ?? ready;
    trip.known.ready = { ...known, touches: [...known.touches, touch] };
  };

/** Whether a person or a grant allowed the call for the same reason that this is asked about, on the same site. */
function isAgreed(
  { station: { parts, facts } }: Trip,
  { ready, verdict, approved }: Prepared,
  asked: Judgement,
  { url }: FetchTouch,
  from: string,
): boolean {
  if ((approved === undefined && verdict.by !== "grant") || !isSameSite(from, url)) return false;
  const before = judge(parts.policies, ready, facts);
  return before.answer === "ask" && before.by === asked.by && before.reason === asked.reason;
}

/** Same host and port, or from http to https on the default ports. */
function isSameSite(from: string, to: string): boolean {
  if (!URL.canParse(from) || !URL.canParse(to)) return false;
  const [a, b] = [new URL(from), new URL(to)];
  if (a.hostname !== b.hostname) return false;
  return a.origin === b.origin || (a.protocol === "http:" && b.protocol === "https:" && a.port === "" && b.port === "");
}

const isGranted = async (trip: Trip, ready: Ready, verdict: Judgement): Promise<boolean> =>
  verdict.grantable === true && (await standingYes(trip, { ready, verdict })) !== undefined;

const needsCall = ({ url, method }: FetchTouch, from: string, { reason }: Judgement) =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `${from} redirects to ${url}, which needs its own permission: ${reason}.`,
    `If you want it, make a call with ${JSON.stringify({ url, ...(method !== "GET" && { method }) })}.`,
    { metadata: { redirect: url } },
  );
