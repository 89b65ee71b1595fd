import type { Touch } from "./touch.ts";

export type Answer = "allow" | "ask" | "deny";

/**
 * A limit that a call counts against: at most `limit` of `key`, in total or within the last `window` milliseconds. It
 * is reserved when the call is about to run, on its session and every session above it (or on `session` alone), and
 * given back if the call did not happen.
 */
export type Reserve = {
  key: string;
  limit: number;
  window?: number;
  /** How much of it to take; 1 by default. */
  amount?: number;
  session?: string;
  /** The thing that is counted, if it counts only once however often it is taken: a file, by its path. */
  once?: string;
  /** What to say when it is used up: "all 20 calls of this session are used up". */
  full?: string;
};

/**
 * What a policy says about a call. `exclude` narrows a search or listing to what may be read. `grantable` marks an ask
 * that a standing yes can answer: only those of mode, danger and autonomy.
 */
export type Verdict = {
  answer: Answer;
  by: string;
  reason: string;
  exclude?: readonly string[];
  grantable?: boolean;
  /** All touches that a grantable ask is about. Absent: the call as a whole. */
  about?: readonly Touch[];
  /** On an allow by a person's rule: the touches that it covers. It answers grantable asks about them. */
  covers?: ReadonlySet<Touch>;
  reserve?: readonly Reserve[];
  /** What the model is told along with the result. */
  notes?: readonly string[];
  /** On a deny: what the model should do instead. */
  next?: string;
  /** On a deny: the program that runs the model should stop here. */
  stop?: true;
};

/** Does not judge the call; says only what it counts against and what the model is told. */
export type Condition = {
  answer?: undefined;
  by: string;
  reason?: undefined;
  exclude?: undefined;
  grantable?: undefined;
  about?: undefined;
  covers?: undefined;
  reserve?: readonly Reserve[];
  notes?: readonly string[];
};

/** The verdicts of all policies as one, and every reservation with the policy that wants it. */
export type Judgement = Omit<Verdict, "reserve" | "covers"> & {
  reserve?: readonly (Reserve & { by: string })[];
};
