import { type Finding, type FindingQuery, findings, fits, type NewFinding } from "./board-findings.ts";
import type { Hold, HoldMode } from "./contracts/store/holds.ts";
import type { Station } from "./journey/journey-parts.ts";

/** By default a discovery without a topic, with a confidence of one half. */
export type Posting = Pick<NewFinding, "content"> & Partial<Omit<NewFinding, "session" | "agent" | "at">>;
export type BoardClaim = { claimed: true; token: string; until: number } | { claimed: false; by: Hold };

const USUAL_TTL_MS = 60_000;

/** What agents tell each other and claim by name, across all processes that share the store. For programs. */
export class GateBoard {
  readonly #station: Station;
  readonly #who: () => { session: string; agent: string };
  constructor(station: Station, who: () => { session: string; agent: string }) {
    this.#station = station;
    this.#who = who;
  }

  get #findings() {
    const { store, redact } = this.#station.parts;
    return findings({ table: (name = "") => store.table(`board/${name}`) }, redact);
  }

  post({ type = "discovery", topic = "", confidence = 0.5, tags = [], files = [], content }: Posting) {
    const at = this.#station.parts.clock.now();
    return this.#findings.post({ type, topic, content, confidence, tags, files, ...this.#who(), at });
  }

  /** Newest first. `fresh`: only what others posted and this agent was not told yet. */
  async read({ fresh = false, ...wanted }: FindingQuery & { fresh?: boolean } = {}): Promise<Finding[]> {
    const found = fresh
      ? (await this.#findings.fresh(this.#who(), wanted)).told
      : (await this.#findings.all()).filter((each) => fits(each, wanted));
    return found.sort((a, b) => b.rev - a.rev);
  }

  async claim(resource: string, { mode = "write" as HoldMode, ttlMs = USUAL_TTL_MS } = {}): Promise<BoardClaim> {
    const { parts, keepers } = this.#station;
    const wanted = { resources: [resource.toLowerCase()], shown: resource, mode };
    const [answer] = await parts.store.hold("names", [wanted], { ...this.#who(), above: keepers }, ttlMs);
    if (answer && "hold" in answer) return { claimed: true, token: answer.hold.token, until: answer.hold.until };
    if (!answer) throw new Error(`${resource} could not be claimed.`);
    return { claimed: false, by: answer.by };
  }

  claims(): Promise<Hold[]> {
    return this.#station.parts.store.holds("names");
  }

  /** Returns false if this agent does not hold the claim, or it is over. */
  async release(token: string): Promise<boolean> {
    return (await this.#station.parts.store.letGo([token], this.#who())).length > 0;
  }
}
