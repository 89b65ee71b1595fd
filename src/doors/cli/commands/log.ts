import type { ChainReport } from "../../../core/contracts/store/chains.ts";
import type { CallRecord } from "../../../core/contracts/store/records.ts";
import { describeTouch } from "../../../core/words/touch.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import { counted } from "../../../text/counted.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { stats } from "../lib/stats.ts";
import { suggestion } from "../lib/suggestion.ts";
import { type Colours, colours, documentOf, print, toJson, visible } from "../lib/terminal.ts";
import { withRecords, withStore } from "../lib/workspace-store.ts";

const USUAL_LIMIT = 50;

/** The calls in this workspace, newest first. */
export const run: Command = async (invocation) => {
  const { values, json, words } = invocation;
  const { session, turn } = values;
  const limit = limitOf(values.limit);
  if (words.length > 1)
    throw new UsageFailure("toolgate log takes at most one call.", "`toolgate log` lists the calls with their ids.");
  if (words[0] === "verify") return verify(invocation);
  if (words[0] !== undefined) return one(invocation, words[0]);
  if (invocation.flags.has("stats")) return stats(invocation);
  const records = await withRecords(
    invocation,
    async () => [],
    (store) => store.records({ limit, ...(session && { session }), ...(turn && { message: turn }) }),
  );
  if (json) await print(documentOf(records.map(row)));
  else
    await print(records.length > 0 ? table(records, colours()) : "Nothing has been recorded in this workspace yet.\n");
  return 0;
};

const NOTHING: ChainReport = { records: 0, writers: 0, unchained: 0, pruned: 0, findings: [] };

/** Verifies that the record is as it was written; exit status 1 if it is not. */
async function verify(invocation: Invocation): Promise<number> {
  const report = await withStore(
    invocation,
    async () => NOTHING,
    (store) => store.verify(),
  );
  if (invocation.json) await print(documentOf({ ok: report.findings.length === 0, ...report }));
  else await print(`${reportLines(report, colours()).join("\n")}\n`);
  return report.findings.length === 0 ? 0 : 1;
}

const MOST_FINDINGS = 50;

function reportLines({ records, writers, unchained, pruned, findings }: ChainReport, paint: Colours): string[] {
  const lines = findings
    .slice(0, MOST_FINDINGS)
    .map(
      ({ kind, writer, message }) => `${paint.red(kind)}  ${visibleLine(message)}  ${paint.dim(visibleLine(writer))}`,
    );
  if (findings.length > MOST_FINDINGS) lines.push(`… and ${findings.length - MOST_FINDINGS} more`);
  const looked = `${counted(records, "record")} of ${counted(writers, "writer")}`;
  lines.push(
    findings.length === 0
      ? `${paint.green("In order")}: ${looked}, as they were written.`
      : `${paint.red("Not in order")}: ${looked}, ${counted(findings.length, "finding")}.`,
  );
  if (pruned > 0) lines.push(`${counted(pruned, "older record")} removed to make room, as the checkpoint says.`);
  if (unchained > 0) lines.push(`${counted(unchained, "record")} from before records were chained cannot be checked.`);
  return lines;
}

/** Everything that is known about one call. */
async function one(invocation: Invocation, id: string): Promise<number> {
  const found = await withRecords(
    invocation,
    async () => undefined,
    async (store) => {
      const [record] = await store.records({ call: id, limit: 1 });
      return record && { record, changes: await store.changes({ record: record.id }) };
    },
  );
  if (!found)
    throw new UsageFailure(
      `No call ${id} is on record.`,
      suggestion(id, ["verify"]) ?? "`toolgate log` lists the calls with their ids.",
    );
  const { record, changes } = found;
  const { touches, trace, output } = record;
  const files = changes.map(({ shown, state, before, after }) => ({ file: shown, state, before, after }));
  const whole = { ...row(record), touches, trace, output: output ?? null, changes: files };
  await print(invocation.json ? documentOf(whole) : page(record, files, colours()));
  return 0;
}

type ChangedFile = { file: string; state: string; before: string | null; after: string | null };

