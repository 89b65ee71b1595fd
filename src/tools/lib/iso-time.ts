import { dateShown, fieldsOf, timeShown } from "../../text/time/civil.ts";

/** A time in ISO format, to the second. */
export function isoTime(ms: number): string {
  const fields = fieldsOf(ms);
  return `${dateShown(fields)}T${timeShown(fields)}Z`;
}
