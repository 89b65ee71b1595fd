import type {
  ApprovalRow,
  CallRecord,
  ChangeRow,
  Grant,
  KeptEvent,
  Outcome,
  PlannedCall,
  Store,
  Stored,
  UnderWay,
} from "../../src/index.ts";
import { holdsIn } from "./holds.ts";
import { limitsIn, lives, locksIn, SharedLog, type Use } from "./shared-log.ts";

type Owned<T> = T & { owner: string };
type Asked = Owned<{ row: ApprovalRow; until: number | null; withdrawn?: true }>;
type Content = { base64: string; at: number };
type Planned = { call: PlannedCall; hashes: string[] };

/** Whether a row has what a query names; what is no field of rows is asked elsewhere. */
const fits = (row: object, query: object): boolean =>
  Object.entries(query).every(([key, value]) => value === undefined || (row as Record<string, unknown>)[key] === value);

const isOpen = ({ state }: PlannedCall): boolean => !["done", "failed", "dropped"].includes(state);

/** A store of somebody's own: everything in one file, shared by as many processes as like. */
export function logStore(folder: string): Store {
  const log = new SharedLog(folder);
  const { owner } = log;
  let open = true;
  const use: Use = async (work) => {
    if (!open) throw new Error("The store is closed.");
    return log.run(work);
  };

  const numbers = log.rows<number>("numbers");
  const next = (of: string): number => {
    const number = (numbers.get(of) ?? 0) + 1;
    numbers.put(of, number);
    return number;
  };
  const owners = log.rows<true>("owners");
  const isHere = (row: { owner: string }): boolean => owners.has(row.owner) && lives(row.owner);
  log.run(() => owners.put(owner, true));

  const records = log.rows<CallRecord & { seq: number }>("records");
  const told = log.rows<KeptEvent>("events");
  const begun = log.rows<Owned<{ call: UnderWay }>>("begun");
  const changes = log.rows<ChangeRow>("changes");
  const contents = log.rows<Content>("contents");
  const plans = log.rows<Planned>("plans");
  const asked = log.rows<Asked>("asked");
  const grants = log.rows<Grant>("grants");

  const keep = (hash: string, bytes: Uint8Array, at: number): void =>
    contents.put(hash, {
      base64: Buffer.from(bytes).toString("base64"),
      at: Math.max(at, contents.get(hash)?.at ?? at),
    });
  const contentOf = (hash: string) =>
    use(() => {
      const kept = contents.get(hash);
      return kept && new Uint8Array(Buffer.from(kept.base64, "base64"));
    });
  const needed = (): Set<string | null> =>
    new Set([
      ...changes.all().flatMap(({ state, before }) => (state === "intended" ? [before] : [])),
      ...plans.all().flatMap(({ call, hashes }) => (isOpen(call) ? hashes : [])),
    ]);
  const noteEnd = (ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]): void => {
    for (const [index, id] of ids.entries()) {
      const row = changes.get(String(id));
      if (row?.state === "intended") changes.put(String(id), { ...row, ...outcomes?.[index], state });
    }
  };
  const isPending = (each: Asked): boolean =>
    each.row.answer === undefined &&
    !each.withdrawn &&
    (each.until === null || Date.now() < each.until) &&
    isHere(each);

  return {
    ...locksIn(log, use, isHere, (ids) => noteEnd(ids, "done")),
    ...limitsIn(log, use),
    ...holdsIn(log, use, isHere),
    record: (added) =>
      use(() => {
        for (const record of added) records.put(String(next("records")), { ...record, seq: next("seq") });
      }),
    records: ({ since, until, after, before, limit, order, ...fields }) =>
      use(() => {
        const found = records
          .all()
          .filter(
            (row) =>
              fits(row, fields) &&
              (since === undefined || row.at > since) &&
              (until === undefined || row.at < until) &&
              (after === undefined || row.seq > after) &&
              (before === undefined || row.seq < before),
          );
        return (order ? found : found.reverse()).slice(0, limit);
      }),
    // a log of its own: nobody chains it
    verify: () =>
      use(() => ({
        records: records.all().length,
        writers: 1,
        unchained: records.all().length,
        pruned: 0,
        findings: [],
      })),
    begin: (calls) =>
      use(() => {
        for (const call of calls) begun.put(call.id, { call, owner });
      }),
    finish: (ids) =>
      use(() => {
        for (const id of ids) begun.drop(id);
      }),
    underWay: () =>
      use(() =>
        begun
          .all()
          .filter(isHere)
          .map(({ call }) => call),
      ),
    interrupted: () =>
      use(() => {
        const dead = begun.all().filter((row) => !isHere(row));
        for (const { call } of dead) begun.drop(call.id);
        return dead.map(({ call }) => call);
      }),

    intend: (added, call) =>
      use(() => {
        const ids = added.map(({ content, replaced: _, ...row }) => {
          const id = next("changes");
          changes.put(String(id), { ...row, id, state: "intended" });
          if (content && row.before !== null) keep(row.before, content, row.at);
          return id;
        });
        if (call) begun.put(call.id, { call, owner });
        return ids;
      }),
    conclude: (...end) => use(() => noteEnd(...end)),
    changes: ({ states, ...fields }) =>
      use(() => changes.all().filter((row) => fits(row, fields) && (!states || states.includes(row.state)))),
    content: contentOf,
    tidy: ({ maxAgeMs, maxBytes, now }) =>
      use(() => {
        const sizeOf = ({ base64 }: Content) => Buffer.byteLength(base64, "base64");
        const hashes = [
          ...new Set([
            ...changes.all().map(({ before }) => before ?? ""),
            ...plans.all().flatMap((plan) => plan.hashes),
          ]),
        ];
        const kept = hashes.flatMap((hash) => {
          const content = contents.get(hash);
          return content ? [{ hash, at: content.at, size: sizeOf(content) }] : [];
        });
        let total = kept.reduce((sum, { size }) => sum + size, 0);
        const inUse = needed();
        let pruned = 0;
        for (const { hash, at, size } of kept.sort((a, b) => a.at - b.at)) {
          if (at >= now - maxAgeMs && total <= maxBytes) break;
          if (inUse.has(hash)) continue;
          contents.drop(hash);
          total -= size;
          pruned++;
        }
        return { compressed: 0, pruned };
      }),

    ask: (row) =>
      use(() => {
        if (asked.has(row.id)) throw new Error(`The id ${row.id} was used before.`);
        asked.put(row.id, { row, until: row.patience === undefined ? null : Date.now() + row.patience, owner });
      }),
    answer: (id, answer, message, args, who) =>
      use(() => {
        const found = asked.get(id);
        if (!found || !isPending(found)) return false;
        const said = {
          ...(message !== undefined && { message }),
          ...(args !== undefined && { args }),
          ...(who !== undefined && { who }),
        };
        asked.put(id, { ...found, row: { ...found.row, answer, ...said, answeredAt: Date.now() } });
        return true;
      }),
    approval: (id) => use(() => asked.get(id)?.row),
    pending: () =>
      use(() =>
        asked
          .all()
          .filter(isPending)
          .map(({ row }) => row),
      ),
    withdraw: (ids) =>
      use(() => {
        for (const id of ids) {
          const found = asked.get(id);
          if (found) asked.put(id, { ...found, withdrawn: true });
        }
      }),

    grant: (given) =>
      use(() => {
        for (const grant of given) {
          const { tool, covers: same, session, workspace } = grant;
          for (const other of grants.all())
            if (other.id === grant.id || fits(other, { tool, covers: same, session, workspace })) grants.drop(other.id);
          grants.put(grant.id, grant);
        }
      }),
    grants: ({ session, ...fields }) =>
      use(() =>
        grants
          .all()
          .filter((row) => fits(row, fields) && (session === undefined || [session, null].includes(row.session))),
      ),
    revoke: (id) =>
      use(() => {
        const known = grants.has(id);
        if (known) grants.drop(id);
        return known;
      }),

    plan: (call, added) =>
      use(() => {
        if (plans.has(call.id)) throw new Error(`The id ${call.id} was used before.`);
        for (const [hash, bytes] of added) keep(hash, bytes, call.at);
        plans.put(call.id, { call: { ...call, seq: next("plans") }, hashes: [...added.keys()] });
      }),
    planned: ({ states, after = 0, ...fields }) =>
      use(() =>
        plans
          .all()
          .map(({ call }) => call)
          .filter((call) => fits(call, fields) && call.seq! > after && (states?.includes(call.state) ?? true)),
      ),
    plannedContent: contentOf,
    planMark: (workspace) =>
      use(() => {
        const calls = plans.all().flatMap(({ call }) => (call.workspace === workspace ? [call] : []));
        return { last: calls.at(-1)?.seq ?? 0, open: calls.filter(isOpen).length };
      }),
    movePlan: (ids, from, to, { error, ...learnt } = {}) =>
      use(() =>
        ids.filter((id) => {
          const plan = plans.get(id);
          if (!plan || !from.includes(plan.call.state)) return false;
          const { error: before, ...call } = plan.call;
          const last = error === undefined ? before : error;
          plans.put(id, { ...plan, call: { ...call, ...learnt, state: to, ...(last && { error: last }) } });
          return true;
        }),
      ),

    table(name) {
      const rows = log.rows<Stored<never>>(`table ${name}`);
      const isOf = (key: string, version: number | undefined): boolean =>
        version === undefined || version === (rows.get(key)?.version ?? 0);
      const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
      return {
        get: (key) => use(() => rows.get(key)),
        put: (key, value, { ifVersion, sealed } = {}) =>
          use(() => {
            if (!isOf(key, ifVersion)) return undefined;
            const row = { key, value: value as never, version: next("versions"), at: Date.now() };
            rows.put(key, sealed ? { ...row, sealed } : row);
            return rows.get(key);
          }),
        remove: (key, { ifVersion } = {}) =>
          use(() => {
            const known = rows.has(key) && isOf(key, ifVersion);
            if (known) rows.drop(key);
            return known;
          }),
        list: ({ prefix = "", after, limit, unchangedSince = Number.POSITIVE_INFINITY } = {}) =>
          use(() =>
            rows
              .all()
              .filter(({ key }) => key.startsWith(prefix) && (after === undefined || bytewise(key, after) > 0))
              .filter(({ at }) => at < unchangedSince)
              .sort((a, b) => bytewise(a.key, b.key))
              .slice(0, limit),
          ),
      };
    },

    tell: (events) =>
      use(() => {
        for (const event of events) told.put(String(next("events")), { ...event, seq: next("seq") });
      }),
    events: ({ after = 0, session, limit }) =>
      use(() =>
        [
          ...told.all(),
          ...records.all().map(
            (body): KeptEvent => ({
              seq: body.seq,
              id: body.id,
              type: ["done", "planned"].includes(body.status) ? "done" : "failed",
              at: body.at + Math.round(body.microseconds / 1000),
              session: body.session,
              record: body.id,
              body,
            }),
          ),
        ]
          .filter((event) => event.seq > after && (session === undefined || event.session === session))
          .sort((a, b) => a.seq - b.seq)
          .slice(0, limit),
      ),

    async close() {
      if (!open) return;
      open = false;
      log.run(() => {
        owners.drop(owner);
        for (const { call, owner: whose } of begun.all()) if (whose === owner) begun.drop(call.id);
      });
      log.close();
    },
  };
}
