import type { Touch } from "./touch.ts";

export type Answer = "allow" | "ask" | "deny";

/**
 * A limit that a call counts against: at most `limit` of `key`, in all or within the last `window` milliseconds. It is
 * taken when the call is about to run, on its session and every session above it (or on `session` alone), and given
 * back when the call did not happen.
 */
export type Reserve = {
  key: string;
  limit: number;
  window?: number;
  /** How much of it; 1 by default. */
  amount?: number;
  session?: string;
  /** What is counted, where it counts once however often it is taken: a file, by its path. */
  once?: string;
  /** What is said when it is used up: "all 20 actions of this hour are used up". */
  full?: string;
};

/**
 * What a policy says of a call. `exclude` narrows a search or listing to what may be read. `grantable` marks an ask
 * that a person's standing yes answers: those of mode, danger and autonomy alone.
 */
export type Verdict = {
  answer: Answer;
  by: string;
  reason: string;
  exclude?: readonly string[];
  grantable?: boolean;
  /** The touches that a grantable ask is about, all of them. Absent: the call as a whole. */
  about?: readonly Touch[];
  /** On an allow that a person wrote down as a rule: the touches it covers. It answers grantable asks about them. */
  covers?: ReadonlySet<Touch>;
  reserve?: readonly Reserve[];
  /** What the model is told together with the result. */
  notes?: readonly string[];
  /** On a deny: what the model should do instead. */
  next?: string;
  /** On a deny: whoever runs the model should stop here. */
  stop?: true;
};

/** Says nothing about whether the call may be made, only what it counts against and what the model is told. */
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

/** The verdicts of all policies as one: the reservations with the policies that want them. */
export type Judgement = Omit<Verdict, "reserve" | "covers"> & {
  reserve?: readonly (Reserve & { by: string })[];
};
