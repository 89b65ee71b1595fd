import { DAY, daysIn, type Fields, fieldsOf } from "./civil.ts";
import { endOfGap, momentsOf, type Zone } from "./zone.ts";

/** A parsed cron expression of five fields, or of six, with seconds first. */
export type CronExpression = {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  isDay(fields: Fields): boolean;
  /** It repeats by elapsed time, even while clocks are changed, rather than at fixed hours. */
  readonly everyHour: boolean;
};

type Field = { name: string; low: number; high: number; names?: readonly string[] };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const SECOND: Field = { name: "second", low: 0, high: 59 };
const MINUTE: Field = { name: "minute", low: 0, high: 59 };
const HOUR: Field = { name: "hour", low: 0, high: 23 };
const DAY_OF_MONTH: Field = { name: "day of month", low: 1, high: 31 };
const MONTH: Field = { name: "month", low: 1, high: 12, names: MONTHS };
/** Sunday is both 0 and 7. */
const WEEKDAY: Field = { name: "day of week", low: 0, high: 7, names: WEEKDAYS };

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const LONGEST = 500;

class CronMistake extends Error {}

/** The parsed expression, or what is wrong with it. */
export function readCron(text: string): CronExpression | string {
  const line = text.trim().toLowerCase();
  const fields = (NICKNAMES[line] ?? line).split(/\s+/);
  if (line.startsWith("@") && !NICKNAMES[line])
    return `${text.trim().slice(0, 40)} is not known; known are ${Object.keys(NICKNAMES).join(", ")}`;
  if (line.length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (fields.length !== 5 && fields.length !== 6)
    return `it has ${line === "" ? 0 : fields.length} fields; there must be five: minute, hour, day of month, month, day of week`;
  const [second, minute, hour, day, month, weekday] = (fields.length === 5 ? ["0", ...fields] : fields) as Six;
  try {
    const hours = [...valuesOf(hour, HOUR)].sort(byNumber);
    return {
      seconds: [...valuesOf(second, SECOND)].sort(byNumber),
      minutes: [...valuesOf(minute, MINUTE)].sort(byNumber),
      hours,
      months: valuesOf(month, MONTH),
      isDay: dayTest(day, weekday),
      everyHour: hour.startsWith("*") || hours.length === 24,
    };
  } catch (error) {
    if (error instanceof CronMistake) return error.message;
    throw error;
  }
}

type Six = [string, string, string, string, string, string];
const byNumber = (a: number, b: number): number => a - b;

/** If both kinds of days are restricted, either is enough, as in every cron. */
function dayTest(day: string, weekday: string): CronExpression["isDay"] {
  const ofMonth = /^[*?]/.test(day);
  const ofWeek = /^[*?]/.test(weekday);
  const byMonth = monthDayTest(day);
  const byWeek = weekdayTest(weekday);
  return ofMonth || ofWeek
    ? (fields) => byMonth(fields) && byWeek(fields)
    : (fields) => byMonth(fields) || byWeek(fields);
}

function monthDayTest(text: string): CronExpression["isDay"] {
  const parts = text.split(",");
  const fixed = parts.filter((part) => part !== "l");
  const days = fixed.length > 0 ? valuesOf(fixed.join(","), DAY_OF_MONTH) : new Set<number>();
  const last = fixed.length < parts.length;
  return ({ year, month, day }) => days.has(day) || (last && day === daysIn(year, month));
}

const NTH = /^(\w+?)(?:#([1-5])|(l))$/;

function weekdayTest(text: string): CronExpression["isDay"] {
  const tests = text.split(",").map((part): CronExpression["isDay"] => {
    const [, name, nth, last] = NTH.exec(part) ?? [];
    if (name === undefined) {
      const days = new Set([...valuesOf(part, WEEKDAY)].map((day) => day % 7));
      return ({ weekday }) => days.has(weekday);
    }
    const wanted = numberOf(name, WEEKDAY) % 7;
    const isNth = last
      ? ({ day, year, month }: Fields) => day > daysIn(year, month) - 7
      : ({ day }: Fields) => Math.ceil(day / 7) === Number(nth);
    return (fields) => fields.weekday === wanted && isNth(fields);
  });
  return (fields) => tests.some((test) => test(fields));
}

function valuesOf(text: string, field: Field): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [, range = "", step] = /^([^/]*)(?:\/(\d{1,4}))?$/.exec(part) ?? [];
    if (range === "" || (step !== undefined && Number(step) === 0)) throw mistake(part, field);
    const [low, high] = rangeOf(range, step !== undefined, field);
    for (let value = low; value <= high; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

function rangeOf(text: string, stepped: boolean, field: Field): [number, number] {
  // 7 is Sunday, which 0 already covers
  if (text === "*" || text === "?") return [field.low, field === WEEKDAY ? 6 : field.high];
  const [from, to, ...more] = text.split("-");
  if (from === undefined || more.length > 0) throw mistake(text, field);
  const low = numberOf(from, field);
  if (to === undefined) return [low, stepped ? field.high : low];
  const high = numberOf(to, field);
  // fri-sun: Sunday comes last
  if (field === WEEKDAY && high === 0 && low > 0) return [low, 7];
  if (high < low) throw mistake(text, field);
  return [low, high];
}

function numberOf(text: string, field: Field): number {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + field.low : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.low && value <= field.high)) throw mistake(text, field);
  return value;
}

const mistake = (text: string, { name, low, high }: Field): CronMistake =>
  new CronMistake(`${text.slice(0, 40) || "nothing"} is no ${name} (${low} to ${high})`);

/** Within this many days, every existing date has fallen on every weekday. */
const MOST_DAYS = 40 * 366;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The first moment after `after` at which it is due; undefined if never. A fixed time that clocks skip is due when they
 * are set forward; one that occurs twice is due the first time. Intervals of hours or minutes go by elapsed time.
 */
export function nextCron(cron: CronExpression, zone: Zone, after: number): number | undefined {
  // clocks may have been set back: then times of yesterday are still to come
  const first = Math.floor((after + zone.offset(after)) / DAY) * DAY - DAY;
  const isDue = (day: number): boolean => {
    const fields = fieldsOf(day);
    return cron.months.has(fields.month) && cron.isDay(fields);
  };
  for (let day = first; day < first + MOST_DAYS * DAY; day += DAY) {
    if (!isDue(day)) continue;
    const found = nextOnDay(cron, zone, day, after);
    if (found === undefined) continue;
    // if clocks are set back over midnight, the next day begins before this one is over
    const early = isDue(day + DAY) && changes(zone, day) ? nextOnDay(cron, zone, day + DAY, after) : undefined;
    return early === undefined ? found : Math.min(found, early);
  }
  return undefined;
}

const changes = (zone: Zone, day: number): boolean => zone.offset(day - DAY) !== zone.offset(day + 2 * DAY);

function nextOnDay(cron: CronExpression, zone: Zone, day: number, after: number): number | undefined {
  const around = [zone.offset(day - DAY), zone.offset(day + 2 * DAY)] as const;
  const [least, most] = [Math.min(...around), Math.max(...around)];
  let best: number | undefined;
  // whether a range of clock times is entirely before `after`, or entirely later than what was found
  const isOver = (from: number, long: number): boolean => from + long - 1 - least <= after;
  const isLate = (from: number): boolean => best !== undefined && from - most >= best;
  for (const hour of cron.hours) {
    const atHour = day + hour * HOUR_MS;
    if (isLate(atHour)) break;
    if (isOver(atHour, HOUR_MS)) continue;
    for (const minute of cron.minutes) {
      const atMinute = atHour + minute * MINUTE_MS;
      if (isLate(atMinute)) break;
      if (isOver(atMinute, MINUTE_MS)) continue;
      for (const second of cron.seconds) {
        const clock = atMinute + second * 1000;
        if (isLate(clock)) break;
        for (const moment of least === most ? [clock - least] : dueAt(cron, zone, clock))
          if (moment > after && (best === undefined || moment < best)) best = moment;
      }
    }
  }
  return best;
}

function dueAt({ everyHour }: CronExpression, zone: Zone, clock: number): number[] {
  const moments = momentsOf(clock, zone);
  if (everyHour) return moments;
  return moments.length > 0 ? moments.slice(0, 1) : [endOfGap(clock, zone)];
}
