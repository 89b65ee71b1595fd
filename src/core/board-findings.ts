import type { Stored, Table } from "./contracts/store/tables.ts";

export const FINDING_TYPES = [
  "discovery",
  "analysis",
  "solution",
  "problem",
  "question",
  "answer",
  "progress",
  "blocker",
  "resource",
] as const;

/** What an agent found out and others may need. `rev` rises with every post, so that readers can tell what is new. */
export type Finding = {
  id: number;
  rev: number;
  type: (typeof FINDING_TYPES)[number];
  topic: string;
  content: string;
  confidence: number;
  tags: string[];
  files: string[];
  session: string;
  agent: string;
  at: number;
  /** Text from outside had come into the session of the agent that posted it. */
  outside?: true;
  /** How often it was posted, by anybody. */
  times: number;
};

export type NewFinding = Omit<Finding, "id" | "rev" | "times">;
export type FindingQuery = Partial<Record<"type" | "topic" | "tag" | "file" | "query", string | undefined>>;
/** What an agent has been told: everything up to a revision, and single later ones if it asked only for some. */
type Seen = { upTo: number; told: number[] };
type Tables = { table(name?: string): Table };

const MOST_FINDINGS = 1_000;
/** Bounds the tags and files of one finding, however often it is posted. */
const MOST_NAMES = 100;
const MOST_READERS = 1_000;
const NEAR = 0.85;
const ROUNDS = 50;

/** The findings that all agents of a workspace share. */
export function findings({ table }: Tables, redact: (text: string) => string) {
  const rows = table();
  const seen = table("seen");
  const all = async (): Promise<Finding[]> => (await rows.list<Finding>({ prefix: "f" })).map(({ value }) => value);

  const nextRev = async (): Promise<number> => {
    for (let round = 0; round < ROUNDS; round++) {
      const before: Stored<number> | undefined = await rows.get<number>("rev");
      const rev = (before?.value ?? 0) + 1;
      if (await rows.put("rev", rev, { ifVersion: before?.version ?? 0 })) return rev;
    }
    throw new Error("The board is too busy. Try again later.");
  };

  /** Forgets the readers that have not asked for longest; they will be told everything again. */
  const forgetReaders = async (): Promise<void> => {
    const readers = (await seen.list()).sort((a, b) => a.at - b.at);
    for (const { key, version } of readers.slice(0, Math.max(0, readers.length - MOST_READERS)))
      await seen.remove(key, { ifVersion: version });
  };

  return {
    all,

    /** Strengthens a finding that says nearly the same on the same topic, instead of keeping a second one. */
    async post(given: NewFinding): Promise<{ finding: Finding; merged: boolean }> {
      const made = { ...given, topic: redact(given.topic), content: redact(given.content) };
      const rev = await nextRev();
      for (let round = 0; round < ROUNDS; round++) {
        const found = (await rows.list<Finding>({ prefix: "f" })).find(({ value }) => isNear(value, made));
        if (!found) break;
        const merged = together(found.value, made, rev);
        if (await rows.put(found.key, merged, { ifVersion: found.version })) return { finding: merged, merged: true };
      }
      const finding: Finding = { ...made, id: rev, rev, times: 1 };
      await rows.put(keyOf(rev), finding);
      const kept = await rows.list<Finding>({ prefix: "f" });
      // drop the oldest
      for (const { key } of kept.slice(0, Math.max(0, kept.length - MOST_FINDINGS))) await rows.remove(key);
      return { finding, merged: false };
    },

    /** What others posted that this agent wants and was not told yet: the oldest first, and how many are left. */
    async fresh(
      { session, agent }: Pick<Finding, "session" | "agent">,
      wanted: FindingQuery = {},
      limit = Number.POSITIVE_INFINITY,
    ): Promise<{ told: Finding[]; left: number }> {
      const key = JSON.stringify([session, agent]);
      const before = await seen.get<Seen>(key);
      const known = typeof before?.value === "object" ? before.value : { upTo: 0, told: [] };
      const news = (await all())
        .filter((each) => each.rev > known.upTo && !(each.session === session && each.agent === agent))
        .filter(({ rev }) => !known.told.includes(rev))
        .sort((one, other) => one.rev - other.rev);
      const fitting = news.filter((each) => fits(each, wanted));
      const told = fitting.slice(0, limit);
      await seen.put<Seen>(key, seenWith(known, told, news));
      if (!before) await forgetReaders();
      return { told, left: fitting.length - told.length };
    },
  };
}

function seenWith({ upTo, told: before }: Seen, told: readonly Finding[], news: readonly Finding[]): Seen {
  const now = new Set([...before, ...told.map(({ rev }) => rev)]);
  const waiting = news.find(({ rev }) => !now.has(rev));
  const reached = waiting ? waiting.rev - 1 : Math.max(upTo, ...now);
  return { upTo: reached, told: [...now].filter((rev) => rev > reached) };
}

const keyOf = (id: number): string => `f${String(id).padStart(12, "0")}`;

const joined = (one: readonly string[], other: readonly string[]): string[] =>
  [...new Set([...one, ...other])].slice(0, MOST_NAMES);

const together = (one: Finding, other: NewFinding, rev: number): Finding => ({
  ...one,
  rev,
  confidence: Math.max(one.confidence, other.confidence),
  tags: joined(one.tags, other.tags),
  files: joined(one.files, other.files),
  session: other.session,
  agent: other.agent,
  at: other.at,
  ...(other.outside && { outside: true }),
  times: one.times + 1,
});

const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[./-][\p{L}\p{N}_]+)*/gu) ?? [text]);

/** Whether most words of both are common to both. */
export function isNear(one: NewFinding, other: NewFinding): boolean {
  if (one.type !== other.type || one.topic.toLowerCase() !== other.topic.toLowerCase()) return false;
  const [a, b] = [wordsOf(one.content), wordsOf(other.content)];
  const both = [...a].filter((word) => b.has(word)).length;
  return both / (a.size + b.size - both) >= NEAR;
}

const has = (list: readonly string[], wanted: string): boolean =>
  list.some((each) => each.toLowerCase() === wanted.toLowerCase());

export const fits = (finding: Finding, { type, topic, tag, file, query }: FindingQuery): boolean =>
  (type === undefined || finding.type === type) &&
  (topic === undefined || has([finding.topic], topic)) &&
  (tag === undefined || has(finding.tags, tag)) &&
  (file === undefined || has(finding.files, file)) &&
  (query === undefined || `${finding.topic} ${finding.content}`.toLowerCase().includes(query.toLowerCase()));
