const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units of Rust's `humantime`, which IOTA's gas station uses; a month and a year have their average lengths. */
const UNITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...['ms', 'msec', 'millis'].map((name) => [name, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((name) => [name, SECOND] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((name) => [name, MINUTE] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((name) => [name, HOUR] as const),
  ...['d', 'day', 'days'].map((name) => [name, DAY] as const),
  ...['w', 'week', 'weeks'].map((name) => [name, 7 * DAY] as const),
  ...['M', 'month', 'months'].map((name) => [name, 30.44 * DAY] as const),
  ...['y', 'year', 'years'].map((name) => [name, 365.25 * DAY] as const),
]);

const PARTS = /^\s*(?:\d+\s*[a-z]+\s*)+$/i;
const PART = /(\d+)\s*([a-z]+)/gi;

/** `1 day`, `2h 30m`: a time span in ms, within bounds. Throws `Error` with the required format. */
export function readTimeSpan(text: string, least: number, most: number): number {
  if (text.length > 64 || !PARTS.test(text)) throw new Error('must be a time span, such as 1 day');
  let span = 0;
  for (const [, count, unit] of text.matchAll(PART)) {
    const ms = UNITS[unit!] ?? UNITS[unit!.toLowerCase()];
    if (ms === undefined) throw new Error(`has an unknown unit of time, ${unit}`);
    span += Number(count) * ms;
  }
  if (!(span >= least && span <= most)) {
    throw new Error(`must be a time span from ${least / SECOND} s to ${most / SECOND} s`);
  }
  return Math.round(span);
}
