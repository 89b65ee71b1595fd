import type { CallRecord } from "../core/contracts/store.ts";
import { isPathTouch, type Touch } from "../core/words/touch.ts";
import { redact, redactDeep } from "../text/redact.ts";

/** The record keeps what was run; how it was read can be had again. */
const brief = (touch: Touch): Touch =>
  touch.action === "run" ? { action: "run", command: touch.command, class: touch.class, inner: touch.inner } : touch;

/** Contents of files stay exact for the model; what is kept of them is not. The record is the recorder's own, so no copy. */
export function cleanRecord(record: CallRecord): CallRecord {
  record.input = redactDeep(record.input);
  record.tool = redact(record.tool);
  record.target = redact(record.target);
  if (!record.touches.every(isPlain)) record.touches = redactDeep(record.touches.map(brief)) as CallRecord["touches"];
  if (record.verdict) record.verdict.reason = redact(record.verdict.reason);
  if (record.error) record.error.message = redact(record.error.message);
  return record;
}

const isPlain = (touch: Touch): boolean =>
  isPathTouch(touch) && [touch.place.real, touch.place.shown, touch.scope ?? ""].every((text) => redact(text) === text);
