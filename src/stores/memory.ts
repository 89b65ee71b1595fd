import type { ApprovalRow } from "../core/contracts/store/approvals.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import type { ChangeRow, Hash, NewChange } from "../core/contracts/store/changes.ts";
import type { Grant } from "../core/contracts/store/grants.ts";
import type { Held } from "../core/contracts/store/locks.ts";
import type { Store } from "../core/contracts/store/store.ts";
import type { Bytes } from "../core/contracts/workspace.ts";
import { closedFailure, duplicateFailure } from "./lib/failure.ts";
import { fromJson, toJson } from "./lib/json.ts";
import { decide, heldOf } from "./lib/locking.ts";
import { conditionsOf, meets } from "./lib/matching.ts";

type Content = { bytes: Bytes; at: number };

const copy = <T>(value: T): T => fromJson<T>(toJson(value));

const sameGrant = (a: Grant, b: Grant): boolean =>
  a.tool === b.tool && a.action === b.action && a.target === b.target && a.session === b.session;

function intended({ content, ...change }: NewChange, id: number): { row: ChangeRow; bytes: Bytes | undefined } {
  return { row: { ...copy(change), id, state: "intended" }, bytes: content?.slice() };
}

/** Everything of one process, gone with it. Values are copied on their way in and out. */
export function memoryStore(): Store {
  const records: CallRecord[] = [];
  const changes: ChangeRow[] = [];
  const contents = new Map<Hash, Content>();
  const approvals = new Map<string, ApprovalRow>();
  let locks: Held[] = [];
  let grants: Grant[] = [];
  let open = true;

  const using = async <T>(work: () => T): Promise<T> => {
    if (!open) throw closedFailure();
    return work();
  };

  const keep = (hash: Hash, bytes: Bytes, at: number): void => {
    const known = contents.get(hash);
    contents.set(hash, known ? { bytes: known.bytes, at: Math.max(known.at, at) } : { bytes, at });
  };

  const prune = ({ maxAgeMs, maxBytes, now }: { maxAgeMs: number; maxBytes: number; now: number }): number => {
    const needed = new Set(changes.filter((row) => row.state === "intended").map((row) => row.before));
    let total = [...contents.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    let pruned = 0;
    for (const [hash, { bytes, at }] of [...contents].sort(([, a], [, b]) => a.at - b.at)) {
      if (at >= now - maxAgeMs && total <= maxBytes) break;
      if (needed.has(hash)) continue;
      contents.delete(hash);
      total -= bytes.length;
      pruned++;
    }
    return pruned;
  };

  return {
    record: (added) =>
      using(() => {
        const copies = added.map(copy);
        for (const record of copies) records.push(record);
      }),
    records: (query) =>
      using(() => {
        const conditions = conditionsOf(query);
        const found: CallRecord[] = [];
        for (let index = records.length - 1; index >= 0 && found.length < (query.limit ?? Infinity); index--)
          if (meets(records[index]!, conditions)) found.push(copy(records[index]!));
        return found;
      }),

    intend: (added) =>
      using(() => {
        const staged = added.map((change, index) => intended(change, changes.length + index + 1));
        for (const { row, bytes } of staged) {
          changes.push(row);
          if (row.before !== null && bytes) keep(row.before, bytes, row.at);
        }
        return staged.map(({ row }) => row.id);
      }),
    conclude: (ids, state, outcomes) =>
      using(() => {
        for (const [index, id] of ids.entries()) {
          const row = changes[id - 1];
          if (row?.state === "intended") Object.assign(row, { state }, copy(outcomes?.[index] ?? {}));
        }
      }),
    changes: ({ real, session, message, record, states }) =>
      using(() =>
        changes
          .filter(
            (row) =>
              (real === undefined || row.real === real) &&
              (session === undefined || row.session === session) &&
              (message === undefined || row.message === message) &&
              (record === undefined || row.record === record) &&
              (states === undefined || states.includes(row.state)),
          )
          .map(copy),
      ),
    content: (hash) => using(() => contents.get(hash)?.bytes.slice()),

    lock: (paths, holder) =>
      using(() => {
        const decision = decide(paths, holder, locks, () => false);
        if ("held" in decision) return heldOf(decision.held);
        const { token, call } = holder;
        const since = Date.now();
        locks.push(...decision.take.map((path) => ({ path, token, call, since })));
        return undefined;
      }),
    unlock: (token) =>
      using(() => {
        locks = locks.filter((lock) => lock.token !== token);
      }),
    locks: () => using(() => locks.map(heldOf)),

    grant: (added) =>
      using(() => {
        for (const grant of added.map(copy)) grants = [...grants.filter((known) => !sameGrant(known, grant)), grant];
      }),
    grants: (tool, session) =>
      using(() =>
        grants
          .filter((grant) => grant.tool === tool && (grant.session === session || grant.session === null))
          .map(copy),
      ),

    ask: (approval) =>
      using(() => {
        if (approvals.has(approval.id)) throw duplicateFailure(approval.id);
        approvals.set(approval.id, copy(approval));
      }),
    answer: (id, answer, message) =>
      using(() => {
        const approval = approvals.get(id);
        if (!approval || approval.answer !== undefined) return false;
        approvals.set(id, { ...approval, answer, ...(message !== undefined && { message }), answeredAt: Date.now() });
        return true;
      }),
    approval: (id) =>
      using(() => {
        const approval = approvals.get(id);
        return approval && copy(approval);
      }),
    pending: () => using(() => [...approvals.values()].filter((row) => row.answer === undefined).map(copy)),

    // nothing is compressed: what is here is as near as memory can be
    tidy: (bounds) => using(() => ({ compressed: 0, pruned: prune(bounds) })),
    close: async () => {
      open = false;
      locks = [];
    },
  };
}
