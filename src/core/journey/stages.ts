import type { Hash } from "../contracts/store/changes.ts";
import type { Standing } from "../contracts/store/grants.ts";
import type { GuardedView } from "../contracts/workspace.ts";
import type { Call } from "../words/call.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Bound } from "./binding.ts";

/** A call that was read, judged and looked at. If its verdict is ask, it waits for a person. */
export type Prepared = {
  readonly ready: Ready;
  readonly verdict: Judgement;
  /** What the preview saw, to be compared with the files under the locks. */
  readonly look?: { readonly view: GuardedView; readonly readJournal: boolean };
  /** Why the preview failed. Reported only after a person agreed to the call, because it may quote the file. */
  readonly withheld?: { readonly error: unknown };
  /** What a standing yes would be saved as: what the person was shown. */
  readonly standing?: readonly Standing[];
  /** What a plan said that would happen: under the locks it must still be so. */
  readonly expected?: Hash;
  /** What the person's answer holds for. */
  readonly approved?: Hash;
  /** The code that was to run when a person, or a grant, allowed it. */
  readonly bound?: Bound;
};

/** The journey of this call is over. */
export type Ended = { readonly ended: Result };

/** A person changed the arguments: the call is prepared anew. */
export type Edited = { readonly edited: Call };

export type Stage = Prepared | Ended;

export const isEnded = (stage: object): stage is Ended => "ended" in stage;
export const isEdited = (stage: object): stage is Edited => "edited" in stage;
export const isWaiting = (stage: Stage): stage is Prepared => !isEnded(stage) && stage.verdict.answer === "ask";
