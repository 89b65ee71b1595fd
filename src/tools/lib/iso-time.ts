import { dateShown, fieldsOf, timeShown } from "../../text/time/civil.ts";

/** Milliseconds since the epoch as people and programs read a time, to the second. */
export function isoTime(ms: number): string {
  const fields = fieldsOf(ms);
  return `${dateShown(fields)}T${timeShown(fields)}Z`;
}
