import type { CallRecord } from "../contracts/store/records.ts";
import type { Stored, Table } from "../contracts/store/tables.ts";
import type { Foreseen } from "./handed-sights.ts";
import type { Parts } from "./journey-parts.ts";

/** A call whose end was not reported within this time is given up. */
const FORGOTTEN_MS = 6 * 3_600_000;
const PAGE = 100;

/** What the process that hears of the end needs to know of the beginning. */
export type Handed = {
  readonly record: CallRecord;
  readonly changes: readonly number[];
  readonly since: number;
  /** Any file may have changed. The snapshot of all files is kept under the record's id, if one could be taken. */
  readonly watched: boolean;
  /** What the session then knows of the files. Absent in rows of earlier versions. */
  readonly foreseen?: Foreseen;
};

/** Calls that another agent performs now. */
export const handedOver = ({ store }: Pick<Parts, "store">): Table => store.table("handed");

/** Calls whose end was never reported, because the client was killed, get a record that says so. */
export async function addForgotten(parts: Pick<Parts, "store" | "clock" | "pictures" | "recorder">): Promise<void> {
  const rows = handedOver(parts);
  let after: string | undefined;
  for (;;) {
    const page: Stored<Handed>[] = await rows.list<Handed>({
      ...{ limit: PAGE, unchangedSince: parts.clock.now() - FORGOTTEN_MS },
      ...(after !== undefined && { after }),
    });
    for (const { key, value } of page) {
      if (!(await rows.remove(key))) continue;
      await parts.pictures?.take(value.record.id).catch(() => undefined);
      const message = "The agent that made this call did not report how it ended.";
      parts.recorder.add({ ...value.record, status: "failed", error: { code: "UNKNOWN", message } });
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.key;
  }
}
