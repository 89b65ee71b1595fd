import type { CallRecord } from "../core/store.ts";
import { isPathTouch, type Touch } from "../core/touch.ts";
import { redact, redactDeep } from "../text/redact.ts";

/** The record keeps what was run; how it was read can be had again. */
const brief = (touch: Touch): Touch =>
  touch.action === "run" ? { action: "run", command: touch.command, class: touch.class, inner: touch.inner } : touch;

/** Contents of files stay exact for the model; what is kept of them is not. */
export function cleanRecord(record: CallRecord): CallRecord {
  const clean: CallRecord = {
    ...record,
    input: redactDeep(record.input),
    tool: redact(record.tool),
    target: redact(record.target),
  };
  if (!record.touches.every(isPlain)) clean.touches = redactDeep(record.touches.map(brief)) as CallRecord["touches"];
  if (record.verdict) {
    const reason = redact(record.verdict.reason);
    if (reason !== record.verdict.reason) clean.verdict = { ...record.verdict, reason };
  }
  if (record.error) clean.error = { ...record.error, message: redact(record.error.message) };
  return clean;
}

const isPlain = (touch: Touch): boolean => isPathTouch(touch) && redact(touch.place.real) === touch.place.real;
