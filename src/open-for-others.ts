import type { Settings } from "./config/settings.ts";
import { GateFacts } from "./core/journey/facts.ts";
import { handBack, handOver } from "./core/journey/handing.ts";
import type { IncomingCall } from "./core/words/call.ts";
import type { HandedBack, HandedOver, HandOverOptions } from "./core/words/handed-over.ts";
import { folderOf, type OpenOptions, opened, settingsFor } from "./open.ts";
import { unheld } from "./parts.ts";

/** For the calls of one session that another agent performs. `handOver` and `handBack` never throw for a call. */
export type HandingGate = {
  /** Judges a call, and saves what it would change. */
  handOver(call: IncomingCall, options: HandOverOptions): Promise<HandedOver>;
  /** Completes the record of a performed call. Returns what hooks say, or undefined if nothing was handed over. */
  handBack(key: string, told?: HandedBack): Promise<string | undefined>;
  /** `tidies`: also prunes old contents, which takes a while. */
  close(tidies: boolean): Promise<void>;
};

/** `asks`: the performing agent puts questions to a person. */
type Others = { session: string; agent: string; asks: boolean };
type Brings = (unknownTools: "ask" | "allow") => Pick<OpenOptions, "tools" | "policies">;

/** Clients wait a minute for an answer, and some of them then run the call without one. */
const LONGEST_WAIT_MS = 40_000;

/** Our sandbox does not hold what other agents run. `brings` is told how to treat unknown tools. */
export async function openForOthers(
  options: OpenOptions,
  { session, agent, asks }: Others,
  brings: Brings,
): Promise<HandingGate> {
  const loaded = await settingsFor(folderOf(options), options);
  const { commands, clients, approval } = loaded.settings;
  const queued = clients.ask === "queue" && !asks;
  const settings: Settings = {
    ...loaded.settings,
    commands: { ...commands, sandbox: "off" },
    // other agents have servers of their own
    servers: {},
    ...(queued && { approval: { timeout: Math.min(approval.timeout, LONGEST_WAIT_MS) } }),
  };
  const { tools = [], policies = [] } = brings(clients.unknownTools);
  const held = commands.sandbox === "required" ? [unheld] : [];
  const { gate, station } = await opened(
    { ...options, ...(queued && { approve: "queue" as const }), tools, policies: [...held, ...policies] },
    { ...loaded, settings },
  );
  const { facts, parts } = station;
  // the session continues from process to process, so its history counts
  const own = new GateFacts(facts.ceiling, parts.sessions.named(session), budgetsOf(facts, session));
  const theirs = { ...station, agent, sessions: [session], facts: own };
  return {
    handOver: (call, how) => handOver(theirs, { ...call, sessionID: session, agent }, how),
    handBack: (key, told = {}) => handBack(theirs, key, told),
    async close(tidies) {
      if (tidies || typeof options.store === "object") return gate.close();
      await parts.recorder.flush();
      await parts.store.close();
      await station.workspace.close();
    },
  };
}

const budgetsOf = ({ budgets }: GateFacts, session: string): GateFacts["budgets"] =>
  budgets.map(({ limits }) => ({ session, limits }));
