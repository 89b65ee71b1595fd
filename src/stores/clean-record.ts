import type { CallRecord } from "../core/contracts/store/records.ts";
import { isPathTouch, type Touch } from "../core/words/touch.ts";
import { redact, redactDeep } from "../text/redact.ts";

/** Fields that the journey makes itself, of ids, numbers and words of its own. Every other one may hold a secret. */
const OWN: ReadonlySet<string> = new Set<keyof CallRecord>([
  ...(["id", "seq", "call", "parent", "session", "message", "agent", "workspace", "at", "microseconds"] as const),
  ...(["status", "trace", "seen", "told", "answer", "changed", "outside", "touches", "verdict"] as const),
]);

/** Contents of files stay exact for the model; what is kept of them is not. The record is the recorder's own, so no copy. */
export function cleanRecord(record: CallRecord): CallRecord {
  if (!record.touches.every(isPlain)) record.touches = redactDeep(record.touches.map(brief)) as CallRecord["touches"];
  if (record.verdict) record.verdict.reason = redact(record.verdict.reason);
  for (const field in record)
    if (!OWN.has(field)) (record as Record<string, unknown>)[field] = cleaned(record[field as keyof CallRecord]);
  return record;
}

const cleaned = (value: unknown): unknown => (typeof value === "string" ? redact(value) : redactDeep(value));

/** The record keeps what was run; how it was read can be had again. */
const brief = (touch: Touch): Touch =>
  touch.action === "run" ? { action: "run", command: touch.command, class: touch.class, inner: touch.inner } : touch;

const isPlain = (touch: Touch): boolean =>
  isPathTouch(touch) && [touch.place.real, touch.place.shown, touch.scope ?? ""].every((text) => redact(text) === text);
