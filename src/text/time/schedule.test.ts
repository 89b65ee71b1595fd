import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldsOf, msOf } from "./civil.ts";
import { nextCron, readCron } from "./cron-expression.ts";
import { countDue, dueShown, lastDue, nextDue, readSchedule, type Schedule, ScheduleMistake } from "./schedule.ts";
import { endOfGap, momentsOf, shownIn, type Zone, zoneOf, zonesLike } from "./zone.ts";

const at = (time: string): number => Date.parse(time);
const iso = (moment: number | undefined): string | undefined =>
  moment === undefined ? undefined : new Date(moment).toISOString().replace(".000Z", "Z");
const zone = (name: string): Zone => zoneOf(name) as Zone;
const cron = (expr: string, tz = "UTC"): Schedule => ({ kind: "cron", expr, tz });

function some(schedule: Schedule, after: string, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (let due = nextDue(schedule, at(after)); found.length < count; due = due && nextDue(schedule, due))
    found.push(iso(due));
  return found;
}

test("a day and a time, there and back, as the machine's own calendar says", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999), noInvalidDate: true }),
      (date) => {
        const whole = Math.floor(date.getTime() / 1000) * 1000;
        const is = fieldsOf(whole);
        const on = new Date(whole);
        expect([is.year, is.month, is.day, is.weekday]).toEqual([
          ...[on.getUTCFullYear(), on.getUTCMonth() + 1, on.getUTCDate(), on.getUTCDay()],
        ]);
        expect(msOf(is.year, is.month, is.day, is.hour, is.minute, is.second)).toBe(whole);
      },
    ),
  );
});

