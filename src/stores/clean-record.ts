import type { CallRecord } from "../core/store.ts";
import { isPathTouch, type Touch } from "../core/touch.ts";
import { redact, redactDeep } from "../text/redact.ts";

/** The record keeps what was run; how it was read can be had again. */
const brief = (touch: Touch): Touch =>
  touch.action === "run" ? { action: "run", command: touch.command, class: touch.class, inner: touch.inner } : touch;

/** Contents of files stay exact for the model; what is kept of them is not. */
export const cleanRecord = (record: CallRecord): CallRecord => ({
  ...record,
  input: redactDeep(record.input),
  tool: redact(record.tool),
  target: redact(record.target),
  touches: record.touches.every((touch) => isPathTouch(touch) && redact(touch.place.real) === touch.place.real)
    ? record.touches
    : (redactDeep(record.touches.map(brief)) as CallRecord["touches"]),
  ...(record.verdict && { verdict: { ...record.verdict, reason: redact(record.verdict.reason) } }),
  ...(record.error && { error: { ...record.error, message: redact(record.error.message) } }),
});
