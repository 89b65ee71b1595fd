import { readAnswer } from "./contracts/approval.ts";
import type { ApprovalRow, Approvals } from "./contracts/store/approvals.ts";

/** Questions waiting for a person, from every process that shares the store. */
export class GateApprovals {
  readonly #store: Approvals;
  constructor(store: Approvals) {
    this.#store = store;
  }
  pending(): Promise<ApprovalRow[]> {
    return this.#store.pending();
  }
  /** Returns false if it was answered before, or nobody waits for it any more. */
  answer(id: string, answer: unknown): Promise<boolean> {
    return answerRow(this.#store, id, answer);
  }
}

/** Accepts the same answers as an approve function. */
export function answerRow(store: Approvals, id: string, given: unknown): Promise<boolean> {
  const answer = readAnswer(given);
  const message = "message" in answer ? answer.message : undefined;
  const args = answer.decision === "edit" ? answer.args : undefined;
  return store.answer(id, answer.decision, message, args, answer.who);
}
