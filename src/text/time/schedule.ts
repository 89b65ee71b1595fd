import { DAY, fieldsOf, msOf } from "./civil.ts";
import { type CronExpression, nextCron, readCron } from "./cron-expression.ts";
import { endOfGap, momentsOf, shownIn, type Zone, zoneOf, zonesLike } from "./zone.ts";

/** When something is due, as it is stored: complete, so that nothing depends on the machine. */
export type Schedule =
  | { readonly kind: "cron"; readonly expr: string; readonly tz: string }
  | { readonly kind: "at"; readonly at: number; readonly tz: string }
  | { readonly kind: "every"; readonly every: number; readonly from: number; readonly tz: string };

/** A schedule as it is written. */
export type WrittenSchedule = {
  kind: "cron" | "at" | "every";
  expr?: string | undefined;
  at?: string | undefined;
  every_ms?: number | undefined;
  tz?: string | undefined;
};

const SHORTEST_EVERY = 1000;
const LONGEST_EVERY = 366 * DAY;
const MOST_COUNTED = 1000;

/** What is wrong with a schedule, and with which part of it. */
export class ScheduleMistake extends Error {
  override name = "ScheduleMistake";
  readonly part: string;
  constructor(part: string, message: string) {
    super(message);
    this.part = part;
  }
}

/** Throws a `ScheduleMistake`. Intervals are counted from `now`. */
export function readSchedule({ kind, expr, at, every_ms: every, tz = "UTC" }: WrittenSchedule, now: number): Schedule {
  const zone = zoneOf(tz);
  if (!zone) {
    const close = zonesLike(tz);
    const meant = close.length > 0 ? `; did you mean ${close.join(" or ")}?` : "; write for example Europe/Berlin";
    throw new ScheduleMistake("tz", `there is no time zone ${tz.slice(0, 64)}${meant}`);
  }
  if (kind === "cron") {
    if (expr === undefined) throw new ScheduleMistake("expr", 'is required for kind cron, for example "0 9 * * 1-5"');
    const cron = readCron(expr);
    if (typeof cron === "string") throw new ScheduleMistake("expr", cron);
    if (nextCron(cron, zone, now) === undefined) throw new ScheduleMistake("expr", "such a day never comes");
    return { kind, expr: expr.trim().replace(/\s+/g, " "), tz: zone.name };
  }
  if (kind === "every") {
    if (every === undefined) throw new ScheduleMistake("every_ms", "is required for kind every, for example 3600000");
    if (!(every >= SHORTEST_EVERY && every <= LONGEST_EVERY))
      throw new ScheduleMistake("every_ms", "must be from a second (1000) to a year");
    return { kind, every, from: now, tz: zone.name };
  }
  if (at === undefined)
    throw new ScheduleMistake("at", "is required for kind at, for example 2026-12-24T18:00:00+01:00");
  const moment = momentOf(at, zone);
  if (moment <= now) throw new ScheduleMistake("at", `${shownIn(moment, zone)} is over`);
  return { kind, at: moment, tz: zone.name };
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** A time with its offset, or as clocks in the zone show it; one that they skip is when they are set forward. */
function momentOf(text: string, zone: Zone): number {
  const [, year, month, day, hour, minute, second = "0", offset] = TIME.exec(text.trim()) ?? [];
  const wanted = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const clock = msOf(...wanted);
  const is = fieldsOf(clock);
  const told = [is.year, is.month, is.day, is.hour, is.minute, is.second];
  if (year === undefined || told.some((value, at) => value !== wanted[at]))
    throw new ScheduleMistake("at", `${text.slice(0, 64)} is not a time; write for example 2026-12-24T18:00:00+01:00`);
  if (offset === undefined) return momentsOf(clock, zone)[0] ?? endOfGap(clock, zone);
  if (/z/i.test(offset)) return clock;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  return clock - (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const expressions = new Map<string, CronExpression>();

function expressionOf(expr: string): CronExpression | undefined {
  const known = expressions.get(expr);
  if (known) return known;
  const cron = readCron(expr);
  if (typeof cron === "string") return undefined;
  if (expressions.size > 1000) expressions.clear();
  expressions.set(expr, cron);
  return cron;
}

/** The first moment after `after` at which it is due; undefined if none, or if its zone is unknown here. */
export function nextDue(schedule: Schedule, after: number): number | undefined {
  if (schedule.kind === "at") return schedule.at > after ? schedule.at : undefined;
  if (schedule.kind === "every") {
    const { every, from } = schedule;
    return from + Math.max(1, Math.floor((after - from) / every) + 1) * every;
  }
  const zone = zoneOf(schedule.tz);
  const cron = expressionOf(schedule.expr);
  return zone && cron && nextCron(cron, zone, after);
}

/** The last moment at which it was due, after `after` and up to `until`. */
export function lastDue(schedule: Schedule, after: number, until: number): number | undefined {
  // tries growing windows backwards, so that few moments are computed, however long ago the last check was
  for (let window = 60_000; ; window *= 4) {
    const start = Math.max(after, until - window);
    let found: number | undefined;
    for (let due = nextDue(schedule, start); due !== undefined && due <= until; due = nextDue(schedule, due))
      found = due;
    if (found !== undefined || start === after) return found;
  }
}

/** How often it was due after `after` and up to `until`, counting at most a thousand. */
export function countDue(schedule: Schedule, after: number, until: number): number {
  let count = 0;
  for (let due = nextDue(schedule, after); due !== undefined && due <= until; due = nextDue(schedule, due))
    if (++count >= MOST_COUNTED) break;
  return count;
}

/** In words: `0 9 * * 1-5 (Europe/Berlin)`. */
export function scheduleShown(schedule: Schedule): string {
  const { tz } = schedule;
  if (schedule.kind === "cron") return `${schedule.expr} (${tz})`;
  if (schedule.kind === "every") return `every ${durationShown(schedule.every)}`;
  return `once`;
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [DAY, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

function durationShown(ms: number): string {
  const [unit, name] = UNITS.find(([each]) => ms % each === 0) ?? [1, "millisecond"];
  return ms === unit ? name : `${ms / unit} ${name}s`;
}

/** A moment as clocks in the schedule's zone show it. */
export const dueShown = (moment: number, { tz }: Schedule): string =>
  shownIn(moment, zoneOf(tz) ?? { name: "UTC", offset: () => 0 });
