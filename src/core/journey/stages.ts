import type { Hash } from "../contracts/store/changes.ts";
import type { Standing } from "../contracts/store/grants.ts";
import type { GuardedView } from "../contracts/workspace.ts";
import type { Call } from "../words/call.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Bound } from "./binding.ts";

/** A call that was read, judged and previewed. If its verdict is ask, it waits for a person. */
export type Prepared = {
  readonly ready: Ready;
  readonly verdict: Judgement;
  /** What the preview saw, to be compared with the files under the locks. */
  readonly look?: { readonly view: GuardedView; readonly readJournal: boolean };
  /** Why the preview failed. Reported only after a person agreed to the call, because it may quote the file. */
  readonly withheld?: { readonly error: unknown };
  /** What "session" or "always" would save, as the person was shown it. */
  readonly standing?: readonly Standing[];
  /** Hash of the changes that were planned. It must still match under the locks. */
  readonly expected?: Hash;
  /** Fingerprint of what the person approved. */
  readonly approved?: Hash;
  /** The code that would run, as it was when a person or a grant allowed the call. */
  readonly bound?: Bound;
};

/** The journey of this call is over. */
export type Ended = { readonly ended: Result };

/** A person changed the arguments, so the call is prepared again. */
export type Edited = { readonly edited: Call };

export type Stage = Prepared | Ended;

export const isEnded = (stage: object): stage is Ended => "ended" in stage;
export const isEdited = (stage: object): stage is Edited => "edited" in stage;
export const isWaiting = (stage: Stage): stage is Prepared => !isEnded(stage) && stage.verdict.answer === "ask";