function page(record: CallRecord, files: readonly ChangedFile[], paint: Colours): string {
  const { call, status, tool, at, microseconds, agent, session, message, verdict, input, touches } = record;
  const { error, output, trace } = record;
  const answered = answerIn(record);
  const facts: (readonly [string, string])[] = [
    ["when", `${localTime(at)}, ${(microseconds / 1000).toFixed(1)} ms`],
    ["who", `agent ${visibleLine(agent)}, session ${visibleLine(session)}, turn ${visibleLine(message)}`],
    ...(verdict
      ? [["verdict", `${verdict.answer}: ${visibleLine(`${verdict.reason} (${verdict.by})`)}`] as const]
      : []),
    ...(answered ? [["answered", `${answered.decision}, ${localTime(answered.at)}`] as const] : []),
    ["arguments", visibleLine(toJson(input))],
    ...touches.map((touch, index) => [index === 0 ? "touches" : "", visibleLine(describeTouch(touch))] as const),
    ...files.map((file, index) => [index === 0 ? "changes" : "", told(file)] as const),
    ...(error ? [["error", `${error.code}: ${visibleLine(error.message)}`] as const] : []),
    ["trace", trace.map(({ stage, verdict: said }) => (said ? `${stage} ${said}` : stage)).join(", ")],
  ];
  const head = `${paint.bold(visibleLine(tool))}  ${tintOf(status, paint)(status)}  ${paint.dim(visibleLine(call))}`;
  const said = output?.head.trim() ? `\n\n${visible(output.head.trimEnd())}` : "";
  const more = output && output.bytes > output.head.length ? paint.dim(`\n… ${output.bytes} bytes in all`) : "";
  const back = files.length > 0 ? `\n\nTake it back with: toolgate undo --call ${visibleLine(call)}` : "";
  return `${head}\n${columns(facts)}${said}${more}${back}\n`;
}

/** What a person answered, and when. */
function answerIn({ at, trace }: CallRecord): { decision: string; at: number } | undefined {
  const mark = trace.findLast(({ stage }) => stage === "answered");
  return mark && { decision: mark.verdict ?? "", at: Math.round(at + mark.microseconds / 1000) };
}

/** Who decided about a call, other than the mode: a person, a grant, a rule. */
const SOMEBODY: ReadonlySet<string> = new Set(["person", "grant", "rules"]);
const onWhoseWord = ({ verdict }: CallRecord): string | undefined =>
  verdict && SOMEBODY.has(verdict.by) ? `${verdict.answer}: ${verdict.reason} (${verdict.by})` : undefined;

const told = ({ file, state, before, after }: ChangedFile): string =>
  `${visibleLine(file)} ${before === null ? "created" : after === null ? "deleted" : "changed"}${state === "done" ? "" : ` (${state})`}`;

const tintOf = (status: CallRecord["status"], paint: Colours) =>
  status === "done" ? paint.green : status === "planned" ? paint.cyan : paint.red;

function limitOf(written: string | undefined): number {
  const limit = Number(written ?? USUAL_LIMIT);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new UsageFailure(`--limit ${written} is not a whole number of at least 1.`, "Write for example --limit 20.");
}

function row(record: CallRecord) {
  const { at, tool, target, call, status, error, alerts, session, message, agent, microseconds, verdict, input } =
    record;
  const answered = answerIn(record);
  return {
    time: new Date(at).toISOString(),
    ...{ tool, target, call, status, error: error ?? null, alerts: alerts ?? [], session, turn: message, agent },
    milliseconds: microseconds / 1000,
    verdict: verdict ?? null,
    answered: answered ? { decision: answered.decision, time: new Date(answered.at).toISOString() } : null,
    input,
  };
}

function table(records: readonly CallRecord[], paint: Colours): string {
  const widest = (of: (record: CallRecord) => string) => Math.max(...records.map((record) => of(record).length));
  const [status, tool, target] = [
    widest((each) => each.status),
    widest((each) => visible(each.tool)),
    Math.min(
      60,
      widest((each) => oneLine(each.target)),
    ),
  ];
  const lines = records.flatMap((record) => {
    const tint = tintOf(record.status, paint);
    const cells = [
      paint.dim(localTime(record.at)),
      tint(record.status.padEnd(status)),
      visible(record.tool).padEnd(tool),
      oneLine(record.target).padEnd(target),
      paint.dim(visible(record.call)),
    ];
    const error = record.error ? [`  ${record.error.code}: ${oneLine(record.error.message)}`] : [];
    const alerts = (record.alerts ?? []).map(({ kind, message }) =>
      paint.yellow(`  alert, ${kind}: ${oneLine(message)}`),
    );
    const word = onWhoseWord(record);
    return [cells.join("  "), ...(word ? [paint.dim(`  ${oneLine(word)}`)] : []), ...error, ...alerts];
  });
  return `${lines.join("\n")}\n`;
}

const oneLine = (text: string): string => visibleLine(text.trimEnd());

function localTime(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19).replace("T", " ");
}
