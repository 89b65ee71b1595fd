import { nearest } from "../nearest.ts";
import { DAY, dateShown, fieldsOf, msOf, timeShown } from "./civil.ts";

/**
 * Clock time in a zone, by the machine's own time zone database. A clock time is the number of milliseconds that UTC
 * has when its clocks show the same.
 */
export type Zone = {
  readonly name: string;
  /** How far its clocks are ahead of UTC at a moment, in milliseconds. */
  offset(moment: number): number;
};

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 200;

/** Returns undefined if there is no such zone. Offsets such as +02:00 are not accepted: not every Node knows them. */
export function zoneOf(name: string): Zone | undefined {
  if (!/^[a-z][\w+/-]{0,63}$/i.test(name)) return undefined;
  const format = formats.get(name) ?? formatOf(name);
  return format && { name: format.resolvedOptions().timeZone, offset: (moment) => offsetAt(format, moment) };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      ...{ hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", era: "short" },
      ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timeZone, format);
    return format;
  } catch {
    return undefined;
  }
}

function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const whole = Math.floor(moment / 1000) * 1000;
  const part: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(whole)) part[type] = value;
  const { year, month, day, hour, minute, second, era } = part;
  const counted = era === "BC" ? 1 - Number(year) : Number(year);
  return msOf(counted, Number(month), Number(day), Number(hour), Number(minute), Number(second)) - whole;
}

/** Zones that may have been meant by an unknown name: with the same last part, or with a typo. */
export function zonesLike(name: string): string[] {
  const all = Intl.supportedValuesOf("timeZone");
  const wanted = `/${name.trim().toLowerCase().replaceAll(" ", "_")}`;
  const found = all.filter((zone) => zone.toLowerCase().endsWith(wanted));
  return (found.length > 0 ? found : nearest(name, all)).slice(0, 3);
}

/** Every moment at which clocks show this time: none in a gap, two if clocks were set back over it. */
export function momentsOf(clock: number, zone: Zone): number[] {
  const offsets = new Set([zone.offset(clock - DAY), zone.offset(clock), zone.offset(clock + DAY)]);
  return [...offsets]
    .map((offset) => clock - offset)
    .filter((moment) => moment + zone.offset(moment) === clock)
    .sort((a, b) => a - b);
}

/** For a clock time that clocks skipped: the moment at which they were set forward. */
export function endOfGap(clock: number, zone: Zone): number {
  const [before, after] = [zone.offset(clock - DAY), zone.offset(clock + DAY)];
  let [low, high] = [clock - Math.max(before, after), clock - Math.min(before, after)];
  const start = zone.offset(low);
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (zone.offset(middle) === start) low = middle;
    else high = middle;
  }
  return high;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** A moment as clocks in a zone show it: `Tue 2026-11-17 09:00:00 +01:00 Europe/Berlin`. */
export function shownIn(moment: number, zone: Zone): string {
  const offset = zone.offset(moment);
  const fields = fieldsOf(moment + offset);
  const ahead = timeShown(fieldsOf(Math.abs(offset))).slice(0, 5);
  const sign = offset < 0 ? "-" : "+";
  return `${WEEKDAYS[fields.weekday]} ${dateShown(fields)} ${timeShown(fields)} ${sign}${ahead} ${zone.name}`;
}
