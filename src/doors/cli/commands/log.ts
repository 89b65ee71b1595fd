import type { CallRecord } from "../../../core/contracts/store/records.ts";
import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/failure.ts";
import { withStore } from "../lib/store.ts";
import { type Colours, colours, documentOf, print, visible } from "../lib/terminal.ts";

const USUAL_LIMIT = 50;

/** What was called in this workspace, newest first. */
export const run: Command = async (invocation) => {
  const { values, json } = invocation;
  const { session } = values;
  const limit = limitOf(values.limit);
  const records = await withStore(
    invocation,
    async () => [],
    (store) => store.records({ limit, ...(session && { session }) }),
  );
  if (json) await print(documentOf(records.map(row)));
  else await print(records.length > 0 ? table(records, colours()) : "Nothing is on record in this workspace yet.\n");
  return 0;
};

function limitOf(written: string | undefined): number {
  const limit = Number(written ?? USUAL_LIMIT);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new UsageFailure(`--limit ${written} is no whole number from 1.`, "Write for example --limit 20.");
}

const row = ({
  at,
  tool,
  target,
  call,
  status,
  error,
  alerts,
  session,
  message,
  agent,
  microseconds,
  verdict,
  input,
}: CallRecord) => ({
  time: new Date(at).toISOString(),
  tool,
  target,
  call,
  status,
  error: error ?? null,
  alerts: alerts ?? [],
  session,
  turn: message,
  agent,
  milliseconds: microseconds / 1000,
  verdict: verdict ?? null,
  input,
});

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
    const tint = record.status === "done" ? paint.green : record.status === "planned" ? paint.cyan : paint.red;
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
    return [cells.join("  "), ...error, ...alerts];
  });
  return `${lines.join("\n")}\n`;
}

const oneLine = (text: string): string => visible(text).replaceAll(/\s*\n\s*/g, " ⏎ ");

function localTime(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19).replace("T", " ");
}
