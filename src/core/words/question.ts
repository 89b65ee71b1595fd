import type { Question } from "../contracts/approval.ts";
import type { Enforcement } from "../contracts/process.ts";
import { isRecord } from "./route.ts";
import {
  type CommandSegment,
  describeTouch,
  isPathTouch,
  type Permission,
  type RunTouch,
  type Touch,
} from "./touch.ts";
import { visibleLine, visibleLines, wrapped } from "./visible.ts";

/** The fields of a question that are shown. A question from the store has fewer. */
export type Shown = Pick<Question, "tool" | "input" | "touches" | "diff" | "reason" | "always"> &
  Partial<Pick<Question, "agent" | "bound" | "enforcement" | "by">>;

/** One part of what a person is shown. Its lines fit the width, and none of them can pass for another part. */
export type Section = {
  readonly kind: "title" | "command" | "diff" | "facts";
  readonly label: string;
  readonly lines: readonly string[];
  /** How many lines are left out or shortened; `whole` shows all of them. */
  readonly cut: number;
};

export type DescribeOptions = {
  /** Columns of the screen. */
  width?: number;
  /** Shows all of a long diff or command. */
  whole?: boolean;
};

const WIDTH = 80;
const LABEL = 9;
const INDENT = "    ";
const MOST = { command: 40, diff: 200, facts: 12 };

/** Everything that a person must see before they answer, as text. Nothing in the call can add a line of its own. */
export function describe(question: Shown, options: DescribeOptions = {}): string {
  return `${sectionsOf(question, options).map(written).join("\n")}\n`;
}

/** A section as lines of text. Text from the call never starts at the left edge. */
export function written({ kind, label, lines }: Section): string {
  const text = lines.map((line, index) => {
    if (kind === "facts") return `${(index === 0 ? label : "").padEnd(LABEL)} ${line}`.trimEnd();
    return (kind === "title" && index === 0 ? line : INDENT + line).trimEnd();
  });
  return text.join("\n") + (kind === "facts" ? "" : "\n");
}

export function sectionsOf(question: Shown, { width = WIDTH, whole = false }: DescribeOptions = {}): Section[] {
  const { tool, input, touches, diff, reason, by, always, bound = [], enforcement, agent } = question;
  const run = touches.find((touch): touch is RunTouch => touch.action === "run");
  const narrow = Math.max(width - LABEL - 1, 20);
  const facts = (label: string, lines: readonly string[], left?: Left): Section[] =>
    lines.length > 0 ? [fitted("facts", label, lines, narrow, whole, left)] : [];
  const given = run
    ? [...(run.stays ? [STAYS] : []), ...settingIn(input, touches)]
    : diff
      ? []
      : [JSON.stringify(input) ?? ""];
  const args = shortened(given, whole);
  const title = `${visibleLine(tool)} wants to ${intention(touches)}${agent && agent !== "main" ? ` (agent ${visibleLine(agent)})` : ""}`;
  return [
    { kind: "title", label: "", lines: wrapped(title, width - INDENT.length), cut: 0 },
    ...(run ? [block("command", run.command, width, whole)] : []),
    ...(diff ? [block("diff", diff.trimEnd(), width, whole, 40)] : []),
    ...touches.flatMap((touch) =>
      touch.action === "use" && touch.changed ? [block("diff", touch.changed.trimEnd(), width, whole, 40)] : [],
    ),
    ...facts("Parts", run?.reading ? partsOf(run.reading.segments, run.reading.reason) : []),
    ...facts("Touches", [...new Set(touches.flatMap(eachShown).map(shownTouch))]),
    ...facts(
      "With",
      args.lines.map((line) => visibleLine(line)),
      args,
    ),
    ...facts(
      "Runs",
      bound.map((file) => `${visibleLine(file)}, as it is now`),
    ),
    ...facts("Held by", run && enforcement ? [heldBy(enforcement)] : []),
    ...facts("Why", [`${visibleLine(reason)}${by ? ` (${visibleLine(by)})` : ""}`]),
    ...facts("Always", always.length > 0 ? always.map((each) => shownGrant(each, run)) : [NEVER]),
  ];
}

const eachShown = (touch: Touch): readonly Touch[] => (touch.action === "run" ? touch.inner : [touch]);

const STAYS = "background: it keeps running after the call";
const NEVER = "is not offered: this asks every time";

