import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import type { ChangeRow } from "../../../core/contracts/store/changes.ts";
import type { CallRecord } from "../../../core/contracts/store/records.ts";
import type { Store } from "../../../core/contracts/store/store.ts";
import { describeTouch } from "../../../core/words/touch.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import { changeDiff } from "../../../text/change-diff.ts";
import { redact } from "../../../text/redact.ts";
import type { Resources } from "./offering.ts";
import type { ServedGate } from "./tool-list.ts";

/** The parts of a store that show what was done. */
export type Kept = Pick<Store, "records" | "changes" | "content">;

const LISTED = 50;
const WRITTEN_AFTER_MS = 150;
const KINDS = ["record", "diff", "output"] as const;
type Kind = (typeof KINDS)[number];

const ABOUT: Record<Kind, { title: string; description: string; mimeType: string }> = {
  record: {
    title: "Record of a call",
    description: "What a call asked for, how it was judged and how it ended.",
    mimeType: "application/json",
  },
  diff: { title: "Changes of a call", description: "The files that a call changed.", mimeType: "text/x-diff" },
  output: {
    title: "Whole output of a call",
    description: "The output of a call whose answer was cut.",
    mimeType: "text/plain",
  },
};

/** Records, diffs and kept outputs of the client's own calls, and of no others. */
export function recordResources(kept: () => Promise<Kept | undefined>): Resources {
  return {
    templates: KINDS.map((kind) => ({ name: kind, uriTemplate: `toolgate://${kind}/{call}`, ...ABOUT[kind] })),

    async list({ sessionID }) {
      const store = await kept();
      const records = (await store?.records({ session: sessionID, limit: LISTED })) ?? [];
      return records.flatMap((record) => kindsOf(record).map((kind) => resourceOf(kind, record)));
    },

    async read(uri, gate) {
      const [, kind, call] = /^toolgate:\/\/(record|diff|output)\/([\w.-]{1,200})$/.exec(uri) ?? [];
      const store = await kept();
      if (!kind || !call || !store) return undefined;
      const record = await found(store, gate.sessionID, call);
      if (!record || !kindsOf(record).includes(kind as Kind)) return undefined;
      const text = await textOf(kind as Kind, record, store, gate);
      return [{ uri, mimeType: ABOUT[kind as Kind].mimeType, text }] satisfies ReadResourceResult["contents"];
    },
  };
}

const kindsOf = ({ changed, output }: CallRecord): Kind[] => [
  "record",
  ...(changed ? (["diff"] as const) : []),
  ...(output?.path !== undefined ? (["output"] as const) : []),
];

function resourceOf(kind: Kind, { call, tool, target, status }: CallRecord): Resource {
  const { title, mimeType } = ABOUT[kind];
  return {
    uri: `toolgate://${kind}/${call}`,
    name: visibleLine(`${kind} of ${tool} ${target}`.trim()).slice(0, 200),
    title,
    description: `${title}: ${visibleLine(tool)} (${status})`,
    mimeType,
  };
}

/** Looks twice, because records are written a moment after the call has ended. */
async function found(store: Kept, session: string, call: string): Promise<CallRecord | undefined> {
  const look = async () => (await store.records({ session, call, limit: 1 }))[0];
  const now = await look();
  if (now) return now;
  await new Promise((resolve) => setTimeout(resolve, WRITTEN_AFTER_MS));
  return look();
}

async function textOf(kind: Kind, record: CallRecord, store: Kept, gate: ServedGate): Promise<string> {
  if (kind === "record") return recordText(record);
  if (kind === "diff") return diffText(await store.changes({ record: record.id, states: ["done"] }), store);
  // a file like any other, so reading it is judged
  const result = await gate.call({ name: "read_file", args: { path: record.output?.path } });
  return result.error ? `${result.error.message} ${result.error.hint}` : redact(result.output);
}

function recordText({
  call,
  tool,
  target,
  at,
  microseconds,
  status,
  verdict,
  input,
  touches,
  error,
  output,
}: CallRecord) {
  const told = {
    ...{ call, tool, target, time: new Date(at).toISOString(), milliseconds: microseconds / 1000, status },
    ...{ verdict: verdict ?? null, input, touches: touches.map(describeTouch), error: error ?? null },
    output: output ?? null,
  };
  return redact(JSON.stringify(told, null, 2));
}

async function diffText(rows: readonly ChangeRow[], store: Kept): Promise<string> {
  const diffs = await Promise.all(
    rows.map(async ({ shown, real, before, after, modeBefore, modeAfter }) => {
      const was = before === null ? null : await store.content(before);
      const is = after === null ? null : ((await store.content(after)) ?? (await current(real, after)));
      if (was === undefined || is === undefined) return `${shown}: changed; what it held is not kept any more\n`;
      return changeDiff(shown, was, is, {
        ...(modeBefore !== undefined && { modeBefore }),
        ...(modeAfter !== undefined && { mode: modeAfter }),
      });
    }),
  );
  return redact(diffs.join("")) || "No file was changed.\n";
}

/** The file's content, if it is still what the call left there. */
async function current(real: string, hash: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(real).catch(() => undefined);
  return bytes && createHash("sha256").update(bytes).digest("hex") === hash ? bytes : undefined;
}
