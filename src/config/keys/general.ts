import { AUTONOMIES, MODES } from "../../core/words/ceiling.ts";
import { atLeast, harmless, ladder, limit, opensAll, type Rule } from "../restrictions.ts";
import { row } from "../row.ts";
import { duration, most, mostOfMoney, name, nameOrNames, oneOf, prices, size, wait } from "../value-kinds.ts";

/** From the strictest to the loosest. */
const STRICT_MODES = [...MODES].reverse();
const STRICT_AUTONOMIES = [...AUTONOMIES].reverse();
const STORES = ["sqlite", "memory"] as const;
const LOOPS = ["refuse", "warn", "off"] as const;
const OUTSIDE_TEXT = ["deny", "ask", "off"] as const;
const UNKNOWN_TOOLS = ["ask", "allow"] as const;
const TOOLSETS: readonly string[] = ["files", "default", "all"];

/** Toolsets are ordered. Adding a tool to `default` or `all` loosens nothing, because it is judged like any other. */
const moreTools: Rule<string | readonly string[]> = {
  looser: "more tools",
  loosens(wish, now) {
    const have = [now ?? []].flat();
    const widest = Math.max(...have.map((each) => TOOLSETS.indexOf(each)));
    const widens = (each: string) => (TOOLSETS.includes(each) ? TOOLSETS.indexOf(each) > widest : widest < 1);
    return [wish].flat().some((each) => !have.includes(each) && widens(each));
  },
};

export const general = {
  mode: row({
    says: "Which calls ask a person.",
    kind: oneOf(STRICT_MODES),
    default: "confirm-sensitive",
    rule: ladder(STRICT_MODES),
    to: "mode",
  }),
  autonomy: row({
    says: "The most that may happen without a person. Unset leaves it to the mode, and `full` never loosens the mode.",
    kind: oneOf(STRICT_AUTONOMIES),
    default: undefined,
    rule: ladder(STRICT_AUTONOMIES),
    to: "autonomy",
  }),
  toolset: row({
    says: "Which tools are registered: `files`, `commands`, `default`, `all`, or names.",
    kind: nameOrNames("the name of a toolset or a list of names"),
    default: "default",
    rule: moreTools,
    to: "toolset",
  }),
  dialect: row({
    says: "Which tool names a model is shown: those of a [dialect](clients.md), or `auto` for those that it was trained on.",
    kind: name("the name of a dialect, or auto"),
    default: "auto",
    rule: harmless,
    to: "dialect",
  }),
  store: row({
    says: "Where the record is kept.",
    kind: oneOf(STORES),
    default: "sqlite",
    rule: ladder(STORES),
    to: "store",
  }),
  "budget.max_calls": row({
    says: "How many calls one session may make; `0` allows none.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "budget.maxCalls",
  }),
  "budget.max_changes": row({
    says: "How many calls that change something one session may make; `0` allows none.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "budget.maxChanges",
  }),
  "budget.max_tokens": row({
    says: "Tokens that one session may use, as reported to [`gate.spend`](policies.md#rate-and-budget). After that, every call is refused.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "budget.maxTokens",
  }),
  "budget.max_cost": row({
    says: "The same for cost, in the currency in which it is reported.",
    kind: mostOfMoney,
    default: undefined,
    rule: limit,
    to: "budget.maxCost",
  }),
  "budget.prices": row({
    says: "What models cost, for a million tokens in and out, where they do not tell it themselves: see [Agents](agents.md#limits).",
    kind: prices,
    default: [],
    rule: opensAll,
    to: "prices",
  }),
  loops: row({
    says: "Calls that are repeated with the same answer: see [Policies](policies.md#loops).",
    kind: oneOf(LOOPS),
    default: "warn",
    rule: ladder(LOOPS),
    to: "loops",
  }),
  "trust.outside_text": row({
    says: "What happens to calls that could carry data out, after text from outside came in: see [Policies](policies.md#trust).",
    kind: oneOf(OUTSIDE_TEXT),
    default: "off",
    rule: ladder(OUTSIDE_TEXT),
    to: "trust.outsideText",
  }),
  "approval.timeout": row({
    says: "How long a question waits in the [queue](calls.md#approval) for an answer from another process.",
    kind: wait,
    default: "1h",
    rule: harmless,
    to: "approval.timeout",
  }),
  "clients.unknown_tools": row({
    says: "Tools of another agent that [its hook](agent-hooks.md) does not know.",
    kind: oneOf(UNKNOWN_TOOLS),
    default: "ask",
    rule: ladder(UNKNOWN_TOOLS),
    to: "clients.unknownTools",
  }),
  "clients.ask": row({
    says: "Calls of a client that cannot ask a person itself: `queue` lets them wait in `toolgate approvals`, for at most 40 seconds. See [Agent hooks](agent-hooks.md).",
    kind: oneOf(["refuse", "queue"]),
    default: "refuse",
    rule: harmless,
    to: "clients.ask",
  }),
  "journal.max_age": row({
    says: "How long the contents of changed files are kept.",
    kind: duration,
    default: "30d",
    rule: atLeast,
    to: "journal.maxAge",
  }),
  "journal.max_size": row({
    says: "How much space those contents may take.",
    kind: size,
    default: "500MB",
    rule: atLeast,
    to: "journal.maxSize",
  }),
};
