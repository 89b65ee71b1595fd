/**
 * Something about the record that cannot have come about by itself. `from` and `to` are numbers of records; `writer` is
 * whose chain it is about.
 */
export type ChainFinding = {
  kind: "changed" | "removed" | "added" | "unsealed";
  writer: string;
  from: number;
  to: number;
  message: string;
};

/** What a look at the whole record found. No findings: nothing that is there was changed, nothing is missing. */
export type ChainReport = {
  records: number;
  writers: number;
  /** Written before records were chained: nobody can tell whether they were changed. */
  unchained: number;
  /** Dropped for their age, which a checkpoint tells. */
  pruned: number;
  findings: readonly ChainFinding[];
};

/** Whether the record is as it was written. */
export interface Chains {
  verify(): Promise<ChainReport>;
}
