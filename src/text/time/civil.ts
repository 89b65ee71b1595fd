/** A date and time by calendar and clock. Months count from 1, weekdays from Sunday, which is 0. */
export type Fields = {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
};

export const DAY = 86_400_000;
/** Days from 1 March of the year 0 to 1 January 1970; in years that begin in March, the leap day comes last. */
const EPOCH = 719_468;
const ERA_DAYS = 146_097;

/** The calendar and clock fields in UTC. */
export function fieldsOf(ms: number): Fields {
  const sinceEpoch = Math.floor(ms / DAY);
  const day = sinceEpoch + EPOCH;
  const era = Math.floor(day / ERA_DAYS);
  const ofEra = day - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / (ERA_DAYS - 1))) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const seconds = Math.floor((ms - sinceEpoch * DAY) / 1000);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * march + 2) / 5) + 1,
    weekday: (((sinceEpoch + 4) % 7) + 7) % 7,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
  };
}

/** The inverse. `Date.UTC` takes years up to 99 as those of the twentieth century, hence the shift. */
export const msOf = (year: number, month: number, day = 1, hour = 0, minute = 0, second = 0): number =>
  Date.UTC(2000 + (((year % 400) + 400) % 400), month - 1, day, hour, minute, second) +
  (Math.floor(year / 400) - 5) * ERA_DAYS * DAY;

export const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

const two = (number: number): string => String(number).padStart(2, "0");

export const dateShown = ({ year, month, day }: Fields): string =>
  `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
export const timeShown = ({ hour, minute, second }: Fields): string => [hour, minute, second].map(two).join(":");
