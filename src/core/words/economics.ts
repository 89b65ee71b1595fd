import type { CallRecord } from "../contracts/store/records.ts";
import type { Spending } from "./model-spending.ts";

/** What the calls of one tool took. `tokensIn` were written by the model, `tokensOut` were read by it. */
export type ToolEconomics = {
  tool: string;
  calls: number;
  /** Calls that ran and did not succeed. */
  failed: number;
  /** Calls that did not run: refused, invalid, unknown or stopped. */
  refused: number;
  milliseconds: number;
  tokensIn: number;
  tokensOut: number;
};

export type Economics = Omit<ToolEconomics, "tool"> & {
  tools: ToolEconomics[];
  sessions: number;
  /** What calling the model took, as far as it was reported. */
  model: Required<Spending>;
};

const CHARACTERS_OF_A_TOKEN = 4;
const NONE = { calls: 0, failed: 0, refused: 0, milliseconds: 0, tokensIn: 0, tokensOut: 0 };

const aboutTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_OF_A_TOKEN);

/** Adds up records without keeping them. Tokens are estimated from the length of the text. */
export class Ledger {
  readonly sessions = new Set<string>();
  readonly #tools = new Map<string, ToolEconomics>();

  add({ tool, session, status, microseconds, input, told = 0 }: CallRecord): void {
    this.sessions.add(session);
    const sum = this.#tools.get(tool) ?? { tool, ...NONE };
    this.#tools.set(tool, sum);
    sum.calls += 1;
    if (status === "failed" || status === "timed-out") sum.failed += 1;
    else if (status !== "done" && status !== "planned") sum.refused += 1;
    sum.milliseconds += microseconds / 1000;
    sum.tokensIn += aboutTokens(lengthOf(input));
    sum.tokensOut += aboutTokens(told);
  }

  /** The most expensive tools first. */
  total(model: Required<Spending>): Economics {
    const tools = [...this.#tools.values()].map((each) => ({ ...each, milliseconds: rounded(each.milliseconds) }));
    const cost = (each: ToolEconomics): number => each.tokensIn + each.tokensOut;
    tools.sort((a, b) => cost(b) - cost(a) || b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
    const all = { ...NONE };
    for (const each of tools) for (const key of Object.keys(NONE) as (keyof typeof NONE)[]) all[key] += each[key];
    return { ...all, milliseconds: rounded(all.milliseconds), tools, sessions: this.sessions.size, model };
  }
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const lengthOf = (input: unknown): number => {
  try {
    return JSON.stringify(input)?.length ?? 0;
  } catch {
    return 0;
  }
};
