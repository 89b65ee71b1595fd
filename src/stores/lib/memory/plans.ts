import type { Hash } from "../../../core/contracts/store/changes.ts";
import type { PlannedCall, PlanQuery, Plans } from "../../../core/contracts/store/plans.ts";
import { duplicateFailure } from "../failure.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";
import type { MemoryContents } from "./contents.ts";

const OPEN: readonly PlannedCall["state"][] = ["planned", "approved"];

const meets = (call: PlannedCall, { id, session, workspace, states }: PlanQuery): boolean =>
  (id === undefined || call.id === id) &&
  (session === undefined || call.session === session) &&
  (workspace === undefined || call.workspace === workspace) &&
  (states === undefined || states.includes(call.state));

/** `needed` are the contents of calls that may still be run. */
export function memoryPlans(using: Using, contents: MemoryContents): Plans & { needed(): Hash[] } {
  const plans = new Map<string, { call: PlannedCall; hashes: readonly Hash[] }>();
  return {
    plan: (call, added) =>
      using(() => {
        if (plans.has(call.id)) throw duplicateFailure("a planned call", call.id);
        for (const [hash, bytes] of added) contents.keep(hash, bytes.slice(), call.at);
        plans.set(call.id, { call: { ...copy(call), seq: plans.size + 1 }, hashes: [...added.keys()] });
      }),
    planned: (query) =>
      using(() => [...plans.values()].filter(({ call }) => meets(call, query)).map(({ call }) => copy(call))),
    plannedContent: (hash) => using(() => contents.read(hash)),
    movePlan: (ids, from, to) =>
      using(() =>
        ids.filter((id) => {
          const call = plans.get(id)?.call;
          if (!call || !from.includes(call.state)) return false;
          call.state = to;
          return true;
        }),
      ),
    needed: () => [...plans.values()].flatMap(({ call, hashes }) => (OPEN.includes(call.state) ? hashes : [])),
  };
}
