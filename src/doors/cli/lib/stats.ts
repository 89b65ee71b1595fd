import type { RecordQuery } from "../../../core/contracts/store/records.ts";
import type { Store } from "../../../core/contracts/store/store.ts";
import { type Economics, Ledger } from "../../../core/words/economics.ts";
import { EVERY_SESSION, spentBy } from "../../../core/words/model-spending.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { Invocation } from "./command.ts";
import { colours, documentOf, print } from "./terminal.ts";
import { withRecords } from "./workspace-store.ts";

const AT_ONCE = 1_000;
const BAR = 20;
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** What each tool cost, with a small chart, and what the model cost, if it was reported. */
export async function stats(invocation: Invocation): Promise<number> {
  const { session, turn } = invocation.values;
  const query = { ...(session && { session }), ...(turn && { message: turn }) };
  const found = await withRecords(
    invocation,
    async () => new Ledger().total({ tokens: 0, cost: 0 }),
    (store) => economicsIn(store, query),
  );
  if (invocation.json) await print(documentOf(found));
  else await print(found.calls > 0 ? chart(found) : "Nothing has been recorded in this workspace yet.\n");
  return 0;
}

async function economicsIn(store: Store, query: RecordQuery): Promise<Economics> {
  const ledger = new Ledger();
  let after = 0;
  for (;;) {
    const records = await store.records({ ...query, after, limit: AT_ONCE, order: "oldest-first" });
    for (const record of records) ledger.add(record);
    after = records.at(-1)?.seq ?? after;
    if (records.length < AT_ONCE) break;
  }
  // spending is not recorded per turn
  const model =
    query.message === undefined
      ? await spentBy(query.session ?? EVERY_SESSION, (key) => store.reserved(key))
      : { tokens: 0, cost: 0 };
  return ledger.total(model);
}

function chart({ tools, model, ...all }: Economics): string {
  const paint = colours();
  const most = Math.max(1, ...tools.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut));
  const rows = [{ tool: "all", ...all }, ...tools].map(({ tool, calls, failed, refused, ...each }) => [
    visibleLine(tool),
    `${calls}`,
    `${failed}`,
    `${refused}`,
    timeOf(each.milliseconds),
    `${each.tokensIn}`,
    `${each.tokensOut}`,
  ]);
  const head = ["tool", "calls", "failed", "refused", "time", "tokens in", "tokens out"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  const [sum = [], ...each] = rows;
  const bars = tools.map(({ tokensIn, tokensOut }) => bar((tokensIn + tokensOut) / most));
  const lines = [
    paint.dim(line(head)),
    ...each.map((row, index) => `${line(row)}  ${paint.cyan(bars[index] ?? "")}`.trimEnd()),
    paint.bold(line(sum)),
    paint.dim("Tokens are an estimate: in is what the model wrote, out is what it read."),
  ];
  if (model.tokens > 0 || model.cost > 0)
    lines.push(
      `The model took ${model.tokens} tokens${model.cost > 0 ? ` and cost ${model.cost}` : ""}, as it was told.`,
    );
  return `${lines.join("\n")}\n`;
}

function bar(part: number): string {
  const eighths = Math.max(1, Math.round(part * BAR * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? "");
}

const timeOf = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
