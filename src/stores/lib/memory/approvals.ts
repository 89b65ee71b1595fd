import type { ApprovalRow, Approvals } from "../../../core/contracts/store/approvals.ts";
import { duplicateFailure } from "../failure.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";

type Kept = { row: ApprovalRow; until: number; withdrawn: boolean };

const isPending = ({ row, until, withdrawn }: Kept): boolean =>
  row.answer === undefined && !withdrawn && Date.now() < until;

export function memoryApprovals(using: Using): Approvals {
  const approvals = new Map<string, Kept>();
  return {
    ask: (approval) =>
      using(() => {
        if (approvals.has(approval.id)) throw duplicateFailure("an approval", approval.id);
        const until = Date.now() + (approval.patience ?? Number.POSITIVE_INFINITY);
        approvals.set(approval.id, { row: copy(approval), until, withdrawn: false });
      }),
    answer: (id, answer, message, args, who) =>
      using(() => {
        const kept = approvals.get(id);
        if (!kept || !isPending(kept)) return false;
        const said = {
          ...(message !== undefined && { message }),
          ...(args !== undefined && { args: copy(args) }),
          ...(who !== undefined && { who }),
        };
        approvals.set(id, { ...kept, row: { ...kept.row, answer, ...said, answeredAt: Date.now() } });
        return true;
      }),
    approval: (id) =>
      using(() => {
        const kept = approvals.get(id);
        return kept && copy(kept.row);
      }),
    pending: () => using(() => [...approvals.values()].filter(isPending).map(({ row }) => copy(row))),
    withdraw: (ids) =>
      using(() => {
        for (const id of ids) {
          const kept = approvals.get(id);
          if (kept) approvals.set(id, { ...kept, withdrawn: true });
        }
      }),
  };
}
