import type { CallRecord } from "../core/contracts/store/records.ts";
import { isPathTouch, type Touch } from "../core/words/touch.ts";
import { isClean, redact, redactDeep } from "../text/redact.ts";

/** Fields that the journey fills with its own ids, numbers and words, or that are cleaned separately below. */
type Own =
  | ("id" | "seq" | "call" | "parent" | "session" | "message" | "agent" | "workspace" | "at" | "microseconds")
  | ("status" | "trace" | "seen" | "told" | "answer" | "changed" | "outside" | "touches" | "verdict");

/** Fields of every record that others wrote. */
type Usual = "tool" | "target" | "input";

/** Every other field may contain a secret. A new one must be added here, or this does not compile. */
const OTHERS = Object.keys({ error: true, alerts: true, output: true, ceiling: true } satisfies Record<
  Exclude<keyof CallRecord, Own | Usual>,
  true
>) as Exclude<keyof CallRecord, Own | Usual>[];

/** The model gets exact contents; the stored record is redacted, in place, because it is the recorder's own. */
export function cleanRecord(record: CallRecord): CallRecord {
  if (!record.touches.every(isPlain)) record.touches = redactDeep(record.touches.map(brief)) as CallRecord["touches"];
  if (record.verdict) record.verdict.reason = redact(record.verdict.reason);
  record.tool = redact(record.tool);
  record.target = redact(record.target);
  record.input = cleaned(record.input);
  for (const field of OTHERS)
    if (record[field] !== undefined) (record as Record<string, unknown>)[field] = redactDeep(record[field]);
  return record;
}

/** Arguments that came as one text stay whole, however long: `redactDeep` would cut them. */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  return isClean(value) ? value : redactDeep(value);
}

/** The record keeps the command; how it was parsed can be computed again. */
const brief = (touch: Touch): Touch =>
  touch.action === "run" ? { action: "run", command: touch.command, class: touch.class, inner: touch.inner } : touch;

const isPlain = (touch: Touch): boolean =>
  isPathTouch(touch) && [touch.place.real, touch.place.shown, touch.scope ?? ""].every((text) => redact(text) === text);