describe("zones", () => {
  test.each<[name: string, found: string | undefined]>([
    ["UTC", "UTC"],
    ["europe/berlin", "Europe/Berlin"],
    ["Etc/GMT-2", "Etc/GMT-2"],
    ["Mars/Olympus", undefined],
    ["+02:00", undefined],
    ["", undefined],
    ["Europe/Berlin\0", undefined],
    ["x".repeat(100), undefined],
  ])("%j", (name, found) => expect(zoneOf(name)?.name).toBe(found));

  test("one that is none is told with those that may have been meant", () => {
    expect(zonesLike("Berlin")).toEqual(["Europe/Berlin"]);
    expect(zonesLike("new york")).toEqual(["America/New_York"]);
    expect(zonesLike("Europe/Berlni")[0]).toBe("Europe/Berlin");
  });

  test.each<[tz: string, clock: string, moments: string[], gapEnds?: string]>([
    ["America/New_York", "2026-03-08T02:30:00Z", [], "2026-03-08T07:00:00Z"],
    ["America/New_York", "2026-11-01T01:30:00Z", ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"]],
    ["Europe/Berlin", "2026-03-29T02:00:00Z", [], "2026-03-29T01:00:00Z"],
    ["Europe/Berlin", "2026-03-29T03:00:00Z", ["2026-03-29T01:00:00Z"]],
    ["Australia/Lord_Howe", "2026-10-04T02:15:00Z", [], "2026-10-03T15:30:00Z"],
    ["Australia/Lord_Howe", "2026-04-05T01:45:00Z", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]],
    ["Pacific/Apia", "2011-12-30T12:00:00Z", [], "2011-12-30T10:00:00Z"],
    ["America/Sao_Paulo", "2018-11-04T00:00:00Z", [], "2018-11-04T03:00:00Z"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", ["2025-12-31T18:15:00Z"]],
  ])("%s, when clocks show %s", (tz, clock, moments, gapEnds) => {
    expect(momentsOf(at(clock), zone(tz)).map(iso)).toEqual(moments);
    if (gapEnds) expect(iso(endOfGap(at(clock), zone(tz)))).toBe(gapEnds);
  });

  test("a moment is shown as its clocks show it", () => {
    expect(shownIn(at("2026-07-01T12:00:00Z"), zone("Europe/Berlin"))).toBe(
      "Wed 2026-07-01 14:00:00 +02:00 Europe/Berlin",
    );
    expect(shownIn(at("2026-01-01T00:00:00Z"), zone("America/St_Johns"))).toBe(
      "Wed 2025-12-31 20:30:00 -03:30 America/St_Johns",
    );
  });
});

describe("cron expressions", () => {
  test.each<[expr: string, after: string, next: (string | undefined)[]]>([
    ["*/15 * * * *", "2026-01-01T00:07:00Z", ["2026-01-01T00:15:00Z", "2026-01-01T00:30:00Z"]],
    ["0 9 * * mon-fri", "2026-11-13T10:00:00Z", ["2026-11-16T09:00:00Z", "2026-11-17T09:00:00Z"]],
    ["0 0 1 1 *", "2026-01-01T00:00:00Z", ["2027-01-01T00:00:00Z"]],
    ["0 0 29 2 *", "2026-01-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    ["0 0 13 * fri", "2026-11-01T00:00:00Z", ["2026-11-06T00:00:00Z", "2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z"]],
    ["0 0 */2 * mon", "2026-11-01T00:00:00Z", ["2026-11-09T00:00:00Z", "2026-11-23T00:00:00Z"]],
    ["0 0 L * *", "2026-02-01T00:00:00Z", ["2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"]],
    ["0 0 * * 5L", "2026-11-01T00:00:00Z", ["2026-11-27T00:00:00Z"]],
    ["0 0 * * tue#2", "2026-11-01T00:00:00Z", ["2026-11-10T00:00:00Z", "2026-12-08T00:00:00Z"]],
    ["0 0 * * 7", "2026-11-16T00:00:00Z", ["2026-11-22T00:00:00Z"]],
    [
      "0 0 * * fri-sun",
      "2026-11-16T00:00:00Z",
      ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"],
    ],
    ["30 5 0 * * *", "2026-01-01T00:00:00Z", ["2026-01-01T00:05:30Z", "2026-01-02T00:05:30Z"]],
    ["*/20 * * * * *", "2026-01-01T00:00:00Z", ["2026-01-01T00:00:20Z", "2026-01-01T00:00:40Z"]],
    ["5/20 8-10/2 * * *", "2026-01-01T08:30:00Z", ["2026-01-01T08:45:00Z", "2026-01-01T10:05:00Z"]],
    ["@weekly", "2026-11-16T00:00:00Z", ["2026-11-22T00:00:00Z"]],
    ["0 0 30 2 *", "2026-01-01T00:00:00Z", [undefined]],
  ])("%s", (expr, after, next) => expect(some(cron(expr), after, next.length)).toEqual(next));

  test.each<[expr: string, says: RegExp]>([
    ["", /0 fields/],
    ["* * * *", /4 fields/],
    ["* * * * * * *", /7 fields/],
    ["60 * * * *", /60 is no minute \(0 to 59\)/],
    ["* 24 * * *", /24 is no hour/],
    ["* * 0 * *", /0 is no day of month/],
    ["* * * 13 *", /13 is no month/],
    ["* * * foo *", /foo is no month/],
    ["* * * * 8", /8 is no day of week/],
    ["*/0 * * * *", /\*\/0 is no minute/],
    ["5-1 * * * *", /5-1 is no minute/],
    ["1-2-3 * * * *", /is no minute/],
    [", * * * *", /nothing is no minute|is no minute/],
    ["* * 1W * *", /1w is no day of month/],
    ["* * * * 1#6", /1#6 is no day of week/],
    ["@reboot", /@reboot is not known/],
    [`${"1,".repeat(400)}1 * * * *`, /more than 500/],
    ["-1 * * * *", /is no minute/],
    ["1e1 * * * *", /1e1 is no minute/],
  ])("%j is refused", (expr, says) => expect(readCron(expr)).toMatch(says));

  test.each<[expr: string, tz: string, after: string, next: string[]]>([
    // a fixed time that is skipped comes when clocks were put forward, and once
    ["30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]],
    ["0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]],
    ["0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]],
    ["0 12 * * *", "Pacific/Apia", "2011-12-29T23:00:00Z", ["2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"]],
    // one that comes twice is due the first time
    ["30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]],
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]],
    // what goes by hours goes on
    [
      "0 * * * *",
      "America/New_York",
      "2026-11-01T04:30:00Z",
      ["2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z"],
    ],
    ["0 * * * *", "America/New_York", "2026-03-08T06:30:00Z", ["2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z"]],
    [
      "*/30 * * * *",
      "Australia/Lord_Howe",
      "2026-04-04T14:20:00Z",
      ["2026-04-04T14:30:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:30:00Z"],
    ],
    // clocks that are put back over midnight
    [
      "*/30 * * * *",
      "America/St_Johns",
      "2010-11-07T02:00:00Z",
      ["2010-11-07T02:30:00Z", "2010-11-07T03:00:00Z", "2010-11-07T03:30:00Z"],
    ],
  ])("while clocks are changed: %s in %s", (expr, tz, after, next) =>
    expect(some(cron(expr, tz), after, next.length)).toEqual(next),
  );

  test("what goes by minutes is due whenever clocks show it, and never else", () => {
    const zones = [
      "America/New_York",
      "Europe/Berlin",
      "Australia/Lord_Howe",
      "Pacific/Apia",
      "Asia/Kathmandu",
      "America/St_Johns",
    ];
    const starts = [
      "2026-03-08T00:00:00Z",
      "2026-11-01T00:00:00Z",
      "2026-03-29T00:00:00Z",
      "2026-10-25T00:00:00Z",
      "2026-04-04T12:00:00Z",
      "2011-12-30T00:00:00Z",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...starts),
        fc.constantFrom("*/7", "0", "15,45", "*"),
        fc.constantFrom("*", "*/3"),
        fc.constantFrom("*", "1-7", "8"),
        fc.integer({ min: 0, max: 1440 }),
        (tz, start, minute, hour, day, later) => {
          const expression = readCron(`${minute} ${hour} ${day} * *`);
          if (typeof expression === "string") throw new Error(expression);
          const after = at(start) + later * 60_000;
          const isDue = (moment: number): boolean => {
            const is = fieldsOf(moment + zone(tz).offset(moment));
            return expression.minutes.includes(is.minute) && expression.hours.includes(is.hour) && expression.isDay(is);
          };
          let expected: number | undefined;
          for (let moment = after + 60_000; moment < after + 600 * 60_000 && !expected; moment += 60_000)
            if (isDue(moment)) expected = moment;
          const next = nextCron(expression, zone(tz), after);
          if (expected === undefined) expect(next).toBeGreaterThanOrEqual(after + 600 * 60_000);
          else expect(iso(next)).toBe(iso(expected));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("whatever is written: it is read or refused, and what is next is later", () => {
    const field = fc.stringMatching(/^[\d*/,?lL#a-z-]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(field, { minLength: 5, maxLength: 6 }),
        fc.constantFrom("Europe/Berlin", "UTC"),
        (fields, tz) => {
          const schedule = cron(fields.join(" "), tz);
          const next = nextDue(schedule, at("2026-03-28T00:00:00Z"));
          if (next !== undefined) expect(next).toBeGreaterThan(at("2026-03-28T00:00:00Z"));
        },
      ),
    );
  });
});

describe("schedules", () => {
  const now = at("2026-11-16T02:00:00Z");
  test.each<[written: Parameters<typeof readSchedule>[0], next: string | undefined]>([
    [{ kind: "at", at: "2026-12-24T18:00:00+01:00" }, "2026-12-24T17:00:00Z"],
    [{ kind: "at", at: "2026-12-24T18:00:00Z", tz: "Asia/Tokyo" }, "2026-12-24T18:00:00Z"],
    [{ kind: "at", at: "2026-12-24 18:00", tz: "Asia/Tokyo" }, "2026-12-24T09:00:00Z"],
    [{ kind: "at", at: "2027-03-28T02:30:00", tz: "Europe/Berlin" }, "2027-03-28T01:00:00Z"],
    [{ kind: "every", every_ms: 3_600_000 }, "2026-11-16T03:00:00Z"],
    [{ kind: "cron", expr: "0 9 * * *", tz: "Europe/Berlin" }, "2026-11-16T08:00:00Z"],
    [{ kind: "cron", expr: "0 9 * * *" }, "2026-11-16T09:00:00Z"],
  ])("%j", (written, next) => expect(iso(nextDue(readSchedule(written, now), now))).toBe(next));

  test.each<[written: Parameters<typeof readSchedule>[0], part: string, says: RegExp]>([
    [{ kind: "cron" }, "expr", /required for kind cron/],
    [{ kind: "cron", expr: "0 0 30 2 *" }, "expr", /never comes/],
    [{ kind: "cron", expr: "0 9 * * *", tz: "Berlin" }, "tz", /no time zone Berlin; did you mean Europe\/Berlin\?/],
    [{ kind: "at" }, "at", /required for kind at/],
    [{ kind: "at", at: "tomorrow" }, "at", /tomorrow is not a time/],
    [{ kind: "at", at: "2027-02-30T00:00:00Z" }, "at", /is not a time/],
    [{ kind: "at", at: "2026-11-16T02:00:00Z" }, "at", /is over/],
    [{ kind: "every" }, "every_ms", /required for kind every/],
    [{ kind: "every", every_ms: 999 }, "every_ms", /from a second/],
    [{ kind: "every", every_ms: Number.NaN }, "every_ms", /from a second/],
  ])("%j is refused", (written, part, says) => {
    const mistake = (() => {
      try {
        return readSchedule(written, now);
      } catch (error) {
        return error;
      }
    })();
    expect(mistake).toBeInstanceOf(ScheduleMistake);
    expect((mistake as ScheduleMistake).part).toBe(part);
    expect((mistake as ScheduleMistake).message).toMatch(says);
  });

  test("what was due while nobody looked: the last of it, and how often, however long it was", () => {
    const minutely = cron("* * * * *");
    expect(iso(lastDue(minutely, now - 3 * 365 * 86_400_000, now))).toBe("2026-11-16T02:00:00Z");
    expect(iso(lastDue(cron("0 0 1 1 *"), now - 3 * 365 * 86_400_000, now))).toBe("2026-01-01T00:00:00Z");
    expect(lastDue(cron("0 0 1 1 *"), now - 86_400_000, now)).toBeUndefined();
    expect(countDue(minutely, now - 5 * 60_000, now)).toBe(5);
    expect(countDue(minutely, 0, now)).toBe(1000);
    expect(dueShown(now, minutely)).toBe("Mon 2026-11-16 02:00:00 +00:00 UTC");
  });

  test("every so often is counted from the beginning, whenever one looks", () => {
    const every: Schedule = { kind: "every", every: 1000, from: 500, tz: "UTC" };
    expect([0, 500, 1500, 1501, 2499].map((after) => nextDue(every, after))).toEqual([1500, 1500, 2500, 2500, 2500]);
  });
});
