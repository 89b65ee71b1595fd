const DAY_MS = 86_400_000;
/** Days from 1 March of the year 0 to 1 January 1970; years that begin in March have the odd day at their end. */
const EPOCH = 719_468;
const ERA_DAYS = 146_097;

const two = (number: number): string => String(number).padStart(2, "0");

/** Milliseconds since the epoch as people and programs read a time, to the second. */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS) + EPOCH;
  const era = Math.floor(day / ERA_DAYS);
  const ofEra = day - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / (ERA_DAYS - 1))) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const date = ofYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const seconds = Math.floor((ms - Math.floor(ms / DAY_MS) * DAY_MS) / 1000);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}T${time}Z`;
}