/** Where a command runs, unless that is the workspace's own folder, and the variables that are set for it. */
function settingIn(input: unknown, touches: readonly Touch[]): string[] {
  const { cwd, env } = isRecord(input) ? input : {};
  const atHome = touches.some((touch) => touch.action === "list" && touch.place.shown === ".");
  return [
    ...(typeof cwd === "string" && !atHome ? [`cwd ${cwd}`] : []),
    ...(isRecord(env) ? Object.entries(env).map(([name, value]) => `env ${name}=${asText(value)}`) : []),
  ];
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What is not shown of a text: missing lines, and shortened lines. */
type Left = { skipped?: number; short?: number };

/** A text of the call. Of a huge text, the parts that are not shown are not processed either. */
function block(kind: "command" | "diff", text: string, width: number, whole: boolean, mostBlanks?: number): Section {
  // to the shell a carriage return is part of a word; in a file it usually belongs to a line end
  const all = (kind === "diff" ? text.replaceAll("\r\n", "\n") : text).split("\n");
  const most = 2 * MOST[kind];
  const skipped = whole ? 0 : Math.max(all.length - 2 * most, 0);
  const near = skipped > 0 ? [...all.slice(0, most), ...all.slice(-most)] : all;
  const { lines, short } = shortened(near, whole);
  const shown = visibleLines(lines.join("\n"), mostBlanks);
  return fitted(kind, "", shown, width - INDENT.length, whole, { skipped, short });
}

const LONGEST = 4_000;

function shortened(all: readonly string[], whole: boolean): { lines: string[]; short: number } {
  let short = 0;
  const lines = all.map((line) => {
    const left = line.length - LONGEST;
    if (whole || left <= 0) return line;
    short += 1;
    return `${line.slice(0, LONGEST / 2)} ⟨… ${left} characters are not shown …⟩ ${line.slice(-LONGEST / 2)}`;
  });
  return { lines, short };
}

function fitted(
  kind: Section["kind"],
  label: string,
  lines: readonly string[],
  width: number,
  whole: boolean,
  { skipped = 0, short = 0 }: Left = {},
): Section {
  // continued facts are indented further than new ones, so no text of the call can pass for another fact
  const all = lines.flatMap((line) => wrapped(line, width, kind === "facts" ? INDENT : ""));
  const most = whole || kind === "title" ? all.length : MOST[kind];
  const missing = all.length - most + skipped;
  if (missing <= 0) return { kind, label, lines: all, cut: short };
  // the end stays visible, because what matters may be there
  const tail = Math.floor(most / 4);
  const kept = [...all.slice(0, most - tail), `⟨… ${missing} more lines are not shown …⟩`, ...all.slice(-tail)];
  return { kind, label, lines: kept, cut: missing + short };
}

function intention(touches: readonly Touch[]): string {
  const [first] = touches;
  if (!first) return "be called";
  if (first.action === "run") return "run this command";
  const paths = touches.filter(isPathTouch);
  const changed = paths.find(({ action }) => action === "write" || action === "delete") ?? paths[0];
  if (!changed) return first.action === "unknown" ? "be called" : shownTouch(first);
  const verb = changed.action === "write" ? "change" : changed.action;
  const others = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  return `${verb} ${visibleLine(changed.place.shown)}${others}`;
}

const ABLE: Record<Permission, string> = {
  read: "read",
  write: "write",
  execute: "run other programs",
  network: "reach the network",
};

const shownTouch = (touch: Touch): string => {
  if (touch.action !== "unknown") return visibleLine(describeTouch(touch));
  if (touch.permissions.length === 0) return "anything: it declares nothing";
  return `more than its words tell: it may ${touch.permissions.map((each) => ABLE[each]).join(", ")}`;
};

/** The command itself is already on the screen. */
const shownGrant = (grant: string, run: RunTouch | undefined): string =>
  `would allow ${visibleLine(run ? grant.replace(describeTouch(run), () => "exactly this command") : grant)}`;

/** The strictest part first, so that it is not missed among many; the part that decided is marked. */
function partsOf(segments: readonly CommandSegment[], reason: string): string[] {
  if (segments.length < 2) return [];
  const order = ["blocked", "dangerous", "dev", "safe"];
  const sorted = [...segments].sort((a, b) => order.indexOf(a.class) - order.indexOf(b.class));
  const decisive = segments.find(({ text, rule }) => reason === `${text}: ${rule}`);
  return sorted.map((each) => {
    const mark = each === decisive ? "  ← decides" : "";
    return `${each.class.padEnd(9)} ${unmarked(each.text)}: ${unmarked(each.rule)}${mark}`;
  });
}

/** A text that has our mark in it does not pass for the part that decided. */
const unmarked = (text: string): string => visibleLine(text).replaceAll("←", "\\u{2190}");

/** What keeps a command from doing more than it should. */
export function heldBy({ sandbox, network, workspace, writes: named = [], reason }: Enforcement): string {
  if (sandbox === "none") return `nothing${reason ? ` (${visibleLine(reason)})` : ""}: it can do whatever you can`;
  const writes = {
    "read-only": "it can write nothing",
    build: "it can write only its build folder",
    named: named.length > 0 ? `it can write only in ${visibleLine(named.join(", "))}` : "it can write nothing there",
    all: "it can write only in the workspace",
  }[workspace ?? "all"];
  return `a sandbox: ${writes}, and ${network === "none" ? "has no network" : "reaches the network"}`;
}
