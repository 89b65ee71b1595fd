/**
 * A sign that the record was tampered with. `from` and `to` are sequence numbers of records; `writer` is the one whose
 * chain it concerns.
 */
export type ChainFinding = {
  kind: "changed" | "removed" | "added" | "unsealed";
  writer: string;
  from: number;
  to: number;
  message: string;
};

/** The result of checking the whole record. Without findings, nothing was changed and nothing is missing. */
export type ChainReport = {
  records: number;
  writers: number;
  /** Records from before chaining: nobody can tell whether they were changed. */
  unchained: number;
  /** Records dropped for their age, as a checkpoint says. */
  pruned: number;
  findings: readonly ChainFinding[];
};

/** Checks that the record is as it was written. */
export interface Chains {
  verify(): Promise<ChainReport>;
}
